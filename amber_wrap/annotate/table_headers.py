"""Find the headers of the cells of tables."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import groupby, takewhile

from amber_wrap.annotate.aria_tables import aria_header
from amber_wrap.annotate.labels_and_titles import HEADINGS, name_words
from amber_wrap.annotate.spoken_texts import seen_text
from amber_wrap.annotate.thresholds import ANNOTATION
from amber_wrap.cache import remembered
from amber_wrap.dom.page import NodeId, Page

CELLS = frozenset({"td", "th"})
"""Tags of table cells."""

HEADERS = ("head", "header", "heading", "headings")
"""Ends of words in the classes of header rows, such as `thead` and `tableheader`."""

BOLD = HEADINGS | {"b", "strong"}
"""Tags of texts that browsers show in bold."""

_WIDEST = 100
"""The greatest number of columns or rows that a cell may span."""

Cells = Sequence[NodeId]
"""The cells of a table row, from left to right."""


def header_above(page: Page, cell: NodeId, level: int = 0) -> str:
    """Return the text of the column header above a cell, or "" if there is none.

    With a `level` of 1, return the text of the header one row higher, which spans
    several columns.
    """
    header = header_cell(page, cell, level)
    return seen_text(page, header) if header >= 0 else ""


def header_cell(page: Page, cell: NodeId, level: int = 0) -> NodeId:
    """Return the column header above a cell, or -1 if there is none.

    With a `level` of 1, return the header one row higher, which spans several columns.
    """
    if page.tag[cell] not in CELLS:
        return -1 if level else aria_header(page, cell)
    row = page.child_elements(page.parent[cell])
    widths = [spanned(page, row_cell) for row_cell in row]
    headers = header_cells(page, _table(page, cell))
    if sum(widths) != len(headers):
        return -1 if level else aria_header(page, cell)
    column = headers[sum(widths[: row.index(cell)])]
    return column[-1 - level] if level < len(column) else -1


def _table(page: Page, node: NodeId) -> NodeId:
    """Return the innermost table around a node, or the root of the page if there is no
    table.
    """
    while node > 0 and page.tag[node] != "table":
        node = page.parent[node]
    return node


@remembered
def header_cells(page: Page, table: NodeId) -> Sequence[Cells]:
    """Return the header cells of each column of a table, from left to right.

    Each item is a tuple of cells from top to bottom, or () for a column without
    headers.
    """
    # The cell at each (row, column) of the header rows.
    grid: dict[tuple[int, int], NodeId] = {}
    for y, row in enumerate(rows_of_headers(page, table)):
        x = 0
        for cell in row:
            while (y, x) in grid:
                x += 1
            for i in range(y, y + spanned(page, cell, "rowspan")):
                for j in range(x, x + spanned(page, cell)):
                    grid[i, j] = cell
    columns: dict[int, dict[NodeId, None]] = defaultdict(dict)
    for (_, column), cell in sorted(grid.items()):
        columns[column][cell] = None
    return [tuple(columns[column]) for column in range(max(columns, default=-1) + 1)]


def rows_of_headers(page: Page, table: NodeId) -> Iterator[Cells]:
    """Yield the header rows at the start of a table, without the table's title rows."""
    rows = list(rows_of_cells(page, table))
    below_titles = (row for row in rows if not is_title_row(page, row))
    return takewhile(lambda row: _are_headers(page, row, rows[-1]), below_titles)


def rows_of_cells(page: Page, table: NodeId) -> Iterator[Cells]:
    """Yield the cells of each row of a table, without the cells of nested tables."""
    cells = [
        node
        for node in page.elements(table)[1:]
        if page.tag[node] in CELLS and _table(page, node) == table
    ]
    for _, row in groupby(cells, key=lambda cell: page.parent[cell]):
        yield tuple(row)


def is_title_row(page: Page, row: Cells) -> bool:
    """Return whether a row is a single cell that spans several columns, for example a
    title.
    """
    return len(row) == 1 and spanned(page, row[0]) > 1


def _are_headers(page: Page, row: Cells, last: Cells) -> bool:
    """Return whether the cells of a table row are headers.

    They are headers if the markup says so. They are also headers if they are short
    texts that are bold, or have other classes than the table's `last` row.
    """
    row_element = page.parent[row[0]]
    if page.tag[page.parent[row_element]] == "thead":
        return True
    if has_header_class(page, row_element):
        return True
    if all(page.tag[cell] == "th" for cell in row):
        return True
    filled = [cell for cell in row if page.text_length(cell)]
    texts = [page.string(cell) for cell in filled]
    usual_classes = {token for cell in last for token in page.classes(cell)}
    return (
        len(filled) > 1
        and row != last
        and len(set(texts)) == len(texts)
        and all(map(is_header_text, texts))
        and all(_is_set_off(page, cell, usual_classes) for cell in filled)
        and not all(_is_set_off(page, cell, usual_classes) for cell in last)
    )


def is_header_text(text: str) -> bool:
    """Return whether a text is short enough for a header, and has no digits."""
    return len(text) <= ANNOTATION.longest_header and not any(map(str.isdigit, text))


def _is_set_off(page: Page, cell: NodeId, usual_classes: set[str]) -> bool:
    """Return whether a cell is a `th`, is all bold, or has a class that isn't in
    `usual_classes`.

    `usual_classes` are the classes of ordinary cells.
    """
    length = page.text_length(cell)
    return (
        page.tag[cell] == "th"
        or bool(set(page.classes(cell)) - usual_classes)
        or any(
            page.tag[node] in BOLD and page.text_length(node) == length
            for node in page.elements(cell)
        )
    )


def marks_of_header(page: Page, header: NodeId) -> Iterator[str]:
    """Yield the classes of a column header without text that show its meaning, such as
    `icon-price`.

    Classes of other cells in the header's row are left out.
    """
    if page.text_length(header):
        return
    row = page.child_elements(page.parent[header])
    cell_counts = Counter(token for cell in row for token in _classes_in(page, cell))
    for token in _classes_in(page, header):
        if cell_counts[token] == 1:
            yield token


def _classes_in(page: Page, cell: NodeId) -> Sequence[str]:
    """Return the different class tokens of a cell and its descendants."""
    tokens = (token for node in page.elements(cell) for token in page.classes(node))
    return tuple(dict.fromkeys(tokens))


def spanned(page: Page, cell: NodeId, name: str = "colspan") -> int:
    """Return the number of columns or rows that a cell spans, from 1 to 100.

    `name` is the attribute with the number, "colspan" or "rowspan".
    """
    value = page.attributes[cell].get(name, "")
    return min(int(value), _WIDEST) if re.fullmatch("0*[1-9][0-9]{0,5}", value) else 1


def has_header_class(page: Page, node: NodeId) -> bool:
    """Return whether an element has a class such as `header`."""
    return any(map(is_header_class, page.classes(node)))


def is_header_class(token: str) -> bool:
    """Return whether a class token has a word that ends with a member of `HEADERS`, as
    `tableheader` does.
    """
    return any(word.endswith(HEADERS) for word in name_words(token))
