"""Clean the output to a terminal.

Control characters in texts of pages and in file names could control the terminal.
"""

from __future__ import annotations

import re
import sys
from typing import Any, BinaryIO, Final, TextIO

_ORDERS: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""Matches control characters, which terminals obey, except for tabs and line feeds."""


def clean(text: str) -> str:
    """Return a text with control characters spelt out, as JSON spells them."""
    return _ORDERS.sub(lambda one: f"\\u{ord(one[0]):04x}", text)


def set_up_streams() -> None:
    """Make stdout and stderr write UTF-8, and clean the output to terminals."""
    for name in ("stdout", "stderr"):
        stream: Any = getattr(sys, name)
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")
        if stream.isatty():
            setattr(sys, name, _Cleaned(stream))


def uncleaned(stream: TextIO) -> TextIO:
    """Return the stream that a cleaned stream writes to.

    Any other stream is returned unchanged. Progress bars need the original stream,
    because they control the terminal.
    """
    return stream.uncleaned if isinstance(stream, _Cleaned) else stream


class _Cleaned:
    """A stream to a terminal that replaces control characters in its output."""

    def __init__(self, stream: TextIO) -> None:
        self.uncleaned = stream

    def write(self, text: str) -> int:
        """Write a text with its control characters replaced."""
        return self.uncleaned.write(clean(text))

    @property
    def buffer(self) -> _CleanedBytes:
        """The stream of bytes below this stream of text, cleaned in the same way."""
        return _CleanedBytes(self.uncleaned.buffer)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.uncleaned, name)


class _CleanedBytes:
    """A stream of bytes to a terminal that replaces control characters in UTF-8."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def write(self, data: bytes) -> int:
        """Write a text, given in UTF-8, with its control characters replaced.

        Return the number of bytes given.
        """
        text = data.decode("utf-8", "surrogateescape")
        self._stream.write(clean(text).encode("utf-8", "surrogateescape"))
        return len(data)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)
