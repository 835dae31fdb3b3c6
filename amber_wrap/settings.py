"""Define the input of a compilation: saved pages, and the options of a user."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from amber_wrap.annotate.examples import Example
from amber_wrap.dom.saved_formats import SavedPage, extract_page
from amber_wrap.generalise.user_decisions import UNDECIDED, Decisions


@dataclass(frozen=True, slots=True)
class Source:
    """A saved page: the name and the bytes (`body`) of its file."""

    name: str
    body: bytes

    @property
    def sha256(self) -> str:
        """The SHA-256 of the bytes in hexadecimal."""
        return hashlib.sha256(self.body).hexdigest()

    @property
    def saved(self) -> SavedPage:
        """The HTML page in the file, unpacked if necessary.

        Raise PageError if the file doesn't hold exactly one page.
        """
        return extract_page(self.body)


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a user for a compilation."""

    url: str = ""
    """The address of the page, against which relative links are resolved."""
    strategy: str = "role"
    """The method that finds records: "role", or "paper" as in the AMBER paper."""
    distance: str = "fast"
    """The implementation of the tree edit distance: "fast" or "zss"."""
    within: str = ""
    """A selector of the elements to search, "" for the whole page."""
    without: str = ""
    """A selector of the elements to skip, or ""."""
    fields: str = ""
    """The columns to read: "typed" (with a type of the domain), "all", or names.

    By default, only typed columns are read if there is one domain, else all columns.
    """
    examples: tuple[Example, ...] = ()
    """The values that the user picked from the samples."""
    ascii_names: bool = False
    """Whether column names have ASCII letters only."""
    decisions: Decisions = UNDECIDED
    """The decisions of a person about columns."""
    empty: tuple[str, ...] = ()
    """Texts that only pages without results have."""
    thresholds: tuple[tuple[str, float], ...] = ()
    """Pairs (name, value) that replace thresholds of the domain."""


DEFAULTS = Options()
"""The options if a user gives none."""
