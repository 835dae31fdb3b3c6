"""List and open the saved pages and the extraction rules of the studio's folder."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final

from amber_wrap.dom.page import NodeId
from amber_wrap.errors import FileError, SelectionError
from amber_wrap.files import SAMPLES_SUFFIX as STORED_SAMPLES
from amber_wrap.files import STORED_SUFFIX, WRAPPERS_FOLDER, wrapper_path
from amber_wrap.spec.reader import SPEC_SUFFIX
from amber_wrap.studio.file_cache import OpenedPage

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


def requested_element(opened: OpenedPage, node: object) -> NodeId:
    """Return `node`, a value from a request, if it is the number of an element.

    Raise SelectionError if the page has no element of that number.
    """
    if isinstance(node, int) and not isinstance(node, bool):
        page = opened.page
        if 0 <= node < len(page) and not page.is_text(node):
            return node
    raise SelectionError("the page has no such element")
