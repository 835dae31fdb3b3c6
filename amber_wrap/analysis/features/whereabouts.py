"""Whether a list is where the page says that its results are."""

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
from amber_wrap.annotate.builtin import link_annotations
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.memo import remembered

PAGERS: Final = frozenset("pagination pager paging paginator".split())
"""Class words of what leads to other pages of results."""
MOST_PAGER: Final = 400
"""The characters that a pager has at most."""
FAR: Final = 2000
"""The characters between a list and a pager that isn't its own."""
PAGE_NUMBER: Final = re.compile(r"\W*(\d{1,4})\W*")
_RANGE: Final = re.compile(
    r"(\d[\d.,]*)\s*(?:[-\N{EN DASH}\N{EM DASH}~]|[^\W\d]{1,3})\s*(\d[\d.,]*)"
)
"""From which to which result is shown, in whatever language: "1 - 20", "1 to 20"."""
LEAST_SHOWN: Final = 3
"""The results that a range is of at least; "2 of 3" is none."""
COUNT: Final = re.compile(r"(?:^|[(\[])\s*\d[\d.,\s]*[)\]]?\s*$")
"""How many results a filter leaves, behind its name."""
BRACKETED: Final = re.compile(r"[(\[]\s*\d[\d.,\s]*[)\]]\s*$")
"""The same in brackets."""

Extent = tuple[NodeId, NodeId]


@feature_of_presence
def far_from_pager(view: CandidateView) -> float:
    """Return how far the list is from the nearest pager; 0 if the page has none.

    It is the text between them, a logarithm.
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
    """Return where each pager begins and ends."""
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
    """Links that follow one another and whose texts are consecutive numbers."""
    numbered = [
        (node, int(found[1]) if (found := PAGE_NUMBER.fullmatch(text)) else None)
        for node, text in ((one, page.string(one)) for one, _ in link_annotations(page))
    ]
    for (node, one), (after, other) in pairwise(numbered):
        if one is not None and other is not None and other == one + 1:
            yield node, after + page.size[after]


@feature_of_presence
def stated_range(view: CandidateView) -> float:
    """Return whether the page says that it shows as many results: "1 - 20 of 345".

    Results that are paid for may come on top.
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
    """Return whether the page says that it shows another number of results."""
    return float(bool(_ranges(view.page)) and not stated_range(view))


@remembered
def _ranges(page: Page) -> Sequence[tuple[NodeId, int]]:
    """Return the ranges of results that the page tells, and how many results each
    is.
    """
    starts = list(accumulate((len(one) + 1 for one in page.text), initial=0))
    found = []
    for match in _RANGE.finditer(" ".join(page.text)):
        first, last = (int(re.sub(r"\D", "", one)) for one in match.groups())
        if last - first + 1 >= LEAST_SHOWN:
            node = bisect_right(starts, match.start()) - 1
            found.append((node, last - first + 1))
    return found


@feature_of_presence
def counts_behind(view: CandidateView) -> float:
    """Return the share of the records that end in a count, as filters do."""
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
    """Return the share of the records' texts that end in a count in brackets."""
    text = view.page.text
    shown = [one for a, b in view.extents[:MOST_LOOKED_AT] for one in text[a:b] if one]
    return mean(bool(BRACKETED.search(one)) for one in shown)


@feature_of_standing
def share_of_images(view: CandidateView) -> float:
    """Return the share of the page's images in records, where there are as many as
    records.

    Spacers and icons, shown again and again, don't count.
    """
    images = _own_images(view.page)
    return sum(view.counts(images)) / max(len(view.records), images[-1])


@remembered
def _own_images(page: Page) -> Sequence[int]:
    """Return how many images that are shown but once there are before each node."""
    sources = [_sources(page, node) for node in range(len(page))]
    counts = Counter(sources)
    return list(
        accumulate((bool(one) and counts[one] == 1 for one in sources), initial=0)
    )


def _sources(page: Page, node: NodeId) -> tuple[str, ...]:
    """Return where an image is from; one that is loaded late says it beside a
    placeholder.
    """
    if page.tag[node] != "img":
        return ()
    attributes = page.attributes[node].items()
    return tuple(
        value for name, value in attributes if name.endswith(("src", "srcset"))
    )


@feature_of_presence
def under_title(view: CandidateView) -> float:
    """Return whether a heading of the first level is before the list."""
    return float(any(one < view.starts[0] for one in _titles(view.page)))


@remembered
def _titles(page: Page) -> Sequence[NodeId]:
    """Return the headings of the first level."""
    return [
        node
        for node in page.elements()
        if page.tag[node] == "h1" and page.text_length(node)
    ]
