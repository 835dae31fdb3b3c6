"""The thresholds of healing a wrapper, in one object."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class HealingThresholds:
    """The thresholds for recognising parts of an old wrapper in a new wrapper.

    All code uses the object `HEALING`.
    """

    enough: float = 0.5
    """The least share that shows that a part of the old wrapper continues.

    For an area, it is a share of the promised values. For a field, it is a share of
    values with a known shape. For a column, it is a share of known values.
    """
    parted: float = 0.8
    """The least fit of a further new area that also continues an old one, since a
    redesign may divide a list. An area with a lower fit is dropped."""
    different: int = 2
    """The least number of different known values by which a column continues an old
    one. A single text that all records share is no evidence."""
    searches: int = 3
    """The greatest number of attempts, each of which ignores areas found before."""
    longest_term: int = 60
    """The greatest length in characters of a known value that is sought on the new
    pages."""
    tolerance: float = 0.01
    """The largest share of a page's values that the repaired wrapper may read
    differently."""


HEALING: Final = HealingThresholds()
"""The thresholds that are in use."""
