"""Find the headers and labels of the cells of tables, definition lists and other lists.

The header row of a list that is no table has child elements with the same tags as the
rows below.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import groupby, takewhile

from amber_wrap.annotate.aria_tables import COLUMN_HEADER, aria_header
from amber_wrap.annotate.labels_and_titles import HEADINGS, is_label, name_words
from amber_wrap.annotate.spoken_texts import seen_text
from amber_wrap.annotate.thresholds import ANNOTATION
from amber_wrap.cache import remembered
from amber_wrap.dom.page import NodeId, Page

LABELLED = frozenset({"dd", "td"})
"""Tags of cells that may have a label before or above the cell."""
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
CLICKED = frozenset({"a", "button", "input", "select"})
"""Tags of elements to click on. If the row above a list contains such elements, the row
may be a menu instead of a header.
"""


def label_beside(page: Page, node: NodeId) -> str:
    """Return the label of a `td` or `dd`, or "" if there is none.

    It is the text of the `th` or `dt` directly before the cell, or else of the column
    header.
    """
    if page.tag[node] not in LABELLED:
        return ""
    term = _term_directly_before(page, node)
    label = page.string(term) if term >= 0 else header_above(page, node)
    return label if is_label(label) else ""


def term_before(page: Page, node: NodeId) -> str:
    """Return the text of the `dt` or `th` that a table cell or `dd` belongs to.

    Return "" if there is none, or if the text is too long for a label.
    """
    term = node
    while page.tag[term] == "dd" and (previous := page.previous(term)) >= 0:
        term = previous
    if page.tag[term] != "dt":
        term = _term_directly_before(page, node)
    label = page.string(term) if term >= 0 else ""
    return label if len(label) <= ANNOTATION.longest_header else ""


def _term_directly_before(page: Page, node: NodeId) -> NodeId:
    """Return the `th` or `dt` directly before a cell, or -1 if there is none."""
    before = page.previous(node)
    return before if before >= 0 and page.tag[before] in ("dt", "th") else -1


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
    if _has_header_class(page, row_element):
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
        and all(map(_is_header_text, texts))
        and all(_is_set_off(page, cell, usual_classes) for cell in filled)
        and not all(_is_set_off(page, cell, usual_classes) for cell in last)
    )


def _is_header_text(text: str) -> bool:
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


def is_head_row(page: Page, node: NodeId) -> bool:
    """Return whether an element is the header row of a list, with names of columns."""
    cells = _cells_of_row(page, node)
    if len(cells) < ANNOTATION.least_header_names:
        return False
    if all(page.attributes[cell].get("role") == COLUMN_HEADER for cell in cells):
        return True
    if node == 0:
        return False
    first = page.child_elements(page.parent[node])[0]
    if page.string(first) != page.string(node) or not _has_column_names(page, node):
        return False
    return _heads_list(page, first, page.classes(node), _cell_tags(page, node))


@remembered
def _heads_list(
    page: Page, first: NodeId, classes: Sequence[str], cell_tags: _CellTags
) -> bool:
    """Return whether the `first` row of a list has the markup of a header row.

    No other row may have the classes `classes` of the first row. Most other rows must
    have cells with the tags `cell_tags`.
    """
    text = page.string(first)
    siblings = page.child_elements(page.parent[first])
    rows = [sibling for sibling in siblings if page.string(sibling) != text]
    if any(page.classes(row) == classes for row in rows):
        return False

    def can_be_header(row: NodeId) -> bool:
        """Return whether a row has column names, and no links, buttons or fields of
        forms."""
        return _has_column_names(page, row) and not _can_be_clicked(page, row)

    is_only_one = can_be_header(first) and not any(map(can_be_header, rows))
    if not is_only_one and not any(map(_is_header_class, classes)):
        return False
    return _have_cell_tags(page, rows, cell_tags)


def name_above(page: Page, row: NodeId, node: NodeId) -> str:
    """Return the column name above the cell `node` of a row, from the header row of the
    list.

    Return "" if the list has no header row, or if `node` is no cell of `row`.
    """
    cells = _cells_of_row(page, row)
    if node not in cells:
        return ""
    header_row = _header_row_of_list(page, page.parent[row], _cell_tags(page, row))
    if header_row < 0:
        return ""
    return page.string(_cells_of_row(page, header_row)[cells.index(node)])


def _cells_of_row(page: Page, row: NodeId) -> Cells:
    """Return the cells of a row, which are its child elements.

    If the row has a single child element, such as a link around all cells, return the
    children of this element.
    """
    cells = page.child_elements(row)
    while len(cells) == 1:
        cells = page.child_elements(cells[0])
    return cells


_CellTags = tuple[str, ...]
"""The tags of the cells of a row."""


def _cell_tags(page: Page, row: NodeId) -> _CellTags:
    """Return the tags of the cells of a row."""
    return tuple(page.tag[cell] for cell in _cells_of_row(page, row))


@remembered
def _header_row_of_list(page: Page, parent: NodeId, cell_tags: _CellTags) -> NodeId:
    """Return the header row of the list in `parent`, or -1 if there is none.

    It is the first child of `parent`, or the element directly before `parent`. Its
    cells usually have the tags `cell_tags`.
    """
    rows = page.child_elements(parent) if parent >= 0 else ()
    if not rows or not _have_cell_tags(page, rows[1:], cell_tags):
        return -1
    if is_head_row(page, rows[0]):
        return rows[0] if _cell_tags(page, rows[0]) == cell_tags else -1
    header = page.previous(parent)
    if header < 0:
        return -1
    has_class = _has_header_class(page, header)
    while len(inner := page.child_elements(header)) == 1:
        [header] = inner
        has_class |= _has_header_class(page, header)
    # A row of links or buttons without such a class is a menu.
    has_link = _can_be_clicked(page, header)
    tags = _cell_tags(page, header)
    # A row that is called a header may have other tags than the rows below.
    is_alike = tags == cell_tags or (has_class and len(tags) == len(cell_tags))
    if (has_class or not has_link) and is_alike and _has_column_names(page, header):
        return header
    return -1


def _has_header_class(page: Page, node: NodeId) -> bool:
    """Return whether an element has a class such as `header`."""
    return any(map(_is_header_class, page.classes(node)))


def _is_header_class(token: str) -> bool:
    """Return whether a class token has a word that ends with a member of `HEADERS`, as
    `tableheader` does.
    """
    return any(word.endswith(HEADERS) for word in name_words(token))


def _can_be_clicked(page: Page, row: NodeId) -> bool:
    """Return whether an element contains links, buttons or fields of forms."""
    return any(page.tag[node] in CLICKED for node in page.elements(row))


def _have_cell_tags(page: Page, rows: Sequence[NodeId], cell_tags: _CellTags) -> bool:
    """Return whether most of the `rows` have cells with the tags `cell_tags`.

    At least `ANNOTATION.least_header_names` rows must have such cells.
    """
    row_count = sum(_cell_tags(page, row) == cell_tags for row in rows)
    return row_count >= ANNOTATION.least_header_names and 2 * row_count > len(rows)


def _has_column_names(page: Page, row: NodeId) -> bool:
    """Return whether the cells of a row are names of columns: different short texts
    without digits.

    Fewer than half of the cells may be empty.
    """
    cells = _cells_of_row(page, row)
    names = [page.string(cell) for cell in cells if page.text_length(cell)]
    return (
        sum(map(page.text_length, cells)) == page.text_length(row)
        and ANNOTATION.least_header_names <= len(names) == len(set(names))
        and 2 * len(names) > len(cells)
        and all(map(_is_header_text, names))
    )
