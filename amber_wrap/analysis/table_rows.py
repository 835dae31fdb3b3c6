"""Find the table rows that are no records, such as header rows and rows of totals."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import takewhile
from typing import Final

from amber_wrap.annotate.headers import (
    group_heading_rows,
    is_head_row,
    rows_of_cells,
    rows_of_headers,
    spanned,
)
from amber_wrap.annotate.labels_and_titles import COLONS
from amber_wrap.dom.page import NodeId, Page

_TOTALS: Final = frozenset(
    "total|totals|grand total|subtotal|sum|gesamt|insgesamt|summe|total général"
    "|ensemble|totale|totaal|suma|razem|ogółem|celkem|spolu|összesen|итого|всего|разом"
    "|усього|общо|ukupno|skupaj|totalt|summa|yhteensä|kokku|kopā|iš viso|σύνολο|toplam"
    "|合計|总计|合计|總計|합계|계".split("|")
)
"""Words for the sum of a column, in lower case."""
_MOST_TOTAL_ROWS: Final = 3
"""The greatest number of rows with totals at the end of a table."""


def find_header_rows(page: Page) -> Collection[NodeId]:
    """Return the header rows of a page, the headings of groups of table rows, and the
    rows of totals."""
    headers = {node for node in page.elements() if _is_header(page, node)}
    for node in page.elements():
        if page.tag[node] in ("table", "tbody"):
            headers.update(group_heading_rows(page, node))
        if page.tag[node] == "table":
            headers.update(page.parent[row[0]] for row in rows_of_headers(page, node))
            headers.update(_total_rows(page, node))
    return headers


def _is_header(page: Page, node: NodeId) -> bool:
    """Return whether an element is the header row of a table or list.

    A `tr` is a header row if it is in a `thead`, or if all of its cells are `th`. Any
    other element is a header row if ARIA roles or a class such as `header` show it.
    """
    if page.tag[node] != "tr":
        return is_head_row(page, node)
    cells = page.child_elements(node)
    return bool(cells) and (
        page.tag[page.parent[node]] == "thead"
        or all(page.tag[cell] == "th" for cell in cells)
    )


def _total_rows(page: Page, table: NodeId) -> Iterator[NodeId]:
    """Yield the last rows of a table if they have totals of its columns.

    Such a row is in a `tfoot`, begins with a word such as "Total", or begins with a
    cell that spans several columns while other rows have a cell in each column.
    """
    rows = list(rows_of_cells(page, table))
    texts = [[cell for cell in row if page.text_length(cell)] for row in rows]
    are_plain = [all(spanned(page, cell) == 1 for cell in row) for row in rows]
    has_plain_rows = 2 * sum(are_plain) > len(rows) > _MOST_TOTAL_ROWS

    def is_total(index: int) -> bool:
        row, filled = rows[index], texts[index]
        if page.tag[page.parent[page.parent[row[0]]]] == "tfoot" or not filled:
            return True
        first = page.string(filled[0]).rstrip("".join(COLONS)).strip().casefold()
        spans_columns = spanned(page, row[0]) > 1 < len(row)
        return first in _TOTALS or (has_plain_rows and spans_columns)

    last_first = takewhile(is_total, reversed(range(len(rows))))
    total_rows = [page.parent[rows[index][0]] for index in last_first]
    if len(total_rows) <= _MOST_TOTAL_ROWS:
        yield from total_rows
