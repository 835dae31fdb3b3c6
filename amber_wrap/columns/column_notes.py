"""Define messages for the user on why each column is kept or dropped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from amber_wrap.columns.cells import Cell
from amber_wrap.columns.thresholds import COLUMN
from amber_wrap.dom.page import NodeId, Page


@dataclass(frozen=True, slots=True)
class ColumnNote:
    """A message for the user on why a column is kept or dropped."""

    name: str
    """The name of the column, or "" if the column is dropped."""
    text: str
    """The first text of the column."""
    records: int
    """The number of records with a text in the column."""
    count: int
    """The number of all records of the list."""
    reason: str
    """Why the column has its name, or why it is dropped."""

    @property
    def is_read(self) -> bool:
        """Whether the column is kept, so that its values are read from other pages,
        too."""
        return bool(self.name)


def make_column_note(
    name: str, column: Sequence[Cell], count: int, reason: str
) -> ColumnNote:
    """Return the message for the user on a column of a list with `count` records.

    The `name` is "" for a dropped column. The `reason` says why the column has its
    name, or why it is dropped.
    """
    return ColumnNote(name, column[0].text, _record_count(column), count, reason)


def dropped_notes(
    before: Iterable[Sequence[Cell]],
    after: Iterable[Sequence[Cell]],
    count: int,
    reason: str,
) -> Iterator[ColumnNote]:
    """Yield a message for the user on each column that is in `before` and not in
    `after`.

    `count` is the number of records of the list. A column with a text in only one
    record gets no message.
    """
    kept_keys = {_column_key(column) for column in after if column}
    for column in before:
        is_dropped = column and _column_key(column) not in kept_keys
        if is_dropped and _record_count(column) >= COLUMN.least_records:
            yield make_column_note("", column, count, reason)


def _record_count(column: Iterable[Cell]) -> int:
    """Return the number of records with a text in a column."""
    return len({cell.record for cell in column})


def _column_key(column: Sequence[Cell]) -> tuple[Page, NodeId]:
    """Return the page and the element of a column's first text, as a key."""
    return column[0].page, column[0].node
