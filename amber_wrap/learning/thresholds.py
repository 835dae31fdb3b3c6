"""The thresholds of learning terms, in one object.

AMBER's own threshold `noise_ratio` is in `domain.schema.Thresholds`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class LearningThresholds:
    """The numbers that decide which terms are learned.

    All code uses the object `LEARNING`.
    """

    least_sites: int = 2
    """The number of sites that must agree on a term, so that no site decides alone."""
    added_records: int = 10
    """The number of supporting records that a term in a gazetteer (a list that people
    wrote) gets in addition to those found on pages."""
    most_rounds: int = 20
    """The number of rounds (passes over all pages) after which learning stops, even if
    lists of terms still change."""
    longest_term: int = 40
    """The greatest length of a term in characters; longer texts are prose."""
    most_words: int = 4
    """The number of words that a term may always have. If a known term of the type has
    more words, new terms may have as many words."""
    least_same_case_share: float = 0.8
    """The share of a type's known terms that decides on the case of new terms.

    If at least this share is in lower case, new terms are put in lower case. If at
    least this share is capitalised, a new term must be capitalised.
    """
    most_with_digits: float = 0.01
    """A share of the known terms of a type. If at most this share has digits, new terms
    can't have digits."""


LEARNING: Final = LearningThresholds()
"""The thresholds for learning new terms, such as names of towns, from pages."""
