"""Find names of columns in the icons beside their texts."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final

from amber_wrap.annotate.element_icons import is_icon, names_of_icon
from amber_wrap.annotate.labels_and_titles import name_words
from amber_wrap.annotate.naming_attributes import LABELLING
from amber_wrap.columns.cells import Cell, nodes_with_same_text
from amber_wrap.columns.naming.usual_fields import fields_by_word
from amber_wrap.dom.page import NodeId, Page

_ICONS: Final = "icons"
"""The key in `data/fields.toml` of the words that occur in names of icons, such as
"geo"."""


def fields_of_icons(cell: Cell) -> Iterator[str]:
    """Yield the fields, such as "location", that the icons beside a text stand for."""
    page = cell.page
    for node in nodes_with_same_text(page, cell.node):
        icons = [
            child
            for child in page.child_elements(node)
            if is_icon(page, child)
            and not any(map(page.text_length, range(node + 1, child)))
        ]
        before = page.previous(node)
        if before >= 0 and is_icon(page, before):
            icons.append(before)
        for icon in icons:
            yield from _fields_of_icon(page, icon)


def _fields_of_icon(page: Page, icon: NodeId) -> Iterator[str]:
    """Yield the fields that the classes or other names of an icon stand for.

    For example, the class `bi-geo-alt` stands for "location".
    """
    tooltips = [page.attributes[icon].get(name, "") for name in LABELLING]
    for name in names_of_icon(page, icon):
        is_tooltip = name in tooltips
        # Without the block in BEM.
        words = frozenset[str]() if is_tooltip else name_words(name.rpartition("__")[2])
        for phrase, field in _phrases():
            if phrase <= words:
                yield field


@cache
def _phrases() -> tuple[tuple[frozenset[str], str], ...]:
    """Return pairs (words, field) for the fields of records that icons stand for.

    An icon stands for a field, such as "location", if the icon's name contains all the
    words, such as "geo".
    """
    fields = fields_by_word(_ICONS)
    return tuple((frozenset(words.split()), field) for words, field in fields.items())
