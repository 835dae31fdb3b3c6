"""The thresholds for inducing the contract of a wrapper, in one object.

A contract has the properties of sample pages that other pages must share.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class ContractThresholds:
    """The thresholds that decide which properties a contract demands of other pages.

    `CONTRACT` is the instance that all modules use. Shares are numbers from 0 to 1, and
    refer to the records of a list on the sample pages.
    """

    most_unrecognised_failures: float = 0.01
    """The share of pages that may have fewer values in a column than generated code
    expects, if annotators don't recognise the values."""
    most_failures: float = 0.05
    """The share of pages that may have fewer values in a column than a contract
    expects. Generated code uses the share for columns whose values annotators
    recognise."""
    typical_record_count: int = 20
    """The number of records of a typical page."""
    least_distinct_share: float = 0.9
    """The least share of different values of a field on the samples, if the values
    should differ on other pages."""
    picture_factor: float = 0.3
    """The factor for addresses of pictures, as in `induction.DISTINCT_FACTORS`. The
    factor is low, because many records may have the same placeholder."""
    least_ordered_share: float = 0.95
    """The least share of records in which one field precedes another field, if the
    order of the two fields is fixed."""
    most_levels_above: int = 2
    """The number of ancestors of a value's element whose annotations count. An ancestor
    may have an annotation of a value with its label."""
    most_empty_texts: int = 3
    """The greatest number of recorded texts of pages without results."""
    most_landmarks: int = 8
    """The greatest number of landmark elements of a template."""


CONTRACT: Final = ContractThresholds()
"""The thresholds that are in use."""
