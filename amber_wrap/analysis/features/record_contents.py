"""Compute features (numbers that describe a list) from the links, headings, images,
controls, texts and values in records.
"""

from __future__ import annotations

from collections import Counter

from amber_wrap.analysis.features.list_counts import (
    CandidateView,
    log_share,
    mean,
    variation,
)
from amber_wrap.analysis.features.page_parts import path_of_link, topic_words
from amber_wrap.analysis.features.registry import Feature, feature, feature_of_presence
from amber_wrap.domain.schema import ValueKind


@feature
def linked_records(view: CandidateView) -> float:
    """Return the share of records that have a link."""
    return mean(bool(targets) for targets in view.link_targets)


@feature
def own_links(view: CandidateView) -> float:
    """Return the share of records with a link target that no other record has."""
    counts = view.target_counts
    return mean(
        any(counts[target] == 1 for target in targets) for targets in view.link_targets
    )


@feature
def links_per_record(view: CandidateView) -> float:
    """Return the mean number of different link targets in a record, on a logarithmic
    scale.
    """
    return log_share(mean(map(len, view.link_targets)), 30)


@feature
def common_links(view: CandidateView) -> float:
    """Return the share of records' link targets that are also in other records.

    Each pair of a record and a target in the record is counted.
    """
    counts = view.target_counts.values()
    return sum(count for count in counts if count > 1) / max(1, sum(counts))


@feature
def linked_copies(view: CandidateView) -> float:
    """Return the share of records that have the same link targets as another record.

    Targets that occur in more than half of the records are ignored.
    """
    most_records = 0.5 * len(view.records)
    rare_targets = [
        frozenset(
            target for target in targets if view.target_counts[target] <= most_records
        )
        for targets in view.link_targets
    ]
    counts = Counter(filter(None, rare_targets))
    return mean(counts[targets] > 1 for targets in rare_targets)


@feature
def linked_text(view: CandidateView) -> float:
    """Return the share of the records' text that is in links."""
    linked = view.counts_per_record(view.page_counts.linked_characters)
    return sum(linked) / max(1, view.text_length)


@feature
def single_link(view: CandidateView) -> float:
    """Return the share of records that consist of one link."""
    linked_lengths = view.counts_per_record(view.page_counts.linked_characters)
    return mean(
        len(targets) == 1 and linked_length >= 0.95 * length
        for targets, linked_length, length in zip(
            view.link_targets, linked_lengths, view.record_lengths, strict=True
        )
    )


@feature
def headed_by_links(view: CandidateView) -> float:
    """Return the share of records that contain a linked headline."""
    return mean(map(bool, view.counts_per_record(view.page_counts.headline_links)))


@feature
def one_heading(view: CandidateView) -> float:
    """Return the share of records that contain exactly one heading."""
    heading_counts = view.counts_per_record(view.page_counts.headings)
    return mean(count == 1 for count in heading_counts)


@feature
def several_headings(view: CandidateView) -> float:
    """Return the share of records that contain three or more headings."""
    heading_counts = view.counts_per_record(view.page_counts.headings)
    return mean(count > 2 for count in heading_counts)


@feature
def with_images(view: CandidateView) -> float:
    """Return the share of records that contain an image."""
    return mean(map(bool, view.counts_per_record(view.page_counts.images)))


@feature
def with_controls(view: CandidateView) -> float:
    """Return the share of records that contain a form control."""
    return mean(map(bool, view.counts_per_record(view.page_counts.controls)))


@feature
def texts_per_record(view: CandidateView) -> float:
    """Return the mean number of text nodes in a record, on a logarithmic scale."""
    return log_share(mean(view.counts_per_record(view.page_counts.text_nodes)), 60)


@feature
def single_text(view: CandidateView) -> float:
    """Return the share of records with at most one text node."""
    text_counts = view.counts_per_record(view.page_counts.text_nodes)
    return mean(count < 2 for count in text_counts)


@feature
def texts_variation(view: CandidateView) -> float:
    """Return how much the number of text nodes varies between records, 0 to 2.

    The result is the standard deviation of the number, divided by the mean.
    """
    return variation(view.counts_per_record(view.page_counts.text_nodes))


@feature
def digits(view: CandidateView) -> float:
    """Return the share of digits among the characters of records."""
    digit_counts = view.counts_per_record(view.page_counts.digits)
    return sum(digit_counts) / max(1, view.text_length)


@feature
def prose(view: CandidateView) -> float:
    """Return the share of the records' text that is in long text nodes.

    A text node is long if it has at least `FEATURE.shortest_prose` characters.
    """
    prose_lengths = view.counts_per_record(view.page_counts.prose_characters)
    return sum(prose_lengths) / max(1, view.text_length)


@feature
def labels(view: CandidateView) -> float:
    """Return the share of the records' text nodes whose text is in at least half of the
    records.

    Only `FEATURE.most_compared` records are compared.
    """
    sample = _sample_texts(view)
    record_counts = _records_by_text(sample)
    least_records = max(2.0, 0.5 * len(sample))
    text_count = sum(map(len, sample))
    label_count = sum(
        record_counts[text] >= least_records for texts in sample for text in texts
    )
    return label_count / max(1, text_count)


@feature
def different_texts(view: CandidateView) -> float:
    """Return the share of the records' text nodes whose text only one record has.

    At most `FEATURE.most_compared` records are compared.
    """
    sample = _sample_texts(view)
    record_counts = _records_by_text(sample)
    text_count = sum(map(len, sample))
    unique_count = sum(record_counts[text] == 1 for texts in sample for text in texts)
    return unique_count / max(1, text_count)


@feature
def longest_text(view: CandidateView) -> float:
    """Return the mean length of a record's longest text node, on a logarithmic
    scale.
    """
    lengths = (max(map(len, texts), default=0) for texts in _sample_texts(view))
    return log_share(mean(lengths), 400)


@feature
def longest_copies(view: CandidateView) -> float:
    """Return the share of records whose longest text is also the longest text of
    another record.
    """
    text, longest_text_nodes = view.page.text, view.page_counts.longest_text_nodes
    longest_texts = [
        max((text[longest_text_nodes[node]] for node in record.nodes), key=len)
        for record in view.records
    ]
    record_counts = Counter(filter(None, longest_texts))
    return mean(record_counts[longest] > 1 for longest in longest_texts)


def _sample_texts(view: CandidateView) -> list[list[str]]:
    """Return the texts of the text nodes in each compared record of a list."""
    return [
        [text for text in view.page.text[begin:end] if text]
        for begin, end in view.sample_extents
    ]


def _records_by_text(sample_texts: list[list[str]]) -> Counter[str]:
    """Return for each text the number of records with the text.

    `sample_texts` has the texts of each record.
    """
    return Counter(text for texts in sample_texts for text in set(texts))


@feature
def equal_records(view: CandidateView) -> float:
    """Return the share of records that repeat the text of an earlier record."""
    different = {tuple(map(view.page.string, record.nodes)) for record in view.records}
    return 1 - len(different) / len(view.records)


@feature_of_presence
def about_search(view: CandidateView) -> float:
    """Return the share of records that contain a word entered in the page's search
    field.
    """
    return _share_with_word(view, view.page_counts.topic.search_words)


@feature_of_presence
def about_heading(view: CandidateView) -> float:
    """Return the share of records that contain a word of the page's `h1` headings."""
    return _share_with_word(view, view.page_counts.topic.title_words)


@feature_of_presence
def has_search(view: CandidateView) -> float:
    """Return 1 if a text input of the page contains words, else 0."""
    return float(bool(view.page_counts.topic.search_words))


@feature_of_presence
def leads_to_search(view: CandidateView) -> float:
    """Return the share of records with a link that starts another search.

    The link has a query string, and its URL path is the target of a search form on the
    page.
    """
    search_paths = view.page_counts.topic.search_paths
    if not search_paths:
        return 0.0
    return mean(
        any(
            "?" in target and path_of_link(target) in search_paths for target in targets
        )
        for targets in view.link_targets
    )


def _share_with_word(view: CandidateView, words: frozenset[str]) -> float:
    """Return the share of the compared records that contain one of the words.

    Return 0 if there are no words.
    """
    if not words:
        return 0.0
    return mean(
        any(not words.isdisjoint(topic_words(text)) for text in texts)
        for texts in _sample_texts(view)
    )


@feature
def types_per_record(view: CandidateView) -> float:
    """Return the mean number of types of values in a record, on a logarithmic scale.

    Values are recognised texts, such as prices and dates.
    """
    return log_share(sum(view.type_shares.values()), 15)


@feature
def types_in_most(view: CandidateView) -> float:
    """Return the number of types whose values are in most records, on a logarithmic
    scale.

    Values are recognised texts, such as prices and dates.
    """
    return log_share(sum(share > 0.6 for share in view.type_shares.values()), 15)


@feature
def prices(view: CandidateView) -> float:
    """Return the share of records in which an amount of money was recognised.

    If there are several types of money, such as price and deposit, return the share for
    the most frequent type.
    """
    return _share_of_kind(view, ValueKind.MONEY)


@feature
def dates(view: CandidateView) -> float:
    """Return the share of records in which a date was recognised.

    If there are several types of dates, such as start and end, return the share for the
    most frequent type.
    """
    return _share_of_kind(view, ValueKind.DATE)


@feature
def one_price_or_date(view: CandidateView) -> float:
    """Return the share of records with exactly one price, or with exactly one date.

    If there are several types of money or dates, the type with the highest share
    counts.
    """
    types = view.page_counts.types
    shares = [
        mean(count == 1 for count in view.counts_per_record(counts_before))
        for type_name, counts_before in view.annotation_counts.items()
        if types[type_name].kind in (ValueKind.MONEY, ValueKind.DATE)
    ]
    return max(shares, default=0.0)


def _share_of_kind(view: CandidateView, kind: ValueKind) -> float:
    """Return the share of records with a recognised value of a kind, such as money.

    Of several types of this kind, the most frequent type counts. Return 0 if there is
    no such type.
    """
    shares = [
        share
        for type_name, share in view.type_shares.items()
        if view.page_counts.types[type_name].kind is kind
    ]
    return max(shares, default=0.0)


def _register_for_named_domain(function: Feature) -> None:
    """Register a feature like `function` that is 0 unless the user named the kind of
    records.

    For example, the feature `named_prices` is registered for `prices`.
    """

    def named_feature(view: CandidateView) -> float:
        return function(view) if view.page_counts.is_named else 0.0

    named_feature.__name__ = f"named_{function.__name__}"
    named_feature.__doc__ = (
        f"Return `{function.__name__}` if the domain is named, else 0."
    )
    feature(named_feature)


for _feature in (prices, types_in_most, types_per_record, one_price_or_date):
    _register_for_named_domain(_feature)
