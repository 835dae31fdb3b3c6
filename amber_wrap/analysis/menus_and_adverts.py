"""Recognise menus, adverts and other parts of a page without results."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from amber_wrap.analysis.thresholds import SELECTION
from amber_wrap.annotate.labels_and_titles import WORD
from amber_wrap.dom.page import NodeId, Page

ASIDES: Final = frozenset(
    "aside nav footer complementary navigation contentinfo dialog modal popup sidebar "
    "menu gnav navbar subnav topnav breadcrumb breadcrumbs "
    "ad ads advert adverts advertisement advertisements".split()
)
"""Tags, and words in the class, id or role, of menus and other parts of a page without
results. An element with most of the page's text (`holds_page`) isn't such a part.
"""


def holds_page(page: Page, node: NodeId) -> bool:
    """Return whether an element has too much of the page's text to be a menu or advert.

    Return False for every `nav` and `footer`.
    """
    share = page.text_length(node) / max(1, page.text_length(0))
    return share > SELECTION.largest_aside and page.tag[node] not in ("nav", "footer")


def words_of(page: Page, node: NodeId) -> frozenset[str]:
    """Return the tag of an element and the lower-case words in the element's `class`,
    `id` and `role`.
    """
    attributes = page.attributes[node]
    names = " ".join(attributes.get(name, "") for name in ("class", "id", "role"))
    return _words(page.tag[node], names)


@lru_cache(maxsize=1 << 14)
def _words(tag: str, names: str) -> frozenset[str]:
    """Return the tag and the lower-case words in the text `names` as a set."""
    return frozenset((tag, *map(str.lower, WORD.findall(names))))
