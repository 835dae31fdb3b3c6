"""Features of the texts between and around records, and of repetitions within
records.
"""

from __future__ import annotations

from collections.abc import Sequence

from amber_wrap.analysis.features.list_counts import CandidateView
from amber_wrap.analysis.features.registry import feature
from amber_wrap.analysis.features.statistics import mean


@feature
def filled_gaps(view: CandidateView) -> float:
    """Return the share of pairs of neighbouring records with a text in between.

    The records of a pair have the same parent.
    """
    return mean(gap > 0 for gap in _gaps(view))


@feature
def text_in_gaps(view: CandidateView) -> float:
    """Return the mean length of the text between neighbouring records, divided by the
    mean length of a record.

    Only texts between records with the same parent count. A quotient above 1 counts as
    1.
    """
    usual = view.text / len(view.records)
    return mean(min(1.0, gap / max(1, usual)) for gap in _gaps(view))


def _gaps(view: CandidateView) -> list[int]:
    before, parent = view.page.characters, view.page.parent
    pairs = zip(view.extents, view.extents[1:], strict=False)
    return [
        max(0, before[begin] - before[end])
        for (first, end), (begin, _) in pairs
        if parent[first] == parent[begin]
    ]


@feature
def gaps_everywhere(view: CandidateView) -> float:
    """Return the share of pairs of neighbouring records with a long text in between.

    The records of a pair may have different parents. A text is long if its length is
    more than a tenth of the mean length of a record.
    """
    before = view.page.characters
    least = 0.1 * view.text / len(view.records)
    pairs = zip(view.extents, view.extents[1:], strict=False)
    return mean(before[begin] - before[end] > least for (_, end), (begin, _) in pairs)


@feature
def more_around(view: CandidateView) -> float:
    """Return the share of records with further text around the record.

    Further text is outside the record, but within an ancestor without other records.
    """
    return mean(gain > 0.02 for gain in _gains(view))


@feature
def text_around(view: CandidateView) -> float:
    """Return the mean length of the text around a record, divided by the length of the
    record.

    The text around a record is outside the record, but within an ancestor without other
    records. A quotient above 1 counts as 1. A record of several siblings counts 0.
    """
    return mean(min(1.0, gain) for gain in _gains(view))


def _gains(view: CandidateView) -> list[float]:
    page, size = view.page, view.page.size
    found = []
    for i, (record, length) in enumerate(zip(view.records, view.lengths, strict=True)):
        before = view.extents[i - 1][1] if i else 0
        after = view.starts[i + 1] if i + 1 < len(view.starts) else len(page)
        top = record.start
        if len(record.nodes) == 1:
            while True:
                parent = page.parent[top]
                if parent < 0 or (parent < before and i):
                    break
                if parent + size[parent] > after or page.tag[parent] in (
                    "body",
                    "html",
                ):
                    break
                top = parent
        found.append(
            page.text_length(top) / max(1, length) - 1 if top != record.start else 0.0
        )
    return found


@feature
def inner_repetition(view: CandidateView) -> float:
    """Return the mean share of a record's text that is in repeated elements.

    Repeated elements are siblings with the same tag, class tokens and naming
    attributes.
    """
    return _within(view, view.measures.repetition)


@feature
def inner_linked_repetition(view: CandidateView) -> float:
    """Return the mean share of a record's text that is in repeated elements with links.

    Repeated elements are siblings with the same tag, class tokens and naming
    attributes.
    """
    return _within(view, view.measures.linked_repetition)


def _within(view: CandidateView, shares: Sequence[float]) -> float:
    """Return the mean of `shares` over the records.

    `shares` has for each node of the page a share of the node's text, for example the
    share in repeated elements. If a record consists of several siblings, each sibling
    is weighted by the length of its text.
    """
    length = view.page.text_length
    return mean(
        sum(shares[one] * length(one) for one in record.nodes) / max(1, total)
        for record, total in zip(view.records, view.lengths, strict=True)
    )


@feature
def outer_repetition(view: CandidateView) -> float:
    """Return the mean share of a grandparent's text that is in repeated elements.

    A grandparent is the parent of a record's parent. Repeated elements are siblings
    with the same tag, class tokens and naming attributes.
    """
    page = view.page
    above = {page.parent[one] for one in view.parents if page.parent[one] >= 0}
    return mean(view.measures.repetition[one] for one in above)
