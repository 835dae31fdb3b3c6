"""Compute features (numbers that describe a list) from the number and length of
records, and from the texts between and around records.
"""

from __future__ import annotations

from math import sqrt

from amber_wrap.analysis.features.list_counts import (
    CandidateView,
    log_share,
    mean,
    variation,
)
from amber_wrap.analysis.features.registry import feature
from amber_wrap.analysis.thresholds import SELECTION
from amber_wrap.dom.page import NodeId


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
    return view.text_length / max(1, view.page.characters[-1])


@feature
def text_share_outside(view: CandidateView) -> float:
    """Return the share of the page's main text that is in records.

    The main text is the text outside the page's header, menus, asides and footer.
    """
    main_characters = view.page_counts.main_characters
    return sum(view.counts_per_record(main_characters)) / max(1, main_characters[-1])


@feature
def text_among_candidates(view: CandidateView) -> float:
    """Return the number of characters in records, divided by the number in the records
    of the page's longest candidate list.
    """
    return view.text_length / max(1, view.longest_candidate)


@feature
def capped_text(view: CandidateView) -> float:
    """Return the square root of `text_among_candidates`, computed from shortened
    records.

    Of each record, at most `SELECTION.counted_record_text` characters count. The result
    is at most 1.
    """
    capped = sum(
        min(SELECTION.counted_record_text, length) for length in view.record_lengths
    )
    return sqrt(min(1.0, capped / max(1, view.longest_candidate)))


@feature
def parents_share(view: CandidateView) -> float:
    """Return the share of the text in the records' parents that is in records."""
    return view.text_length / max(
        1, sum(map(view.page.text_length, view.parent_counts))
    )


@feature
def siblings_share(view: CandidateView) -> float:
    """Return the share of records among the child elements of the records' parents.

    Elements without a text are ignored.
    """
    page = view.page
    child_count = sum(
        page.text_length(child) > 0
        for parent in view.parent_counts
        for child in page.child_elements(parent)
    )
    row_count = sum(
        page.text_length(node) > 0 for record in view.records for node in record.nodes
    )
    return min(1.0, row_count / max(1, child_count))


@feature
def span_share(view: CandidateView) -> float:
    """Return the share of the list's text that is in records, not between records.

    The list's text begins with the first record, and ends with the last record.
    """
    before = view.page.characters
    begin, end = view.span
    return view.text_length / max(1, before[end] - before[begin])


@feature
def root_share(view: CandidateView) -> float:
    """Return the share of the text in the list's root that is in records.

    The root is the lowest element that contains the whole list.
    """
    root = view.segmentation.area.root
    return view.text_length / max(1, view.page.text_length(root))


@feature
def record_text(view: CandidateView) -> float:
    """Return the mean length of a record, on a logarithmic scale."""
    return log_share(view.text_length / len(view.records), 2000)


@feature
def short_records(view: CandidateView) -> float:
    """Return the share of the records with fewer than 20 characters."""
    return mean(length < 20 for length in view.record_lengths)


@feature
def long_records(view: CandidateView) -> float:
    """Return the share of the records with more than 1,500 characters."""
    return mean(length > 1500 for length in view.record_lengths)


@feature
def text_variation(view: CandidateView) -> float:
    """Return the standard deviation of the records' text lengths divided by their mean.

    The lengths of long texts are cut to `2 * SELECTION.counted_record_text`.
    """
    longest = 2 * SELECTION.counted_record_text
    return variation([min(longest, length) for length in view.record_lengths])


@feature
def smallest_text(view: CandidateView) -> float:
    """Return the length of the shortest record, divided by the mean length."""
    return min(view.record_lengths) * len(view.records) / max(1, view.text_length)


@feature
def begins_at(view: CandidateView) -> float:
    """Return the share of the page's text before the first record."""
    before = view.page.characters
    return before[view.starts[0]] / max(1, before[-1])


@feature
def ends_at(view: CandidateView) -> float:
    """Return the share of the page's text after the last record."""
    before = view.page.characters
    _, end_of_last = view.extents[-1]
    return 1 - before[end_of_last] / max(1, before[-1])


@feature
def filled_gaps(view: CandidateView) -> float:
    """Return the share of pairs of neighbouring records with a text in between.

    The records of a pair have the same parent.
    """
    return mean(gap > 0 for gap in _gaps_between_siblings(view))


@feature
def text_in_gaps(view: CandidateView) -> float:
    """Return the mean length of the texts between sibling records, 0 to 1.

    Each length is divided by the mean length of a record, and is at most 1.
    """
    mean_length = view.text_length / len(view.records)
    gaps = _gaps_between_siblings(view)
    return mean(min(1.0, gap / max(1, mean_length)) for gap in gaps)


def _gaps_between_siblings(view: CandidateView) -> list[int]:
    """Return the number of characters between each pair of neighbouring records.

    Pairs with different parents are left out.
    """
    before, parent = view.page.characters, view.page.parent
    pairs = zip(view.extents, view.extents[1:], strict=False)
    return [
        max(0, before[next_begin] - before[end])
        for (begin, end), (next_begin, _) in pairs
        if parent[begin] == parent[next_begin]
    ]


@feature
def gaps_everywhere(view: CandidateView) -> float:
    """Return the share of pairs of neighbouring records with a long text in between.

    A text is long if it exceeds a tenth of a record's mean length.
    """
    before = view.page.characters
    least_gap = 0.1 * view.text_length / len(view.records)
    pairs = zip(view.extents, view.extents[1:], strict=False)
    return mean(
        before[next_begin] - before[end] > least_gap
        for (_, end), (next_begin, _) in pairs
    )


@feature
def more_around(view: CandidateView) -> float:
    """Return the share of records with further text in an ancestor that contains no
    other record.

    The further text must be longer than 2 % of the record's text.
    """
    return mean(share > 0.02 for share in _shares_around(view))


@feature
def text_around(view: CandidateView) -> float:
    """Return the mean share of further text around a record, compared with the record's
    text.

    Further text is the other text in a record's highest ancestor without other records.
    Its length is divided by the record's length, and a quotient is at most 1.
    """
    return mean(min(1.0, share) for share in _shares_around(view))


def _shares_around(view: CandidateView) -> list[float]:
    """Return the length of the text around each record, divided by the record's length.

    The text around a record is the further text in its highest ancestor without other
    records.
    """
    shares = []
    for i, record in enumerate(view.records):
        ancestor = record.start
        if len(record.nodes) == 1:
            ancestor = _highest_of_one_record(view, i)
        share = 0.0
        if ancestor != record.start:
            length = view.page.text_length(ancestor)
            share = length / max(1, view.record_lengths[i]) - 1
        shares.append(share)
    return shares


def _highest_of_one_record(view: CandidateView, i: int) -> NodeId:
    """Return the highest ancestor of record `i`, below the body, that contains no other
    record.

    Return the record's first element if there is no such ancestor.
    """
    page = view.page
    end_of_previous = view.extents[i - 1][1] if i else 0
    next_start = view.starts[i + 1] if i + 1 < len(view.starts) else len(page)
    highest = view.starts[i]
    while True:
        parent = page.parent[highest]
        if (
            parent < end_of_previous
            or parent + page.size[parent] > next_start
            or page.tag[parent] in ("body", "html")
        ):
            return highest
        highest = parent
