"""What stands beside the results of a page."""

from __future__ import annotations

from typing import Final

from amber_wrap.annotate.names import WORD
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.memo import remembered

ASIDES: Final = frozenset(
    "aside nav footer complementary navigation contentinfo dialog modal popup sidebar "
    "menu gnav navbar subnav topnav breadcrumb breadcrumbs "
    "ad ads advert adverts advertisement advertisements".split()
)
"""Tags, roles and class words of what is no result, unless all results are."""


def is_beside(page: Page, node: NodeId, results: NodeId) -> bool:
    """Whether an element stands under something that results don't stand under."""
    return not asides_above(page, node) <= asides_above(page, results)


@remembered
def asides_above(page: Page, node: NodeId) -> frozenset[str]:
    """The words for other things than results that an element stands under."""
    words = set()
    while node >= 0:
        words |= _words(page, node)
        node = page.parent[node]
    return ASIDES.intersection(words)


def is_aside(page: Page, node: NodeId) -> bool:
    """Whether an element itself is called by such a word."""
    return not ASIDES.isdisjoint(_words(page, node))


def _words(page: Page, node: NodeId) -> set[str]:
    """An element's tag, and the words of its class, id and role."""
    attributes = page.attributes[node]
    named = " ".join(attributes.get(name, "") for name in ("class", "id", "role"))
    return {page.tag[node], *(word.lower() for word in WORD.findall(named))}
