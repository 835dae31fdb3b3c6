"""What paths through a chain of elements rest on: anchors above, and their ends.

Paths are drawn in parts, by what they depend on: records whose elements are marked
alike have most paths in common, wherever among its siblings each element stands.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

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
from amber_wrap.wrapper.xpath import Position, Step

ELEMENTS = frozenset(
    "address article caption data dt figcaption figure footer h1 h2 h3 h4 h5 h6 header "
    "main mark nav time".split()
)
"""Tags that say what an element is for."""
OWN, BESIDE, TAGS, PLACES = range(4)
"""The parts in which paths with one anchor are drawn, in their order."""
Rank = tuple[int, int, int, int]
"""The level of an anchor, its number there, the part, the number in it."""


class Candidate(NamedTuple):
    """A path, its cost, the family of the weakest thing that it rests on; and its
    rank among all paths to an element, which decides between equals."""

    steps: Steps
    cost: int
    family: str
    rank: Rank


class Marked(NamedTuple):
    """The step to any depth that a mark gives."""

    step: int
    cost: int
    family: str


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """Some of the paths to an element."""

    candidates: Sequence[Candidate]


class Chain:
    """The elements from one below a context down to a target, without their places.

    `start` is what paths begin with; `marked` are the steps by own marks of each.
    """

    def __init__(
        self,
        start: Steps,
        tags: Sequence[str],
        marked: Sequence[Sequence[Marked]],
        numbering: Numbering,
    ) -> None:
        self._start, self._tags, self._marked = start, tags, marked
        self._numbering = numbering
        self._whole = tuple(numbering.number(Step(tag)) for tag in tags)
        self._anywhere = numbering.number(Step(tags[-1], deep=True))

    def anywhere(self) -> Candidate:
        """By the target's tag alone."""
        family = ELEMENT if self._tags[-1] in ELEMENTS else TAG
        rank = -1, -1, OWN, 0
        steps = *self._start, self._anywhere
        return Candidate(steps, COSTS[family], family, rank)

    def _anchors(self) -> Iterator[tuple[int, int, Marked]]:
        """The marks above the target, with their levels and numbers."""
        for level, marks in enumerate(self._marked[:-1]):
            for number, mark in enumerate(marks):
                yield level, number, mark

    def ends(self, part: int, ends: Sequence[Marked]) -> Iterator[Candidate]:
        """Marks of the target, alone and with one anchor each."""
        child, last, start = self._numbering.child, len(self._tags) - 2, self._start
        for i, (step, cost, family) in enumerate(ends):
            yield Candidate((*start, step), cost, family, (-1, 0, part, i))
        for level, number, mark in self._anchors():
            for i, (step, cost, family) in enumerate(ends):
                yield Candidate(
                    (*start, mark.step, step if level < last else child[step]),
                    mark.cost + ANCHOR_COST + cost,
                    weakest(mark.family, family),
                    (level, number, part, i),
                )

    def own(self) -> Iterator[Candidate]:
        """By tags and by the elements' own marks."""
        tags, whole = self._tags, self._whole
        yield self.anywhere()
        yield from self.ends(OWN, self._marked[-1])
        for level, tag in enumerate(tags[:-1]):
            if tag in ELEMENTS:
                anchor = self._numbering.number(Step(tag, deep=True))
                yield from self._through(anchor, COSTS[ELEMENT], ELEMENT, level, -1)
        for level, number, mark in self._anchors():
            family = weakest(mark.family, CONTAINER)
            cost = mark.cost + ANCHOR_COST
            yield from self._through(mark.step, cost, family, level, number)
        cost = COSTS[TAG] + STEP_COST * len(whole)
        yield Candidate(self._start + whole, cost, TAG, (len(tags), 0, TAGS, 0))

    def _through(
        self, anchor: int, cost: int, family: str, level: int, number: int
    ) -> Iterator[Candidate]:
        """From an anchor by tags, by all of them or by the last one."""
        tags = self._whole[level + 1 :]
        cost += STEP_COST * len(tags)
        steps = *self._start, anchor
        yield Candidate(steps + tags, cost, family, (level, number, TAGS, 0))
        if len(tags) > 1:
            steps = *steps, self._anywhere
            yield Candidate(steps, cost, family, (level, number, TAGS, 1))

    def placed(self, places: Sequence[int]) -> Iterator[Candidate]:
        """By the places of elements among their siblings, 0 for one that is alone."""
        placed = tuple(
            self._numbering.number(Step(tag, (Position(place),) if place else ()))
            for tag, place in zip(self._tags, places, strict=True)
        )
        lowest = max((i for i, place in enumerate(places) if place), default=0)
        for level, number, mark in self._anchors():
            if level < lowest:
                cost = mark.cost + ANCHOR_COST + COSTS[POSITION]
                steps = *self._start, mark.step, *placed[level + 1 :]
                yield Candidate(steps, cost, POSITION, (level, number, PLACES, 0))
        if any(places):
            cost, rank = 2 * COSTS[POSITION] + STEP_COST * len(placed), (len(placed), 0)
            yield Candidate(self._start + placed, cost, POSITION, (*rank, PLACES, 0))


def least_of_others() -> int:
    """What any path costs at least that doesn't rest on its element alone."""
    mark = min(COSTS.values())
    anchored = mark + ANCHOR_COST + min(mark, STEP_COST)
    return min(anchored, *(COSTS[one] + STEP_COST for one in (ELEMENT, TAG)))
