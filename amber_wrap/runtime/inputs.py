"""Turn the inputs that a user names (files, folders, globs, lists) into pages."""

from __future__ import annotations

import glob
import os
import stat
import sys
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import BinaryIO, Final

from amber_wrap.dom.saved_formats import PAGE_SUFFIXES
from amber_wrap.errors import FileError
from amber_wrap.files import STDIN, check_local
from amber_wrap.runtime.decompression import ZSTD_LIBRARY, read_all
from amber_wrap.runtime.input_pages import (
    BadInput,
    InputOptions,
    InputPage,
    PageRef,
    ReadError,
    Skip,
    file_size,
    unreadable,
)
from amber_wrap.runtime.optional_libraries import extra_module
from amber_wrap.runtime.parquet_input import row_count, tabled_pages
from amber_wrap.runtime.warc_input import archived_pages

LIST: Final = "@"
"""The prefix of a file that lists paths."""

ZSTD_SUFFIX: Final = ".zst"
PACKED_SUFFIXES: Final = (".gz", ZSTD_SUFFIX)
ARCHIVE_SUFFIX: Final = ".warc"
TABLE_SUFFIX: Final = ".parquet"

_DEFAULTS: Final = InputOptions()

_NO_FILE: Final = ReadError("unreadable", "the path is a pipe or a device, not a file")
_FRAMES: Final = "_files"
"""The suffix of a browser's folder for a page's images, scripts and frames."""


def pages(
    inputs: Sequence[str],
    options: InputOptions = _DEFAULTS,
    skip: Skip = lambda ref: False,
) -> Iterator[InputPage | BadInput]:
    """Yield the pages that `inputs` name, in the order of the inputs.

    An input is one of these:

    - a page, a WARC file or a Parquet file, distinguished by the suffix,
    - a folder, for all files of these types in the folder and its subfolders,
    - a glob pattern,
    - "@FILE", a file that lists paths, one a line,
    - "@-", a list of paths on stdin,
    - "-", one page on stdin.

    A file that several inputs name is read once.  A page is left out if `skip` returns
    True for its reference.

    Raise FileError at the call if an input can't be read, or if a library is missing.
    Yield a BadInput for each fault that is found later.
    """
    for name in inputs:
        _check(name)
    if sum(name in (STDIN, LIST + STDIN) for name in inputs) > 1:
        raise FileError("stdin can be read only once")
    return _pages(inputs, options, skip)


def _check(name: str) -> None:
    """Raise FileError if an input can't give any page.

    Examples are a web address, an unreadable file, a folder without pages, and a
    pattern that no file matches.  Raise FileError also if the library for the file's
    format is missing.
    """
    if name in (STDIN, LIST + STDIN):
        return
    path = name.removeprefix(LIST)
    check_local(path)
    if os.path.isdir(path) and path == name:
        if next(_below(path), None) is None:
            raise FileError(
                f"{path}: no page in this folder "
                f"({', '.join((*PAGE_SUFFIXES, ARCHIVE_SUFFIX, TABLE_SUFFIX))})"
            )
    elif path == name and _is_pattern(path):
        if next(glob.iglob(path, recursive=True), None) is None:
            raise FileError(f"{path}: no file matches this pattern")
    else:
        try:
            # A pipe can be opened only once, so it isn't tested here.
            if not stat.S_ISFIFO(os.stat(path).st_mode):
                open(path, "rb").close()
        except OSError as error:
            raise FileError(f"cannot read {path}: {error.strerror}") from error
        if path == name:
            _check_library(path)


def _check_library(path: str) -> None:
    if path.lower().endswith(ZSTD_SUFFIX):
        extra_module(ZSTD_LIBRARY, "warc", path)
    if _is_archive(path):
        extra_module("fastwarc.warc", "warc", path)
    elif _is_table(path):
        extra_module("pyarrow.parquet", "parquet", path)


def _pages(
    inputs: Sequence[str], options: InputOptions, skip: Skip
) -> Iterator[InputPage | BadInput]:
    seen: set[bytes] = set()
    for path in _paths(inputs):
        if isinstance(path, BadInput):
            yield path
            continue
        # Digests save memory, since there may be millions of long paths.
        digest = blake2b(os.fsencode(path), digest_size=12).digest()
        if digest in seen:
            continue
        seen.add(digest)
        if _is_archive(path):
            yield from archived_pages(path, options, skip)
        elif _is_table(path):
            yield from tabled_pages(path, options, skip)
        elif not skip(PageRef(path, path)):
            yield _page(path, options)


def _page(path: str, options: InputOptions) -> InputPage | BadInput:
    try:
        if path == STDIN:
            return InputPage(path, read_all(sys.stdin.buffer, options.max_page))
        with open(path, "rb") as file:
            return InputPage(path, read_all(file, options.max_page))
    except ReadError as fault:
        return fault.at(path)
    except OSError as error:
        return unreadable(error).at(path)


def _paths(inputs: Sequence[str]) -> Iterator[str | BadInput]:
    """Yield the path of each input file, or a BadInput if a path can't be read."""
    for name in inputs:
        if name == STDIN:
            yield name
        elif name == LIST + STDIN:
            yield from _listed(sys.stdin.buffer)
        elif name.startswith(LIST):
            try:
                with open(name.removeprefix(LIST), "rb") as file:
                    yield from _listed(file)
            except OSError as error:
                yield unreadable(error).at(name)
        elif _is_pattern(name):
            for path in sorted(glob.glob(name, recursive=True)):
                yield from _unnamed(path)
        else:
            yield from _below(name)


def _listed(lines: BinaryIO) -> Iterator[str | BadInput]:
    """Yield the paths of the files in a list.

    A folder in the list stands for the files with pages in the folder and its
    subfolders.  `lines` is the open list.  Newlines or NUL bytes (`find -print0`)
    separate the paths.
    """
    for line in lines:
        for part in line.rstrip(b"\r\n").split(b"\0"):
            if path := os.fsdecode(part):
                # "-" means stdin only as an argument, not in a list of files.
                yield from _unnamed(os.path.join(".", path) if path == STDIN else path)


def _unnamed(path: str) -> Iterator[str | BadInput]:
    """Yield a file's path, or the files with pages in a folder and its subfolders.

    For a pipe or a device, yield a BadInput.
    """
    if os.path.isdir(path):
        yield from _below(path)
    else:
        yield _file(path)


def _file(path: str) -> str | BadInput:
    """Return the path, or a BadInput if the path is a pipe or a device."""
    # Reading a pipe that nobody writes to never ends.
    is_other = os.path.exists(path) and not os.path.isfile(path)
    return _NO_FILE.at(path) if is_other else path


def _below(path: str) -> Iterator[str | BadInput]:
    """Yield the files with pages in a folder and its subfolders.

    If the path is no folder, yield the path.  A folder of HTML frames that a
    browser saved along with a page is skipped.
    """
    if not os.path.isdir(path):
        yield path
        return
    problems: list[OSError] = []
    for folder, folders, files in os.walk(path, onerror=problems.append):
        stems = {Path(name).stem for name in files if _is_page(name)}
        folders[:] = sorted(
            name
            for name in folders
            if not (name.endswith(_FRAMES) and name.removesuffix(_FRAMES) in stems)
        )
        for name in sorted(files):
            if _is_page(name) or _is_archive(name) or _is_table(name):
                yield _file(os.path.join(folder, name))
        while problems:
            error = problems.pop()
            yield unreadable(error).at(str(error.filename))
    for error in problems:
        yield unreadable(error).at(str(error.filename))


def is_single(name: str) -> bool:
    """Return whether an input names exactly one page.

    Return False for lists, folders, patterns, WARC files and Parquet files.
    """
    several = name.startswith(LIST) or os.path.isdir(name) or _is_pattern(name)
    return not (several or _is_archive(name) or _is_table(name))


def count_pages(inputs: Sequence[str]) -> int | None:
    """Return the number of pages in the inputs.

    Return None if an input is a list of paths, or if a file is a WARC file.
    """
    if any(name.startswith(LIST) for name in inputs):
        return None
    total = 0
    for path in _paths(inputs):
        if isinstance(path, str) and _is_archive(path):
            return None
        is_table = isinstance(path, str) and _is_table(path)
        total += row_count(str(path)) if is_table else 1
    return total


def total_size(inputs: Sequence[str]) -> int | None:
    """Return the total size of the input files on disk, in bytes.

    Return None if a list of paths comes from stdin or a pipe.
    """
    lists = [name.removeprefix(LIST) for name in inputs if name.startswith(LIST)]
    if STDIN in lists or not all(map(os.path.isfile, lists)):
        return None
    return sum(file_size(path) for path in _paths(inputs) if isinstance(path, str))


def _is_pattern(name: str) -> bool:
    return glob.has_magic(name) and not os.path.lexists(name)


def _is_page(name: str) -> bool:
    return _unpacked(name).endswith(PAGE_SUFFIXES)


def _is_archive(name: str) -> bool:
    return _unpacked(name).endswith(ARCHIVE_SUFFIX)


def _unpacked(name: str) -> str:
    stem, suffix = os.path.splitext(name.lower())
    return stem if suffix in PACKED_SUFFIXES else name.lower()


def _is_table(name: str) -> bool:
    return name.lower().endswith(TABLE_SUFFIX)
