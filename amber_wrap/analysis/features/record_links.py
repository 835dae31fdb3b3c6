"""Features of the links, headings, images and form controls in records."""

from __future__ import annotations

from collections import Counter

from amber_wrap.analysis.features.list_counts import CandidateView
from amber_wrap.analysis.features.registry import feature
from amber_wrap.analysis.features.statistics import log_share, mean


@feature
def linked_records(view: CandidateView) -> float:
    """Return the share of records that have a link."""
    return mean(bool(one) for one in view.own_links)


@feature
def own_links(view: CandidateView) -> float:
    """Return the share of records with a link target that no other record has."""
    counts = view.link_counts
    return mean(any(counts[one] == 1 for one in found) for found in view.own_links)


@feature
def links_per_record(view: CandidateView) -> float:
    """Return the mean number of different link targets in a record, on a logarithmic
    scale.
    """
    return log_share(mean(map(len, view.own_links)), 30)


@feature
def common_links(view: CandidateView) -> float:
    """Return the share of the records' link targets that occur in several records.

    A target counts once for each record with the target.
    """
    total = sum(view.link_counts.values())
    return sum(n for n in view.link_counts.values() if n > 1) / max(1, total)


@feature
def linked_copies(view: CandidateView) -> float:
    """Return the share of records with the same link targets as another record.

    Targets that occur in more than half of the records are ignored.
    """
    most = 0.5 * len(view.records)
    own = [
        frozenset(one for one in found if view.link_counts[one] <= most)
        for found in view.own_links
    ]
    counts = Counter(filter(None, own))
    return mean(counts[one] > 1 for one in own)


@feature
def linked_text(view: CandidateView) -> float:
    """Return the share of the records' text that is in links."""
    return sum(view.counts(view.measures.linked)) / max(1, view.text)


@feature
def single_link(view: CandidateView) -> float:
    """Return the share of records that consist of one link."""
    linked = view.counts(view.measures.linked)
    return mean(
        len(found) == 1 and have >= 0.95 * length
        for found, have, length in zip(
            view.own_links, linked, view.lengths, strict=True
        )
    )


@feature
def headed_by_links(view: CandidateView) -> float:
    """Return the share of records that contain a linked headline."""
    return mean(map(bool, view.counts(view.measures.heads)))


@feature
def one_heading(view: CandidateView) -> float:
    """Return the share of records that contain exactly one heading."""
    return mean(one == 1 for one in view.counts(view.measures.headings))


@feature
def several_headings(view: CandidateView) -> float:
    """Return the share of records that contain three or more headings."""
    return mean(one > 2 for one in view.counts(view.measures.headings))


@feature
def with_images(view: CandidateView) -> float:
    """Return the share of records that contain an image."""
    return mean(map(bool, view.counts(view.measures.images)))


@feature
def with_controls(view: CandidateView) -> float:
    """Return the share of records that contain a form control."""
    return mean(map(bool, view.counts(view.measures.controls)))
