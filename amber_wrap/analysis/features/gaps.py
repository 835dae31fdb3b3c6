"""Features of the texts between and around records, and of repetitions within
records.
"""

from __future__ import annotations

from collections.abc import Sequence

from amber_wrap.analysis.features.numbers import mean
from amber_wrap.analysis.features.registry import feature
from amber_wrap.analysis.features.view import CandidateView


@feature
def filled_gaps(view: CandidateView) -> float:
    """Return the share of pairs of neighbouring records that have a text between them.

    Only records with the same parent make a pair.
    """
    return mean(gap > 0 for gap in _gaps(view))


@feature
def text_in_gaps(view: CandidateView) -> float:
    """Return the mean length of the texts between neighbouring records, relative to the
    mean length of a record.

    Only records with the same parent are compared. Each relative length counts at most
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
    """Return the share of pairs of neighbouring records with a long text between them.

    Records of different parents make pairs, too. A text is long if it has more than a
    tenth of the mean length of a record.
    """
    before = view.page.characters
    least = 0.1 * view.text / len(view.records)
    pairs = zip(view.extents, view.extents[1:], strict=False)
    return mean(before[begin] - before[end] > least for (_, end), (begin, _) in pairs)


@feature
def more_around(view: CandidateView) -> float:
    """Return the share of records with an ancestor that has further text, but no other
    record.
    """
    return mean(gain > 0.02 for gain in _gains(view))


@feature
def text_around(view: CandidateView) -> float:
    """Return the mean length of the text around a record, relative to the record's
    length.

    The text around a record is the other text of its highest ancestor without another
    record. Each relative length counts at most 1. A record of several siblings counts
    0.
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
    """Return the mean share of a record's text in repeated child elements.

    Child elements are repeated if they have the same tag, class tokens and names.
    """
    return _within(view, view.measures.repetition)


@feature
def inner_linked_repetition(view: CandidateView) -> float:
    """Return the mean share of a record's text in repeated child elements with links.

    Child elements are repeated if they have the same tag, class tokens and names.
    """
    return _within(view, view.measures.linked_repetition)


def _within(view: CandidateView, shares: Sequence[float]) -> float:
    """Return the mean over records of the share of their text that `shares` states.

    `shares` has for each node a share of the node's text.
    """
    length = view.page.text_length
    return mean(
        sum(shares[one] * length(one) for one in record.nodes) / max(1, total)
        for record, total in zip(view.records, view.lengths, strict=True)
    )


@feature
def outer_repetition(view: CandidateView) -> float:
    """Return the mean share of text in repeated child elements, over the parents of the
    records' parents.

    Child elements are repeated if they have the same tag, class tokens and names.
    """
    page = view.page
    above = {page.parent[one] for one in view.parents if page.parent[one] >= 0}
    return mean(view.measures.repetition[one] for one in above)
