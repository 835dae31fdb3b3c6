"""Define the thresholds for generating a Python file from a wrapper."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class LoweringThresholds:
    """The numbers that decide how a generated file reads and checks pages.

    Lengths are in characters.
    """

    least_regular_share: float = 0.9
    """If at least this share of records (0 to 1) has a value of a field, a second group
    of XPath expressions may select other nodes than the first group."""
    longest_copied_first: int = 700
    """The greatest length of a wrapper's regular expression for dates that a generated
    file copies, although simpler expressions read the sample dates.
    """
    longest_copied_last: int = 5000
    """The greatest length of a wrapper's regular expression that a generated file may
    use. An expression that a person wrote may be longer."""
    most_listed: int = 4
    """The largest number of words or signs beside numbers that a pattern lists."""
    longest_unit_pattern: int = 24
    """The greatest length of a pattern that lists the spellings of a unit."""
    most_shapes: int = 3
    """The largest number of alternatives in a regular expression that is made from
    sample values."""
    most_words_tried: int = 3
    """The largest number of words that are tried in XPath expressions for the element
    with a value, as in `contains(., "price")`."""
    most_records_factor: int = 4
    """The largest number of records that a generated file accepts on a page, as a
    multiple of the number of records on the largest sample page."""
    most_digits_apart: int = 4
    """The number of digits by which numbers on a page may be longer or shorter than in
    the samples.  On only one of 500 pages, most values of a column exceed this bound or
    that of `most_length_factor` (`benchmarks/fills.py`)."""
    most_length_factor: int = 4
    """The factor by which texts on a page may be longer or shorter than in the
    samples."""


LOWERING: Final = LoweringThresholds()
"""The thresholds in use for generating a Python file that reads the pages of a site."""
