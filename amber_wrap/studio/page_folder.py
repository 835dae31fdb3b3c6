"""List the pages and wrappers of the studio's folder by name.

The name of a page is its path below the folder.  Only listed names are opened, so that
no request reaches other files.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from amber_wrap.errors import FileError
from amber_wrap.files import STORED, WRAPPERS_FOLDER, wrapper_path
from amber_wrap.maintenance.stored_samples import SAMPLES_SUFFIX as STORED_SAMPLES
from amber_wrap.spec.reader import SPEC_SUFFIX

PAGES: Final = (".html", ".htm", ".xhtml", ".mhtml", ".mht")
_MOST: Final = 2_000
"""The largest number of listed pages."""
LARGEST: Final = 30_000_000
"""The largest page that is opened, in bytes."""
_SKIPPED: Final = frozenset({"node_modules", "__pycache__"})


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder of saved pages, with the wrappers in the subfolder `wrappers`."""

    root: Path

    @classmethod
    def at(cls, path: Path) -> Folder:
        """Return the folder at a path; raise FileError if the path is no folder."""
        if not path.is_dir():
            raise FileError(f"{path} is not a folder: give a folder with saved pages")
        return cls(path.resolve())

    def pages(self) -> list[str]:
        """Return the names of the pages, sorted by depth, then by name."""
        found: list[str] = []
        for name in self._walk():
            found.append(name)
            if len(found) == _MOST:
                break
        return sorted(found, key=lambda name: (name.count("/"), name))

    def _walk(self) -> Iterator[str]:
        for above, folders, files in os.walk(self.root):
            folders[:] = sorted(
                one
                for one in folders
                if one[0] != "."
                and one not in _SKIPPED
                and not Path(above, one).is_symlink()
                if not one.endswith(STORED_SAMPLES)
            )
            for one in sorted(files):
                path = Path(above, one)
                if path.suffix.lower() in PAGES and one[0] != "." and self.holds(path):
                    yield path.relative_to(self.root).as_posix()

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
        path = self.root / name
        if path.stat().st_size > LARGEST:
            raise FileError(f"{name} is larger than {LARGEST // 1_000_000} MB")
        return path

    def wrappers(self) -> list[str]:
        """Return the names of the wrappers with a spec, sorted."""
        folder = self.root / WRAPPERS_FOLDER
        return sorted(
            one.stem
            for one in folder.glob(f"*{SPEC_SUFFIX}")
            if self.holds(one) and self.holds(one.with_suffix(STORED))
        )

    def spec(self, name: object) -> Path:
        """Return the path of a wrapper's spec.

        Raise FileError if the folder has no wrapper called `name`.
        """
        if not isinstance(name, str) or name not in self.wrappers():
            raise FileError(f"there is no wrapper {name!r} in the folder")
        return self.root / WRAPPERS_FOLDER / f"{name}{SPEC_SUFFIX}"

    def new_wrapper(self, page: str) -> Path:
        """Return an unused path for the generated file of a page's wrapper.

        Raise FileError if the folder of wrappers is a link.
        """
        folder = self.root / WRAPPERS_FOLDER
        if folder.exists() and folder.resolve() != folder:
            raise FileError(
                f"{WRAPPERS_FOLDER}/ is a symbolic link: the studio writes only in its "
                "own folder"
            )
        stem = wrapper_path(page).stem
        number = 1
        while True:
            name = stem if number == 1 else f"{stem}_{number}"
            path = folder / f"{name}.py"
            files = (path.with_suffix(one) for one in (".py", STORED, SPEC_SUFFIX))
            if not any(map(os.path.lexists, files)):
                return path
            number += 1
