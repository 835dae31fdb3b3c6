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
        """The HTML page in the file, with the page's address if the file states it.

        A compressed file or an archive is unpacked. Raise PageError if the file doesn't
        hold exactly one page.
        """
        return extract_page(self.body)


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a user for a compilation.

    `url` is the address of the page, against which relative links are resolved.
    `strategy` names the method that finds records: "role", or "paper" as in the AMBER
    paper. `distance` names the implementation of the tree edit distance: "fast" or
    "zss". `within` is a selector of elements to be searched, or "" for the whole page.
    `without` is a selector of elements to be skipped, or "".

    `fields` says which columns a wrapper reads: "typed" for values of the domain's
    types, or "all". A domain has the types of a kind of records, such as cars. The
    default is "typed" for one domain, and "all" for several domains. `examples` are
    values that the user picked from the samples. If `ascii_names`, column names have
    ASCII letters only. `decisions` are a person's decisions about columns. `empty` are
    texts that only pages without results have. `thresholds` are pairs (name, value),
    which replace thresholds of the domain (`domain.schema.Thresholds`).
    """

    url: str = ""
    strategy: str = "role"
    distance: str = "fast"
    within: str = ""
    without: str = ""
    fields: str = ""
    examples: tuple[Example, ...] = ()
    ascii_names: bool = False
    decisions: Decisions = UNDECIDED
    empty: tuple[str, ...] = ()
    thresholds: tuple[tuple[str, float], ...] = ()


DEFAULTS = Options()
"""The options if a user gives none."""
