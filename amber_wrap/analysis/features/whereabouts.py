"""Features of a list's position relative to pagers, counts of results, and titles."""

from __future__ import annotations

import re
from typing import Final

from amber_wrap.analysis.features.numbers import log_share, mean
from amber_wrap.analysis.features.registry import (
    feature_of_presence,
    feature_of_standing,
)
from amber_wrap.analysis.features.thresholds import FEATURE
from amber_wrap.analysis.features.view import CandidateView

COUNT: Final = re.compile(r"(?:^|[(\[])\s*\d[\d.,\s]*[)\]]?\s*$")
"""The number of results behind the name of a filter."""
BRACKETED: Final = re.compile(r"[(\[]\s*\d[\d.,\s]*[)\]]\s*$")
"""The number of results in brackets behind the name of a filter."""


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
        for begin, end in view.measures.landmarks.pagers
        if begin >= last or end <= first
    ]
    far = FEATURE.far if view.measures.landmarks.pagers else 0
    return log_share(min(gaps, default=far), FEATURE.far)


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
            for node, shown in view.measures.landmarks.ranges
        )
    )


@feature_of_presence
def another_range(view: CandidateView) -> float:
    """Return 1 if the page states another number of results."""
    return float(bool(view.measures.landmarks.ranges) and not stated_range(view))


@feature_of_presence
def counts_behind(view: CandidateView) -> float:
    """Return the share of records that end with a count, as filters do."""
    text = view.page.text
    shown = (
        [one for one in text[begin:end] if one]
        for begin, end in view.extents[: FEATURE.compared]
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
    shown = [
        one for a, b in view.extents[: FEATURE.compared] for one in text[a:b] if one
    ]
    return mean(bool(BRACKETED.search(one)) for one in shown)


@feature_of_standing
def share_of_images(view: CandidateView) -> float:
    """Return the share of the page's images that are in records, if there are at least
    as many images as records.

    Repeated images, such as icons, don't count.
    """
    images = view.measures.landmarks.images
    return sum(view.counts(images)) / max(len(view.records), images[-1])


@feature_of_presence
def under_title(view: CandidateView) -> float:
    """Return 1 if an `h1` heading precedes the list."""
    return float(any(one < view.starts[0] for one in view.measures.landmarks.titles))
