"""Find the columns and headers of cells in tables that are marked by ARIA roles.

The headers may be in an HTML table of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Final

from amber_wrap.cache import remembered
from amber_wrap.dom.page import NodeId, Page

COLUMN_HEADER: Final = "columnheader"
"""The ARIA role of the header cell of a column."""
_CELL_ROLES: Final = frozenset({"cell", "gridcell", "rowheader"})
"""The ARIA roles of cells that aren't headers of columns."""
_TABLE_ROLES: Final = frozenset({"table", "grid", "treegrid"})
"""The ARIA roles of tables."""
_COLUMN_INDEX: Final = "aria-colindex"
"""The attribute with the number of a cell's column, from 1. Many tables lack the
attribute.
"""


def aria_column(page: Page, node: NodeId) -> str:
    """Return the number of a cell's column in an ARIA table, from 1.

    Return "" for an element without the role of a cell, and for the header of a column.
    """
    if _role(page, node) not in _CELL_ROLES:
        return ""
    number = page.attributes[node].get(_COLUMN_INDEX, "")
    return number or str(_cells_of_row(page, node).index(node) + 1)


def aria_header(page: Page, cell: NodeId) -> NodeId:
    """Return the header of a cell's column in an ARIA table, or -1 if there is none.

    The header and the cell have the same column number, or else the same index in their
    rows.
    """
    if _role(page, cell) not in _CELL_ROLES:
        return -1
    headers = _headers_of_table(page, _aria_table(page, cell))
    if number := page.attributes[cell].get(_COLUMN_INDEX):
        numbers = [page.attributes[node].get(_COLUMN_INDEX) for node in headers]
        if number in numbers:
            return headers[len(numbers) - 1 - numbers[::-1].index(number)]
    cells = _cells_of_row(page, cell)
    rows = [list(row) for _, row in groupby(headers, key=page.parent.__getitem__)]
    fitting = [row for row in rows if len(row) == len(cells)]
    return fitting[-1][cells.index(cell)] if fitting else -1


def _cells_of_row(page: Page, cell: NodeId) -> Sequence[NodeId]:
    """Return the cells of the row with the given cell, from left to right."""
    siblings = page.child_elements(page.parent[cell])
    return [node for node in siblings if _role(page, node) in _CELL_ROLES]


def _aria_table(page: Page, node: NodeId) -> NodeId:
    """Return the innermost ARIA table around a node, or the root of the page if there
    is no such table."""
    while node > 0 and _role(page, node) not in _TABLE_ROLES:
        node = page.parent[node]
    return node


@remembered
def _headers_of_table(page: Page, table: NodeId) -> Sequence[NodeId]:
    """Return the headers of columns in an ARIA table, in document order.

    Return nothing if `table` is the root of the page and not a table.
    """
    if _role(page, table) not in _TABLE_ROLES:
        return ()
    nodes = page.elements(table)
    return [node for node in nodes if _role(page, node) == COLUMN_HEADER]


def _role(page: Page, node: NodeId) -> str:
    """Return the ARIA role of an element, or ""."""
    return page.attributes[node].get("role", "")
