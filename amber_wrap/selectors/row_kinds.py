"""Divide table rows into kinds whose columns have the same meaning.

The third of four cells may mean something else than the third of five cells. Rows that
only lack cells at the end are of the same kind. Rows with an additional cell in between
are of another kind. If tables have different orders of columns, the rows of the tables
are of different kinds.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import Final, NamedTuple

from amber_wrap.analysis.extraction_typing import Record
from amber_wrap.dom.page import NodeId, Page

_ROW: Final = "tr"
_LIKE: Final = 0.5
"""The largest difference between two columns' shares of cells with digits, letters or
links."""
_LEAST: Final = 5
"""The number of rows that a table needs to characterise its columns."""
_Shares = tuple[float, ...]
RowKey = tuple[Page, NodeId]
"""A page, and a row of a record on it."""


class _Rows(NamedTuple):
    """The rows of one table that have the same number of cells.

    `columns` holds, for each column, the shares of cells with digits, with letters and
    with links.
    """

    width: int
    columns: Sequence[_Shares]

    def is_like(self, other: _Rows) -> bool:
        """Return whether two sets of rows have similar columns.

        Only the columns that both sets have are compared. One column may differ if both
        sets have the same number of columns.
        """
        unlike = sum(
            any(abs(one - two) > _LIKE for one, two in zip(mine, theirs, strict=True))
            for mine, theirs in zip(self.columns, other.columns, strict=False)
        )
        return unlike <= (self.width == other.width)


def row_kinds(records: Iterable[tuple[Page, Record]]) -> Mapping[RowKey, int]:
    """Return the number of each table row's kind.

    In rows of one kind, columns have the same meaning. Rows with the same table and the
    same number of cells form a set. The largest set has kind 0. If records have several
    rows, the first rows and the second rows are numbered separately.
    """
    rows: dict[tuple[int, int, int], list[tuple[Page, NodeId]]] = defaultdict(list)
    for page, record in records:
        for number, row in enumerate(record.nodes):
            if page.tag[row] == _ROW:
                width = sum(1 for _ in page.child_elements(row))
                rows[number, width, page.parent[row]].append((page, row))
    found: dict[RowKey, int] = {}
    known: dict[int, list[_Rows]] = defaultdict(list)
    for (number, width, _), mine in sorted(rows.items(), key=lambda one: -len(one[1])):
        some, kinds = _Rows(width, _columns(mine)), known[number]
        like = (kind for kind, one in enumerate(kinds) if some.is_like(one))
        kind = next(like, len(kinds))
        if kind == len(kinds) and kinds and len(mine) < _LEAST:
            kind = 0
        elif kind == len(kinds):
            kinds.append(some)
        found |= dict.fromkeys(mine, kind)
    return found


def _columns(rows: Sequence[tuple[Page, NodeId]]) -> Sequence[_Shares]:
    """Return, for each column of the rows, the shares of cells with digits, with
    letters and with links."""
    found: dict[int, list[Counter[str]]] = defaultdict(list)
    for page, row in rows:
        for at, cell in enumerate(page.child_elements(row)):
            text = page.string(cell)
            counts = Counter(
                digits=any(map(str.isdigit, text)),
                letters=any(map(str.isalpha, text)),
                links=any(page.tag[one] == "a" for one in page.elements(cell)),
            )
            found[at].append(counts)
    return [
        tuple(
            fmean(one[what] for one in counts)
            for what in ("digits", "letters", "links")
        )
        for counts in found.values()
    ]
