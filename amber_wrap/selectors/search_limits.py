"""Limits of the search for XPath expressions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class SearchLimits:
    """Limits of what the search for XPath expressions tries and keeps.

    Shares are shares of the records of an area.
    """

    readings: int = 5
    """The greatest number of readings of a field."""
    locators: int = 4
    """The greatest number of locators of the first reading."""
    further_locators: int = 2
    """The greatest number of locators of each further reading."""
    records: int = 60
    """The greatest number of records that candidates are drawn from and tried on."""
    tried: int = 32
    """The number of candidates for a locator that are tried at a time, those drawn from
    the most records first, until one of them gains values."""
    further_tried: int = 8
    """The number of candidates for a locator of a further reading that are tried at a
    time."""
    as_good: float = 0.9
    """The share of the first reading's gain that another reading must reach."""
    beyond: float = -0.5
    """The gain of a value that a locator reads where the typing has none. It may be a
    right value that the annotators missed, so that it costs less than a wrong one."""
    drawn_from: float = 0.2
    """The least share of the records with a value that a locator of a further reading
    is drawn from."""
    levels_above: int = 3
    """The number of ancestors of a value's element whose text a pattern may search for
    the value."""
    record_tests_from: int = 12
    """The greatest number of records that the tests and the witnesses of records are
    drawn from."""
    record_tests: int = 24
    """The greatest number of paths into a record that are tried as tests of the record.
    """
    record_paths: int = 6
    """The greatest number of record locators that are kept."""
    extra_per_missed: int = 8
    """The number of extra records that weighs as much as one missed record. Many extra
    records are right, since the analysis misses some."""
    landmarks_tried: int = 40
    """The greatest number of expressions that are tried as witnesses of records."""
    landmarks: int = 3
    """The greatest number of witnesses that are kept."""
    record_share: float = 0.8
    """The least share of the records that a locator selects, or that contain a witness.
    A sponsored record may differ."""
    landmark_errors: float = 0.1
    """The greatest share of the records that contain a witness twice, and of nodes that
    it selects elsewhere, if no witness is free of these errors. The analysis may miss
    some records, or merge two."""


SEARCH: Final = SearchLimits()
"""The limits that are in use."""
