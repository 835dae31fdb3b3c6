"""The limits of the search for XPath expressions, in one object."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class SearchLimits:
    """How much the search tries and keeps, all used as `SEARCH`.

    Shares are shares of the records of an area.
    """

    readings: int = 5
    """The greatest number of readings of a field."""
    locators: int = 4
    """The number of locators of the first reading."""
    further_locators: int = 2
    """The number of locators of each further reading."""
    records: int = 60
    """The number of records that candidates are drawn from and tried on."""
    tried: int = 32
    """The number of candidates for a locator that are tried at a time, those drawn from
    the most records first, until one of them gains values."""
    further_tried: int = 8
    """The same number for readings after the first one."""
    as_good: float = 0.9
    """The share of the first reading's gain that another reading must reach."""
    beyond: float = -0.5
    """The gain of a value that a locator reads where the typing has none. It may be a
    right value that the annotators missed, so that it costs less than a wrong one."""
    drawn_from: float = 0.2
    """The share of the records that a locator of a further reading must be drawn from.
    """
    levels_above: int = 3
    """The number of ancestors of a value's element whose text a pattern may search for
    the value."""
    record_tests_from: int = 12
    """The number of records that the tests of a record, and its landmarks, are drawn
    from."""
    record_tests: int = 24
    """The number of paths into a record that are tried as its tests."""
    record_paths: int = 6
    """The number of expressions for records that are kept."""
    extra_per_missed: int = 8
    """The number of extra records that weighs as much as one missed record. Many extra
    records are right, since the analysis misses some."""
    landmarks_tried: int = 40
    """The number of elements that are tried as landmarks of a record."""
    landmarks: int = 3
    """The number of landmarks of a record that are kept."""
    record_share: float = 0.8
    """The share of the records that must be selected, or have a landmark. A sponsored
    record may differ."""
    landmark_errors: float = 0.1
    """The share of the records that may have a landmark twice, or be unknown, if no
    landmark is free of such errors. The analysis may miss some records, or merge two.
    """


SEARCH: Final = SearchLimits()
"""The limits that are in use."""
