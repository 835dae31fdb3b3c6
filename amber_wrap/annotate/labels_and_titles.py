"""Recognise labels, headings and titles, and split class names and ids into words."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import pairwise

from amber_wrap.annotate.thresholds import ANNOTATION
from amber_wrap.dom.page import ITEM_PROPERTY, NAMING_ATTRIBUTES, NodeId, Page

CLICKED = frozenset({"a", "button", "input", "select"})
"""Tags of elements to click on. If the row above a list contains such elements, the row
may be a menu instead of a header.
"""

CAPITAL = "A-ZÀ-ÖØ-Þ"
"""The range of capital letters, for character classes of regular expressions."""
_SMALL_LETTER = rf"[^\W\d_{CAPITAL}]"
WORD = re.compile(rf"[{CAPITAL}]?{_SMALL_LETTER}+|[{CAPITAL}]+(?!{_SMALL_LETTER})")
"""A word of a name such as `floorSize`, which has the words "floor" and "Size". In
scripts without capitals, all letters in a row are one word."""
COLONS = (":", "\uff1a")
"""The colons of Latin and East Asian scripts, at the end of labels."""


@lru_cache(maxsize=1 << 14)
def name_words(name: str) -> frozenset[str]:
    """Return the words of a name in the markup in lower case, and each pair of adjacent
    words joined.

    For the class token `floorSize`, the result has "floor", "size" and "floorsize".
    """
    words = [word.lower() for word in WORD.findall(name)]
    pairs = (first + second for first, second in pairwise(words))
    return frozenset((*words, *pairs))


@lru_cache(maxsize=1 << 14)
def is_label(text: str) -> bool:
    """Return whether a text may be a label, because it has only a few words and no
    digits.
    """
    words = text.split()
    return 0 < len(words) <= ANNOTATION.most_label_words and not any(
        map(str.isdigit, text)
    )


def unaccented(text: str) -> str:
    """Return a text in lower case and without accents."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(
        character for character in decomposed if not unicodedata.combining(character)
    )


HEADINGS = frozenset(f"h{level}" for level in range(1, 7))
"""The tags of headings."""
TITLE_WORDS = (
    r"(?<!sub)(?<!sub[_-])(?i:title|headline)|(?i:(?<![a-z])(?<!sous[_-])"
    r"(?:titel|titre|titulo|titolo|tytul|tittel|otsikko|overskrift)(?![a-z]))"
)
TITLE_MARK = re.compile(
    rf"{TITLE_WORDS}|(?<!sub)(?<!sub[_-])(?i:heading|subject)|(?<![a-z])"
    r"(?:name|nombre|nome|nom|naam|navn|namn|nazwa)(?![a-z])"
)
"""Matches a word in a class or `itemprop` that marks an element as a title."""
BARE_TITLE = re.compile(TITLE_WORDS)
"""Matches a word in a class or `data-testid` that marks an element as a title even
outside of headings and links.
"""


@lru_cache(maxsize=1 << 14)
def is_bare_title(classes: str) -> bool:
    """Return whether a class attribute alone shows that an element is a title, as
    "card-title" does.

    Return False for "name", because many other elements have this class.
    """
    return BARE_TITLE.search(classes) is not None


def is_titled(page: Page, node: NodeId) -> bool:
    """Return whether an element has a class, `itemprop` or `data-testid` such as
    `title`.

    If a link has at least half of its parent's text, the class may be on the parent.
    """
    if _has_title_mark(page, node):
        return True
    parent = page.parent[node]
    return (
        page.tag[node] == "a"
        and page.text_length(parent) <= 2 * page.text_length(node)
        and _has_title_mark(page, parent)
    )


def _has_title_mark(page: Page, node: NodeId) -> bool:
    """Return whether an element's class, `itemprop` or `data-testid` has a word such as
    `title`."""
    attributes = page.attributes[node]
    marks = " ".join(attributes.get(name, "") for name in ("class", ITEM_PROPERTY))
    # The name in a `data-testid` such as "seller-name" may be that of another thing.
    test_ids = " ".join(attributes.get(name, "") for name in NAMING_ATTRIBUTES)
    return TITLE_MARK.search(marks) is not None or is_bare_title(test_ids)


def in_heading(page: Page, node: NodeId) -> bool:
    """Return whether an element is a heading, or within a heading."""
    while node >= 0 and page.tag[node] not in HEADINGS:
        node = page.parent[node]
    return node >= 0


def holds_heading(page: Page, node: NodeId) -> bool:
    """Return whether an element is a heading, or contains a heading."""
    return not HEADINGS.isdisjoint(page.tag[node : node + page.size[node]])
