"""Recognise headings, and the elements that authors mark as titles."""

from __future__ import annotations

import re
from functools import lru_cache

from amber_wrap.dom.page import ITEM_PROPERTY, NodeId, Page

HEADINGS = frozenset(f"h{level}" for level in range(1, 7))
TITLE_WORDS = (
    r"(?<!sub)(?<!sub[_-])(?i:title|headline)|(?i:(?<![a-z])(?<!sous[_-])"
    r"(?:titel|titre|titulo|titolo|tytul|tittel|otsikko|overskrift)(?![a-z]))"
)
TITLE_MARK = re.compile(
    rf"{TITLE_WORDS}|(?<!sub)(?<!sub[_-])(?i:heading|subject)|(?<![a-z])"
    r"(?:name|nombre|nome|nom|naam|navn|namn|nazwa)(?![a-z])"
)
"""Words in class tokens and other attributes by which authors mark a headline."""
BARE_TITLE = re.compile(TITLE_WORDS)
"""The words that mark a headline without a heading or link around."""


@lru_cache(maxsize=1 << 14)
def is_bare_title(classes: str) -> bool:
    """Return whether a class attribute is enough to show that an element is a title.

    `card-title` is enough. `name` is too common.
    """
    return BARE_TITLE.search(classes) is not None


def is_titled(page: Page, node: NodeId) -> bool:
    """Return whether an element has a class or `itemprop` such as `title`.

    The class or `itemprop` may also be on the parent of a link, if the link has at
    least half of the parent's text.
    """
    if _is_called_title(page, node):
        return True
    parent = page.parent[node]
    return (
        page.tag[node] == "a"
        and page.text_length(parent) <= 2 * page.text_length(node)
        and _is_called_title(page, parent)
    )


def _is_called_title(page: Page, node: NodeId) -> bool:
    attributes = page.attributes[node]
    marks = " ".join(attributes.get(name, "") for name in ("class", ITEM_PROPERTY))
    return TITLE_MARK.search(marks) is not None


def in_heading(page: Page, node: NodeId) -> bool:
    """Return whether an element is a heading or within one."""
    while node >= 0 and page.tag[node] not in HEADINGS:
        node = page.parent[node]
    return node >= 0


def holds_heading(page: Page, node: NodeId) -> bool:
    """Return whether an element is a heading or contains one."""
    return not HEADINGS.isdisjoint(page.tag[node : node + page.size[node]])
