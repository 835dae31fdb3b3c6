"""Divide the table rows of records into kinds whose columns have the same meaning.

The third of four cells may mean something else than the third of five cells. A row that
only lacks cells at the end is of the same kind as a full row. A row with an additional
cell between other cells is of another kind. If tables have different orders of columns,
the rows of the tables are of different kinds.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import Final, NamedTuple

from amber_wrap.analysis.extraction_typing import Record
from amber_wrap.dom.page import NodeId, Page

_ROW_TAG: Final = "tr"
_MOST_DIFFERENCE: Final = 0.5
"""The largest difference between the shares of cells with digits, letters or links in
two similar columns."""
_LEAST_ROWS: Final = 5
"""The least number of rows in one table that may begin a new kind of rows (rows whose
columns have the same meaning)."""
_Shares = tuple[float, ...]
"""The shares of a column's cells with digits, with letters and with links, 0 to 1."""
RowKey = tuple[Page, NodeId]
"""A page, and a table row of a record on the page."""


class _RowSet(NamedTuple):
    """The rows of one table that have the same number of cells (`width`).

    `columns` holds, for each column, the shares of cells with digits, with letters and
    with links.
    """

    width: int
    columns: Sequence[_Shares]

    def is_like(self, other: _RowSet) -> bool:
        """Return whether two sets of rows have similar columns.

        Two columns are similar if their shares of cells with digits, with letters and
        with links differ by at most 0.5. Only the columns that both sets have are
        compared. One column may differ if both sets have the same number of columns.
        """
        unlike_columns = sum(
            any(
                abs(own_share - other_share) > _MOST_DIFFERENCE
                for own_share, other_share in zip(own, others, strict=True)
            )
            for own, others in zip(self.columns, other.columns, strict=False)
        )
        return unlike_columns <= (1 if self.width == other.width else 0)


def row_kinds(records: Iterable[tuple[Page, Record]]) -> Mapping[RowKey, int]:
    """Return the kind of each table row, as a number from 0.

    In rows of one kind, columns have the same meaning. Rows with the same table and the
    same number of cells form a set. Sets with similar columns have the same kind
    (`_RowSet.is_like`). The largest set has kind 0. A set of fewer than five rows
    doesn't begin a new kind, but gets kind 0.

    If records have several rows, the first rows and the second rows are numbered
    separately. Rows that are not `tr` elements are left out.
    """
    rows_by_shape: dict[tuple[int, int, int], list[RowKey]] = defaultdict(list)
    for page, record in records:
        for index, row in enumerate(record.nodes):
            if page.tag[row] == _ROW_TAG:
                width = len(page.child_elements(row))
                rows_by_shape[index, width, page.parent[row]].append((page, row))
    kind_of: dict[RowKey, int] = {}
    kinds_by_index: dict[int, list[_RowSet]] = defaultdict(list)
    largest_first = sorted(rows_by_shape.items(), key=lambda shape: -len(shape[1]))
    for (index, width, _), rows in largest_first:
        row_set, kinds = _RowSet(width, _columns(rows)), kinds_by_index[index]
        new_kind = len(kinds)
        similar = (kind for kind, known in enumerate(kinds) if row_set.is_like(known))
        kind = next(similar, new_kind)
        if kind == new_kind and kinds and len(rows) < _LEAST_ROWS:
            kind = 0
        elif kind == new_kind:
            kinds.append(row_set)
        kind_of |= dict.fromkeys(rows, kind)
    return kind_of


def _columns(rows: Sequence[RowKey]) -> Sequence[_Shares]:
    """Return, for each column of the rows, the shares of cells with digits, with
    letters and with links."""
    cells_by_column: dict[int, list[tuple[bool, bool, bool]]] = defaultdict(list)
    for page, row in rows:
        for column, cell in enumerate(page.child_elements(row)):
            text = page.string(cell)
            has_digit = any(map(str.isdigit, text))
            has_letter = any(map(str.isalpha, text))
            has_link = any(page.tag[node] == "a" for node in page.elements(cell))
            cells_by_column[column].append((has_digit, has_letter, has_link))
    return [
        tuple(fmean(feature) for feature in zip(*cells, strict=True))
        for cells in cells_by_column.values()
    ]
