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
    Input,
    InputOptions,
    InputPage,
    PageRef,
    ReadError,
    Skip,
    extra_module,
    file_size,
    unreadable,
)
from amber_wrap.runtime.parquet_input import parquet_pages, row_count
from amber_wrap.runtime.warc_input import warc_pages

LIST_PREFIX: Final = "@"
"""The prefix of an input that names a file with a list of paths."""

ZSTD_SUFFIX: Final = ".zst"
COMPRESSION_SUFFIXES: Final = (".gz", ZSTD_SUFFIX)
WARC_SUFFIX: Final = ".warc"
PARQUET_SUFFIX: Final = ".parquet"

_DEFAULTS: Final = InputOptions()

_NO_FILE: Final = ReadError("unreadable", "the path is a pipe or a device, not a file")
"""The error for a pipe or a device that a list or a folder contains."""

_FRAMES_SUFFIX: Final = "_files"
"""The suffix of a browser's folder for a page's images, scripts and frames."""


def pages(
    inputs: Sequence[str],
    options: InputOptions = _DEFAULTS,
    skip: Skip = lambda ref: False,
) -> Iterator[Input]:
    """Yield the pages of the inputs in their order, without pages for which `skip`
    returns True.

    An unreadable page yields a BadInput. Inputs are files, folders, glob patterns, "-"
    for a page on stdin, and "@FILE" or "@-" for a list of paths. Each file is read only
    once. Raise FileError at once for an unreadable input.
    """
    for name in inputs:
        _check_input(name)
    if sum(name in (STDIN, LIST_PREFIX + STDIN) for name in inputs) > 1:
        raise FileError("stdin can be read only once")
    return _pages_of_checked(inputs, options, skip)


def _check_input(name: str) -> None:
    """Raise FileError if an input can't give any page, such as an empty folder."""
    if name in (STDIN, LIST_PREFIX + STDIN):
        return
    path = name.removeprefix(LIST_PREFIX)
    is_list = path != name
    check_local(path)
    if os.path.isdir(path) and not is_list:
        if next(_files_below(path), None) is None:
            suffixes = ", ".join((*PAGE_SUFFIXES, WARC_SUFFIX, PARQUET_SUFFIX))
            raise FileError(f"{path}: no page in this folder ({suffixes})")
    elif _is_pattern(path) and not is_list:
        if next(glob.iglob(path, recursive=True), None) is None:
            raise FileError(f"{path}: no file matches this pattern")
    else:
        try:
            # A pipe can be opened only once, so it isn't tested here.
            if not stat.S_ISFIFO(os.stat(path).st_mode):
                open(path, "rb").close()
        except OSError as error:
            raise FileError(f"cannot read {path}: {error.strerror}") from error
        if not is_list:
            _check_library(path)


def _check_library(path: str) -> None:
    """Raise FileError if the library that reads a file's format is missing.

    The suffix of `path` determines the format, for example Parquet.
    """
    if path.lower().endswith(ZSTD_SUFFIX):
        extra_module(ZSTD_LIBRARY, "warc", path)
    if _is_warc(path):
        extra_module("fastwarc.warc", "warc", path)
    elif _is_parquet(path):
        extra_module("pyarrow.parquet", "parquet", path)


def _pages_of_checked(
    inputs: Sequence[str], options: InputOptions, skip: Skip
) -> Iterator[Input]:
    """Yield the pages of inputs that `_check_input` has accepted.

    An unreadable page yields a BadInput. A page for which `skip` returns True is left
    out.
    """
    seen_digests: set[bytes] = set()
    for path in _paths(inputs):
        if isinstance(path, BadInput):
            yield path
            continue
        # Digests save memory, since there may be millions of long paths.
        digest = blake2b(os.fsencode(path), digest_size=12).digest()
        if digest in seen_digests:
            continue
        seen_digests.add(digest)
        if _is_warc(path):
            yield from warc_pages(path, options, skip)
        elif _is_parquet(path):
            yield from parquet_pages(path, options, skip)
        elif not skip(PageRef(path, path)):
            yield _page_of_file(path, options)


def _page_of_file(path: str, options: InputOptions) -> Input:
    """Return the page in a file, or the page on stdin if `path` is "-".

    Return a BadInput if the page can't be read, or is larger than `options` allow.
    """
    try:
        if path == STDIN:
            return InputPage(path, read_all(sys.stdin.buffer, options.max_page))
        with open(path, "rb") as file:
            return InputPage(path, read_all(file, options.max_page))
    except ReadError as error:
        return error.bad_input(path)
    except OSError as error:
        return unreadable(error).bad_input(path)


def _paths(inputs: Sequence[str]) -> Iterator[str | BadInput]:
    """Yield the paths of the files that `inputs` name, such as the files in a folder.

    A path that can't be read yields a BadInput.
    """
    for name in inputs:
        if name == STDIN:
            yield name
        elif name == LIST_PREFIX + STDIN:
            yield from _listed_files(sys.stdin.buffer)
        elif name.startswith(LIST_PREFIX):
            try:
                with open(name.removeprefix(LIST_PREFIX), "rb") as path_list:
                    yield from _listed_files(path_list)
            except OSError as error:
                yield unreadable(error).bad_input(name)
        elif _is_pattern(name):
            for path in sorted(glob.glob(name, recursive=True)):
                yield from _file_or_files_below(path)
        else:
            yield from _files_below(name)


def _listed_files(path_list: BinaryIO) -> Iterator[str | BadInput]:
    """Yield the paths of the input files in a list of files and folders.

    Newlines or NUL bytes (`find -print0`) separate the paths in the list.
    """
    for line in path_list:
        for path_bytes in line.rstrip(b"\r\n").split(b"\0"):
            path = os.fsdecode(path_bytes)
            if path == STDIN:
                # "-" means stdin only as an argument, not in a list of files.
                path = os.path.join(".", path)
            if path:
                yield from _file_or_files_below(path)


def _file_or_files_below(path: str) -> Iterator[str | BadInput]:
    """Yield the path itself if it is a file, else the input files below the folder.

    A pipe or a device yields a BadInput.
    """
    if os.path.isdir(path):
        yield from _files_below(path)
    else:
        yield _file(path)


def _file(path: str) -> str | BadInput:
    """Return a file's path, or a BadInput if the path is a pipe or a device."""
    # Reading a pipe that nobody writes to never ends.
    is_no_file = os.path.exists(path) and not os.path.isfile(path)
    return _NO_FILE.bad_input(path) if is_no_file else path


def _files_below(path: str) -> Iterator[str | BadInput]:
    """Yield the paths of the pages, WARC files and Parquet files below a folder.

    Yield `path` itself if it is no folder, and a BadInput for each unreadable folder.
    """
    if not os.path.isdir(path):
        yield path
        return
    folder_errors: list[OSError] = []
    for folder, subfolders, files in os.walk(path, onerror=folder_errors.append):
        page_stems = {Path(name).stem for name in files if _is_page(name)}
        frames = {f"{stem}{_FRAMES_SUFFIX}" for stem in page_stems}
        subfolders[:] = sorted({*subfolders} - frames)
        for name in sorted(files):
            if _is_page(name) or _is_warc(name) or _is_parquet(name):
                yield _file(os.path.join(folder, name))
        while folder_errors:
            error = folder_errors.pop()
            yield unreadable(error).bad_input(str(error.filename))
    for error in folder_errors:
        yield unreadable(error).bad_input(str(error.filename))


def is_single(name: str) -> bool:
    """Return whether an input names exactly one page.

    Return False for lists, folders, patterns, WARC files and Parquet files.
    """
    if name.startswith(LIST_PREFIX) or os.path.isdir(name) or _is_pattern(name):
        return False
    return not (_is_warc(name) or _is_parquet(name))


def count_pages(inputs: Sequence[str]) -> int | None:
    """Return the number of pages in the inputs, or None if the number is unknown.

    The number is unknown if the inputs include a list of paths or a WARC file.
    """
    if any(name.startswith(LIST_PREFIX) for name in inputs):
        return None
    page_count = 0
    for path in _paths(inputs):
        if isinstance(path, str) and _is_warc(path):
            return None
        if isinstance(path, str) and _is_parquet(path):
            page_count += row_count(path)
        else:
            page_count += 1
    return page_count


def total_size(inputs: Sequence[str]) -> int | None:
    """Return the total size of the input files on disk, in bytes.

    Return None if a list of paths comes from stdin or a pipe.
    """
    for name in inputs:
        if name.startswith(LIST_PREFIX):
            path_list = name.removeprefix(LIST_PREFIX)
            if path_list == STDIN or not os.path.isfile(path_list):
                return None
    return sum(file_size(path) for path in _paths(inputs) if isinstance(path, str))


def _is_pattern(name: str) -> bool:
    """Return whether an input is a glob pattern.

    An input is a pattern if it has wildcards, unless a file has exactly this name.
    """
    return glob.has_magic(name) and not os.path.lexists(name)


def _is_page(name: str) -> bool:
    """Return whether a file name has the suffix of a page, such as `.html.gz`."""
    return _without_compression_suffix(name).endswith(PAGE_SUFFIXES)


def _is_warc(name: str) -> bool:
    return _without_compression_suffix(name).endswith(WARC_SUFFIX)


def _without_compression_suffix(name: str) -> str:
    """Return a file name in lower case, without the suffixes `.gz` and `.zst`."""
    stem, suffix = os.path.splitext(name.lower())
    return stem if suffix in COMPRESSION_SUFFIXES else name.lower()


def _is_parquet(name: str) -> bool:
    return name.lower().endswith(PARQUET_SUFFIX)
