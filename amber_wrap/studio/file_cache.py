"""Cache opened pages, and open a file anew when it has changed."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any, Final, TypeVar

from amber_wrap.analysis.extraction_typing import Record
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.dom.parse import parse
from amber_wrap.engine.contract_report import ContractReport
from amber_wrap.engine.drift_check import check_page
from amber_wrap.engine.output_rows import records_on
from amber_wrap.engine.record_reading import FoundRecord
from amber_wrap.files import read_saved_page, read_wrapper
from amber_wrap.wrapper.ir import Wrapper

T = TypeVar("T")

_MOST_CACHED: Final = 24
"""The most pages, sets of extraction rules and opened pages in the cache, together."""


@dataclass(frozen=True, slots=True)
class OpenedPage:
    """A page, and the records that extraction rules find on the page."""

    page: Page
    wrapper: Wrapper | None
    """The extraction rules, or None for a page without records."""
    records: list[FoundRecord]
    report: ContractReport | None
    """The result of checking the page against the conditions in the extraction rules,
    or None without rules.
    """

    def rows(self) -> list[list[NodeId]]:
        """Return a list with the top elements of each record.

        A record has one top element, or several with the same parent.
        """
        return [
            [self.page.node_of(row) for row in record.rows] for record in self.records
        ]

    def areas(self) -> list[tuple[Page, list[Record]]]:
        """Return a pair (page, records) for each list of records on the page."""
        areas: dict[str, list[Record]] = {}
        for record, rows in zip(self.records, self.rows(), strict=True):
            areas.setdefault(record.area, []).append(Record(tuple(rows)))
        return [(self.page, records) for records in areas.values()]

    def record_of(self, node: NodeId) -> int | None:
        """Return the number (from 0) of the record that contains an element.

        Return None if no record contains the element.
        """
        for number, rows in enumerate(self.rows()):
            if any(self.page.contains(row, node) for row in rows):
                return number
        return None


@dataclass(slots=True)
class FileCache:
    """A cache of parsed pages and of wrappers, which are sets of extraction rules.

    A file that has changed is read again.
    """

    _values: OrderedDict[Hashable, Any] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    def page(self, path: Path) -> Page:
        """Return the parsed page of a file.

        Raise FileError if the file can't be read, and PageError if the file contains no
        page.
        """

        def read() -> Page:
            saved_page = read_saved_page(str(path)).saved
            return parse(saved_page.body, saved_page.url)

        return self._cached(("page", *file_state(path)), read)

    def wrapper(self, path: Path) -> Wrapper:
        """Return the wrapper, a set of extraction rules, that is stored in a file.

        Raise FileError if the file can't be read, and WrapperError if the wrapper is
        invalid.
        """
        return self._cached(
            ("wrapper", *file_state(path)), lambda: read_wrapper(str(path))
        )

    def opened_page(self, path: Path, stored: Path | None) -> OpenedPage:
        """Return a page with the records that the extraction rules in `stored` find.

        Raise FileError, PageError or WrapperError if one of the files can't be read or
        is invalid.
        """

        def read_records() -> OpenedPage:
            page = self.page(path)
            if stored is None:
                return OpenedPage(page, None, [], None)
            wrapper = self.wrapper(stored)
            records = records_on(wrapper, page.root)
            return OpenedPage(page, wrapper, records, check_page(wrapper, page))

        return self._cached(
            ("opened", *file_state(path), *file_state(stored)), read_records
        )

    def _cached(self, key: Hashable, load: Callable[[], T]) -> T:
        """Return the cached value of a key.

        Without a cached value, call `load`, and cache the result.
        """
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
                cached: T = self._values[key]
                return cached
        value = load()
        with self._lock:
            self._values[key] = value
            while len(self._values) > _MOST_CACHED:
                self._values.popitem(last=False)
        return value


def file_state(path: Path | None) -> tuple[object, ...]:
    """Return the path, modification time and size of a file, or (None,) if `path` is
    None.

    Raise OSError if the file doesn't exist.
    """
    if path is None:
        return (None,)
    status = path.stat()
    return str(path), status.st_mtime_ns, status.st_size
