"""The thresholds for making a contract: conditions that other pages must meet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class ContractThresholds:
    """The thresholds for making a contract: conditions that other pages must meet.

    Shares are numbers from 0 to 1, and refer to the records of a list on the sample
    pages.
    """

    most_unrecognised_failures: float = 0.01
    """The greatest share of pages that may have fewer values in a column than a
    generated file expects. This limit is for columns whose values can't be recognised
    by their text."""
    most_failures: float = 0.05
    """The greatest share of pages that may have fewer values in a column than a
    contract expects. The limit is also for generated files, if the values can be
    recognised by their text."""
    typical_record_count: int = 20
    """The number of records of a typical page, for which shares of records with a value
    are predicted."""
    least_distinct_share: float = 0.9
    """The least share of a field's values that must differ on the samples, if a
    contract is to demand different values."""
    picture_factor: float = 0.3
    """The least share of different addresses of pictures on another page, as a multiple
    of the share on the sample pages. The factor is low, because many records may have
    the same placeholder."""
    least_ordered_share: float = 0.95
    """The least share of records in which one field must precede another for the order
    to be fixed. Only records with both fields count."""
    most_levels_above: int = 2
    """The greatest number of levels between the element of a value and an ancestor in
    which the value is recognised."""
    most_empty_texts: int = 3
    """The greatest number of texts, such as "No results", that are recorded to
    recognise pages without results."""
    most_landmarks: int = 8
    """The greatest number of elements outside of lists that a contract demands of every
    page."""


CONTRACT: Final = ContractThresholds()
"""The thresholds for making a contract: conditions that other pages must meet."""
