"""A wrapper at work on the bytes of pages, at little more than the cost of parsing.

No `Page` is made: the engine of generated files reads lxml's tree.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lxml import etree
from w3lib.encoding import html_to_unicode

from amber_wrap.dom.parse import check_body
from amber_wrap.embedded.contract import regular
from amber_wrap.embedded.ensemble import Found, find_records
from amber_wrap.embedded.markup import guess_encoding, parse_html
from amber_wrap.embedded.vacancy import judge_empty
from amber_wrap.embedded.verdict import (
    RIGHT,
    Finding,
    estimate,
    judge_field,
    judge_records,
    judge_whole,
)
from amber_wrap.embedded.votes import Doubt
from amber_wrap.runtime.pages import InputPage
from amber_wrap.wrapper.interpret import Patterns, Row, RowForm, base_of
from amber_wrap.wrapper.ir import Wrapper, to_data

UNASKED = Doubt(wrong=0.0, missing=0.0, detoured=0)
"""What other readings say of a field, where they aren't asked: that takes longest."""


@dataclass(frozen=True, slots=True)
class Reading:
    """The records of a page, and the clauses of the contract that they break.

    A clause is "records" or, of a field, "price: fill".
    """

    rows: tuple[Row, ...]
    broken: tuple[str, ...] = ()


def tree_of(page: InputPage) -> etree._Element:
    """The root of a page; raises PageError for bytes that are no page."""
    check_body(page.body)
    if not page.charset:
        return parse_html(page.body)
    # A byte order mark goes before what the server said, that before the page itself.
    said = f"text/html; charset={page.charset}"
    return parse_html(
        html_to_unicode(said, page.body, auto_detect_fun=guess_encoding)[1]
    )


class Reader:
    """A wrapper, ready for many pages."""

    def __init__(self, wrapper: Wrapper, raw: bool = False) -> None:
        self._form = RowForm(wrapper, raw)
        data = to_data(wrapper)
        self._areas, self._contracts = data["areas"], data["contract"]
        self._frame = data["frame"]
        self._patterns = Patterns(data["patterns"])

    def read(self, root: etree._Element, url: str = "") -> Reading:
        """The records of a page, as the generated file prints them."""
        found = find_records(self._areas, self._contracts, root, self._patterns)
        base = base_of(root, url)
        rows = tuple(self._form.row(one.area, one.values, base) for one in found)
        return Reading(rows, tuple(self._broken(found, root)))

    def _broken(self, found: list[Found], root: etree._Element) -> Iterator[str]:
        """The clauses that `check` would name without a look beside the records."""
        if not found:
            report = judge_empty(
                self._areas, self._contracts, self._frame, root, self._patterns
            )
            yield from (clause["clause"] for clause in report["failed"])
            return
        findings = [
            (area["name"], one)
            for area in self._areas
            if area["name"] in self._contracts
            for one in self._findings(area["name"], list(area["fields"]), found)
        ]
        likely = estimate(sum(len(record.values) for record in found), findings)
        for _, one in findings:
            if one.sure or (likely < RIGHT and one.wrong + one.missing):
                yield f"{one.field}: {one.clause}" if one.field else one.clause

    def _findings(
        self, area: str, fields: list[str], found: list[Found]
    ) -> Iterator[Finding]:
        contract = self._contracts[area]
        records = [record for record in found if record.area == area]
        yield from judge_records(
            contract, len(records), 0, 0, len(found) - len(records)
        )
        usual = regular(contract)
        for name in fields:
            for one in judge_field(contract, name, records, UNASKED):
                yield one
                if one.clause == "fill":
                    usual.discard(name)
        yield from judge_whole(contract, usual, records)
