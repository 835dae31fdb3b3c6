"""Expressions that could stand for a node, with what they rest on and cost.

The language is restricted: at most two anchors, child and descendant steps, positions
only where nothing else is left.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

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
from amber_wrap.wrapper.xpath import Path, Position, Step

ELEMENTS = frozenset(
    "address article caption data dt figcaption figure footer h1 h2 h3 h4 h5 h6 header "
    "main mark nav time".split()
)
"""Tags that say what an element is for."""
DOCUMENT: NodeId = -1
"""The context of absolute paths: the parent of the root element."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A path, the family of the weakest thing that it rests on, and its cost."""

    path: Path
    cost: int
    family: str

    def __str__(self) -> str:
        return str(self.path)


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
    for mark in here:
        step = Step(tag, (mark.test,), deep=True)
        yield candidate(mark.family, COSTS[mark.family], step)
    for i, ancestor in enumerate(chain[:-1]):
        below = chain[i + 1 :]
        tags = [Step(page.tag[one]) for one in below]
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
            for inner in here:
                last = Step(tag, (inner.test,), deep=len(tags) > 1)
                family = weakest(mark.family, inner.family)
                yield candidate(family, cost + COSTS[inner.family], anchor, last)
            inside = weakest(mark.family, CONTAINER)
            yield candidate(inside, cost + length, anchor, *tags)
            if len(tags) > 1:
                yield candidate(inside, cost + length, anchor, Step(tag, deep=True))
            placed = positioned(page, below)
            if placed != tags:
                yield candidate(POSITION, cost + COSTS[POSITION], anchor, *placed)
    steps = [Step(page.tag[one]) for one in chain]
    length = STEP_COST * len(steps)
    yield candidate(TAG, COSTS[TAG] + length, *steps)
    placed = positioned(page, chain)
    if placed != steps:
        yield candidate(POSITION, 2 * COSTS[POSITION] + length, *placed)


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
    steps = []
    for node in chain:
        parent = page.parent[node]
        siblings = [node] if parent == DOCUMENT else page.child_elements(parent)
        same = [one for one in siblings if page.tag[one] == page.tag[node]]
        tests = (Position(same.index(node) + 1),) if len(same) > 1 else ()
        steps.append(Step(page.tag[node], tests))
    return steps
