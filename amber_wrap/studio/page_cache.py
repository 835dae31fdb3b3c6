"""Cache the last opened pages, their wrappers, and the records on the pages."""

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
from amber_wrap.engine.ensemble import Found
from amber_wrap.engine.interpret import found_on
from amber_wrap.errors import SelectionError
from amber_wrap.files import read_rules, read_saved_page
from amber_wrap.wrapper.ir import Wrapper

T = TypeVar("T")
_KEPT: Final = 8
"""The number of pages, of wrappers, and of pages under a wrapper in the cache."""


@dataclass(frozen=True, slots=True)
class OpenedPage:
    """A page, and the records that a wrapper finds on the page.

    `report` compares the page with the wrapper's contract, for example the expected
    number of records.  Without a wrapper, there are no records and no report.
    """

    page: Page
    wrapper: Wrapper | None
    found: list[Found]
    report: ContractReport | None

    def rows(self) -> list[list[NodeId]]:
        """Return a list for each record: the elements that make up the record.

        A record has one element, or several elements with the same parent.
        """
        return [[self.page.node_of(row) for row in one.rows] for one in self.found]

    def areas(self) -> list[tuple[Page, list[Record]]]:
        """Return a pair for each data area: the page, and the area's records."""
        records: dict[str, list[Record]] = {}
        for one, rows in zip(self.found, self.rows(), strict=True):
            records.setdefault(one.area, []).append(Record(tuple(rows)))
        return [(self.page, some) for some in records.values()]

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
    """A cache of opened files; a changed file is read again."""

    _kept: OrderedDict[Hashable, Any] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    def page(self, path: Path) -> Page:
        """Return the parsed page of a file.

        Raise FileError if the file can't be read, and PageError if the file contains no
        page.
        """

        def read() -> Page:
            saved = read_saved_page(str(path)).saved
            return parse(saved.body, saved.url)

        return self._once(("page", *file_state(path)), read)

    def wrapper(self, path: Path) -> Wrapper:
        """Return the wrapper that is stored in a file.

        Raise FileError if the file can't be read, and WrapperError if the wrapper is
        invalid.
        """
        return self._once(("wrapper", *file_state(path)), lambda: read_rules(str(path)))

    def page_under(self, path: Path, stored: Path | None) -> OpenedPage:
        """Return a page with the records that a stored wrapper finds on the page.

        If `stored` is None, there are no records.  Raise FileError if a file can't be
        read.  Raise PageError or WrapperError if the content of a file is invalid.
        """

        def apply() -> OpenedPage:
            page = self.page(path)
            if stored is None:
                return OpenedPage(page, None, [], None)
            wrapper = self.wrapper(stored)
            found = found_on(wrapper, page.root)
            return OpenedPage(page, wrapper, found, check_page(wrapper, page))

        return self._once(("under", *file_state(path), *file_state(stored)), apply)

    def _once(self, key: Hashable, make: Callable[[], T]) -> T:
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                found: T = self._kept[key]
                return found
        value = make()
        with self._lock:
            self._kept[key] = value
            while len(self._kept) > 3 * _KEPT:
                self._kept.popitem(last=False)
        return value


def file_state(path: Path | None) -> tuple[object, ...]:
    """Return the path, modification time and size of a file, as a key of the cache.

    Return (None,) if `path` is None.
    """
    if path is None:
        return (None,)
    found = path.stat()
    return str(path), found.st_mtime_ns, found.st_size


def element(opened: OpenedPage, node: object) -> NodeId:
    """Return the number of an element from a request, after a check.

    Raise SelectionError if `node` isn't the number of an element of the page.
    """
    if isinstance(node, int) and not isinstance(node, bool):
        page = opened.page
        if 0 <= node < len(page) and not page.is_text(node):
            return node
    raise SelectionError("the page has no such element")
