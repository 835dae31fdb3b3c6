"""Features of the class words of records and of the elements around them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from amber_wrap.analysis.boilerplate import asides_above, element_words, holds_page
from amber_wrap.analysis.features.numbers import mean
from amber_wrap.analysis.features.registry import feature, feature_of_standing
from amber_wrap.analysis.features.view import CandidateView
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.memo import remembered

RESULTS: Final = frozenset(
    "result results item items list listing listings hit hits entry entries product "
    "products card cards post posts search row offer offers article articles "
    "record records".split()
)
"""Class words of results and their containers."""
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


@feature
def in_asides(view: CandidateView) -> float:
    """Return the share of records in menus, footers, adverts and the like."""
    return mean(bool(asides_above(view.page, one)) for one in view.starts)


@feature
def in_parts(view: CandidateView) -> float:
    """Return the share of the records in a header, menu or footer by tag or role."""
    return mean(view.measures.aside[one] for one in view.starts)


@feature
def in_closed(view: CandidateView) -> float:
    """Return the share of records within elements that are closed until a user opens
    them.
    """
    closed = _closed(view.page)
    return mean(closed[one] for one in view.starts)


@remembered
def _closed(page: Page) -> Sequence[bool]:
    """Return for each node whether it or an ancestor is closed."""
    return _within(page, _closes)


def _within(page: Page, test: _Test) -> Sequence[bool]:
    """Return for each node whether it or an ancestor passes a test."""
    found: list[bool] = []
    for node, (parent, words) in enumerate(
        zip(page.parent, element_words(page), strict=True)
    ):
        found.append((parent >= 0 and found[parent]) or test(page, node, words))
    return found


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


@feature
def on_mobile(view: CandidateView) -> float:
    """Return the share of records within elements whose class words mark the copy for
    mobile screens.
    """
    above = _mobile(view.page)
    return mean(above[one] for one in view.starts)


@remembered
def _mobile(page: Page) -> Sequence[bool]:
    """Return for each node whether class words mark it or an ancestor as for mobile
    screens.
    """
    return _within(page, partial(_is_called, MOBILE))


def _is_called(
    words: frozenset[str], page: Page, node: NodeId, named: frozenset[str]
) -> bool:
    return bool(words & named) and not holds_page(page, node)


def _is_named(
    words: frozenset[str], page: Page, node: NodeId, named: frozenset[str]
) -> bool:
    return page.tag[node] not in ("html", "body") and bool(words & named)


def _under(
    name: str, words: frozenset[str], test: Callable[..., bool] = _is_called
) -> None:
    @remembered
    def under(page: Page) -> Sequence[bool]:
        return _within(page, partial(test, words))

    def share(view: CandidateView) -> float:
        parent, found = view.page.parent, under(view.page)
        return mean(found[parent[one]] for one in view.starts)

    share.__name__ = name
    listed = ", ".join(sorted(words)[:3])
    share.__doc__ = f"The share of the records under something named {listed} ..."
    feature_of_standing(share)


_under("in_results", RESULT_PARTS, _is_named)
_under("in_filters", FILTERS)
_under("in_secondary", SECONDARY)


@feature
def in_main(view: CandidateView) -> float:
    """Return 1 if the list is within an element with the tag or class word "main"."""
    return float(_has_above(view, lambda tag, words: tag == "main" or "main" in words))


@feature
def result_words(view: CandidateView) -> float:
    """Return the share of records with class words such as "result" and "item"."""
    words = element_words(view.page)
    return mean(not RESULTS.isdisjoint(words[one]) for one in view.starts)


@feature
def result_words_above(view: CandidateView) -> float:
    """Return 1 if the parent of the first record, or its grandparent, has class words
    such as "result" and "item", else 0.
    """
    page, words = view.page, element_words(view.page)
    parent = page.parent[view.starts[0]]
    above = [parent, page.parent[parent]] if parent >= 0 else []
    found = (words[one] for one in above if one >= 0)
    return float(any(not RESULTS.isdisjoint(one) for one in found))


def _has_above(
    view: CandidateView, test: Callable[[str, frozenset[str]], bool]
) -> bool:
    page, node = view.page, view.segmentation.area.root
    words = element_words(page)
    while node >= 0:
        tag = page.tag[node]
        if tag not in ("html", "body") and test(tag, words[node]):
            return True
        node = page.parent[node]
    return False
