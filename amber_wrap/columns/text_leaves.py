"""Find the elements of a record that display a single text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from unicodedata import category

from amber_wrap.annotate.thresholds import ANNOTATION
from amber_wrap.columns.thresholds import COLUMN
from amber_wrap.dom.markup import EMPHASIS
from amber_wrap.dom.page import NodeId, Page

_INLINE: Final = EMPHASIS | {"wbr", "sub", "sup"}
"""Tags of emphasised or marked words within one text."""
PICTURE: Final = "So"
"""The Unicode category of symbols such as stars and ticks."""
CURRENCY: Final = "Sc"
"""The Unicode category of currency signs."""
_TITLES: Final = frozenset({"a", "h1", "h2", "h3", "h4", "h5", "h6"})


def leaf_elements(page: Page, node: NodeId) -> Iterator[NodeId]:
    """Yield the descendants of an element that display a single text."""
    return (one for one, is_whole in _shown(page, node) if is_whole)


def mixed_elements(page: Page, node: NodeId) -> Iterator[NodeId]:
    """Yield the descendants of an element that have a text of their own beside child
    elements with separate texts."""
    return (one for one, is_whole in _shown(page, node) if not is_whole)


def _shown(page: Page, top: NodeId) -> Iterator[tuple[NodeId, bool]]:
    """Yield each element that displays a text, with a flag, in document order.

    The flag is true if the whole element displays one text. The flag is false if child
    elements display separate texts.
    """
    left = [top]
    while left:
        node = left.pop()
        length = page.text_length(node)
        if not length or page.is_hidden(node):
            continue
        parts = [one for one in page.child_elements(node) if page.text_length(one)]
        own = any(page.is_text(one) for one in page.children(node))
        set_off = all(page.tag[one] in _INLINE for one in parts)
        apart = sum(page.text_length(one) for one in parts)
        if own or (set_off and (len(parts) == 1 or page.tag[node] in _TITLES)):
            # Several separate texts in one element aren't read as one text.
            is_long = length > ANNOTATION.longest_value
            is_passage = is_long and length - apart >= COLUMN.own_text * length
            yield (
                node,
                is_passage or set_off or len(parts) < 2 or 4 * apart < 3 * length,
            )
            if set_off or is_passage:
                continue
        left.extend(
            one for one in reversed(parts) if page.tag[one] not in _INLINE or not own
        )


def set_off_parts(page: Page, node: NodeId) -> Iterator[NodeId]:
    """Yield the emphasised or marked parts of a short text."""
    if page.text_length(node) > ANNOTATION.longest_value or page.tag[node] in _TITLES:
        return
    for part in page.child_elements(node):
        if page.tag[part] in _INLINE and page.text_length(part) < page.text_length(
            node
        ):
            yield part


def has_content(text: str) -> bool:
    """Return whether a text has a letter, a digit or a pictograph."""
    return any(one.isalnum() or category(one) == PICTURE for one in text)


def is_level(text: str) -> bool:
    """Return whether a text consists of currency signs only, as the price level "££"
    does."""
    return not has_content(text) and any(category(one) == CURRENCY for one in text)
