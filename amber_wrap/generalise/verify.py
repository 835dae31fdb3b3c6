"""The verifier: what a wrapper does on its samples against what the typing says."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from lxml import etree

from amber_wrap.analysis.typing import ExtractionTyping
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.dom.parse import parse
from amber_wrap.embedded.patterns import PART, compose
from amber_wrap.errors import Diagnostic, WrapperError
from amber_wrap.wrapper.interpret import interpret
from amber_wrap.wrapper.ir import Wrapper


def check_expressions(wrapper: Wrapper) -> None:
    """Try every expression and pattern; raises WrapperError for one that fails."""
    expressions = [
        *wrapper.frame,
        *(area.witness for area in wrapper.areas if area.witness),
        *(one.root for area in wrapper.areas for one in area.places),
        *(one.record for area in wrapper.areas for one in area.places),
        *(
            locator.xpath
            for area in wrapper.areas
            for rule in area.fields
            for reading in rule.readings
            for locator in reading.locators
        ),
    ]
    page = parse(b"<body></body>")
    for expression in expressions:
        try:
            page.select(expression)
        except (etree.XPathError, ValueError) as error:
            raise WrapperError(f"the XPath {expression!r} is wrong: {error}") from error
    patterns = dict(wrapper.patterns)
    # What is part of another pattern is tried with it, and alone if that is wrong.
    parts = {part for one in patterns.values() for part in PART.findall(one)}
    if any(_error(name, patterns) for name in patterns if name not in parts):
        for name in patterns:
            if wrong := _error(name, patterns):
                raise WrapperError(f"the pattern {name!r} is wrong: {wrong}") from wrong


def _error(name: str, patterns: Mapping[str, str]) -> re.error | None:
    """What is wrong with a pattern."""
    try:
        re.compile(compose(name, patterns))
    except re.error as error:
        return error
    return None


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far a wrapper's records on a page are those of the typing.

    `records` and `values` count (agreeing, extracted, typed); a value that the typing
    lacks in a record that it has counts as extracted, not as agreeing.  `differences`
    count what differs by field: missing, beyond the typing, different.
    """

    records: tuple[int, int, int]
    values: tuple[int, int, int]
    differences: Mapping[tuple[str, str], int]


def typed_values(typing: ExtractionTyping) -> dict[NodeId, dict[str, str]]:
    """The values of each record by type, by the record's start."""
    return {
        record.start: {one.type: one.text for one in found if one.text is not None}
        for area in typing.areas
        for record, found in zip(area.records, area.attributes, strict=True)
    }


def agreement(wrapper: Wrapper, page: Page, typing: ExtractionTyping) -> Agreement:
    """A wrapper's records on a page against the typing's."""
    extracted = {record.rows[0]: record for record in interpret(wrapper, page)}
    typed = typed_values(typing)
    common = typed.keys() & extracted.keys()
    differences: Counter[tuple[str, str]] = Counter()
    agreeing = given_values = 0
    for start in common:
        wanted = typed[start]
        given = {n: value.text for n, value in extracted[start].values.items()}
        given_values += len(given)
        for field in wanted.keys() | given.keys():
            if field not in given:
                differences[field, "missing"] += 1
            elif field not in wanted:
                differences[field, "beyond the typing"] += 1
            elif wanted[field] != given[field]:
                differences[field, "different"] += 1
            else:
                agreeing += 1
    wanted_values = sum(map(len, typed.values()))
    return Agreement(
        (len(common), len(extracted), len(typed)),
        (agreeing, given_values, wanted_values),
        dict(sorted(differences.items())),
    )


def verify(
    wrapper: Wrapper, page: Page, typing: ExtractionTyping, name: str
) -> Iterator[Diagnostic]:
    """Each difference between the wrapper's records on a sample and the typing's.

    `name` names the sample in the findings.
    """
    found = agreement(wrapper, page, typing)
    common, extracted, typed = found.records
    if missed := typed - common:
        yield _finding("record-missed", f"{missed} typed records not found", name)
    if extra := extracted - common:
        yield _finding("record-extra", f"{extra} records beyond the typing", name)
    for (field, what), count in found.differences.items():
        yield _finding("field-differs", f"{field}: {count} values {what}", name)


def _finding(code: str, message: str, name: str) -> Diagnostic:
    return Diagnostic(
        "warning", code, f"the wrapper on its own sample: {message}", name
    )
