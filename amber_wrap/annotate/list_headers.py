"""Find the header rows of lists that aren't tables.

A header row has the names of columns. The child elements of a header row have the same
tags as the child elements of the rows below.
"""

from __future__ import annotations

from collections.abc import Sequence

from amber_wrap.annotate.headers import HEADERS
from amber_wrap.annotate.thresholds import ANNOTATION
from amber_wrap.annotate.words import name_words
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.memo import remembered

CLICKED = frozenset({"a", "button", "input", "select"})
"""Tags of elements to click on. An element above a list that contains such tags may be
a menu or a row of tabs.
"""
COLUMN_HEADER = "columnheader"
"""The ARIA role of a header."""


def is_head_row(page: Page, node: NodeId) -> bool:
    """Return whether an element is the header row of a list.

    A row is a header row if all its child elements have the ARIA role `columnheader`.
    Without this role, only the first row of a list can be a header row. The first row
    must have the names of columns, and a class such as `header`. Its child elements
    must have the same tags as the child elements of most other rows.
    """
    names = page.child_elements(node)
    if len(names) < ANNOTATION.header_row:
        return False
    if all(page.attributes[one].get("role") == COLUMN_HEADER for one in names):
        return True
    siblings = page.child_elements(page.parent[node]) if node else ()
    return (
        siblings[:1] == (node,)
        and _is_called_so(page, node)
        and _are_names(page, node)
        and _are_made_alike(page, siblings[1:], _made(page, node))
        and page.classes(node) not in map(page.classes, siblings[1:])
    )


def name_above(page: Page, row: NodeId, node: NodeId) -> str:
    """Return the column name above a child element of a list's row.

    Return "" if the list has no header row.
    """
    cells = page.child_elements(row)
    if node not in cells:
        return ""
    head = _head_of(page, page.parent[row], _made(page, row))
    return (
        page.string(page.child_elements(head)[cells.index(node)]) if head >= 0 else ""
    )


_Made = tuple[str, ...]
"""The tags of the child elements of a row."""


def _made(page: Page, row: NodeId) -> _Made:
    return tuple(page.tag[one] for one in page.child_elements(row))


@remembered
def _head_of(page: Page, parent: NodeId, made: _Made) -> NodeId:
    """Return the header row of a list, or -1 if there is none.

    `parent` is the element around the rows. `made` are the tags of the child elements
    of a row. The header row is the first row, or an element directly before `parent`.
    """
    rows = page.child_elements(parent) if parent >= 0 else ()
    if not rows or not _are_made_alike(page, rows[1:], made):
        return -1
    if is_head_row(page, rows[0]):
        return rows[0] if _made(page, rows[0]) == made else -1
    siblings = page.child_elements(page.parent[parent]) if parent else ()
    at = siblings.index(parent) if parent in siblings else 0
    if not at:
        return -1
    head = siblings[at - 1]
    is_header = _is_called_so(page, head)
    while len(inner := page.child_elements(head)) == 1:
        head = inner[0]
        is_header |= _is_called_so(page, head)
    is_header |= all(page.tag[one] not in CLICKED for one in page.elements(head))
    is_head = is_header and _made(page, head) == made and _are_names(page, head)
    return head if is_head else -1


def _is_called_so(page: Page, node: NodeId) -> bool:
    """Return whether an element has a class such as `header`."""
    return any(name_words(one) & HEADERS for one in page.classes(node))


def _are_made_alike(page: Page, rows: Sequence[NodeId], made: _Made) -> bool:
    """Return whether most rows have child elements with the tags `made`."""
    alike = sum(_made(page, one) == made for one in rows)
    return alike >= ANNOTATION.header_row and 2 * alike > len(rows)


def _are_names(page: Page, row: NodeId) -> bool:
    """Return whether the child elements of a row are names of columns.

    Names are different short texts without digits. Fewer than half of the child
    elements may be empty, and the row may display no other text.
    """
    names = page.child_elements(row)
    texts = [page.string(one) for one in names if page.text_length(one)]
    return (
        sum(map(page.text_length, names)) == page.text_length(row)
        and ANNOTATION.header_row <= len(texts) == len(set(texts))
        and 2 * len(texts) > len(names)
        and all(len(one) <= ANNOTATION.longest_header for one in texts)
        and not any(map(str.isdigit, "".join(texts)))
    )
