"""Define the thresholds of lowering, which turns a wrapper into a generated file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class LoweringThresholds:
    """The numbers that decide how simple a generated file is, and what its `check`
    expects.

    Lengths are in characters.
    """

    least_regular_share: float = 0.9
    """The share of records with a value of a field, from 0 to 1, from which a second
    reading of the field needn't find the same nodes as the first reading.
    """
    longest_copied_first: int = 700
    """The longest pattern of the domain that is tried before the patterns made from
    samples.
    """
    longest_copied_last: int = 5000
    """The longest pattern of the domain that is tried after the patterns made from
    samples.
    """
    most_listed: int = 4
    """The largest number of signs or words that a pattern lists."""
    longest_unit_pattern: int = 24
    """The longest pattern for the signs of a unit."""
    most_shapes: int = 3
    """The largest number of alternatives in a pattern generalised from values."""
    most_words_tried: int = 3
    """The largest number of words that are tried in tests such as
    `contains(., "price")`.
    """
    most_records_factor: int = 4
    """The largest number of records on a page, relative to the fullest sample."""
    most_digits_apart: int = 4
    """How many digits more or fewer than in the samples a number may have.  On one of
    500 other pages, most values of a column exceed this bound or the bound of
    `most_length_factor` (`benchmarks/fills.py`).
    """
    most_length_factor: int = 4
    """The factor by which texts may be longer or shorter than on the samples."""


LOWERING: Final = LoweringThresholds()
"""The thresholds that are in use."""
