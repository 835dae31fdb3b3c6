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
    """The greatest length of a term in characters; longer texts are prose."""
    words: int = 4
    """The number of words that a term may have even if all known terms of its type have
    fewer."""
    mostly: float = 0.8
    """The least share of a type's known terms in one spelling (lower case, or a capital
    first) that requires the same spelling of new terms.
    """
    digits: float = 0.01
    """The greatest share of known terms with digits that lets no new term have any."""


LEARNING: Final = LearningThresholds()
"""The thresholds that are in use."""
