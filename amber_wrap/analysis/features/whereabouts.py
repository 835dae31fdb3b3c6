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
    """Return the number of characters between the list and the nearest pager, on a
    logarithmic scale.

    Return 0 if the page has no pager.
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
    """Return 1 if the page states a range of results that fits the number of records,
    else 0.

    An example is "1 - 20 of 345" for 20 records. A range within a record doesn't count.
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
    """Return 1 if the page states ranges of results, but no range fits the number of
    records, else 0.
    """
    return float(bool(view.measures.landmarks.ranges) and not stated_range(view))


@feature_of_presence
def counts_behind(view: CandidateView) -> float:
    """Return the share of records that end with a count of results.

    An example is the filter "Blue (12)".
    """
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
    """Return the share of the records' text nodes that end with a bracketed number."""
    text = view.page.text
    shown = [
        one for a, b in view.extents[: FEATURE.compared] for one in text[a:b] if one
    ]
    return mean(bool(BRACKETED.search(one)) for one in shown)


@feature_of_standing
def share_of_images(view: CandidateView) -> float:
    """Return the share of the page's images that are in records.

    If there are fewer images than records, return the number of images per record.
    Repeated images, such as icons, don't count.
    """
    images = view.measures.landmarks.images
    return sum(view.counts(images)) / max(len(view.records), images[-1])


@feature_of_presence
def under_title(view: CandidateView) -> float:
    """Return 1 if an `h1` heading with a text precedes the list, else 0."""
    return float(any(one < view.starts[0] for one in view.measures.landmarks.titles))
