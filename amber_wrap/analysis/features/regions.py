"""Find the parts of a page, such as menus, dialogs and filters, by tags and class
words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from amber_wrap.analysis.boilerplate import ASIDES, holds_page, words_of
from amber_wrap.dom.page import NodeId, Page

MOBILE: Final = frozenset("mobile phone smartphone handheld".split())
"""Class words of elements for small screens."""
_CLOSED: Final = frozenset(
    "modal popup popover dropdown tooltip dialog lightbox overlay autocomplete suggest "
    "suggestions megamenu flyout offcanvas drawer cookie consent".split()
)
"""Class words of elements that are closed until a user opens them."""
CLOSED_ROLES: Final = frozenset(
    "dialog alertdialog menu menubar listbox tooltip".split()
)

RESULT_PARTS: Final = frozenset("search result results hits matches".split())
"""Class words of the part of a page that contains the results."""
FILTERS: Final = frozenset(
    "filter filters facet facets refine refinement refinements narrow sort sorting "
    "criteria categories".split()
)
"""Class words of filters for results."""
SECONDARY: Final = frozenset(
    "related recommended recommendation recommendations similar popular trending "
    "featured carousel promo promos teaser teasers suggested sponsored viewed".split()
)
"""Class words of lists beside the results, or in place of results."""

_Test = Callable[[Page, NodeId, frozenset[str]], bool]
"""A test of a node, given its class words."""


@dataclass(frozen=True, slots=True)
class Regions:
    """The kinds of page parts that contain each node, such as menus or filters.

    Each field has True for the nodes in parts of one kind. `asides` are menus, footers,
    adverts and the like. `closed` parts are displayed only after a user opens the part.
    `mobile` parts are for small screens. `results` parts contain results. `filters`
    parts contain filters for results. `secondary` parts are lists beside the results,
    such as related items.
    """

    asides: Sequence[bool]
    closed: Sequence[bool]
    mobile: Sequence[bool]
    results: Sequence[bool]
    filters: Sequence[bool]
    secondary: Sequence[bool]


def page_regions(page: Page) -> Regions:
    """Return for each node of a page the kinds of parts that contain the node, such as
    menus.
    """
    words = [words_of(page, node) for node in range(len(page))]

    def within(test: _Test) -> Sequence[bool]:
        found: list[bool] = []
        for node, (parent, named) in enumerate(zip(page.parent, words, strict=True)):
            found.append((parent >= 0 and found[parent]) or test(page, node, named))
        return found

    return Regions(
        asides=within(partial(_is_called, ASIDES)),
        closed=within(_closes),
        mobile=within(partial(_is_called, MOBILE)),
        results=within(partial(_is_named, RESULT_PARTS)),
        filters=within(partial(_is_called, FILTERS)),
        secondary=within(partial(_is_called, SECONDARY)),
    )


def _closes(page: Page, node: NodeId, named: frozenset[str]) -> bool:
    attributes = page.attributes[node]
    if holds_page(page, node):
        return False
    return (
        (page.tag[node] == "details" and "open" not in attributes)
        or page.tag[node] in ("dialog", "menu", "datalist")
        or attributes.get("role") in CLOSED_ROLES
        or attributes.get("aria-hidden") == "true"
        or attributes.get("aria-expanded") == "false"
        or not _CLOSED.isdisjoint(named)
    )


def _is_called(
    words: frozenset[str], page: Page, node: NodeId, named: frozenset[str]
) -> bool:
    return bool(words & named) and not holds_page(page, node)


def _is_named(
    words: frozenset[str], page: Page, node: NodeId, named: frozenset[str]
) -> bool:
    return page.tag[node] not in ("html", "body") and bool(words & named)
