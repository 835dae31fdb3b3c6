"""The thresholds of finding columns: shares, numbers and lengths in one object."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import Final


@dataclass(frozen=True, slots=True)
class ColumnThresholds:
    """The numbers that decide about columns, all used as `COLUMN`.

    Shares are shares of the records of an area, or of the texts of a column.
    """

    least_share: float = 0.05
    """The share of the records that must have a column, or a label."""
    least_records: int = 2
    """The number of records that must have a column or a label, and of different values
    that a column must have."""
    most_columns: int = 40
    """The number of columns of an area; columns that more records have come first."""
    nearly_all: float = 0.9
    """The share that counts as all: of values of one kind, of equal texts in two
    columns, of records with a label or below a heading."""
    most: float = 0.75
    """The share that decides although a quarter differs: words around the values name
    their kind, or a property of JSON-LD has the same values."""
    several: float = 0.2
    """The share of the records that must have a label that is only the start of texts,
    and of the items of a list that must stand at another index in other records."""
    named: float = 0.51
    """The share of a column's values that must have a name, more than half."""
    half: float = 0.5
    """The share of the values that must be dates, since those of today may have a time
    only, or of the records that an item of a list of JSON-LD must match."""
    few: float = 0.1
    """The share of different texts up to which links are no data, as "details" is."""
    longest_label: int = 40
    """The length of a label in characters."""
    longest_name: int = 30
    """The length of the name of a column in characters, at most."""
    stem: int = 3
    """The number of letters that all forms of a word share at least."""
    longest_heading: int = 80
    """The length of a heading in characters."""
    heading_levels: int = 3
    """How many levels above a record its heading may stand."""
    description: int = 60
    """The length in characters from which on texts are descriptions."""
    own_text: float = 0.05
    """The share of a long text outside of child elements from which on it is one
    passage; "by" and dashes are less."""

    def least(self, records: int) -> int:
        """Return how many of the records must have a column or a label."""
        return max(self.least_records, ceil(self.least_share * records))


COLUMN: Final = ColumnThresholds()
"""The thresholds that are in use."""
