"""Features of a list's position relative to pagers, counts of results, and titles."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from typing import Final

from amber_wrap.analysis.boilerplate import element_words, holds_page
from amber_wrap.analysis.features.numbers import log_share, mean
from amber_wrap.analysis.features.registry import (
    feature_of_presence,
    feature_of_standing,
)
from amber_wrap.analysis.features.view import MOST_LOOKED_AT, CandidateView
from amber_wrap.annotate.links import links_of
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.memo import remembered

PAGERS: Final = frozenset("pagination pager paging paginator".split())
"""Class words of pagers."""
MOST_PAGER: Final = 400
"""The number of characters of a pager, at most."""
FAR: Final = 2000
"""The distance in characters from which on a pager belongs to another list."""
PAGE_NUMBER: Final = re.compile(r"\W*(\d{1,4})\W*")
_RANGE: Final = re.compile(
    r"(?<![\d.,])[.,]*(\d[\d.,]{0,11})\s*"
    r"(?:[-\N{EN DASH}\N{EM DASH}~]|[^\W\d]{1,3})\s*(\d[\d.,]{0,11})"
)
"""The first and last number of the displayed results, in any language: "1 - 20", "1 to
20". Only the start of a run of digits is tried, so that long runs cost no more.
"""
LEAST_SHOWN: Final = 3
"""The least number of results in such a range; "2 of 3" is none."""
COUNT: Final = re.compile(r"(?:^|[(\[])\s*\d[\d.,\s]*[)\]]?\s*$")
"""The number of results behind the name of a filter."""
BRACKETED: Final = re.compile(r"[(\[]\s*\d[\d.,\s]*[)\]]\s*$")
"""The number of results in brackets behind the name of a filter."""

Extent = tuple[NodeId, NodeId]


@feature_of_presence
def far_from_pager(view: CandidateView) -> float:
    """Return the distance in characters to the nearest pager, on a logarithmic scale; 0
    if the page has none.
    """
    page = view.page
    first, last = view.extents[0][0], max(end for _, end in view.extents)
    gaps = [
        page.characters[begin] - page.characters[last]
        if begin >= last
        else page.characters[first] - page.characters[end]
        for begin, end in _pagers(page)
        if begin >= last or end <= first
    ]
    far = FAR if _pagers(page) else 0
    return log_share(min(gaps, default=far), FAR)


@remembered
def _pagers(page: Page) -> Sequence[Extent]:
    """Return the start and end of each pager."""
    return [*_named_pagers(page), *_numbered_pagers(page)]


def _named_pagers(page: Page) -> Iterator[Extent]:
    words = element_words(page)
    for node in page.elements():
        is_next = page.tag[node] == "a" and "next" in page.attributes[node].get(
            "rel", ""
        ).split(" ")
        is_named = (
            not PAGERS.isdisjoint(words[node])
            and 0 < page.text_length(node) <= MOST_PAGER
            and not holds_page(page, node)
        )
        if is_next or is_named:
            yield node, node + page.size[node]


def _numbered_pagers(page: Page) -> Iterator[Extent]:
    """Yield the extents of adjacent links whose texts are consecutive numbers."""
    numbered = [
        (node, int(found[1]) if (found := PAGE_NUMBER.fullmatch(text)) else None)
        for node, text in ((one, page.string(one)) for one in links_of(page).pages)
    ]
    for (node, one), (after, other) in pairwise(numbered):
        if one is not None and other is not None and other == one + 1:
            yield node, after + page.size[after]


@feature_of_presence
def stated_range(view: CandidateView) -> float:
    """Return 1 if the page states this number of results: "1 - 20 of 345" for 20
    records.

    Sponsored results may come on top.
    """
    count = len(view.records)
    return float(
        any(
            shown == count and not any(a <= node < b for a, b in view.extents)
            for node, shown in _ranges(view.page)
        )
    )


@feature_of_presence
def another_range(view: CandidateView) -> float:
    """Return 1 if the page states another number of results."""
    return float(bool(_ranges(view.page)) and not stated_range(view))


@remembered
def _ranges(page: Page) -> Sequence[tuple[NodeId, int]]:
    """Return the nodes of stated ranges of results, and the number of results
    in each.
    """
    starts = list(accumulate((len(one) + 1 for one in page.text), initial=0))
    found = []
    for match in _RANGE.finditer(" ".join(page.text)):
        first, last = (int(re.sub(r"\D", "", one)) for one in match.groups())
        if last - first + 1 >= LEAST_SHOWN:
            node = bisect_right(starts, match.start(1)) - 1
            found.append((node, last - first + 1))
    return found


@feature_of_presence
def counts_behind(view: CandidateView) -> float:
    """Return the share of records that end with a count, as filters do."""
    text = view.page.text
    shown = (
        [one for one in text[begin:end] if one]
        for begin, end in view.extents[:MOST_LOOKED_AT]
    )
    return mean(
        bool(one)
        and bool(COUNT.search(one[-1]))
        and (len(one) > 1 or not one[-1].isdigit())
        for one in shown
    )


@feature_of_presence
def counted_texts(view: CandidateView) -> float:
    """Return the share of the records' texts that end with a count in brackets."""
    text = view.page.text
    shown = [one for a, b in view.extents[:MOST_LOOKED_AT] for one in text[a:b] if one]
    return mean(bool(BRACKETED.search(one)) for one in shown)


@feature_of_standing
def share_of_images(view: CandidateView) -> float:
    """Return the share of the page's images that are in records, if there are at least
    as many images as records.

    Repeated images, such as icons, don't count.
    """
    images = _own_images(view.page)
    return sum(view.counts(images)) / max(len(view.records), images[-1])


@remembered
def _own_images(page: Page) -> Sequence[int]:
    """Return the number of images without repetition before each node, with one more
    entry for the total.
    """
    sources = [_sources(page, node) for node in range(len(page))]
    counts = Counter(sources)
    return list(
        accumulate((bool(one) and counts[one] == 1 for one in sources), initial=0)
    )


def _sources(page: Page, node: NodeId) -> tuple[str, ...]:
    """Return the addresses of an image; one that is loaded lazily has several."""
    if page.tag[node] != "img":
        return ()
    attributes = page.attributes[node].items()
    return tuple(
        value for name, value in attributes if name.endswith(("src", "srcset"))
    )


@feature_of_presence
def under_title(view: CandidateView) -> float:
    """Return 1 if an `h1` heading precedes the list."""
    return float(any(one < view.starts[0] for one in _titles(view.page)))


@remembered
def _titles(page: Page) -> Sequence[NodeId]:
    """Return the `h1` headings with a text."""
    return [
        node
        for node in page.elements()
        if page.tag[node] == "h1" and page.text_length(node)
    ]
