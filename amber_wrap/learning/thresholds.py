"""The numbers that control the learning of terms, such as towns, from pages.

AMBER's own threshold `noise_ratio` is in `domain.schema.Thresholds`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class LearningThresholds:
    """The numbers that decide which new terms, such as names of towns, are learned.

    All code uses the object `LEARNING`.
    """

    least_sites: int = 2
    """The number of sites that must agree on a new term, so that no site decides alone.
    """
    added_records: int = 10
    """A number that is added to the number of records that support a term.

    It is added only for terms in lists that people wrote, so that these terms are
    harder to reject.
    """
    most_rounds: int = 20
    """The number of rounds (passes over all pages) after which learning stops, even if
    word lists still change.
    """
    longest_term: int = 40
    """The most characters of a new term, since longer texts are prose."""
    most_words: int = 4
    """The most words of a new term.

    If known terms of the type have more words, new terms may be as long.
    """
    least_same_case_share: float = 0.8
    """The share of a type's known terms that decides on the case of new terms.

    If at least this share is in lower case, new terms are put in lower case. If at
    least this share is capitalised, a new term must be capitalised.
    """
    most_with_digits: float = 0.01
    """New terms may have digits only if more than this share of the known terms has
    digits.
    """


LEARNING: Final = LearningThresholds()
"""The numbers that control the learning of terms, such as towns, from pages."""
