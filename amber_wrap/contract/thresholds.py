"""The thresholds for inducing (making) the contract of a wrapper, in one object.

A wrapper has the rules for reading one site's pages. A contract has the properties of
the sample pages that other pages must share.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class ContractThresholds:
    """The thresholds for making a contract: conditions that other pages must meet.

    A contract is made from the sample pages, together with a wrapper (the rules for
    reading one site's pages). A page of the site that breaks the contract may be read
    wrongly by the wrapper. `CONTRACT` is the instance that all modules use. Shares are
    numbers from 0 to 1, and refer to the records of a list on the sample pages.
    """

    most_unrecognised_failures: float = 0.01
    """The share of pages that may have fewer values in a column than generated code
    expects. The share is for columns whose values no annotator (such as a pattern for
    prices) recognises."""
    most_failures: float = 0.05
    """The share of pages that may have fewer values in a column than a contract
    expects. Generated code uses the share for columns whose values annotators
    recognise."""
    typical_record_count: int = 20
    """The number of records of a typical page."""
    least_distinct_share: float = 0.9
    """If at least this share of a field's values differ on the samples, the contract
    may demand that values differ on other pages, too."""
    picture_factor: float = 0.3
    """The factor for addresses of pictures, as in `induction.DISTINCT_FACTORS`. The
    factor is low, because many records may have the same placeholder."""
    least_ordered_share: float = 0.95
    """If one field precedes another field in at least this share of the records with
    both, the order of the two fields is fixed."""
    most_levels_above: int = 2
    """How many levels above a value's element an annotation (a recognised text) may be
    to count as an annotation of the value. An ancestor may have the value's label."""
    most_empty_texts: int = 3
    """The greatest number of recorded texts of pages without results."""
    most_landmarks: int = 8
    """The greatest number of landmark elements of a template."""


CONTRACT: Final = ContractThresholds()
"""The thresholds for making a contract: conditions that other pages must meet."""
