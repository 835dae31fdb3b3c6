"""Read the records of a page with one wrapper, or with the best of several wrappers."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lxml import etree

from amber_wrap.dom.decoding import decode, parse_html
from amber_wrap.dom.link_addresses import base_url
from amber_wrap.dom.parse import check_body
from amber_wrap.domain.schema import FIGURES, ValueKind
from amber_wrap.engine.contract_report import ContractFinding, regular_fields
from amber_wrap.engine.drift_check import (
    estimate_f1,
    judge_completeness,
    judge_field,
    judge_records,
)
from amber_wrap.engine.empty_page import judge_empty
from amber_wrap.engine.locators import PatternCache
from amber_wrap.engine.output_rows import Row, RowForm, records_on, row_keys
from amber_wrap.engine.record_reading import FoundRecord
from amber_wrap.engine.thresholds import CHECK
from amber_wrap.engine.unread_texts import UnreadTexts
from amber_wrap.engine.votes_of_expressions import ErrorEstimate
from amber_wrap.errors import FileError, WrapperError
from amber_wrap.files import read_wrapper, stored_path
from amber_wrap.runtime.input_pages import InputPage
from amber_wrap.values.exponential_patterns import is_exponential
from amber_wrap.wrapper.ir import AreaRule, Contract, Wrapper

NO_ERRORS = ErrorEstimate(wrong=0.0, missing=0.0, by_fallback=0)
"""The estimate that a field has no wrong or missing values.

Errors could be estimated by comparing the values of a field's XPath expressions with
each other, but that would be slow.
"""


@dataclass(frozen=True, slots=True)
class PageReading:
    """The result of reading a page with a wrapper."""

    rows: tuple[Row, ...]
    """The records of the page."""
    broken: tuple[str, ...] = ()
    """The names of the wrapper's conditions that the page breaks, such as "price:
    fill"."""


def tree_of(page: InputPage) -> etree._Element:
    """Return the root element of a page.

    Raise PageError if the bytes are no HTML page.
    """
    check_body(page.body)
    return parse_html(decode(page.body, page.charset))


class PageReader:
    """A reader of pages, which compiles a wrapper's extraction rules once.

    With `raw`, values are the displayed texts, without a conversion to numbers.
    """

    def __init__(self, wrapper: Wrapper, raw: bool = False) -> None:
        self._form = RowForm(wrapper, raw)
        self._wrapper = wrapper
        self._patterns = PatternCache(dict(wrapper.patterns))

    def read(self, root: etree._Element, url: str = "") -> PageReading:
        """Return a page's records, and the wrapper's conditions that the records break.

        The address `url` of the page makes relative links absolute.
        """
        records = records_on(self._wrapper, root, self._patterns)
        base = base_url(root, url)
        rows = tuple(self._form.row(it.area, it.values, base) for it in records)
        return PageReading(rows, tuple(self._broken_clauses(records, root)))

    def _broken_clauses(
        self, records: list[FoundRecord], root: etree._Element
    ) -> Iterator[str]:
        """Yield the names of the wrapper's conditions that a page breaks.

        A slight deviation is reported only if many values of the page are probably
        wrong. Yield nothing for a page without records that looks like an empty list of
        results.
        """
        if not records:
            report = judge_empty(self._wrapper, root, self._patterns)
            yield from (clause["clause"] for clause in report["failed"])
            return
        findings = [
            (area.name, finding)
            for area in self._wrapper.areas
            if area.contract
            for finding in _findings(area, area.contract, records)
        ]
        value_count = sum(len(record.values) for record in records)
        right_share = estimate_f1(value_count, findings)
        for _, finding in findings:
            is_suspected = finding.wrong + finding.missing > 0
            if finding.is_sure or (right_share < CHECK.least_f1 and is_suspected):
                clause = finding.clause
                yield f"{finding.field}: {clause}" if finding.field else clause


def _findings(
    area: AreaRule, contract: Contract, page_records: list[FoundRecord]
) -> Iterator[ContractFinding]:
    """Yield a finding for each condition in `contract` that one list of a page breaks.

    `area` has the rules for the list. `page_records` are the records of all lists of
    the page.
    """
    records = [record for record in page_records if record.area == area.name]
    other_count = len(page_records) - len(records)
    yield from judge_records(contract, len(records), 0, 0, other_count)
    usual_fields = regular_fields(contract)
    unread_texts = UnreadTexts(contract, records)
    for rule in area.fields:
        for finding in judge_field(contract, rule, records, NO_ERRORS, unread_texts):
            yield finding
            if finding.clause == "fill":
                usual_fields.discard(rule.name)
    rules = [rule for rule in area.fields if rule.name in usual_fields]
    yield from judge_completeness(contract, rules, records, unread_texts)


Wrappers = tuple[tuple[str, Wrapper], ...]
"""Pairs of a wrapper's name and the wrapper."""
Routes = tuple[tuple[str, str], ...]
"""Pairs of a regular expression for URLs and the name of the wrapper to use there."""
ROUTES_FILE = "routes.toml"
"""The file in a folder of wrappers that has the routes."""


class Router:
    """A set of wrappers, of which one is chosen for each page.

    Routes map URL patterns to wrappers. For other pages, the wrapper with the best
    result is chosen. Raise WrapperError if a route is invalid or names an unknown
    wrapper.
    """

    def __init__(
        self, wrappers: Wrappers, routes: Routes = (), raw: bool = False
    ) -> None:
        self._readers = {name: PageReader(wrapper, raw) for name, wrapper in wrappers}
        self._routes: list[tuple[re.Pattern[str], str]] = []
        for pattern, name in routes:
            if name not in self._readers:
                raise WrapperError(f"a route names the unknown wrapper {name!r}")
            self._routes.append((_compiled(pattern), name))
        self._urls = {name: _compiled(wrapper.urls) for name, wrapper in wrappers}

    def read(self, root: etree._Element, url: str = "") -> tuple[str, PageReading]:
        """Choose a wrapper for a page, and return the wrapper's name and its result.

        The name is "" if there is only one wrapper.
        """
        if len(self._readers) == 1:
            return "", next(iter(self._readers.values())).read(root, url)
        for pattern, name in self._routes:
            if url and pattern.search(url):
                return name, self._readers[name].read(root, url)
        names = list(self._readers)
        if url:
            names = [name for name in names if self._urls[name].search(url)] or names
        readings = ((name, self._readers[name].read(root, url)) for name in names)
        return max(readings, key=lambda named_reading: _fit(named_reading[1]))


def _compiled(pattern: str) -> re.Pattern[str]:
    """Return a compiled regular expression for URLs.

    Raise WrapperError if the pattern is invalid or may take exponential time.
    """
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        raise WrapperError(f"the route {pattern!r} is invalid: {error}") from error
    if is_exponential(pattern):
        raise WrapperError(
            f"the route {pattern!r} is invalid: it can match the same text in several "
            "ways, which may take exponential time: make its repeated parts unambiguous"
        )
    return compiled


def _fit(reading: PageReading) -> tuple[bool, int, int]:
    """Return a sort key for the result of reading a page.

    The best result has the greatest key: it has records, breaks the fewest conditions,
    and has the most values.
    """
    values = [value for row in reading.rows for value in row.values()]
    value_count = len(values) - values.count(None)
    return bool(reading.rows), -len(reading.broken), value_count


@dataclass(frozen=True, slots=True)
class Job:
    """The wrappers and options that a worker process needs to read pages."""

    wrappers: Wrappers
    routes: Routes = ()
    raw: bool = False
    """Whether values are the displayed texts, without a conversion to numbers."""
    memory: int = 1024
    """The memory limit of the process in MiB, or 0 for no limit."""

    @property
    def fields(self) -> tuple[str, ...]:
        """Return all keys that records may have: the fields of all wrappers.

        The key `_area` is added if a page has several lists, and `_wrapper` if there
        are several wrappers.
        """
        keys = dict.fromkeys(
            key for _, wrapper in self.wrappers for key in row_keys(wrapper, self.raw)
        )
        if any(len(wrapper.areas) > 1 for _, wrapper in self.wrappers):
            keys["_area"] = None
        return (*keys, "_wrapper") if len(self.wrappers) > 1 else tuple(keys)

    @property
    def column_types(self) -> dict[str, type]:
        """Return a dict from field names to the types of the fields' values.

        The type is `float` for numbers, and `list` for lists of texts. A field with
        single texts isn't in the dict.
        """
        types: dict[str, type] = {}
        for _, wrapper in self.wrappers:
            for name, kind in wrapper.fields:
                if kind is ValueKind.TEXTS:
                    types[name] = list
                elif kind in FIGURES and not self.raw:
                    types.setdefault(name, float)
        return types


def read_job(path: Path, raw: bool = False, memory: int = 1024) -> Job:
    """Return the job that applies the wrapper in a file, or all wrappers in a folder.

    `raw` and `memory` are fields of the job. Raise FileError if a file can't be read or
    the folder has no wrappers, and WrapperError if a wrapper or route is invalid.
    """
    if not path.is_dir():
        return Job(((path.name, read_wrapper(str(path))),), (), raw, memory)
    wrappers, routes = read_folder(path)
    return Job(wrappers, routes, raw, memory)


def read_folder(folder: Path) -> tuple[Wrappers, Routes]:
    """Return the wrappers in a folder, and the routes from URL patterns to wrappers.

    Raise FileError if a file can't be read or the folder has no wrappers, and
    WrapperError if a wrapper or route is invalid.
    """
    wrappers = tuple(
        (path.name, read_wrapper(str(path)))
        for path in sorted(folder.glob("*.py"))
        if stored_path(path).exists()
    )
    if not wrappers:
        raise FileError(f"{folder} contains no wrappers")
    routes_path = folder / ROUTES_FILE
    if not routes_path.exists():
        return wrappers, ()
    try:
        table = tomllib.loads(routes_path.read_text("utf-8")).get("routes", {})
    except (OSError, ValueError) as error:
        raise FileError(f"cannot read {routes_path}: {error}") from error
    names = table.values() if isinstance(table, dict) else [None]
    if not all(isinstance(name, str) for name in names):
        advice = 'write [routes], then lines of "pattern" = "file.py"'
        raise FileError(f"{routes_path}: {advice}")
    routes = tuple(table.items())
    Router(wrappers, routes)  # It raises WrapperError for an invalid route.
    return wrappers, routes
