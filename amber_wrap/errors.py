"""Define the exceptions of the compiler, and its messages to users (diagnostics).

An exception stops the compilation, and its message says how to go on.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Level = Literal["detail", "info", "warning", "error"]
"""The importance of a finding. The command `induce` doesn't print a "detail"."""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A message to users about a page, a wrapper or a domain."""

    level: Level
    code: str
    """The name of this kind of message for programs, such as "tree-edit-approximated".
    """
    message: str
    where: str = ""
    """The field, file or line that the message is about, or ""."""

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        return f"{self.level}: {place}{self.message} [{self.code}]"


class AmberError(Exception):
    """The base class of all errors that this package raises on purpose."""


class PageError(AmberError):
    """The error for a file that can't be read as one HTML page, such as an image."""


class DomainError(AmberError):
    """The error for a missing or invalid folder of a domain, or for an invalid spec.

    A domain describes a kind of records, and a spec has a person's decisions about a
    wrapper. The message names file, line and remedy.
    """


class FetchError(AmberError):
    """The error for a page that can't be fetched.

    The error is also raised if robots.txt forbids the page, or if the page's host may
    not be contacted.
    """


class FileError(AmberError):
    """The error for a file that can't be read or written."""


class GoldError(AmberError):
    """The error for missing or invalid gold records: the known, true records of pages.

    The message names file and reason.
    """


class LearningError(AmberError):
    """The error for data of `amber-wrap learn` that can't be read or written.

    The message names file and remedy.
    """


class SelectionError(AmberError):
    """The error for an invalid input by a user.

    The input is an option, a selector, a column name, an example, or a decision about a
    wrapper.
    """


class WrapperError(AmberError):
    """The error for a wrapper that can't be read, verified or written.

    `path` has the keys and indexes that lead to the wrong value in the wrapper's JSON.
    It is () if unknown.
    """

    def __init__(self, message: str, path: tuple[str | int, ...] = ()) -> None:
        super().__init__(message)
        self.path = path


class NothingFoundError(AmberError):
    """The error for a page on which no list of records was found."""
