"""Features of the texts in records."""

from __future__ import annotations

from collections import Counter

from amber_wrap.analysis.features.numbers import log_share, mean, variation
from amber_wrap.analysis.features.registry import feature
from amber_wrap.analysis.features.view import CandidateView


@feature
def texts_per_record(view: CandidateView) -> float:
    """Return the mean number of text nodes in a record, on a logarithmic scale."""
    return log_share(mean(view.counts(view.measures.texts)), 60)


@feature
def single_text(view: CandidateView) -> float:
    """Return the share of records with at most one text node."""
    return mean(one < 2 for one in view.counts(view.measures.texts))


@feature
def texts_variation(view: CandidateView) -> float:
    """Return the standard deviation of the number of text nodes in a record divided by
    the mean, at most 2.
    """
    return variation(view.counts(view.measures.texts))


@feature
def digits(view: CandidateView) -> float:
    """Return the share of digits among the characters of records."""
    return sum(view.counts(view.measures.digits)) / max(1, view.text)


@feature
def prose(view: CandidateView) -> float:
    """Return the share of the records' text that is in long text nodes.

    A text node is long if it has at least `FEATURE.prose` characters.
    """
    return sum(view.counts(view.measures.prose)) / max(1, view.text)


@feature
def labels(view: CandidateView) -> float:
    """Return the share of the records' text nodes that are labels.

    A label is a text that at least half of the compared records have. At most
    `FEATURE.compared` records are compared.
    """
    shown = _shown(view)
    counts = Counter(text for one in shown for text in set(one))
    enough = max(2.0, 0.5 * len(shown))
    total = sum(map(len, shown))
    return sum(counts[text] >= enough for one in shown for text in one) / max(1, total)


@feature
def different_texts(view: CandidateView) -> float:
    """Return the share of the records' text nodes whose text only one record has."""
    shown = _shown(view)
    counts = Counter(text for one in shown for text in set(one))
    total = sum(map(len, shown))
    return sum(counts[text] == 1 for one in shown for text in one) / max(1, total)


@feature
def longest_text(view: CandidateView) -> float:
    """Return the mean length of a record's longest text node, on a logarithmic
    scale.
    """
    return log_share(mean(max(map(len, one), default=0) for one in _shown(view)), 400)


@feature
def longest_copies(view: CandidateView) -> float:
    """Return the share of records whose longest text is also the longest text of
    another record.
    """
    text, longest = view.page.text, view.measures.longest
    found = [
        max((text[longest[node]] for node in one.nodes), key=len)
        for one in view.records
    ]
    counts = Counter(filter(None, found))
    return mean(counts[one] > 1 for one in found)


def _shown(view: CandidateView) -> list[list[str]]:
    page = view.page
    return [
        [text for text in page.text[begin:end] if text] for begin, end in view.looked_at
    ]


@feature
def equal_records(view: CandidateView) -> float:
    """Return the share of records that repeat the text of an earlier record."""
    shown = {tuple(map(view.page.string, one.nodes)) for one in view.records}
    return 1 - len(shown) / len(view.records)
