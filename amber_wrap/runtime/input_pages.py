"""Define the pages of a run, references to pages, and the reasons why reading fails.

`extra_module` imports a library that only some inputs and outputs need.
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
    """The place of a page in a file, without the body of the page.

    `path` is the path of the file. `id` names the page, and begins with the path. For a
    page in a WARC file, "#" and the offset of the record follow. For a page in a
    Parquet file, "#" and the row's number or name follow. `bytes_read` is the number of
    bytes of the file up to the page, or 0 if unknown. `url` is "" if unknown.
    """

    id: str
    path: str
    bytes_read: int = 0
    url: str = ""


@dataclass(frozen=True, slots=True)
class InputPage:
    """A page as the server sent it.

    `body` has the bytes of the page. `id` and `url` are those of the page's `PageRef`.
    `charset` is the character encoding in the HTTP header, or "" if the header states
    none. `truncation` is the reason why the crawler truncated the page, such as
    "length", or "" for a whole page.
    """

    id: str
    body: bytes
    url: str = ""
    charset: str = ""
    truncation: str = ""


@dataclass(frozen=True, slots=True)
class BadInput:
    """A page that can't be read, or the unreadable part of a file.

    `id` names the page or the file.  `kind` is a keyword for the reason, such as
    "truncated".  `message` is the reason as a sentence for people. `lost_bytes` is the
    size of the unreadable part on disk. The number of pages in the part is unknown.
    """

    id: str
    kind: _Kind
    message: str
    lost_bytes: int = 0


Input = InputPage | BadInput
"""A page, or the reason why a page or a part of a file can't be read."""


@dataclass(frozen=True, slots=True)
class InputOptions:
    """The options for reading pages.

    `html` is the Parquet column that has the pages.  `max_page` is the size limit for a
    page, in bytes.
    """

    html: str = "html"
    max_page: int = MAX_PAGE


Skip = Callable[[PageRef], bool]
"""A function that returns whether to leave a page out, before its body is read."""


class ReadError(Exception):
    """The error for a page or a part of a file that can't be read.

    `kind` is a keyword for the reason, such as "truncated". Functions that yield the
    pages of a file catch the error and yield a `BadInput` instead.
    """

    def __init__(self, kind: _Kind, message: str) -> None:
        super().__init__(message)
        self.kind: _Kind = kind

    def bad_input(self, id: str, lost_bytes: int = 0) -> BadInput:
        """Return a BadInput with the kind and the message of this error.

        `id` names the page or file. `lost_bytes` is the size of the unreadable part in
        bytes.
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
    """Import and return a module that not every installation has.

    `extra` is the extra of this package that installs the module, such as "parquet".
    `path` is the file that needs the module. Raise FileError if the module isn't
    installed. The message names the command that installs the extra.
    """
    try:
        return import_module(module)
    except ImportError as error:
        message = f'{path} needs {module}: pip install "amber-wrap[{extra}]"'
        raise FileError(message) from error
