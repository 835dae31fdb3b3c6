"""What a compilation starts from: saved pages, and what a user may set."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from amber_wrap.annotate.examples import Example
from amber_wrap.dom.saved import Saved, unwrap
from amber_wrap.generalise.user_decisions import UNDECIDED, Decisions


@dataclass(frozen=True, slots=True)
class Source:
    """A saved page: the name of its file and the bytes of that."""

    name: str
    body: bytes

    @property
    def sha256(self) -> str:
        """The SHA-256 of the bytes, hexadecimal."""
        return hashlib.sha256(self.body).hexdigest()

    @property
    def saved(self) -> Saved:
        """The page in the file; raises PageError if there is none."""
        return unwrap(self.body)


@dataclass(frozen=True, slots=True)
class Options:
    """What a user may set; `within` and `without` are selectors, "" for none.

    `fields` are those that a wrapper reads (`columns.assembly`); "" is "typed" for
    one domain, "all" where several compete.  `examples` are values on the samples.
    With `ascii_names` columns are called in ASCII letters, whatever the page's script.
    `decisions` are a person's, on the columns; `empty` are texts by which a page says
    that it has no results; `thresholds` are of the paper, by the names that
    `domain.schema.Thresholds` has, in place of the domain's.
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
