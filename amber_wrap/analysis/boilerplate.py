"""Recognise the parts of a page beside the results, such as menus, footers and
adverts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from amber_wrap.analysis.thresholds import SELECTION
from amber_wrap.annotate.words import WORD
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.memo import remembered

ASIDES: Final = frozenset(
    "aside nav footer complementary navigation contentinfo dialog modal popup sidebar "
    "menu gnav navbar subnav topnav breadcrumb breadcrumbs "
    "ad ads advert adverts advertisement advertisements".split()
)
"""Tags, roles and class words of parts that hold no results, unless they hold all of
them.
"""


def asides_above(page: Page, node: NodeId) -> frozenset[str]:
    """Return the words of `ASIDES` that mark an element or its ancestors."""
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
    """Return whether an element has so much of the page's text that words of `ASIDES`
    don't apply to it.

    Examples are `<body class="has-ads">` and a wrapper with the class
    "dialog-off-canvas-main". To `nav` and `footer` they always apply.
    """
    share = page.text_length(node) / max(1, page.text_length(0))
    return share > SELECTION.aside and page.tag[node] not in ("nav", "footer")


@remembered
def element_words(page: Page) -> Sequence[frozenset[str]]:
    """Return for each node its tag and the words of its class, id and role."""
    found: dict[tuple[str, str], frozenset[str]] = {}

    def words(tag: str, attributes: Mapping[str, str]) -> frozenset[str]:
        named = " ".join(attributes.get(name, "") for name in ("class", "id", "role"))
        if (tag, named) not in found:
            split = map(str.lower, WORD.findall(named))
            found[tag, named] = frozenset((tag, *split))
        return found[tag, named]

    return list(map(words, page.tag, page.attributes))
