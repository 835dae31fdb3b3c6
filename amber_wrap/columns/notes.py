"""What became of each column: why it is read, why it isn't, and why it is called so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from amber_wrap.columns.filters import Cell
from amber_wrap.dom.page import NodeId, Page

_LEAST_TOLD: Final = 2
"""The records of a column that is left out and told."""


@dataclass(frozen=True, slots=True)
class ColumnNote:
    """What became of a column that `records` of `count` records have.

    `name` is "" if it is left out, `text` is the first of its texts, and `reason` says
    why it is called so, or why it is left out.
    """

    name: str
    text: str
    records: int
    count: int
    reason: str

    @property
    def is_read(self) -> bool:
        """Whether it is a column of the wrapper."""
        return bool(self.name)


def note(name: str, column: Sequence[Cell], count: int, reason: str) -> ColumnNote:
    """The note on a column of so many records; it is left out if it has no name."""
    return ColumnNote(name, column[0].text, _records(column), count, reason)


def missing(
    before: Iterable[Sequence[Cell]],
    after: Iterable[Sequence[Cell]],
    count: int,
    reason: str,
) -> Iterator[ColumnNote]:
    """The notes on columns that a step leaves out for a reason."""
    kept = {_key(column) for column in after if column}
    for column in before:
        if column and _key(column) not in kept and _records(column) >= _LEAST_TOLD:
            yield note("", column, count, reason)


def _records(column: Iterable[Cell]) -> int:
    return len({(one.page, one.start) for one in column})


def _key(column: Sequence[Cell]) -> tuple[Page, NodeId]:
    """What stays of a column when a step shortens its texts: its first element."""
    return column[0].page, column[0].node
