"""Expressions that could stand for a node, with what they rest on and cost.

The language is restricted: at most two anchors, child and descendant steps, positions
only where nothing else is left.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import NamedTuple

from amber_wrap.dom.page import NodeId, Page
from amber_wrap.generalise.numbering import Numbering, Steps
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
from amber_wrap.wrapper.evaluator import DOCUMENT, place_among_siblings
from amber_wrap.wrapper.xpath import Position, Step

ELEMENTS = frozenset(
    "address article caption data dt figcaption figure footer h1 h2 h3 h4 h5 h6 header "
    "main mark nav time".split()
)
"""Tags that say what an element is for."""


Way = tuple[int, ...]
"""What the elements between two are like: equal ways have equal paths."""


class Candidate(NamedTuple):
    """A path, its cost, and the family of the weakest thing that it rests on."""

    steps: Steps
    cost: int
    family: str


class Marked(NamedTuple):
    """The step to any depth that a mark gives."""

    step: int
    cost: int
    family: str


class Paths:
    """The paths from an element to another one, found once for equal ways."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.numbering = Numbering()
        self._found: dict[Way, Sequence[Candidate]] = {}
        self._alike: dict[Hashable, int] = {}
        self._looks: dict[tuple[int, NodeId], int] = {}
        self._beside: dict[tuple[int, NodeId], int] = {}
        self._marked: dict[tuple[str, int], list[Marked]] = {}

    def marked(self, page: Page, node: NodeId) -> list[Marked]:
        """The steps that the element's own marks give."""
        tag, look = page.tag[node], self.vocabulary.look(page, node)
        if (found := self._marked.get((tag, look))) is None:
            marks = self.vocabulary.marks(page, node)
            found = self._marked[tag, look] = self._by_marks(tag, marks)
        return found

    def linked(self, page: Page, node: NodeId) -> list[Marked]:
        """The steps that the target of a link gives."""
        return self._by_marks(page.tag[node], self.vocabulary.links(page, node))

    def _by_marks(self, tag: str, marks: Iterable[Mark]) -> list[Marked]:
        return [
            Marked(
                self.numbering.number(Step(tag, (mark.test,), deep=True)),
                COSTS[mark.family],
                mark.family,
            )
            for mark in marks
        ]

    def between(
        self, page: Page, context: NodeId, target: NodeId
    ) -> Sequence[Candidate]:
        """Paths from an element, or from the `DOCUMENT`, to an element below."""
        way = self.way(page, context, target)
        if (found := self._found.get(way)) is None:
            found = self._found[way] = self._between(page, context, target)
        return found

    def way(self, page: Page, context: NodeId, target: NodeId) -> Way:
        """What the paths to an element depend on, each part as a number."""
        of, parent, looks = id(page), page.parent, self._looks
        way = [-1 if context == DOCUMENT else 0]
        node = target
        while node != context:
            if (look := looks.get((of, node))) is None:
                look = looks[of, node] = self._look(page, node)
            way.append(look)
            node = parent[node]
        if (beside := self._beside.get((of, target))) is None:
            beside = self._beside[of, target] = self._number_of(
                (*self._other_marks(page, target),)
            )
        way.append(beside)
        return tuple(way)

    def _look(self, page: Page, node: NodeId) -> int:
        place = place_among_siblings(page, node)
        return self._number_of(
            (page.tag[node], self.vocabulary.look(page, node), place)
        )

    def _number_of(self, value: Hashable) -> int:
        return self._alike.setdefault(value, len(self._alike))

    def _other_marks(self, page: Page, node: NodeId) -> Iterator[Mark]:
        """What an element's target says of it, and what is beside it."""
        yield from self.vocabulary.links(page, node)
        yield from self.vocabulary.labels(page, node)

    def in_one_step(
        self, page: Page, context: NodeId, target: NodeId
    ) -> Iterator[Candidate]:
        """Those of the paths that rest on the element alone."""
        start = (DOCUMENT,) if context == DOCUMENT else ()
        return self._in_one_step(start, page.tag[target], self._here(page, target))

    def _here(self, page: Page, target: NodeId) -> list[Marked]:
        other = self._by_marks(page.tag[target], self._other_marks(page, target))
        return [*self.marked(page, target), *other]

    def _in_one_step(
        self, start: Steps, tag: str, here: Iterable[Marked]
    ) -> Iterator[Candidate]:
        own = ELEMENT if tag in ELEMENTS else TAG
        anywhere = self.numbering.number(Step(tag, deep=True))
        yield Candidate((*start, anywhere), COSTS[own], own)
        for mark in here:
            yield Candidate((*start, mark.step), mark.cost, mark.family)

    def _between(
        self, page: Page, context: NodeId, target: NodeId
    ) -> Sequence[Candidate]:
        """With one anchor, with two, with tags only, with positions; no step for the
        context itself."""
        start = (DOCUMENT,) if context == DOCUMENT else ()
        chain = chain_between(page, context, target)
        if not chain:
            return [Candidate(start, 0, TAG)]
        here = self._here(page, target)
        found = list(self._in_one_step(start, page.tag[target], here))

        def add(family: str, cost: int, steps: Steps) -> None:
            found.append(Candidate(start + steps, cost, family))

        anywhere = found[0].steps[-1]
        child = self.numbering.child
        whole_way = [self.numbering.number(Step(page.tag[one])) for one in chain]
        whole_way_placed = [
            self.numbering.number(one) for one in positioned(page, chain)
        ]
        for i, ancestor in enumerate(chain[:-1]):
            tags, placed = whole_way[i + 1 :], whole_way_placed[i + 1 :]
            length = STEP_COST * len(tags)
            if page.tag[ancestor] in ELEMENTS:
                anchor = self.numbering.number(Step(page.tag[ancestor], deep=True))
                add(ELEMENT, COSTS[ELEMENT] + length, (anchor, *tags))
                if len(tags) > 1:
                    add(ELEMENT, COSTS[ELEMENT] + length, (anchor, anywhere))
            for mark in self.marked(page, ancestor):
                cost = mark.cost + ANCHOR_COST
                for inner in here:
                    last = inner.step if len(tags) > 1 else child[inner.step]
                    family = weakest(mark.family, inner.family)
                    add(family, cost + inner.cost, (mark.step, last))
                inside = weakest(mark.family, CONTAINER)
                add(inside, cost + length, (mark.step, *tags))
                if len(tags) > 1:
                    add(inside, cost + length, (mark.step, anywhere))
                if placed != tags:
                    add(POSITION, cost + COSTS[POSITION], (mark.step, *placed))
        length = STEP_COST * len(whole_way)
        add(TAG, COSTS[TAG] + length, tuple(whole_way))
        if whole_way_placed != whole_way:
            add(POSITION, 2 * COSTS[POSITION] + length, tuple(whole_way_placed))
        return found


def least_of_others() -> int:
    """What any path costs at least that doesn't rest on its element alone."""
    mark = min(COSTS.values())
    anchored = mark + ANCHOR_COST + min(mark, STEP_COST)
    return min(anchored, *(COSTS[one] + STEP_COST for one in (ELEMENT, TAG)))


def chain_between(page: Page, ancestor: NodeId, node: NodeId) -> tuple[NodeId, ...]:
    """The elements from the child of `ancestor` down to `node`."""
    chain = []
    while node != ancestor:
        chain.append(node)
        node = page.parent[node]
    return tuple(reversed(chain))


def positioned(page: Page, chain: Sequence[NodeId]) -> list[Step]:
    """Child steps with positions, where an element has siblings of its tag."""
    places = [place_among_siblings(page, node) for node in chain]
    return [
        Step(page.tag[node], (Position(place),) if place else ())
        for node, place in zip(chain, places, strict=True)
    ]
