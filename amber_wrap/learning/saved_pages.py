"""Read saved pages from files, folders and globs, and name the site of each page."""

from __future__ import annotations

import glob
import hashlib
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from amber_wrap.dom.saved_formats import PAGE_SUFFIXES
from amber_wrap.errors import FileError
from amber_wrap.files import STDIN, read_bytes
from amber_wrap.learning.rounds import LearningPage
from amber_wrap.settings import Source

_LONGEST_NAME: Final = 120
"""The greatest length in characters of the name of a page or site; a digest replaces
the rest."""

_PARTS: Final = "_files"
"""The suffix of a browser's folder for a page's images, scripts and frames."""


def page_files(names: Iterable[str]) -> tuple[str, ...]:
    """Return the page files that a user named, each once.

    A folder stands for all pages in it and below, in sorted order. Frames that a
    browser saved along with a page are left out. "-" stands for file names on stdin,
    one a line. Raise FileError for a folder without a page.
    """
    found: dict[str, None] = {}
    for name in _with_stdin(names):
        if Path(name).is_dir():
            below = [str(path) for path in sorted(_pages_below(Path(name)))]
            if not below:
                known = ", ".join(PAGE_SUFFIXES)
                raise FileError(f"{name}: no page ({known}) in this folder")
            found |= dict.fromkeys(below)
        elif not Path(name).exists() and glob.has_magic(name):
            matching = sorted(glob.glob(name, recursive=True))
            found |= dict.fromkeys(matching or [name])
        else:
            found[name] = None
    return tuple(found)


def read_page(file: str, site: str = "") -> LearningPage:
    """Return a saved page with its site: `site`, or else the name of the page's folder.

    Raise FileError if the file can't be read.
    """
    path = Path(file).resolve()
    folder = _shown(path.parent.name) or "/"
    name = f"{folder}/{_shown(path.name)}"
    return LearningPage(Source(name, read_bytes(file)), _shown(site) or folder)


def _with_stdin(names: Iterable[str]) -> Iterator[str]:
    for name in names:
        if name == STDIN:
            yield from filter(None, sys.stdin.read().splitlines())
        else:
            yield name


def _pages_below(folder: Path) -> Iterator[Path]:
    for path in folder.rglob("*"):
        if path.suffix.lower() in PAGE_SUFFIXES and path.is_file():
            between = path.relative_to(folder).parents
            if not any(_belongs_to_a_page(folder / one) for one in between):
                yield path


def _belongs_to_a_page(folder: Path) -> bool:
    page = folder.name.removesuffix(_PARTS)
    return page != folder.name and any(
        one.stem == page and one.suffix.lower() in PAGE_SUFFIXES
        for one in folder.parent.iterdir()
    )


def _shown(name: str) -> str:
    """Return a name shortened and without control characters, for display."""
    shown = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in name)
    if len(shown) <= _LONGEST_NAME:
        return shown
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{shown[: _LONGEST_NAME - 9]}…{digest}"
