"""The thresholds of healing a wrapper, in one object."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class HealingThresholds:
    """The thresholds for recognising parts of an old wrapper in a new one.

    All of them are used as `HEALING`.
    """

    enough: float = 0.5
    """The share that is enough to recognise an old part in a new one: of an area's
    promised values, of a field's values with a known shape, of a column's values that
    are known."""
    parted: float = 0.8
    """The least fit of a second new area that counts as a part of an old one, since a
    redesign may divide a list. Areas of a lower fit hold something else."""
    different: int = 2
    """The least number of different known values in a column that continues an old one;
    a text that all records share proves nothing."""
    searches: int = 3
    """The number of times that the list is sought on a page, each time without the
    areas found before."""
    longest_term: int = 60
    """The greatest length in characters of a known value that is sought on the new
    pages."""
    tolerance: float = 0.01
    """The largest share of a page's values that the repaired wrapper may read
    differently."""


HEALING: Final = HealingThresholds()
"""The thresholds that are in use."""
