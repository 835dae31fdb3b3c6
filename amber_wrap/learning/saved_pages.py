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

_PARTS_SUFFIX: Final = "_files"
"""The suffix of a browser's folder for a page's images, scripts and frames."""


def page_files(names: Iterable[str]) -> tuple[str, ...]:
    """Return the page files that a user named, each once.

    `names` are files, folders, globs such as `*.html`, and "-". A folder stands for all
    pages in it and below, in sorted order. Frames that a browser saved along with a
    page are left out. A glob stands for the matching files. "-" stands for file names
    on stdin, one a line. Raise FileError for a folder without a page.
    """
    files_once: dict[str, None] = {}
    for name in _with_stdin(names):
        if Path(name).is_dir():
            pages_inside = [str(path) for path in sorted(_pages_in(Path(name)))]
            if not pages_inside:
                suffixes = ", ".join(PAGE_SUFFIXES)
                raise FileError(f"{name}: no page ({suffixes}) in this folder")
            files_once |= dict.fromkeys(pages_inside)
        elif not Path(name).exists() and glob.has_magic(name):
            matches = sorted(glob.glob(name, recursive=True))
            files_once |= dict.fromkeys(matches or [name])
        else:
            files_once[name] = None
    return tuple(files_once)


def read_page(file: str, site: str = "") -> LearningPage:
    """Return a saved page with the name of its site.

    The name is `site`, or the name of the page's folder if `site` is "". Raise
    FileError if the file can't be read.
    """
    path = Path(file).resolve()
    folder = _display_name(path.parent.name) or "/"
    name = f"{folder}/{_display_name(path.name)}"
    return LearningPage(Source(name, read_bytes(file)), _display_name(site) or folder)


def _with_stdin(names: Iterable[str]) -> Iterator[str]:
    """Yield the names, and in place of each "-" the names on stdin, one a line."""
    for name in names:
        if name == STDIN:
            yield from filter(None, sys.stdin.read().splitlines())
        else:
            yield name


def _pages_in(folder: Path) -> Iterator[Path]:
    """Yield the page files in a folder and below, in any order.

    Files that a browser saved along with a page, such as frames, are left out.
    """
    for path in folder.rglob("*"):
        if path.suffix.lower() in PAGE_SUFFIXES and path.is_file():
            folders = path.relative_to(folder).parents
            if not any(
                _is_parts_folder(folder / inner_folder) for inner_folder in folders
            ):
                yield path


def _is_parts_folder(folder: Path) -> bool:
    """Return whether a browser saved a folder along with a page.

    An example is the folder "home_files" beside the page "home.html".
    """
    page_name = folder.name.removesuffix(_PARTS_SUFFIX)
    return page_name != folder.name and any(
        sibling.stem == page_name and sibling.suffix.lower() in PAGE_SUFFIXES
        for sibling in folder.parent.iterdir()
    )


def _display_name(name: str) -> str:
    """Return a name without control characters, for display.

    A name longer than `_LONGEST_NAME` is cut, and ends with "…" and a digest.
    """
    printable = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in name)
    if len(printable) <= _LONGEST_NAME:
        return printable
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{printable[: _LONGEST_NAME - 9]}…{digest}"
