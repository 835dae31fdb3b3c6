"""Describe why a column is read or dropped, and where its name comes from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from amber_wrap.columns.filters import Cell
from amber_wrap.columns.thresholds import COLUMN
from amber_wrap.dom.page import NodeId, Page


@dataclass(frozen=True, slots=True)
class ColumnNote:
    """A note on a column that has texts in `records` of `count` records.

    `name` is "" if the column is dropped. `text` is the first text of the column.
    `reason` is the source of the name, or the reason why the column is dropped.
    """

    name: str
    text: str
    records: int
    count: int
    reason: str

    @property
    def is_read(self) -> bool:
        """Whether the wrapper reads the column."""
        return bool(self.name)


def note(name: str, column: Sequence[Cell], count: int, reason: str) -> ColumnNote:
    """Return the note on a column of an area with `count` records.

    The name "" means that the column is dropped.
    """
    return ColumnNote(name, column[0].text, _records(column), count, reason)


def dropped_notes(
    before: Iterable[Sequence[Cell]],
    after: Iterable[Sequence[Cell]],
    count: int,
    reason: str,
) -> Iterator[ColumnNote]:
    """Yield a note on each column of `before` that `after` lacks.

    Columns with a text in a single record get no note. `count` is the number of all
    records. `reason` is the reason why the columns are dropped.
    """
    kept = {_key(column) for column in after if column}
    for column in before:
        is_left = column and _key(column) not in kept
        if is_left and _records(column) >= COLUMN.least_records:
            yield note("", column, count, reason)


def _records(column: Iterable[Cell]) -> int:
    return len({(one.page, one.start) for one in column})


def _key(column: Sequence[Cell]) -> tuple[Page, NodeId]:
    """Return the page and the first element of a column, which identify the column."""
    return column[0].page, column[0].node
