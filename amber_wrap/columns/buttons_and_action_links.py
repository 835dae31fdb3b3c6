"""Recognise buttons and links for an action, such as "details", in records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from amber_wrap.annotate.labels_and_titles import name_words
from amber_wrap.annotate.links import NO_PAGE
from amber_wrap.columns.cells import Cell
from amber_wrap.columns.item_lists import Rows
from amber_wrap.columns.thresholds import COLUMN
from amber_wrap.dom.page import NodeId, Page

BUTTON: Final = "button"
"""The HTML tag, and the value of the attribute `role`, of a button."""

BUTTON_WORDS: Final = frozenset({BUTTON, "btn"})
"""Words in the classes of elements that look like buttons."""

ACTIONS: Final = frozenset(
    "add cart basket compare wishlist favorite favourite share print login vote like "
    "report delete edit reply follow subscribe".split()
)
"""Words such as "share" in texts of links that trigger an action."""


def looks_like_button(page: Page, node: NodeId) -> bool:
    """Return whether an element has a class for buttons, such as "btn"."""
    tokens = page.classes(node)
    return any(name_words(token) & BUTTON_WORDS for token in tokens)


def are_action_links(rows: Rows) -> bool:
    """Return whether the items of lists are links for actions, such as "edit".

    The links have different addresses, but most of their texts occur in nearly all
    records.
    """
    cells = [cell for row in rows for cell in row]
    targets = {cell.page.attributes[cell.node].get("href", "") for cell in cells}
    record_counts = Counter(text for row in rows for text in {it.text for it in row})
    usual = sum(
        count
        for text, count in record_counts.items()
        if count >= COLUMN.nearly_all * len(rows) and not any(map(str.isdigit, text))
    )
    is_one_each = len(targets) >= COLUMN.nearly_all * len(cells)
    are_usual = 3 * usual > 2 * len(cells)
    return is_one_each and are_usual and len(cells) > len(rows)


def is_in_button(cell: Cell) -> bool:
    """Return whether a record's text is in a button within the record."""
    return any(_is_button(cell.page, node) for node in element_and_ancestors(cell))


def _is_button(page: Page, node: NodeId) -> bool:
    """Return whether an element is a button.

    A link that opens no page is a button, too, if it has a class such as "btn".
    """
    attributes = page.attributes[node]
    if BUTTON in (page.tag[node], attributes.get("role")):
        return True
    target = attributes.get("href", "").strip().lower()
    opens_no_page = not target or target.startswith(NO_PAGE)
    return page.tag[node] == "a" and opens_no_page and looks_like_button(page, node)


def are_button_links(column: Sequence[Cell]) -> bool:
    """Return whether all texts of a column are links with a class for buttons, such as
    "btn", and few of the texts differ.
    """
    return 2 * len({cell.text for cell in column}) <= len(column) and all(
        cell.page.tag[cell.node] == "a" and looks_like_button(cell.page, cell.node)
        for cell in column
    )


def are_links_for_actions(column: Sequence[Cell]) -> bool:
    """Return whether all texts of a column are links for an action, such as "details".

    Such texts have no digits, and more than half of their link targets differ.
    """
    targets = [link_target(cell) for cell in column]
    has_digit = any(sign.isdigit() for cell in column for sign in cell.text)
    are_different = 2 * len(set(targets)) > len(targets)
    return not has_digit and all(targets) and are_different


def leads_nowhere(cell: Cell) -> bool:
    """Return whether the link around a cell's text opens no page, because only a script
    can follow it.
    """
    return link_target(cell).lower().startswith(NO_PAGE)


def element_and_ancestors(cell: Cell) -> Iterator[NodeId]:
    """Yield the element of a record's text, then its ancestors below the first node of
    the record."""
    node = cell.node
    while node > cell.start:
        yield node
        node = cell.page.parent[node]


def link_target(cell: Cell) -> str:
    """Return the target of the link that displays exactly a record's text.

    The link is the text's element or an ancestor. Return "" if there is no such link.
    """
    page, length = cell.page, cell.page.text_length(cell.node)
    targets = (
        page.attributes[node].get("href", "")
        for node in element_and_ancestors(cell)
        if page.text_length(node) == length  # A link around the whole record is longer.
    )
    return next(filter(None, targets), "")
