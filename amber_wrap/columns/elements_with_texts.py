"""Find the elements of a record whose texts become cells of columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Final
from unicodedata import category

from amber_wrap.analysis.extraction_typing import Attribute
from amber_wrap.annotate.element_icons import is_glyph
from amber_wrap.annotate.headlines import has_spoken_copy
from amber_wrap.annotate.spoken_texts import is_spoken
from amber_wrap.annotate.thresholds import ANNOTATION
from amber_wrap.columns.cells import LINK, Cell
from amber_wrap.columns.thresholds import COLUMN
from amber_wrap.dom.displayed_texts import CHOICES, EMPHASIS
from amber_wrap.dom.page import OWN_TEXT, TEXT, NodeId, Page
from amber_wrap.values.numbers_and_prices import is_amount
from amber_wrap.values.texts import squeeze

_INLINE_TAGS: Final = EMPHASIS | {"wbr", "sub", "sup"}
"""HTML tags of emphasised or marked words, which belong to the text around them."""

_TITLE_TAGS: Final = frozenset({"a", "h1", "h2", "h3", "h4", "h5", "h6"})
"""HTML tags of links and headings, whose text is always read as one text."""

PICTURE: Final = "So"
"""The Unicode category of pictographs such as stars and ticks, which count as content.
"""

CURRENCY: Final = "Sc"
"""The Unicode category of currency signs. A text of currency signs alone, such as "££",
may show a price level."""


def displayed_values(attributes: Iterable[Attribute]) -> Iterator[tuple[str, str]]:
    """Yield (type, text) for each recognised value, such as a price, that the page may
    display.

    Relative URLs are left out, because pages don't display them.
    """
    for attribute in attributes:
        text = attribute.text
        if text and (attribute.source != LINK or "//" in text):
            yield attribute.type, text


def squeezed_texts(cell: Cell) -> Iterator[str]:
    """Yield the letters and digits of a text, without blanks and punctuation.

    If a child element repeats the text for screen readers, also yield the letters and
    digits without the repetition.
    """
    yield squeeze(cell.text)
    if has_spoken_copy(cell.page, cell.node):
        yield squeeze(cell.page.source_text(cell.node, OWN_TEXT))


def without_glyph(cell: Cell) -> Cell:
    """Return the text of a cell without icons that are written as characters.

    Return the cell unchanged if its element has a child element with other text.
    """
    page, node = cell.page, cell.node
    if cell.source != TEXT or cell.label:
        return cell
    children = list(filter(page.text_length, page.child_elements(node)))
    own_text = page.source_text(node, OWN_TEXT)
    if not children or not own_text or not all(is_glyph(page, it) for it in children):
        return cell
    return replace(cell, text=own_text, source=OWN_TEXT)


def leaf_elements(page: Page, top: NodeId) -> Iterator[NodeId]:
    """Yield the displayed elements that have a single text, in document order.

    The elements are `top` and its descendants.
    """
    return (node for node, is_whole in _text_elements(page, top) if is_whole)


def mixed_elements(page: Page, top: NodeId) -> Iterator[NodeId]:
    """Yield the displayed elements within `top` that have a text of their own and child
    elements with other texts, such as `<p>Oxford <b>2 km</b></p>`.
    """
    return (node for node, is_whole in _text_elements(page, top) if not is_whole)


def _text_elements(page: Page, top: NodeId) -> Iterator[tuple[NodeId, bool]]:
    """Yield (node, is_whole) for each displayed element with a text, in document order.

    `is_whole` is false if child elements of the node display separate texts, as in
    `<p>Oxford <b>2 km</b></p>`.
    """
    pending = [top]
    while pending:
        node = pending.pop()
        length = page.text_length(node)
        if not length or page.is_hidden(node) or _is_choice_or_picture(page, node):
            continue
        children = [
            child
            for child in page.child_elements(node)
            if page.text_length(child) and not is_glyph(page, child)
        ]
        has_own_text = any(page.is_text(child) for child in page.children(node))
        are_inline = all(page.tag[child] in _INLINE_TAGS for child in children)
        child_length = sum(page.text_length(child) for child in children)
        is_title = page.tag[node] in _TITLE_TAGS
        is_mixed = False
        if length <= COLUMN.longest_amount and _is_amount_in_parts(page, node):
            yield node, True  # Its currency and number may be in elements of their own.
            continue
        if has_own_text or (are_inline and (len(children) == 1 or is_title)):
            # Several separate texts in one element aren't read as one text.
            is_long = length > ANNOTATION.longest_value
            own_length = length - child_length
            is_passage = is_long and own_length >= COLUMN.least_own_text_share * length
            is_mostly_own = 4 * child_length < 3 * length
            is_whole = is_passage or are_inline or len(children) < 2 or is_mostly_own
            yield node, is_whole
            is_mixed = not is_whole
            if are_inline or is_passage:
                continue
        pending.extend(
            child
            for child in reversed(children)
            if page.tag[child] not in _INLINE_TAGS or is_mixed or not has_own_text
        )


def _is_amount_in_parts(page: Page, node: NodeId) -> bool:
    """Return whether an element shows an amount of money that no child element shows
    alone, such as `<p><b>£</b><i>9</i></p>`.

    Return False if a digit at the end of one text touches a digit at the start of the
    next text.
    """
    end = node + page.size[node]
    parts = [page.text[part].strip() for part in range(node, end) if page.is_text(part)]
    are_apart = not any(
        first[-1:].isdigit() and second[:1].isdigit()
        for first, second in pairwise(filter(None, parts))
    )
    return (
        are_apart
        and is_amount(page.string(node))
        and not any(
            is_amount(page.string(child)) for child in page.child_elements(node)
        )
    )


def _is_choice_or_picture(page: Page, node: NodeId) -> bool:
    """Return whether an element is an option of a form, or has the role of a picture.

    Return False for a picture whose text begins with a digit, such as a rating.
    """
    if page.attributes[node].get("role") == "img":
        return not page.string(node)[:1].isdigit()
    return page.tag[node] in CHOICES


def emphasised_parts(page: Page, node: NodeId) -> Iterator[NodeId]:
    """Yield the child elements that emphasise or mark a part of an element's text.

    Yield nothing for a link, a heading, or an element with a long text.
    """
    length = page.text_length(node)
    if length > ANNOTATION.longest_value or page.tag[node] in _TITLE_TAGS:
        return
    for child in page.child_elements(node):
        is_part = page.text_length(child) < length and not is_glyph(page, child)
        if page.tag[child] in _INLINE_TAGS and is_part:
            yield child


def has_content(text: str) -> bool:
    """Return whether a text has a letter, a digit or a pictograph."""
    return any(sign.isalnum() or category(sign) == PICTURE for sign in text)


def is_price_level(text: str) -> bool:
    """Return whether a text shows a price level, such as "££".

    The text must contain a currency sign, and no letter, digit or pictograph.
    """
    has_currency_sign = any(category(sign) == CURRENCY for sign in text)
    return has_currency_sign and not has_content(text)


def shows_content(cell: Cell) -> bool:
    """Return whether a text may be a value of a column.

    Return False for mere punctuation, except currency signs. Also return False for
    words for screen readers beside a displayed text.
    """
    if not has_content(cell.text):
        return is_price_level(cell.text)
    page, node = cell.page, cell.node
    has_digit = any(map(str.isdigit, cell.text))
    while not has_digit and node > cell.start:
        if is_spoken(page, node):
            parent = page.parent[node]
            return page.text_length(parent) == page.text_length(node)
        node = page.parent[node]
    return True
