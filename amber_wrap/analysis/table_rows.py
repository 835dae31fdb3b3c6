"""Find the table rows that are no records, such as header rows and rows of totals."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import chain, pairwise, takewhile
from typing import Final

from amber_wrap.annotate.header_rows_of_lists import is_head_row
from amber_wrap.annotate.labels_and_titles import COLONS
from amber_wrap.annotate.table_headers import (
    is_title_row,
    rows_of_cells,
    rows_of_headers,
    spanned,
)
from amber_wrap.dom.page import NodeId, Page

_TOTALS: Final = frozenset(
    "total|totals|grand total|subtotal|sum|gesamt|insgesamt|summe|total général"
    "|ensemble|totale|totaal|suma|razem|ogółem|celkem|spolu|összesen|итого|всего|разом"
    "|усього|общо|ukupno|skupaj|totalt|summa|yhteensä|kokku|kopā|iš viso|σύνολο|toplam"
    "|合計|总计|合计|總計|합계|계".split("|")
)
"""Words for the sum of a column, in lower case."""
_LONG_GROUP: Final = 4
"""At least this number of rows below a heading are always records of their own. A
heading and fewer rows may be one record.
"""
_MOST_TOTAL_ROWS: Final = 3
"""The greatest number of rows with totals at the end of a table."""


def find_header_rows(page: Page) -> Collection[NodeId]:
    """Return the header rows of a page, the headings of groups of table rows, and the
    rows of totals."""
    headers = {node for node in page.elements() if _is_header(page, node)}
    for node in page.elements():
        if page.tag[node] in ("table", "tbody"):
            headers.update(_group_heading_rows(page, node))
        if page.tag[node] == "table":
            headers.update(page.parent[row[0]] for row in rows_of_headers(page, node))
            headers.update(_total_rows(page, node))
    return headers


def _is_header(page: Page, node: NodeId) -> bool:
    """Return whether an element is the header row of a table or list."""
    if page.tag[node] != "tr":
        return is_head_row(page, node)
    cells = page.child_elements(node)
    return bool(cells) and (
        page.tag[page.parent[node]] == "thead"
        or all(page.tag[cell] == "th" for cell in cells)
    )


def _group_heading_rows(page: Page, parent: NodeId) -> Iterator[NodeId]:
    """Yield the rows of a table or `tbody` that are headings above groups of rows.

    Yield nothing if a heading and its few rows are probably one record.
    """
    rows = [row for row in page.child_elements(parent) if page.text_length(row)]
    cells = [page.child_elements(row) for row in rows]
    headings = [i for i, row in enumerate(cells) if is_title_row(page, row)]
    lengths = {end - begin - 1 for begin, end in pairwise([*headings, len(rows)])}
    is_record = len(headings) > 1 and len(lengths) == 1 and max(lengths) < _LONG_GROUP
    before = chain.from_iterable(cells[: headings[0]] if headings else ())
    begin_groups = all(page.tag[cell] == "th" for cell in before)
    are_few = 2 * len(headings) <= sum(len(row) > 1 for row in cells)
    if begin_groups and are_few and not is_record:
        yield from (rows[i] for i in headings)


def _total_rows(page: Page, table: NodeId) -> Iterator[NodeId]:
    """Yield the last rows of a table if they have totals of its columns.

    Yield nothing if too many rows seem to have totals.
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
        others = [page.string(cell) for cell in filled if cell != row[0]]
        are_numbers = all(any(map(str.isdigit, text)) for text in others)
        return first in _TOTALS or (has_plain_rows and spans_columns and are_numbers)

    last_first = takewhile(is_total, reversed(range(len(rows))))
    total_rows = [page.parent[rows[index][0]] for index in last_first]
    if len(total_rows) <= _MOST_TOTAL_ROWS:
        yield from total_rows
