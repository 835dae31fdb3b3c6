"""Thresholds for generalising samples to a wrapper."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class RuleThresholds:
    """Thresholds that decide what a wrapper reads and which doubts are reported.

    Shares are shares of the records, or of the texts at a tag path.
    """

    nearly_all: float = 0.9
    """The share that counts as all: of a field's values that are read as in the
    typings, of records with an element at the tag path of a type, of records with a
    field."""
    overread: int = 2
    """A column is dropped if it reads more than this many times its number of right
    values."""
    cut: float = 0.95
    """The share of the texts that counts as all when patterns for a value within texts
    are compared by the number of texts that they match."""
    parted: float = 0.75
    """The share of the matching texts that must have the same number of delimiters."""
    labelled: float = 0.5
    """The least share of the elements at a tag path with a label if labels are to
    distinguish the elements there."""
    most_terms: int = 300
    """The greatest number of terms of a gazetteer that a wrapper carries as a pattern.
    """
    example_records: int = 2
    """The least number of records with a value at the tag path of an example; a warning
    is given for fewer."""
    some: float = 0.3
    """The least share of records with a field for which it is reported that other
    records lack the field."""
    few_records: int = 4
    """The number of records below which texts may be equal, or present, by chance."""
    rare: float = 0.1
    """The greatest share of records with a column that may be present by chance."""


RULE: Final = RuleThresholds()
"""The thresholds that are in use."""
