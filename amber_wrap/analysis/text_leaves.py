"""The texts that a record shows one by one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from unicodedata import category

from amber_wrap.dom.markup import EMPHASIS
from amber_wrap.dom.page import NodeId, Page

PASSAGE: Final = 120
"""Characters from which on a text is a passage: what stands in it is no text apart."""
_OWN: Final = 0.05
"""The share of a passage that stands in no part of it; "by" and dashes are less."""
_INLINE: Final = EMPHASIS | {"wbr", "sub", "sup"}
"""Tags that set off words of a text, and make no other text of them."""
PICTURE: Final = "So"
"""The Unicode category of stars and ticks."""
CURRENCY: Final = "Sc"
"""The Unicode category of signs such as the euro's."""
_TITLES: Final = frozenset({"a", "h1", "h2", "h3", "h4", "h5", "h6"})


def cells(page: Page, node: NodeId) -> Iterator[NodeId]:
    """Return the elements that show a text of their own, from a node on down."""
    return (one for one, is_whole in _shown(page, node) if is_whole)


def between_cells(page: Page, node: NodeId) -> Iterator[NodeId]:
    """Return the elements whose own text stands beside cells within them, and in no
    cell.
    """
    return (one for one, is_whole in _shown(page, node) if not is_whole)


def _shown(page: Page, node: NodeId) -> Iterator[tuple[NodeId, bool]]:
    """Yield the elements that show a text, and whether that is all that is in them,
    or their own text only.
    """
    if not page.text_length(node) or page.is_hidden(node):
        return
    parts = [one for one in page.child_elements(node) if page.text_length(one)]
    own = any(page.is_text(one) for one in page.children(node))
    set_off = all(page.tag[one] in _INLINE for one in parts)
    length = page.text_length(node)
    apart = sum(page.text_length(one) for one in parts)
    if own or (set_off and (len(parts) == 1 or page.tag[node] in _TITLES)):
        # What several parts say is not said again as a whole.
        is_passage = length > PASSAGE and length - apart >= _OWN * length
        if is_passage or set_off or len(parts) < 2 or 4 * apart < 3 * length:
            yield node, True
        else:
            yield node, False
        if set_off or is_passage:
            return
    for part in parts:
        if page.tag[part] not in _INLINE or not own:
            yield from _shown(page, part)


def set_off_parts(page: Page, node: NodeId) -> Iterator[NodeId]:
    """Yield what is set off within a short text: emphasis, or a text of its own."""
    if page.text_length(node) > PASSAGE or page.tag[node] in _TITLES:
        return
    for part in page.child_elements(node):
        if page.tag[part] in _INLINE and page.text_length(part) < page.text_length(
            node
        ):
            yield part


def is_telling(text: str) -> bool:
    """Return whether a text has letters, digits or pictures, not signs alone."""
    return any(one.isalnum() or category(one) == PICTURE for one in text)


def is_level(text: str) -> bool:
    """Return whether a text is of currency signs, such as say how dear something
    is.
    """
    return not is_telling(text) and any(category(one) == CURRENCY for one in text)
