"""Choose the main list of a page among all lists that may be its results.

One fitted model ranks the lists by their features, and another estimates the
probability that a list has results.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol, TypeVar

from amber_wrap.analysis.additive_model import fitted_model
from amber_wrap.analysis.extraction_typing import Record, Segmentation
from amber_wrap.analysis.features.candidate_comparison import (
    NodeSpan,
    contrasts,
    highest_features,
)
from amber_wrap.analysis.features.list_counts import CandidateView
from amber_wrap.analysis.features.page_counts import PageCounts
from amber_wrap.analysis.features.registry import POSITION_FEATURES, features
from amber_wrap.analysis.thresholds import SELECTION
from amber_wrap.dom.page import NodeId, Page

LIST_RANKING: Final = "list"
"""The name of the model that ranks the candidate lists of a page."""
LIST_PRESENCE: Final = "presence"
"""The name of the model of the probability that a candidate is a list of results."""
FURTHER_LIST: Final = "further"
"""The name of the model of the probability that a list besides the chosen list has the
same kind of records."""


class RatedCandidate(Protocol):
    """A list with a score, and with the probability that it is a list of results."""

    @property
    def score(self) -> float:
        """The score of the list, which is higher for better lists."""

    @property
    def probability(self) -> float:
        """The probability that the list is a list of results."""

    @property
    def record_count(self) -> float:
        """The number of records, on a logarithmic scale."""

    @property
    def span(self) -> NodeSpan:
        """The first node of the records, and the node that follows the last record."""


C = TypeVar("C", bound=RatedCandidate)


@dataclass(frozen=True, slots=True)
class Ranked:
    """A list that may be the list of results, with its features and score."""

    segmentation: Segmentation
    features: Mapping[str, float]
    """The features by name."""
    score: float
    """A number that is higher for better lists."""
    contrasts: Mapping[str, float] = field(default_factory=dict)
    """Features that compare the list with the page's other lists."""
    span: NodeSpan = (0, 0)
    """The first node of the records, and the node after the last record."""

    @property
    def record_count(self) -> float:
        """The number of records, on a logarithmic scale."""
        return self.features["record_count"]

    @property
    def probability(self) -> float:
        """The probability that the list is a list of results."""
        return fitted_model(LIST_PRESENCE).probability(
            {**self.features, **self.contrasts}
        )

    @property
    def probability_beside(self) -> float:
        """The probability that the list has results, estimated without comparing lists.

        The features in `contrasts`, which compare the list with other lists, aren't
        used.
        """
        return fitted_model(LIST_PRESENCE).probability(self.features)

    @property
    def probability_anywhere(self) -> float:
        """The probability that the list has results, estimated without regard to its
        position on the page.
        """
        local_features = {
            name: value
            for name, value in self.features.items()
            if name not in POSITION_FEATURES
        }
        return fitted_model(LIST_PRESENCE).probability(local_features)

    @property
    def reasons(self) -> dict[str, float]:
        """The amount that each feature adds to the log-odds of `probability`, by
        feature.

        Features that compare the list with other lists are included.
        """
        return fitted_model(LIST_PRESENCE).contributions(
            {**self.features, **self.contrasts}
        )


@dataclass(frozen=True, slots=True)
class ListChoice:
    """The chosen lists of a page in document order, and the grounds of the choice."""

    lists: tuple[Segmentation, ...]
    probability: float
    """The probability that the page has a list of results."""
    ranked: tuple[Ranked, ...] = ()
    """All lists that were compared, the best first."""
    without_examples: Segmentation | None = None
    """The list that would be chosen without the user's examples, or None if the
    examples don't change the choice.
    """


def choose_list(
    page_counts: PageCounts, candidates: Sequence[Segmentation]
) -> ListChoice:
    """Choose one of the lists `candidates` as the main list of the page.

    Without candidates, the choice has no list and the probability 0.
    """
    if not candidates:
        return ListChoice((), 0.0)
    ranked = rank_candidates(page_counts, candidates)
    best = choose_ranked(ranked)
    return ListChoice(
        (best.segmentation,), best.probability, with_best_first(best, ranked)
    )


def with_best_first(best: Ranked, ranked: Sequence[Ranked]) -> tuple[Ranked, ...]:
    """Return the lists in `ranked` with the list `best` moved to the start."""
    return (best, *(candidate for candidate in ranked if candidate is not best))


def choose_ranked(ranked: Sequence[C]) -> C:
    """Return the list that is most likely the main list of a page.

    A list of events is preferred to a list of days with the same events. `ranked` isn't
    empty, and starts with the highest score.
    """
    highest_score = ranked[0].score
    likely = [
        candidate
        for candidate in ranked
        if highest_score - candidate.score <= SELECTION.tied_scores
        and candidate.probability >= SELECTION.least_probability
    ]
    best = likely[0] if likely else ranked[0]
    for candidate in likely:
        if _is_list_of_groups(best, candidate):
            return candidate
    return best


def _is_list_of_groups(groups: RatedCandidate, items: RatedCandidate) -> bool:
    """Return whether each record of `groups` seems to be a group of records of `items`.

    For example, `groups` is a list of days with the events `items`.
    """
    groups_begin, groups_end = groups.span
    items_begin, items_end = items.span
    items_length = items_end - items_begin
    groups_length = groups_end - groups_begin
    return (
        groups.score - items.score <= SELECTION.tied_scores_of_groups
        and groups_begin <= items_begin
        and items_end <= groups_end
        and items_length >= SELECTION.nearly_all * groups_length
        and items.record_count - groups.record_count
        > SELECTION.least_count_above_groups
    )


def rank_candidates(
    page_counts: PageCounts, candidates: Sequence[Segmentation]
) -> list[Ranked]:
    """Return the lists `candidates` with their features and scores, the best first.

    `candidates` isn't empty.
    """
    page, list_model = page_counts.page, fitted_model(LIST_RANKING)
    longest = max(displayed_length(page, candidate.records) for candidate in candidates)
    views = [CandidateView(page_counts, candidate, longest) for candidate in candidates]
    feature_values = [features(view) for view in views]
    scores = [list_model.score(features_of_list) for features_of_list in feature_values]
    spans, best_values = [view.span for view in views], highest_features(feature_values)
    ranked = [
        Ranked(
            candidate,
            feature_values[i],
            scores[i],
            contrasts(i, scores, spans, best_values, feature_values[i]),
            spans[i],
        )
        for i, candidate in enumerate(candidates)
    ]
    return sorted(ranked, key=lambda candidate: -candidate.score)


def displayed_length(page: Page, records: Iterable[Record]) -> int:
    """Return the number of characters that the records display together."""
    return sum(page.text_length(node) for record in records for node in record.nodes)


def lists_beside(page: Page, choice: ListChoice) -> tuple[Segmentation, ...]:
    """Return further likely lists of results besides the chosen lists, the highest
    score first.

    The lists share no nodes.
    """
    taken_nodes = TakenNodes(page)
    for chosen in choice.lists:
        taken_nodes.take(chosen.records)
    free_lists: list[Segmentation] = []
    for candidate in choice.ranked:
        records = candidate.segmentation.records
        if len(free_lists) == SELECTION.most_beside:
            break
        if (
            len(records) >= SELECTION.least_certain_records
            and taken_nodes.is_free(records)
            and candidate.probability_beside >= SELECTION.least_probability_beside
        ):
            taken_nodes.take(records)
            free_lists.append(candidate.segmentation)
    return tuple(free_lists)


class TakenNodes:
    """A set of nodes of a page that belong to records."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._taken = bytearray(len(page))

    def take(self, records: Iterable[Record]) -> None:
        """Add the nodes of the records to the set, including their descendants."""
        for begin, end in self._extents(records):
            self._taken[begin:end] = b"\1" * (end - begin)

    def is_free(self, records: Iterable[Record]) -> bool:
        """Return whether no node of the records is in the set.

        The nodes of a record include all descendants.
        """
        return not any(
            self._taken.find(1, begin, end) >= 0
            for begin, end in self._extents(records)
        )

    def _extents(self, records: Iterable[Record]) -> Iterator[tuple[NodeId, NodeId]]:
        """Yield each top element of the records, with the node that follows the
        element's last descendant.
        """
        for record in records:
            for top in record.nodes:
                yield top, top + self._page.size[top]


def in_scope(candidate: Segmentation, is_seen: Sequence[bool]) -> bool:
    """Return whether all top elements of a list's records are in the part of the page
    that the user named.

    `is_seen` says for each node of the page whether the node is in this part.
    """
    return all(is_seen[node] for record in candidate.records for node in record.nodes)
