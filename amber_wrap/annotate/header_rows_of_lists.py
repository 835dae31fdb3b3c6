"""Find rows of headers above lists without table markup."""

from __future__ import annotations

from collections.abc import Sequence

from amber_wrap.annotate.aria_tables import COLUMN_HEADER
from amber_wrap.annotate.labels_and_titles import CLICKED
from amber_wrap.annotate.table_headers import (
    Cells,
    has_header_class,
    is_header_class,
    is_header_text,
)
from amber_wrap.annotate.thresholds import ANNOTATION
from amber_wrap.cache import remembered
from amber_wrap.dom.page import NodeId, Page


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
    if not is_only_one and not any(map(is_header_class, classes)):
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
    has_class = has_header_class(page, header)
    while len(inner := page.child_elements(header)) == 1:
        [header] = inner
        has_class |= has_header_class(page, header)
    # A row of links or buttons without such a class is a menu.
    has_link = _can_be_clicked(page, header)
    tags = _cell_tags(page, header)
    # A row that is called a header may have other tags than the rows below.
    is_alike = tags == cell_tags or (has_class and len(tags) == len(cell_tags))
    if (has_class or not has_link) and is_alike and _has_column_names(page, header):
        return header
    return -1


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
        and all(map(is_header_text, names))
    )


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
