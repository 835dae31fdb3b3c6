"""Headers of lists that are no tables: a row of names above rows made like it."""

from __future__ import annotations

from collections.abc import Sequence

from amber_wrap.annotate.headers import HEADERS, LONGEST_HEADER
from amber_wrap.annotate.words import name_words
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.memo import remembered

LEAST_COLUMNS, LEAST_ROWS = 2, 2
"""Names in a row of headers, and rows with as many elements below it."""
CLICKED = frozenset({"a", "button", "input", "select"})
"""Tags in menus and tabs, which stand above lists, too."""
COLUMN_HEADER = "columnheader"
"""The role of a header (ARIA)."""


def is_head_row(page: Page, node: NodeId) -> bool:
    """Return whether an element is a row of headers, as roles say, or its class
    does and it comes first, with as many names in it as the rows below have
    elements.
    """
    names = page.child_elements(node)
    if len(names) < LEAST_COLUMNS:
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
    """Return the name that a row of headers has for an element of a row of a list,
    "" without one.
    """
    cells = page.child_elements(row)
    if node not in cells:
        return ""
    head = _head_of(page, page.parent[row], _made(page, row))
    return (
        page.string(page.child_elements(head)[cells.index(node)]) if head >= 0 else ""
    )


_Made = tuple[str, ...]
"""The tags of the elements in a row."""


def _made(page: Page, row: NodeId) -> _Made:
    return tuple(page.tag[one] for one in page.child_elements(row))


@remembered
def _head_of(page: Page, parent: NodeId, made: _Made) -> NodeId:
    """Return the row of headers, made like its rows, that is the first in an
    element, or stands right before it and isn't there to click on; -1 without one.
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
    is_told = _is_called_so(page, head)
    while len(inner := page.child_elements(head)) == 1:
        head = inner[0]
        is_told |= _is_called_so(page, head)
    is_told |= all(page.tag[one] not in CLICKED for one in page.elements(head))
    is_head = is_told and _made(page, head) == made and _are_names(page, head)
    return head if is_head else -1


def _is_called_so(page: Page, node: NodeId) -> bool:
    """Return whether a class says that an element is a header."""
    return any(name_words(one) & HEADERS for one in page.classes(node))


def _are_made_alike(page: Page, rows: Sequence[NodeId], made: _Made) -> bool:
    """Return whether most rows are made of the same tags."""
    alike = sum(_made(page, one) == made for one in rows)
    return alike >= LEAST_ROWS and 2 * alike > len(rows)


def _are_names(page: Page, row: NodeId) -> bool:
    """Return whether the elements of a row are different short texts without
    digits, and all that it displays; some columns may have no name.
    """
    names = page.child_elements(row)
    texts = [page.string(one) for one in names if page.text_length(one)]
    return (
        sum(map(page.text_length, names)) == page.text_length(row)
        and LEAST_COLUMNS <= len(texts) == len(set(texts))
        and 2 * len(texts) > len(names)
        and all(len(one) <= LONGEST_HEADER for one in texts)
        and not any(map(str.isdigit, "".join(texts)))
    )
