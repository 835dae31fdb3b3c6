"""The thresholds for repairing a wrapper, in one object."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class HealingThresholds:
    """The thresholds for recognising parts of an old wrapper in a new wrapper.

    The new wrapper is to replace the old one after the site has changed.
    """

    least_continued_share: float = 0.5
    """The least share of values by which a part of the old wrapper (rules for pages) is
    recognised.

    A new area (list) must have this share of the old area's expected values. This share
    of a field's values must have a known pattern of characters. This share of a new
    column's values must be known values of the old column.
    """
    least_further_fit: float = 0.8
    """A new area (list) that has no old counterpart is kept if it has at least this
    share of the expected values of any old area. A redesign may divide a list."""
    least_different_values: int = 2
    """The least number of different known values in a new column that continues an old
    column. A single text that all records share is no evidence."""
    most_attempts: int = 3
    """The greatest number of attempts to make a wrapper (rules for pages) from the new
    pages. Each attempt ignores the areas (lists) that earlier attempts found."""
    longest_term: int = 60
    """The greatest length in characters of a known value that is sought on the new
    pages."""
    most_changed_share: float = 0.01
    """The largest share of a page's values that the repaired wrapper (rules for pages)
    may read differently."""


HEALING: Final = HealingThresholds()
"""The thresholds for repairing a wrapper: the rules for reading a site's pages."""
