"""Pages of a run: what names one, what is read of it, why it can't be read."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from amber_wrap.dom.saved import MAX_PAGE

_Kind = Literal["missing", "unreadable", "too-large", "truncated", "corrupt"]


@dataclass(frozen=True, slots=True)
class PageRef:
    """What names a page; its body isn't read yet.

    `id` is the path as given, in archives and tables with what leads to the page in
    them: `path#` and the byte offset of a WARC record in the (compressed) file, or the
    row of a Parquet file.  `read` are the bytes of the file, as it is on the disk, that
    were read so far; 0 where nobody counts them.  `url` is "" where nothing tells it.
    """

    id: str
    path: str
    read: int = 0
    url: str = ""


@dataclass(frozen=True, slots=True)
class InputPage:
    """A page as it was sent; `charset` is what the HTTP header says, "" for nothing.

    `cut` tells why the crawler kept only its start, one of `archives.CUTS`; "" if not.
    """

    id: str
    body: bytes
    url: str = ""
    charset: str = ""
    cut: str = ""


@dataclass(frozen=True, slots=True)
class BadInput:
    """A page that can't be read, or a file from some place on.

    `kind` is for programs, `message` for people.  `lost` are the bytes of the file, as
    it is on the disk, that hold nobody knows how many more pages.
    """

    id: str
    kind: _Kind
    message: str
    lost: int = 0


@dataclass(frozen=True, slots=True)
class InputOptions:
    """The Parquet column that holds pages, and the bytes that a page may have."""

    html: str = "html"
    max_page: int = MAX_PAGE


Skip = Callable[[PageRef], bool]
"""Whether a page isn't wanted, asked before its body is read."""


class ReadError(Exception):
    """Why reading stopped; readers catch it and give a `BadInput` instead."""

    def __init__(self, kind: _Kind, message: str) -> None:
        super().__init__(message)
        self.kind: _Kind = kind

    def at(self, id: str, lost: int = 0) -> BadInput:
        """The outcome for the page or file that was read."""
        return BadInput(id, self.kind, str(self), lost)


def too_large(limit: int) -> ReadError:
    """The fault of a page beyond the limit, in bytes."""
    return ReadError("too-large", f"the page is larger than {limit:,} bytes")


def unreadable(error: OSError) -> ReadError:
    """The fault of a file that the system doesn't give."""
    if isinstance(error, FileNotFoundError):
        return ReadError("missing", "no such file")
    return ReadError("unreadable", error.strerror or str(error))


def file_size(path: str) -> int:
    """The bytes of a file, 0 for one that isn't there."""
    try:
        return os.path.getsize(path)
    except OSError:
        return 0
