"""Find names of columns in labels of values, and in nouns behind numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from amber_wrap.annotate.element_labels import (
    label_before_text,
    label_in,
    label_of,
    noun_behind,
)
from amber_wrap.annotate.labels_and_titles import CLICKED, COLONS, is_label
from amber_wrap.annotate.naming_attributes import LABELLING
from amber_wrap.columns.cells import LINK, Cell, nodes_with_same_text
from amber_wrap.columns.naming.spelling import name_of_label
from amber_wrap.columns.naming.usual_fields import usual_field
from amber_wrap.columns.thresholds import COLUMN
from amber_wrap.dom.page import TAIL, NodeId, Page

ARIA_LABEL: Final = "aria-label"
"""The HTML attribute with a label for screen readers."""

LABEL_BEFORE: Final = re.compile(r"([^\d:\uff1a]{2,40}?) ?[:\uff1a] ?(?=\S)")
"""A regular expression for a label at the start of a text, such as "Rooms: "."""

_COUNTED_NOUN: Final = re.compile(
    r"\(?[\d.,' \u00a0]+(?:[kKmM]\b)? ?([^\W\d_]{3,}(?: [^\W\d_]{2,})?)\)?"
)
"""A regular expression for a number and the noun that it counts, such as "12
comments"."""


def names_by_label(cell: Cell) -> Iterator[str]:
    """Yield the column names from texts that are certainly labels, such as texts that
    end with a colon.

    Yield "" for a label whose text gives no name.
    """
    yield from map(name_of_label, labels_of_value(cell))


def names_by_own_label(cell: Cell) -> Iterator[str]:
    """Yield the column names that an element's tooltip and the text directly before it
    give.

    The tooltips of links are left out.
    """
    page, length = cell.page, cell.page.text_length(cell.node)
    descendants = page.elements(cell.node)[1:]
    inner = (node for node in descendants if page.text_length(node) == length)
    for node in (*inner, *nodes_with_same_text(page, cell.node)):
        yield name_of_label(label_of(page, node))
        if page.tag[node] not in CLICKED:
            labels = (page.attributes[node].get(name, "") for name in LABELLING)
            yield from map(name_of_label, filter(is_label, labels))


def names_by_link_text(cell: Cell) -> Iterator[str]:
    """Yield the column name that the text of a link gives, such as "pdf" for "PDF".

    Long texts give no name.
    """
    length = cell.page.text_length(cell.node)
    if cell.source == LINK and 0 < length <= COLUMN.longest_label:
        yield name_of_label(cell.page.string(cell.node))


def words_around(cell: Cell) -> Iterator[str]:
    """Yield the texts that may be labels of a value, such as "comments".

    For a part of a text, also yield the words before its number: "Room" in "Room B12".
    """
    yield from words_beside(cell)
    if cell.part:
        yield from words_before_number(cell.text)


def labels_of_value(cell: Cell) -> Iterator[str]:
    """Yield the texts beside a value that can only be labels of the value.

    Such a text ends with a colon, names a usual field such as "price", or is a short
    ARIA label.
    """
    for label in words_beside(cell):
        if label.endswith(COLONS) or usual_field(label):
            yield label
    for node in nodes_with_same_text(cell.page, cell.node):
        if is_label(label := cell.page.attributes[node].get(ARIA_LABEL, "")):
            yield label


def words_beside(cell: Cell) -> Iterator[str]:
    """Yield the texts that may be labels of a value, such as "comments" for "12
    comments".

    Such a text is beside the value's element, in an HTML attribute of the element, or
    within the value.
    """
    page, node = cell.page, cell.node
    if cell.source == TAIL and (label := label_before_text(page, node)):
        yield label if label.endswith(COLONS) else f"{label}:"
    if cell.source != LINK and (label_match := LABEL_BEFORE.match(cell.text)):
        yield f"{label_match[1]}:"
    for outer in nodes_with_same_text(page, node):
        for attribute in LABELLING:
            if is_label(label := page.attributes[outer].get(attribute, "")):
                yield label
        yield from filter(None, [_text_before(page, outer), noun_behind(page, outer)])
    yield from filter(None, [label_of(page, node), label_in(page, node)])
    if noun_match := _COUNTED_NOUN.fullmatch(cell.text):
        yield noun_match[1]


def _text_before(page: Page, node: NodeId) -> str:
    """Return the label with a colon that is the text directly before an element, or ""
    if there is none."""
    before = [child for child in page.children(page.parent[node]) if child < node]
    if not before or not page.is_text(before[-1]):
        return ""
    text = " ".join(page.text[before[-1]].split())
    return text if text.endswith(COLONS) and is_label(text) else ""


_NUMBERED: Final = re.compile(r"([^\W\d_][^\d]*[^\W_]\.?) (?:[#№] ?)?\S*\d\S*")
"""A regular expression for words and the identifier behind them, as in "Room B12"."""


def words_before_number(text: str) -> Iterator[str]:
    """Yield the words before the identifier in a text, such as "Room" in "Room B12"."""
    if match := _NUMBERED.fullmatch(text):
        yield match[1]
