"""The paths through a chain of elements, by what they rest on.

They are drawn in parts: elements that differ in the mark of one that is around them, or
in their places among siblings, have the other parts in common.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from amber_wrap.selectors.robustness_costs import (
    ANCHOR_COST,
    CONTAINER,
    COSTS,
    ELEMENT,
    POSITION,
    STEP_COST,
    TAG,
    weakest,
)
from amber_wrap.selectors.step_numbers import Numbering, Steps
from amber_wrap.wrapper.xpath import Step

ELEMENTS = frozenset(
    "address article caption data dt figcaption figure footer h1 h2 h3 h4 h5 h6 header "
    "main mark nav time".split()
)
"""Tags that say what an element is for."""
OWN, BESIDE, TAGS, PLACES = range(4)
"""The parts in which paths with one anchor are drawn, in their order."""
Rank = tuple[int, int, int, int]
"""The level of an anchor, its number there, the part, the number in it."""


class PathCandidate(NamedTuple):
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
class PathPart:
    """Some of the paths to an element."""

    candidates: Sequence[PathCandidate]


class Chain:
    """The tags of elements, from one below a context down to a target.

    `start` is what paths begin with.  Levels count from the first element.
    """

    def __init__(self, start: Steps, tags: Sequence[str], numbering: Numbering) -> None:
        self._start, self._tags, self._numbering = start, tags, numbering
        self._whole = tuple([numbering.placed[tag, 0] for tag in tags])
        self._anywhere = numbering.number(Step(tags[-1], deep=True))

    def by_tags(self) -> Iterator[PathCandidate]:
        """By tags alone."""
        tags, whole = self._tags, self._whole
        family, rank = ELEMENT if tags[-1] in ELEMENTS else TAG, (-1, -1, OWN, 0)
        yield PathCandidate((*self._start, self._anywhere), COSTS[family], family, rank)
        for level, tag in enumerate(tags[:-1]):
            if tag in ELEMENTS:
                anchor = self._numbering.number(Step(tag, deep=True))
                yield from self._through(anchor, COSTS[ELEMENT], ELEMENT, level, -1)
        cost, rank = COSTS[TAG] + STEP_COST * len(whole), (len(tags), 0, TAGS, 0)
        yield PathCandidate(self._start + whole, cost, TAG, rank)

    def by_target(self, part: int, ends: Iterable[Marked]) -> Iterator[PathCandidate]:
        """By marks of the target."""
        for i, (step, cost, family) in enumerate(ends):
            yield PathCandidate((*self._start, step), cost, family, (-1, 0, part, i))

    def by_two(
        self, level: int, marks: Sequence[Marked], part: int, ends: Sequence[Marked]
    ) -> Iterator[PathCandidate]:
        """By a mark of an element above, and by one of the target."""
        child, is_near = self._numbering.child, level == len(self._tags) - 2
        for number, mark in enumerate(marks):
            for i, (step, cost, family) in enumerate(ends):
                yield PathCandidate(
                    (*self._start, mark.step, child[step] if is_near else step),
                    mark.cost + ANCHOR_COST + cost,
                    weakest(mark.family, family),
                    (level, number, part, i),
                )

    def by_container(
        self, level: int, marks: Sequence[Marked]
    ) -> Iterator[PathCandidate]:
        """By a mark of an element above, and tags from there."""
        for number, (step, cost, family) in enumerate(marks):
            inside = weakest(family, CONTAINER)
            yield from self._through(step, cost + ANCHOR_COST, inside, level, number)

    def _through(
        self, anchor: int, cost: int, family: str, level: int, number: int
    ) -> Iterator[PathCandidate]:
        """From an anchor by tags, by all of them or by the last one."""
        tags = self._whole[level + 1 :]
        cost += STEP_COST * len(tags)
        steps = *self._start, anchor
        yield PathCandidate(steps + tags, cost, family, (level, number, TAGS, 0))
        if len(tags) > 1:
            steps = *steps, self._anywhere
            yield PathCandidate(steps, cost, family, (level, number, TAGS, 1))

    def by_places(
        self, level: int, marks: Sequence[Marked], places: Sequence[int]
    ) -> Iterator[PathCandidate]:
        """By a mark of an element above, and the places among their siblings of those
        below it, 0 for one that is alone."""
        placed = self._placed(level + 1, places)
        for number, (step, cost, _) in enumerate(marks):
            steps = *self._start, step, *placed
            cost += ANCHOR_COST + COSTS[POSITION]
            yield PathCandidate(steps, cost, POSITION, (level, number, PLACES, 0))

    def by_all_places(self, places: Sequence[int]) -> Iterator[PathCandidate]:
        """By the places of all elements."""
        placed = self._placed(0, places)
        cost, rank = 2 * COSTS[POSITION] + STEP_COST * len(placed), (len(placed), 0)
        yield PathCandidate(self._start + placed, cost, POSITION, (*rank, PLACES, 0))

    def _placed(self, first: int, places: Sequence[int]) -> Steps:
        """The steps from a level on, to elements at these places."""
        placed, tags = self._numbering.placed, self._tags[first:]
        return tuple([placed[at] for at in zip(tags, places, strict=True)])


def least_of_others() -> int:
    """What any path costs at least that doesn't rest on its element alone."""
    mark = min(COSTS.values())
    anchored = mark + ANCHOR_COST + min(mark, STEP_COST)
    return min(anchored, *(COSTS[one] + STEP_COST for one in (ELEMENT, TAG)))
