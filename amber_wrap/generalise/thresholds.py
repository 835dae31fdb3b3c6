"""Thresholds for making a wrapper from sample pages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class RuleThresholds:
    """Thresholds that decide which values are read, and which doubts are reported.

    Shares are numbers from 0 to 1, of records or of texts in the same place of records.
    """

    nearly_all: float = 0.9
    """The share that counts as all. An example is the share of a field's values that
    are read correctly."""
    most_read_ratio: int = 2
    """The greatest number of values that a column may read, divided by the number of
    those that are right."""
    least_equal_links: int = 3
    """The least number of records on each sample page that must have the same link, if
    the link is to be removed. Such a link leads to no page about a single record."""
    least_matching_share: float = 0.95
    """The share of texts that a regular expression must match to count as matching all
    texts."""
    least_same_delimiters_share: float = 0.75
    """The least share of matched texts that must contain each delimiter, such as
    "|", as often as the example's text. Otherwise, a pattern without a word isn't
    trusted."""
    least_labelled_share: float = 0.5
    """The least share of the elements in the same place of records that must have a
    label, if the labels are to distinguish the elements."""
    most_terms: int = 300
    """The greatest number of terms in a word list that a wrapper contains as a regular
    expression."""
    least_example_records: int = 2
    """The least number of records with a value in the place of a person's example. A
    warning is given for fewer records."""
    least_reported_share: float = 0.3
    """The least share of records that must have a field, if records without it are to
    be reported."""
    least_sample_records: int = 4
    """The least number of records on a single sample. A second sample is advised for
    fewer records."""
    most_chance_share: float = 0.1
    """A column counts as rare if at most this share of records has a value. The values
    of a rare column may have been found by chance."""


RULE: Final = RuleThresholds()
"""The thresholds for making a wrapper: the rules for reading one site's pages."""
