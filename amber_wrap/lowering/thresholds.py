"""Define the thresholds of lowering."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class LoweringThresholds:
    """The numbers that decide how simple a program is, and what its `check` expects.

    Lengths are in characters.
    """

    regular: float = 0.9
    """The least share of the records that have a value of a regular field."""
    copied_first: int = 700
    """The longest pattern of the domain that is copied before the patterns that the
    samples suggest are tried.
    """
    copied_last: int = 5000
    """The longest pattern of the domain that is copied if no pattern that the samples
    suggest is right."""
    listed: int = 4
    """The most signs or words that a pattern lists one by one."""
    unit_signs: int = 24
    """The longest pattern for the signs of a unit."""
    shapes: int = 3
    """The most forms of values that one pattern is made for."""
    words_tried: int = 3
    """The most words common to all texts of a column that are tried as tests, one by
    one."""
    many: int = 4
    """The most records of a page, as a multiple of those of the fullest sample."""
    digits: int = 4
    """How many digits more or fewer than on the samples the numbers of a column may
    have. On one of 500 other pages, most values of a column exceed this bound or that
    of `times` (`benchmarks/fills.py`)."""
    times: int = 4
    """The factor by which texts may be longer or shorter than on the samples."""


LOWERING: Final = LoweringThresholds()
"""The thresholds that are in use."""
