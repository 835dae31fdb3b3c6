"""List, open and cache the saved pages and the extraction rules of the studio's folder.

Only listed names are opened, so that no request reaches other files.
"""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from itertools import islice
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
from amber_wrap.errors import FileError, SelectionError
from amber_wrap.files import (
    SAMPLES_SUFFIX as STORED_SAMPLES,
)
from amber_wrap.files import (
    STORED_SUFFIX,
    WRAPPERS_FOLDER,
    read_saved_page,
    read_wrapper,
    wrapper_path,
)
from amber_wrap.spec.reader import SPEC_SUFFIX
from amber_wrap.wrapper.ir import Wrapper

_PAGE_SUFFIXES: Final = (".html", ".htm", ".xhtml", ".mhtml", ".mht")
"""The suffixes of saved pages."""
_MOST_PAGES: Final = 2_000
"""The largest number of listed pages."""
LARGEST_PAGE: Final = 30_000_000
"""The largest page that is opened, in bytes."""
_SKIPPED: Final = frozenset({"node_modules", "__pycache__"})
"""The names of subfolders that aren't searched for pages."""


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder of saved pages. Its subfolder `wrappers` has extraction rules."""

    root: Path

    @classmethod
    def at(cls, path: Path) -> Folder:
        """Return the folder at a path, or raise FileError if the path is no folder."""
        if not path.is_dir():
            raise FileError(f"{path} is not a folder: give a folder with saved pages")
        return cls(path.resolve())

    def pages(self) -> list[str]:
        """Return the names of at most 2,000 pages, sorted by depth, then by name."""
        page_names = islice(self._page_names(), _MOST_PAGES)
        return sorted(
            page_names, key=lambda page_name: (page_name.count("/"), page_name)
        )

    def _page_names(self) -> Iterator[str]:
        """Yield the names of all pages outside of hidden and linked folders."""
        for above, subfolders, file_names in os.walk(self.root):
            subfolders[:] = sorted(
                subfolder
                for subfolder in subfolders
                if subfolder[0] != "."
                and subfolder not in _SKIPPED
                and not Path(above, subfolder).is_symlink()
                and not subfolder.endswith(STORED_SAMPLES)
            )
            for file_name in sorted(file_names):
                page_path = Path(above, file_name)
                is_page = page_path.suffix.lower() in _PAGE_SUFFIXES
                if is_page and file_name[0] != "." and self.holds(page_path):
                    yield page_path.relative_to(self.root).as_posix()

    def holds(self, path: Path) -> bool:
        """Return whether a path is a file in the folder, after links are resolved."""
        try:
            real = path.resolve(strict=True)
        except (OSError, RuntimeError):
            return False
        return real.is_file() and real.is_relative_to(self.root)

    def page(self, name: object) -> Path:
        """Return the file of a page.

        Raise FileError if the folder has no page called `name`, or if the page is too
        large.
        """
        if not isinstance(name, str) or name not in self.pages():
            raise FileError(f"there is no page {name!r} in the folder")
        page_path = self.root / name
        if page_path.stat().st_size > LARGEST_PAGE:
            raise FileError(f"{name} is larger than {LARGEST_PAGE // 1_000_000} MB")
        return page_path

    def wrappers(self) -> list[str]:
        """Return the sorted names of the wrappers, which are sets of extraction rules.

        A wrapper without a TOML file of a person's decisions is left out.
        """
        wrappers_folder = self.root / WRAPPERS_FOLDER
        return sorted(
            spec.stem
            for spec in wrappers_folder.glob(f"*{SPEC_SUFFIX}")
            if self.holds(spec) and self.holds(spec.with_suffix(STORED_SUFFIX))
        )

    def spec(self, name: object) -> Path:
        """Return the path of the file with a person's decisions on the extraction rules
        `name`.

        Raise FileError if the folder has no such rules.
        """
        if not isinstance(name, str) or name not in self.wrappers():
            raise FileError(f"there is no wrapper {name!r} in the folder")
        return self.root / WRAPPERS_FOLDER / f"{name}{SPEC_SUFFIX}"

    def new_wrapper(self, page: str) -> Path:
        """Return an unused path for a new generated file with extraction rules for
        `page`.

        Raise FileError if the folder of generated files is a link.
        """
        wrappers_folder = self.root / WRAPPERS_FOLDER
        if wrappers_folder.exists() and wrappers_folder.resolve() != wrappers_folder:
            raise FileError(
                f"{WRAPPERS_FOLDER}/ is a symbolic link: the studio writes only in its "
                "own folder"
            )
        wrapper_stem = wrapper_path(page).stem
        number = 1
        while True:
            wrapper_name = wrapper_stem if number == 1 else f"{wrapper_stem}_{number}"
            generated_file = wrappers_folder / f"{wrapper_name}.py"
            wrapper_files = (
                generated_file.with_suffix(suffix)
                for suffix in (".py", STORED_SUFFIX, SPEC_SUFFIX)
            )
            if not any(map(os.path.lexists, wrapper_files)):
                return generated_file
            number += 1


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


def requested_element(opened: OpenedPage, node: object) -> NodeId:
    """Return `node`, a value from a request, if it is the number of an element.

    Raise SelectionError if the page has no element of that number.
    """
    if isinstance(node, int) and not isinstance(node, bool):
        page = opened.page
        if 0 <= node < len(page) and not page.is_text(node):
            return node
    raise SelectionError("the page has no such element")
