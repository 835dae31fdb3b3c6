"""The thresholds of generalising typings to a wrapper, in one object."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class RuleThresholds:
    """The numbers that decide what a wrapper reads, and which doubts about it are
    reported, all used as `RULE`.

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
    """The share of the texts that the pattern for a value within them must match."""
    parted: float = 0.75
    """The share of the matching texts that must have the same number of delimiters."""
    labelled: float = 0.5
    """The share with a label, below which the label is no part of what a tag path
    identifies."""
    most_terms: int = 300
    """The number of terms up to which a wrapper carries a gazetteer as a pattern."""
    example_records: int = 2
    """The number of records that must have a text at the tag path of an example."""
    some: float = 0.3
    """The share with a field from which on it is reported that other records lack it.
    """
    few_records: int = 4
    """The number of records below which texts may be equal, or present, by chance."""
    rare: float = 0.1
    """The share up to which a column may be present by chance."""


RULE: Final = RuleThresholds()
"""The thresholds that are in use."""
