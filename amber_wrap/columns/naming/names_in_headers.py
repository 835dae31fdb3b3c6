"""Find names of columns in the headers of tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from amber_wrap.annotate.definition_terms import term_before
from amber_wrap.annotate.header_rows_of_lists import name_above
from amber_wrap.annotate.labels_and_titles import is_label
from amber_wrap.annotate.table_headers import (
    CELLS,
    header_above,
    header_cell,
    marks_of_header,
)
from amber_wrap.annotate.thresholds import ANNOTATION
from amber_wrap.columns.cells import Cell, nodes_with_same_text
from amber_wrap.columns.naming.names_in_attributes_and_classes import names_of_words
from amber_wrap.columns.naming.spelling import name_of_header
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.selectors.volatile_names import CLASS

HEADER_ATTRIBUTES: Final = (
    "data-label",
    "data-title",
    "data-th",
    "data-header",
    "data-column",
)
"""HTML attributes in which table cells repeat the column header for small screens."""


def headers_of(cell: Cell) -> Iterator[str]:
    """Yield the table headers above a cell's text, and the `dt` term before it."""
    page = cell.page
    for node in nodes_with_same_text(page, cell.node):
        if term := term_before(page, node):
            yield term
        yield from _short_headers(page, node)
        if header := name_above(page, cell.start, node):
            yield header
        for name in HEADER_ATTRIBUTES:
            if is_label(label := page.attributes[node].get(name, "")):
                yield label
    table_cell = _table_cell_begun_by(cell)
    if table_cell >= 0:
        yield from _short_headers(page, table_cell)


def _short_headers(page: Page, node: NodeId) -> Iterator[str]:
    """Yield the table header above an element, if it is short.

    If there is a second header above the first, also yield both headers as one text.
    """
    header, group = (header_above(page, node, level) for level in (0, 1))
    for text in (header, f"{group} {header}" if header and group else ""):
        if 0 < len(text) <= ANNOTATION.longest_header:
            yield text


def _table_cell_begun_by(cell: Cell) -> NodeId:
    """Return the `td` or `th` whose text begins with the text of `cell`, or -1."""
    page, node = cell.page, cell.node
    while node > cell.start and page.tag[node] not in CELLS:
        node = page.parent[node]
    is_at_start = page.characters[node] == page.characters[cell.node]
    return node if is_at_start and page.tag[node] in CELLS else -1


def header_marks(cell: Cell) -> Iterator[str]:
    """Yield the classes of the header above a text in a table, if the header has no
    text.

    Classes that other headers of the table have, too, are left out.
    """
    for node in nodes_with_same_text(cell.page, cell.node):
        if (header := header_cell(cell.page, node)) >= 0:
            yield from marks_of_header(cell.page, header)


def names_by_header(cell: Cell) -> Iterator[str]:
    """Yield the column names that the table headers or `dt` terms of a record's text
    give.

    Yield "" for a header whose text gives no name.
    """
    yield from map(name_of_header, headers_of(cell))
    yield from names_of_words(header_marks(cell), CLASS)
