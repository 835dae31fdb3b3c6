"""Features of the number and length of records, and of their share of the page."""

from __future__ import annotations

from math import sqrt

from amber_wrap.analysis.features.list_counts import CandidateView
from amber_wrap.analysis.features.registry import feature
from amber_wrap.analysis.features.statistics import log_share, mean, variation
from amber_wrap.analysis.thresholds import SELECTION


@feature
def record_count(view: CandidateView) -> float:
    """Return the number of records, on a logarithmic scale."""
    return log_share(len(view.records), 200)


@feature
def few_records(view: CandidateView) -> float:
    """Return 1 if there are exactly two records, else 0."""
    return float(len(view.records) == 2)


@feature
def three_or_four(view: CandidateView) -> float:
    """Return 1 if there are three or four records, else 0."""
    return float(len(view.records) in (3, 4))


@feature
def text_share(view: CandidateView) -> float:
    """Return the share of the page's text that is in records."""
    return view.text / max(1, view.page.characters[-1])


@feature
def text_share_outside(view: CandidateView) -> float:
    """Return the share of the page's main text that is in records.

    The main text is the text outside the page's header, menus, asides and footer.
    """
    total = view.measures.outside[-1]
    return sum(view.counts(view.measures.outside)) / max(1, total)


@feature
def text_among_candidates(view: CandidateView) -> float:
    """Return the length of the records' text, divided by the text length of the longest
    candidate.
    """
    return view.text / max(1, view.most)


@feature
def capped_text(view: CandidateView) -> float:
    """Return the relative length of the records' text as a square root, at most 1.

    The relative length is the number of characters in records, divided by the text
    length of the longest candidate list. A record counts at most
    `SELECTION.record_text` characters.
    """
    capped = sum(min(SELECTION.record_text, one) for one in view.lengths)
    return sqrt(min(1.0, capped / max(1, view.most)))


@feature
def parents_share(view: CandidateView) -> float:
    """Return the share of the text of the records' parents that is in records."""
    return view.text / max(1, sum(map(view.page.text_length, view.parents)))


@feature
def siblings_share(view: CandidateView) -> float:
    """Return the share of the child elements of the records' parents that belong to
    records.

    Elements without a text don't count.
    """
    page = view.page
    children = sum(
        page.text_length(child) > 0
        for parent in view.parents
        for child in page.child_elements(parent)
    )
    parts = sum(
        page.text_length(node) > 0 for record in view.records for node in record.nodes
    )
    return min(1.0, parts / max(1, children))


@feature
def span_share(view: CandidateView) -> float:
    """Return the share of the text from the first to the last record that is in
    records.
    """
    before = view.page.characters
    begin, end = view.extents[0][0], max(end for _, end in view.extents)
    return view.text / max(1, before[end] - before[begin])


@feature
def root_share(view: CandidateView) -> float:
    """Return the share of the text of the list's root element that is in records."""
    root = view.segmentation.area.root
    return view.text / max(1, view.page.text_length(root))


@feature
def record_text(view: CandidateView) -> float:
    """Return the mean length of a record, on a logarithmic scale."""
    return log_share(view.text / len(view.records), 2000)


@feature
def short_records(view: CandidateView) -> float:
    """Return the share of the records with fewer than 20 characters."""
    return mean(one < 20 for one in view.lengths)


@feature
def long_records(view: CandidateView) -> float:
    """Return the share of the records with more than 1,500 characters."""
    return mean(one > 1500 for one in view.lengths)


@feature
def text_variation(view: CandidateView) -> float:
    """Return the standard deviation of the lengths of records divided by the mean
    length, at most 2.

    A record counts at most `2 * SELECTION.record_text` characters.
    """
    return variation([min(2 * SELECTION.record_text, one) for one in view.lengths])


@feature
def smallest_text(view: CandidateView) -> float:
    """Return the length of the shortest record divided by the mean record length."""
    return min(view.lengths) * len(view.records) / max(1, view.text)


@feature
def begins_at(view: CandidateView) -> float:
    """Return the share of the page's text before the first record."""
    before = view.page.characters
    return before[view.starts[0]] / max(1, before[-1])


@feature
def ends_at(view: CandidateView) -> float:
    """Return the share of the page's text after the last record."""
    before = view.page.characters
    return 1 - before[view.extents[-1][1]] / max(1, before[-1])
