"""The thresholds of learning terms beyond AMBER's, in one object.

AMBER's own, the ratio of noise, is in `domain.schema.Thresholds`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class LearningThresholds:
    """The numbers that decide which terms are learned, all used as `LEARNING`."""

    sites: int = 2
    """The number of sites that must agree on a term, so that no site decides alone."""
    trust: int = 10
    """The number of records that a term in a gazetteer written by people counts for,
    before any page."""
    rounds: int = 20
    """The number of rounds after which upfront learning stops, though lists may still
    change."""
    longest_term: int = 40
    """The length of a term in characters, at most; longer texts are prose."""
    words: int = 4
    """The number of words that a term may have though no known term of its type has as
    many."""
    mostly: float = 0.8
    """The share of known terms that must be alike to become a rule for new terms."""
    digits: float = 0.01
    """The share of known terms with digits up to which new terms have none."""


LEARNING: Final = LearningThresholds()
"""The thresholds that are in use."""
