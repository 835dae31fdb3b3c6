"""Define the thresholds for repairing a wrapper."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class HealingThresholds:
    """The thresholds for recognising parts of an old wrapper in a new wrapper.

    The new wrapper is to replace the old one after the site has changed.
    """

    least_continued_share: float = 0.5
    """The least share (0 to 1) of the values of a list, field or column of the old
    wrapper that the new wrapper must have in the counterpart."""
    least_further_fit: float = 0.8
    """The least share (0 to 1) of the expected values of an old list that a new list
    without a counterpart must have to be kept. A redesign may divide a list."""
    least_different_values: int = 2
    """The least number of different known values in a new column that continues an old
    column. Two columns may share a single text by chance."""
    most_attempts: int = 3
    """The greatest number of attempts to make a wrapper from the new pages. Each
    attempt ignores the lists that earlier attempts found."""
    longest_term: int = 60
    """The greatest length in characters of a known value that is sought on the new
    pages."""
    most_changed_share: float = 0.01
    """The largest share (0 to 1) of a page's values that the repaired wrapper may read
    differently."""


HEALING: Final = HealingThresholds()
"""The thresholds in use for repairing a wrapper."""
