"""Define the thresholds for repairing a wrapper."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class HealingThresholds:
    """The limits for recognising the lists and fields of an old wrapper in a new one.

    The new wrapper is to replace the old one after the site has changed.
    """

    least_continued_share: float = 0.5
    """The least share (0 to 1) of old values that a new list, field or column must have
    to count as the old one.
    """
    least_further_fit: float = 0.8
    """The least share (0 to 1) of an old list's expected values that a second new list
    must have to be kept.

    A redesign may divide a list into two.
    """
    least_different_values: int = 2
    """The least number of different values that a renamed column shares with the old
    one.

    Two columns may share a single text by chance.
    """
    most_attempts: int = 3
    """The greatest number of attempts to make a wrapper from the new pages.

    Each attempt ignores the lists that earlier attempts found.
    """
    longest_term: int = 60
    """The greatest length in characters of a value from the old sample pages that is
    sought on the new pages."""
    most_changed_share: float = 0.01
    """The largest share (0 to 1) of a page's values that the repaired wrapper may read
    differently."""


HEALING: Final = HealingThresholds()
"""The thresholds in use for repairing a wrapper."""
