"""Features of the class words of records and of the elements around them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from amber_wrap.analysis.boilerplate import words_of
from amber_wrap.analysis.features.numbers import mean
from amber_wrap.analysis.features.registry import feature, feature_of_standing
from amber_wrap.analysis.features.view import CandidateView

RESULTS: Final = frozenset(
    "result results item items list listing listings hit hits entry entries product "
    "products card cards post posts search row offer offers article articles "
    "record records".split()
)
"""Class words of results and their containers."""


@feature
def in_asides(view: CandidateView) -> float:
    """Return the share of records in menus, footers, adverts and the like."""
    return view.share_in(view.measures.regions.asides)


@feature
def in_parts(view: CandidateView) -> float:
    """Return the share of records within a `header`, `nav`, `aside` or `footer`, or
    within an element with an equivalent ARIA role.
    """
    return view.share_in(view.measures.aside)


@feature
def in_closed(view: CandidateView) -> float:
    """Return the share of records that are displayed only after a user opens an
    element.

    The element is, for example, a `details` element or a dialog.
    """
    return view.share_in(view.measures.regions.closed)


@feature
def on_mobile(view: CandidateView) -> float:
    """Return the share of records within an element for small screens.

    The element has a class word such as "mobile".
    """
    return view.share_in(view.measures.regions.mobile)


@feature_of_standing
def in_results(view: CandidateView) -> float:
    """Return the share of records within an element with a class word such as
    "results".
    """
    return _share_under(view, view.measures.regions.results)


@feature_of_standing
def in_filters(view: CandidateView) -> float:
    """Return the share of records within an element with a class word such as
    "filters".
    """
    return _share_under(view, view.measures.regions.filters)


@feature_of_standing
def in_secondary(view: CandidateView) -> float:
    """Return the share of records within an element with a class word such as
    "related".
    """
    return _share_under(view, view.measures.regions.secondary)


def _share_under(view: CandidateView, region: Sequence[bool]) -> float:
    parent = view.page.parent
    return mean(region[parent[one]] for one in view.starts)


@feature
def in_main(view: CandidateView) -> float:
    """Return 1 if the list is within an element with the tag or class word "main", else
    0.
    """
    return float(_has_above(view, lambda tag, words: tag == "main" or "main" in words))


@feature
def result_words(view: CandidateView) -> float:
    """Return the share of records with a class word such as "result" or "item"."""
    page = view.page
    return mean(not RESULTS.isdisjoint(words_of(page, one)) for one in view.starts)


@feature
def result_words_above(view: CandidateView) -> float:
    """Return 1 if the parent or grandparent of the first record has a class word such
    as "result" or "item", else 0.
    """
    page = view.page
    parent = page.parent[view.starts[0]]
    above = [parent, page.parent[parent]] if parent >= 0 else []
    found = (words_of(page, one) for one in above if one >= 0)
    return float(any(not RESULTS.isdisjoint(one) for one in found))


def _has_above(
    view: CandidateView, test: Callable[[str, frozenset[str]], bool]
) -> bool:
    page, node = view.page, view.segmentation.area.root
    while node >= 0:
        tag = page.tag[node]
        if tag not in ("html", "body") and test(tag, words_of(page, node)):
            return True
        node = page.parent[node]
    return False
