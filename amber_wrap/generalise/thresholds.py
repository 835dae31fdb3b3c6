"""Thresholds for making a wrapper from sample pages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class RuleThresholds:
    """Thresholds that decide which values are read, and which doubts are reported.

    Shares are numbers from 0 to 1, of records, or of texts with the same tags and
    classes above them.
    """

    nearly_all: float = 0.9
    """The share of values or records that counts as all, such as the share of a field's
    values that are read correctly."""
    most_read_ratio: int = 2
    """The limit for the number of values that a column reads, as a multiple of the
    number of right values."""
    least_equal_links: int = 3
    """The least number of equal links that each sample page must have in a column, if
    the column is to be dropped. Equal links don't lead to pages about single records.
    """
    least_matching_share: float = 0.95
    """The share of texts that a regular expression must match to count as matching all
    texts."""
    least_same_delimiters_share: float = 0.75
    """A regular expression without a word is trusted only if enough of its matched
    texts resemble the text with the example. At least this share of the texts must have
    each delimiter, such as "|", equally often."""
    least_labelled_share: float = 0.5
    """The least share of matching elements of records that must have a label, if the
    elements are to be distinguished by labels."""
    most_terms: int = 300
    """The greatest number of terms in a word list that a wrapper contains as a regular
    expression."""
    least_example_records: int = 2
    """The least number of records that must have a value in the column of a person's
    example. The user is warned if there are fewer."""
    least_reported_share: float = 0.3
    """The least share of records that must have a field, if records without it are to
    be reported."""
    least_sample_records: int = 4
    """The least number of records on a single sample page. The user is advised to give
    a second page if there are fewer."""
    most_chance_share: float = 0.1
    """A column with values in at most this share of the records may have been found by
    chance. The user is then advised to give a second sample page."""


RULE: Final = RuleThresholds()
"""The thresholds for making a wrapper: the rules for reading one site's pages."""
