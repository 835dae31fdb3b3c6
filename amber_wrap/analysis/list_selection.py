"""The pass `select`: which of a page's candidates is the list that it is for.

A fitted linear model ranks the candidates by their features.  A fitted additive model
tells how likely the best of them is a list at all, also by how it stands out from the
others.  `benchmarks/fit.py` fits both and reports what they do on sites that they
weren't fitted on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol, TypeVar

from amber_wrap.analysis.additive_model import model
from amber_wrap.analysis.extraction_typing import Record, Segmentation
from amber_wrap.analysis.features.contrasts import contrasts, highest
from amber_wrap.analysis.features.measures import Measures
from amber_wrap.analysis.features.registry import STANDING, features
from amber_wrap.analysis.features.view import CandidateView
from amber_wrap.dom.page import NodeId, Page

LIST, PRESENCE, FURTHER = "list", "presence", "further"
"""The models: of the list, of whether the page has any, of lists that belong to it."""
LEAST_PROBABILITY: Final = 0.22
"""The probability from which on a candidate is taken for a list."""
LEAST_BESIDE: Final = 0.15
"""The same of a list beside the chosen one, which isn't compared with that."""
TIE: Final = 1.0
"""How much lower the score of a candidate is at most that is as good as the best."""
MOST_OTHERS: Final = 3
LEAST_OTHERS: Final = 3
"""Lists beside the chosen one that are told of, and the records of each."""


class Likely(Protocol):
    """A candidate with a score and a probability of being a list."""

    @property
    def score(self) -> float:
        """The score, the higher the better."""

    @property
    def probability(self) -> float:
        """The probability that it is a list worth having."""


L = TypeVar("L", bound=Likely)


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate with its features and its score, the higher the better.

    `contrasts` tell how it stands out from the other candidates.
    """

    segmentation: Segmentation
    features: Mapping[str, float]
    score: float
    contrasts: Mapping[str, float] = field(default_factory=dict)

    @property
    def probability(self) -> float:
        """The probability that it is a list worth having."""
        return model(PRESENCE).probability({**self.features, **self.contrasts})

    @property
    def probability_beside(self) -> float:
        """The probability that it is a list, whatever other lists the page has."""
        return model(PRESENCE).probability(self.features)

    @property
    def probability_anywhere(self) -> float:
        """The same, wherever on the page it stands."""
        values = {n: one for n, one in self.features.items() if n not in STANDING}
        return model(PRESENCE).probability(values)

    @property
    def reasons(self) -> dict[str, float]:
        """What each feature adds to the odds of the candidate being a list."""
        return model(PRESENCE).contributions({**self.features, **self.contrasts})


@dataclass(frozen=True, slots=True)
class ListChoice:
    """The chosen lists in document order, and why.

    `probability` is that of the page having a list at all, `ranked` are all candidates,
    the best first.  If examples chose another one, `otherwise` is the best without.
    """

    lists: tuple[Segmentation, ...]
    probability: float
    ranked: tuple[Ranked, ...] = ()
    otherwise: Segmentation | None = None


def choose(measures: Measures, candidates: Sequence[Segmentation]) -> ListChoice:
    """Return the candidate that the page is for."""
    if not candidates:
        return ListChoice((), 0.0)
    ranked = rank(measures, candidates)
    best = choose_ranked(ranked)
    order = (best, *(one for one in ranked if one is not best))
    return ListChoice((best.segmentation,), best.probability, order)


def choose_ranked(ranked: Sequence[L]) -> L:
    """Return the best candidate, or one as good that is a list where the best is none.

    A menu may be as regular as the results below it.
    """
    tied = (one for one in ranked if ranked[0].score - one.score <= TIE)
    likely = (one for one in tied if one.probability >= LEAST_PROBABILITY)
    return next(likely, ranked[0])


def rank(measures: Measures, candidates: Sequence[Segmentation]) -> list[Ranked]:
    """Return the candidates with their scores, the best first, of equals the first."""
    page, fitted = measures.page, model(LIST)
    most = max(displayed(page, one.records) for one in candidates)
    views = [CandidateView(measures, one, most) for one in candidates]
    values = [features(one) for one in views]
    scores = [fitted.score(one) for one in values]
    spans, best = [one.span for one in views], highest(values)
    found = [
        Ranked(one, values[i], scores[i], contrasts(i, scores, spans, best, values[i]))
        for i, one in enumerate(candidates)
    ]
    return sorted(found, key=lambda one: -one.score)


def displayed(page: Page, records: Iterable[Record]) -> int:
    """Return the characters that records display."""
    return sum(page.text_length(node) for record in records for node in record.nodes)


def others(page: Page, choice: ListChoice) -> tuple[Segmentation, ...]:
    """Return the lists beside the chosen ones: probable ones that share no node."""
    taken = TakenNodes(page)
    for chosen in choice.lists:
        taken.take(chosen.records)
    found: list[Segmentation] = []
    for one in choice.ranked:
        records = one.segmentation.records
        if len(found) == MOST_OTHERS:
            break
        if (
            len(records) >= LEAST_OTHERS
            and taken.is_free(records)
            and one.probability_beside >= LEAST_BESIDE
        ):
            taken.take(records)
            found.append(one.segmentation)
    return tuple(found)


class TakenNodes:
    """The nodes of a page that records take up."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._taken = bytearray(len(page))

    def take(self, records: Iterable[Record]) -> None:
        """Take the nodes of records."""
        for begin, end in self._extents(records):
            self._taken[begin:end] = b"\1" * (end - begin)

    def is_free(self, records: Iterable[Record]) -> bool:
        """Return whether no node of the records is taken."""
        return not any(
            self._taken.find(1, begin, end) >= 0
            for begin, end in self._extents(records)
        )

    def _extents(self, records: Iterable[Record]) -> Iterator[tuple[NodeId, NodeId]]:
        for record in records:
            for top in record.nodes:
                yield top, top + self._page.size[top]
