"""Print messages and progress bars, and replace control characters in the output.

The texts of pages and the names of files may contain control characters, which could
change the state of the terminal.
"""

from __future__ import annotations

import re
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final, TextIO, TypeVar

import typer

if TYPE_CHECKING:
    from collections.abc import Iterable
    from contextlib import AbstractContextManager

T = TypeVar("T")

_CONTROL_CHARACTER: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""A regular expression for control characters, except for tabs and line feeds."""


def complain(message: object) -> None:
    """Print a message on stderr, in one line."""
    typer.echo(f"amber-wrap: {' '.join(str(message).split())}", err=True)


def note_changes(wrapper: str) -> None:
    """Print a warning if a wrapper's generated file was changed by hand.

    Commands ignore changes of the generated file, because they read the wrapper from
    the JSON file beside it.
    """
    from amber_wrap.files import is_changed, stored_path

    path = Path(wrapper)
    if is_changed(path):
        complain(
            f"{path.with_suffix('.py')} was changed by hand: this command ignores the "
            f"changes and uses {stored_path(path)}"
        )


def progress(steps: Iterable[T], length: int) -> AbstractContextManager[Iterable[T]]:
    """Return a context manager whose value is an iterable over the given steps.

    The iteration shows a progress bar on stderr if stderr is a terminal. `length` is
    the number of steps.
    """
    if not sys.stderr.isatty():
        return nullcontext(steps)
    # A progress bar is drawn by control characters, which are removed from all other
    # texts.
    return typer.progressbar(steps, length=length, file=uncleaned(sys.stderr))


def clean(text: str) -> str:
    """Return a text whose control characters are replaced by JSON escapes.

    Tabs and line feeds are kept.
    """
    return _CONTROL_CHARACTER.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def set_up_streams() -> None:
    """Make stdout and stderr write UTF-8.

    Also replace control characters in output to a terminal.
    """
    for name in ("stdout", "stderr"):
        stream: Any = getattr(sys, name)
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")
        if stream.isatty():
            setattr(sys, name, _Cleaned(stream))


def uncleaned(stream: TextIO) -> TextIO:
    """Return the original stream behind a stream that replaces control characters.

    Return any other stream unchanged. Progress bars need the original stream, because
    they write control characters.
    """
    return stream.uncleaned if isinstance(stream, _Cleaned) else stream


class _Cleaned:
    """A stream to a terminal that replaces control characters in its output."""

    def __init__(self, stream: TextIO) -> None:
        self.uncleaned = stream

    def write(self, text: str) -> int:
        """Write a text with its control characters replaced.

        Return the number of characters written.
        """
        return self.uncleaned.write(clean(text))

    @property
    def buffer(self) -> _CleanedBytes:
        """The stream's byte stream, which replaces control characters, too."""
        return _CleanedBytes(self.uncleaned.buffer)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.uncleaned, name)


class _CleanedBytes:
    """A byte stream to a terminal that replaces control characters in UTF-8 text."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def write(self, data: bytes) -> int:
        """Write a text in UTF-8 with its control characters replaced.

        Return the length of `data` in bytes, whatever the number of bytes written.
        """
        text = data.decode("utf-8", "surrogateescape")
        self._stream.write(clean(text).encode("utf-8", "surrogateescape"))
        return len(data)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)
