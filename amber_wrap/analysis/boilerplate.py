"""What stands beside the results of a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from amber_wrap.annotate.words import WORD
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.memo import remembered

ASIDES: Final = frozenset(
    "aside nav footer complementary navigation contentinfo dialog modal popup sidebar "
    "menu gnav navbar subnav topnav breadcrumb breadcrumbs "
    "ad ads advert adverts advertisement advertisements".split()
)
"""Tags, roles and class words of what is no result, unless all results are."""
MOST_OF_PAGE: Final = 2 / 3
"""The share of the page's text that an aside holds at most."""


def asides_above(page: Page, node: NodeId) -> frozenset[str]:
    """Return the words for other things than results that an element stands under."""
    return _asides(page)[node]


@remembered
def _asides(page: Page) -> Sequence[frozenset[str]]:
    found: list[frozenset[str]] = []
    words = element_words(page)
    for node, parent in enumerate(page.parent):
        above = found[parent] if parent >= 0 else frozenset[str]()
        own = ASIDES & words[node]
        found.append(above | own if own and not holds_page(page, node) else above)
    return found


def holds_page(page: Page, node: NodeId) -> bool:
    """Return whether an element holds so much of the page that no word for an aside
    is of it.

    `<body class="has-ads">`, a wrapper called "dialog-off-canvas-main".  Menus and
    footers are what their tags say, however long they are.
    """
    share = page.text_length(node) / max(1, page.text_length(0))
    return share > MOST_OF_PAGE and page.tag[node] not in ("nav", "footer")


@remembered
def element_words(page: Page) -> Sequence[frozenset[str]]:
    """Of each node the tag, and the words of its class, id and role."""
    found: dict[tuple[str, str], frozenset[str]] = {}

    def words(tag: str, attributes: Mapping[str, str]) -> frozenset[str]:
        named = " ".join(attributes.get(name, "") for name in ("class", "id", "role"))
        if (tag, named) not in found:
            split = map(str.lower, WORD.findall(named))
            found[tag, named] = frozenset((tag, *split))
        return found[tag, named]

    return list(map(words, page.tag, page.attributes))
