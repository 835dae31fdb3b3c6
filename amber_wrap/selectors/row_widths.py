"""Rows of several kinds: the third cell of four isn't the third of five.

Rows that only lack cells at their end are of one kind; those with a cell more in
between, or of a table with its columns in another order, are of another.
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
"""How far the shares of cells with digits, letters or links may lie apart."""
_LEAST: Final = 5
"""Rows of a table that tell what its columns are."""
_Shares = tuple[float, ...]
RowKey = tuple[Page, NodeId]
"""A page, and a row of a record on it."""


class _Rows(NamedTuple):
    """Rows of one table with equally many cells, and by column what these are like."""

    width: int
    columns: Sequence[_Shares]

    def is_like(self, other: _Rows) -> bool:
        """Whether columns that both have are alike; where none is missing, all but
        one may change."""
        unlike = sum(
            any(abs(one - two) > _LIKE for one, two in zip(mine, theirs, strict=True))
            for mine, theirs in zip(self.columns, other.columns, strict=False)
        )
        return unlike <= (self.width == other.width)


def row_kinds(records: Iterable[tuple[Page, Record]]) -> Mapping[RowKey, int]:
    """By row of a table a number that stands for its kind, 0 for the most usual one."""
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
    """By column the shares of the cells with digits, with letters, and with links."""
    found: dict[int, list[Counter[str]]] = defaultdict(list)
    for page, row in rows:
        for at, cell in enumerate(page.child_elements(row)):
            text = page.string(cell)
            said = Counter(
                digits=any(map(str.isdigit, text)),
                letters=any(map(str.isalpha, text)),
                links=any(page.tag[one] == "a" for one in page.elements(cell)),
            )
            found[at].append(said)
    return [
        tuple(
            fmean(one[what] for one in said) for what in ("digits", "letters", "links")
        )
        for said in found.values()
    ]
