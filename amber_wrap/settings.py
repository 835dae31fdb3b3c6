"""Define the input of a compilation: saved pages, and the options of a user."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from amber_wrap.annotate.examples import Example
from amber_wrap.dom.saved import Saved, unwrap
from amber_wrap.generalise.user_decisions import UNDECIDED, Decisions


@dataclass(frozen=True, slots=True)
class Source:
    """A saved page: the name of its file and the file's bytes."""

    name: str
    body: bytes

    @property
    def sha256(self) -> str:
        """Return the SHA-256 of the bytes in hexadecimal."""
        return hashlib.sha256(self.body).hexdigest()

    @property
    def saved(self) -> Saved:
        """Return the HTML page in the file, and its address if the file states it.

        A page is unpacked if the file is compressed or an archive. Raise PageError if
        the file holds no page or several.
        """
        return unwrap(self.body)


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a user.

    `within` and `without` are selectors, or "". `fields` selects the columns that a
    wrapper reads (`columns.assembly`). If it is "", "typed" is used for one domain, and
    "all" for several competing ones. `examples` are values on the samples. With
    `ascii_names`, column names have ASCII letters only. `decisions` are a person's
    decisions about columns. `empty` are texts of pages without results. `thresholds`
    replace values of the domain, by the names in `domain.schema.Thresholds`.
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
