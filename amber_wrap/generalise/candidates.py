"""Expressions that could stand for a node, with what they rest on and cost.

The language is restricted: at most two anchors, child and descendant steps, positions
only where nothing else is left.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from amber_wrap.dom.page import NodeId, Page
from amber_wrap.generalise.preferences import (
    ANCHOR_COST,
    CONTAINER,
    COSTS,
    ELEMENT,
    POSITION,
    STEP_COST,
    TAG,
    weakest,
)
from amber_wrap.generalise.vocabulary import Mark, Vocabulary
from amber_wrap.wrapper.evaluator import DOCUMENT, places_among_siblings
from amber_wrap.wrapper.xpath import Path, Position, Step

ELEMENTS = frozenset(
    "address article caption data dt figcaption figure footer h1 h2 h3 h4 h5 h6 header "
    "main mark nav time".split()
)
"""Tags that say what an element is for."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A path, the family of the weakest thing that it rests on, and its cost."""

    path: Path
    cost: int
    family: str
    text: str = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", str(self.path))

    def __str__(self) -> str:
        return self.text


Way = tuple[object, ...]
"""What the elements between two are like: equal ways have equal paths."""


class Paths:
    """The paths from an element to another one, found once for equal ways."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self._found: dict[Way, tuple[Candidate, ...]] = {}

    def between(
        self, page: Page, context: NodeId, target: NodeId
    ) -> tuple[Candidate, ...]:
        """Paths from an element, or from the `DOCUMENT`, to an element below."""
        way = self.way(page, context, target)
        if way not in self._found:
            self._found[way] = tuple(paths(page, context, target, self.vocabulary))
        return self._found[way]

    def way(self, page: Page, context: NodeId, target: NodeId) -> Way:
        """What `paths` looks at."""
        look, place = self.vocabulary.look, places_among_siblings(page)
        chain = [
            (page.tag[one], look(page, one), place[one])
            for one in chain_between(page, context, target)
        ]
        beside = (
            *self.vocabulary.links(page, target),
            *self.vocabulary.labels(page, target),
        )
        return context == DOCUMENT, *chain, *beside


def paths(
    page: Page, context: NodeId, target: NodeId, vocabulary: Vocabulary
) -> Iterator[Candidate]:
    """Paths from an element, or from the `DOCUMENT`, to an element below.

    With one anchor, with two, with tags only, with positions; `.` for the context
    itself.
    """
    absolute = context == DOCUMENT
    chain = chain_between(page, context, target)

    def candidate(family: str, cost: int, *steps: Step) -> Candidate:
        return Candidate(Path(steps, absolute), cost, family)

    if not chain:
        yield candidate(TAG, 0)
        return
    tag = page.tag[target]
    own = ELEMENT if tag in ELEMENTS else TAG
    here = marks(page, target, vocabulary)
    yield candidate(own, COSTS[own], Step(tag, deep=True))
    deep_ends = [Step(tag, (mark.test,), deep=True) for mark in here]
    ends = [Step(tag, (mark.test,)) for mark in here]
    for mark, step in zip(here, deep_ends, strict=True):
        yield candidate(mark.family, COSTS[mark.family], step)
    whole_way = [Step(page.tag[one]) for one in chain]
    whole_way_placed = positioned(page, chain)
    for i, ancestor in enumerate(chain[:-1]):
        tags, placed = whole_way[i + 1 :], whole_way_placed[i + 1 :]
        length = STEP_COST * len(tags)
        if page.tag[ancestor] in ELEMENTS:
            anchor = Step(page.tag[ancestor], deep=True)
            yield candidate(ELEMENT, COSTS[ELEMENT] + length, anchor, *tags)
            if len(tags) > 1:
                last = Step(tag, deep=True)
                yield candidate(ELEMENT, COSTS[ELEMENT] + length, anchor, last)
        for mark in vocabulary.marks(page, ancestor):
            anchor = Step(page.tag[ancestor], (mark.test,), deep=True)
            cost = COSTS[mark.family] + ANCHOR_COST
            for inner, last in zip(
                here, deep_ends if len(tags) > 1 else ends, strict=True
            ):
                family = weakest(mark.family, inner.family)
                yield candidate(family, cost + COSTS[inner.family], anchor, last)
            inside = weakest(mark.family, CONTAINER)
            yield candidate(inside, cost + length, anchor, *tags)
            if len(tags) > 1:
                yield candidate(inside, cost + length, anchor, Step(tag, deep=True))
            if placed != tags:
                yield candidate(POSITION, cost + COSTS[POSITION], anchor, *placed)
    length = STEP_COST * len(whole_way)
    yield candidate(TAG, COSTS[TAG] + length, *whole_way)
    if whole_way_placed != whole_way:
        yield candidate(POSITION, 2 * COSTS[POSITION] + length, *whole_way_placed)


def marks(page: Page, node: NodeId, vocabulary: Vocabulary) -> list[Mark]:
    """All that may be said of an element: itself, its target, what is beside it."""
    return [
        *vocabulary.marks(page, node),
        *vocabulary.links(page, node),
        *vocabulary.labels(page, node),
    ]


def chain_between(page: Page, ancestor: NodeId, node: NodeId) -> tuple[NodeId, ...]:
    """The elements from the child of `ancestor` down to `node`."""
    chain = []
    while node != ancestor:
        chain.append(node)
        node = page.parent[node]
    return tuple(reversed(chain))


def positioned(page: Page, chain: Sequence[NodeId]) -> list[Step]:
    """Child steps with positions, where an element has siblings of its tag."""
    place = places_among_siblings(page)
    return [
        Step(page.tag[node], (Position(place[node]),) if place[node] else ())
        for node in chain
    ]
