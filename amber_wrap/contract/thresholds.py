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
    """The share of pages that may have fewer values in a column than generated code
    expects, if no annotator recognises the values."""
    most_failures: float = 0.05
    """The share of pages that may have fewer values in a column than a contract
    expects. Generated code uses it, too, if an annotator recognises the values."""
    typical_record_count: int = 20
    """The number of records of a typical page, for which shares of records with a value
    are predicted."""
    least_distinct_share: float = 0.9
    """The least share of a field's values that must differ on the samples, if a
    contract is to demand different values."""
    picture_factor: float = 0.3
    """The share of different addresses of pictures on another page must be at least the
    share on the samples times this factor. The factor is low, because many records may
    have the same placeholder."""
    least_ordered_share: float = 0.95
    """If one field precedes another field in at least this share of the records with
    both, the order of the two fields is fixed."""
    most_levels_above: int = 2
    """The greatest number of levels from a value's element up to an annotation that
    counts for the value."""
    most_empty_texts: int = 3
    """The greatest number of texts, such as "No results", that are recorded to
    recognise pages without results."""
    most_landmarks: int = 8
    """The greatest number of elements that every page of a template must have."""


CONTRACT: Final = ContractThresholds()
"""The thresholds for making a contract: conditions that other pages must meet."""
