"""Define the thresholds of lowering, which turns a wrapper into a generated file.

A wrapper has the rules for reading one site's pages. The generated file is a Python
file that applies these rules.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class LoweringThresholds:
    """The numbers that decide how a generated file reads and checks pages.

    The file is generated from a wrapper (the rules for reading one site's pages). Some
    numbers decide how simple the file is, and others what its `check` expects. Lengths
    are in characters.
    """

    least_regular_share: float = 0.9
    """The share of records, from 0 to 1, that must have a value of a field, if a second
    list of expressions for the field may find other nodes than the first list.
    """
    longest_copied_first: int = 700
    """The greatest length of a regular expression for dates that is tried first.

    A generated file reads dates by a regular expression. Lowering, which makes the
    file, takes the first of several expressions that finds the right dates on the
    sample pages. The wrapper's own expression is tried first if it isn't longer than
    this. Otherwise, simpler expressions are tried before it.
    """
    longest_copied_last: int = 5000
    """The greatest length of a wrapper's regular expression that lowering tries.

    An expression that a person wrote may be longer.
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
    """The largest number of records on a page, as a multiple of the number on the
    sample with the most records.
    """
    most_digits_apart: int = 4
    """The number of digits by which a number may be longer or shorter than in the
    samples.  Most values of a column exceed this bound, or that of
    `most_length_factor`, on only one of 500 other pages (`benchmarks/fills.py`).
    """
    most_length_factor: int = 4
    """The factor by which texts may be longer or shorter than in the samples."""


LOWERING: Final = LoweringThresholds()
"""The thresholds for turning a wrapper into a Python file.

A wrapper has the rules for reading one site's pages.
"""
