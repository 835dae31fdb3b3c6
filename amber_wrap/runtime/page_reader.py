"""Read the records of a page by one wrapper, or by the best of several wrappers.

A wrapper has the rules for reading one site's pages. A `Job` has the wrappers of a run.
A `Router` chooses the wrapper for each page. A `PageReader` reads the records from
lxml's tree, at little more than the cost of parsing.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lxml import etree

from amber_wrap.dom.link_addresses import base_url
from amber_wrap.dom.markup import decode, parse_html
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
from amber_wrap.engine.ensemble import ErrorEstimate, FoundRecord
from amber_wrap.engine.interpret import Row, RowForm, records_on, row_keys
from amber_wrap.engine.locators import PatternCache
from amber_wrap.engine.missed_data import UnreadTexts
from amber_wrap.engine.thresholds import CHECK
from amber_wrap.errors import FileError, WrapperError
from amber_wrap.files import read_wrapper, stored_path
from amber_wrap.runtime.input_pages import InputPage
from amber_wrap.values.regular_expressions import is_exponential
from amber_wrap.wrapper.ir import AreaRule, Contract, Wrapper

NO_ERRORS = ErrorEstimate(wrong=0.0, missing=0.0, by_fallback=0)
"""The estimated errors in a field's values: none.

A field may have several expressions. Their values aren't compared here, because that
would be slow.
"""


@dataclass(frozen=True, slots=True)
class PageReading:
    """The records of a page, and the names of the conditions that the page breaks.

    `rows` are the records. `broken` has names of conditions on the site's pages and
    their records, for example "records" or "price: fill".
    """

    rows: tuple[Row, ...]
    broken: tuple[str, ...] = ()


def tree_of(page: InputPage) -> etree._Element:
    """Return the root element of a page.

    Raise PageError if the bytes are no HTML page.
    """
    check_body(page.body)
    return parse_html(decode(page.body, page.charset))


class PageReader:
    """A reader of pages, which compiles a wrapper's extraction rules once.

    With `raw`, the values in the records are the displayed texts. Otherwise the texts
    are converted, for example to numbers.
    """

    def __init__(self, wrapper: Wrapper, raw: bool = False) -> None:
        self._form = RowForm(wrapper, raw)
        self._wrapper = wrapper
        self._patterns = PatternCache(dict(wrapper.patterns))

    def read(self, root: etree._Element, url: str = "") -> PageReading:
        """Return a page's records, and the names of the conditions that it breaks.

        These are conditions on the pages of the site. `root` is the root element of the
        page. `url` is the address of the page, which makes links absolute.
        """
        records = records_on(self._wrapper, root, self._patterns)
        base = base_url(root, url)
        rows = tuple(self._form.row(it.area, it.values, base) for it in records)
        return PageReading(rows, tuple(self._broken_clauses(records, root)))

    def _broken_clauses(
        self, records: list[FoundRecord], root: etree._Element
    ) -> Iterator[str]:
        """Yield the names of the conditions on a site's pages that a page breaks.

        The conditions are on the page and on its `records`. A name is yielded if the
        broken condition shows that the page is misread, or if many values in `records`
        are probably wrong. If `records` is empty, names are yielded unless the page
        below `root` looks like a page without results.
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
    """Yield a finding for each condition that the records of one list break.

    `area` has the rules for reading the list. `contract` has the conditions on the
    list's records. `page_records` are the records of all lists of the page.
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
"""Wrappers (the extraction rules of sites): pairs of a wrapper's name and the wrapper.
"""
Routes = tuple[tuple[str, str], ...]
"""Pairs of a regular expression for URLs and the name of the wrapper to use there.

A wrapper has the rules for reading one site's pages.
"""
ROUTES_FILE = "routes.toml"
"""The file in a folder of wrappers that says which wrapper reads which URLs.

A wrapper has the rules for reading one site's pages.
"""


class Router:
    """A set of wrappers, and URL patterns that choose a wrapper for each page.

    A wrapper has the rules for reading one site's pages. The first pattern in `routes`
    that matches the page's URL names the wrapper. If no pattern matches, several
    wrappers read the page, and the best result is chosen.

    The criteria for the best result are, in this order:

    - the result has records,
    - the page breaks the fewest of the wrapper's conditions on pages,
    - the records have the most values.

    Only wrappers whose own URL pattern (`Wrapper.urls`) matches are tried. If no
    wrapper's pattern matches, all wrappers are tried. With `raw`, values are the
    displayed texts.

    Raise WrapperError if a pattern is invalid, or if a route names an unknown wrapper.
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
        """Read a page with the best wrapper, and return its name and the records.

        A wrapper has the rules for reading one site's pages. The name is "" if there is
        only one wrapper. `root` is the root element of the page, and `url` is the
        address of the page.
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

    The result with the greatest key is best. The key has three items: whether there are
    records, the negative number of the conditions that the page breaks, and the number
    of values.
    """
    values = [value for row in reading.rows for value in row.values()]
    value_count = len(values) - values.count(None)
    return bool(reading.rows), -len(reading.broken), value_count


@dataclass(frozen=True, slots=True)
class Job:
    """The data that a worker process needs: wrappers by name, and options.

    A wrapper has the rules for reading one site's pages. `routes` are pairs of a URL
    pattern and the name of a wrapper. With `raw`, values are the displayed texts.
    `memory` is the memory limit of the process in MiB, or 0 for no limit.
    """

    wrappers: Wrappers
    routes: Routes = ()
    raw: bool = False
    memory: int = 1024

    @property
    def fields(self) -> tuple[str, ...]:
        """Return all keys that records may have: the fields of all wrappers.

        A wrapper has the rules for reading one site's pages. The key `_area` is added
        if a wrapper reads several lists, and `_wrapper` if there are several wrappers.
        """
        keys = dict.fromkeys(
            key for _, wrapper in self.wrappers for key in row_keys(wrapper, self.raw)
        )
        if any(len(wrapper.areas) > 1 for _, wrapper in self.wrappers):
            keys["_area"] = None
        return (*keys, "_wrapper") if len(self.wrappers) > 1 else tuple(keys)

    @property
    def column_types(self) -> dict[str, type]:
        """Return the types of the fields that don't have single texts, by field name.

        The type is `float` for numbers, and `list` for lists of texts. A field that is
        a list for one wrapper (set of extraction rules) is a list for all wrappers.
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
    """Return the wrappers and options for applying one wrapper, or all in a folder.

    A wrapper has the rules for reading one site's pages. `path` is the generated file
    of the wrapper, or a folder of generated files. With `raw`, values are the displayed
    texts. `memory` is the memory limit of a worker process in MiB. Raise FileError if a
    file can't be read or the folder has no wrappers. Raise WrapperError if a wrapper or
    route (URL pattern of a wrapper) is invalid.
    """
    if not path.is_dir():
        return Job(((path.name, read_wrapper(str(path))),), (), raw, memory)
    wrappers, routes = read_folder(path)
    return Job(wrappers, routes, raw, memory)


def read_folder(folder: Path) -> tuple[Wrappers, Routes]:
    """Return the wrappers in a folder, and the URL patterns (routes) that choose them.

    A wrapper has the rules for reading one site's pages, and is paired with its file
    name. The routes are in the file routes.toml. A route is a line such as `"/hotels/"
    = "hotels.py"` in the table `[routes]`. The key is a regular expression for URLs.
    Raise FileError if a file can't be read or the folder has no wrappers. Raise
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
