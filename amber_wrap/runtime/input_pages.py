"""Define pages, references to pages, and errors in reading pages.

`extra_module` imports an optional library, such as pyarrow.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Literal

from amber_wrap.dom.saved_formats import MAX_PAGE
from amber_wrap.errors import FileError

_Kind = Literal["missing", "unreadable", "too-large", "truncated", "corrupt"]


@dataclass(frozen=True, slots=True)
class PageRef:
    """A reference to a page in a file, without the content of the page."""

    id: str
    """The path, such as "a.html". In files of many pages, the page's offset, row or id
    follows, such as "a.warc#81"."""
    path: str
    bytes_read: int = 0
    """The number of bytes of the file up to the page, or 0 if unknown."""
    url: str = ""
    """The address of the page, or "" if unknown."""


@dataclass(frozen=True, slots=True)
class InputPage:
    """A page as the server sent it."""

    id: str
    """The name of the page, from its `PageRef`."""
    body: bytes
    url: str = ""
    """The address of the page, or "" if unknown."""
    charset: str = ""
    """The character encoding in the HTTP header, or "" if the header states none."""
    truncation: str = ""
    """The crawler's reason for cutting the page, such as "length", or "" for a whole
    page."""


@dataclass(frozen=True, slots=True)
class BadInput:
    """A page that can't be read, or the unreadable part of a file."""

    id: str
    """The name of the unreadable page or file."""
    kind: _Kind
    """A keyword for the reason why the page can't be read, such as "truncated"."""
    message: str
    """A sentence for people that says why the page can't be read."""
    lost_bytes: int = 0
    """The number of unreadable bytes on disk."""


Input = InputPage | BadInput
"""A page, or the reason why a page or some bytes of a file can't be read."""


@dataclass(frozen=True, slots=True)
class InputOptions:
    """The options for reading pages."""

    html: str = "html"
    """The Parquet column that has the pages."""
    max_page: int = MAX_PAGE
    """The size limit for a page, in bytes."""


Skip = Callable[[PageRef], bool]
"""A function that returns whether to leave a page out, before its body is read."""


class ReadError(Exception):
    """The error for a page or a part of a file that can't be read.

    `kind` is a keyword for the reason, such as "truncated".
    """

    def __init__(self, kind: _Kind, message: str) -> None:
        super().__init__(message)
        self.kind: _Kind = kind

    def bad_input(self, id: str, lost_bytes: int = 0) -> BadInput:
        """Return a BadInput with this error's reason for the page or file `id`.

        `lost_bytes` is the number of bytes that can't be read.
        """
        return BadInput(id, self.kind, str(self), lost_bytes)


def too_large(limit: int) -> ReadError:
    """Return the ReadError for a page of more than `limit` bytes."""
    return ReadError("too-large", f"the page is larger than {limit:,} bytes")


def unreadable(error: OSError) -> ReadError:
    """Return the ReadError for an error of the operating system."""
    if isinstance(error, FileNotFoundError):
        return ReadError("missing", "no such file")
    return ReadError("unreadable", error.strerror or str(error))


def file_size(path: str) -> int:
    """Return the size of a file in bytes, or 0 if the file doesn't exist."""
    try:
        return os.path.getsize(path)
    except OSError:
        return 0


def extra_module(module: str, extra: str, path: str) -> Any:
    """Import and return a module of an optional dependency, such as pyarrow.

    Raise FileError if the module is missing. The message names the file `path` and the
    `extra` to install.
    """
    try:
        return import_module(module)
    except ImportError as error:
        message = f'{path} needs {module}: pip install "amber-wrap[{extra}]"'
        raise FileError(message) from error
