"""Generate XPath location paths from a context element to a target element.

Each path tests features of a few elements on the way from context to target.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple

from amber_wrap.selectors.costs_and_limits import (
    ANCHOR_COST,
    CONTAINER,
    COSTS,
    ELEMENT,
    POSITION,
    STEP_COST,
    TAG,
    weakest_family,
)
from amber_wrap.selectors.step_numbers import StepNumbering, StepNumbers
from amber_wrap.wrapper.xpath import Step

SEMANTIC_TAGS = frozenset(
    "address article caption data dt figcaption figure footer h1 h2 h3 h4 h5 h6 header "
    "main mark nav time".split()
)
"""HTML tags that describe the purpose of an element."""
BY_ATTRIBUTES, BY_LABELS, BY_TAGS, BY_INDEXES = range(4)
"""Groups of XPath paths to an element, in order of preference: by the element's HTML
attributes, by its labels or link target, by tags, and by sibling indexes."""
Rank = tuple[int, int, int, int]
"""The sort key of paths with equal cost. It has four parts: the depth of a tested
element below the context, the index of the test, the group of the path (such as
`BY_TAGS`), and the path's index in the group."""


class PathCandidate(NamedTuple):
    """A path to an element, with its cost."""

    steps: StepNumbers
    """The numbers of the path's steps."""
    cost: int
    family: str
    """The kind of feature that the path tests, such as "class". Of several kinds, this
    is the one that changes most often."""
    rank: Rank
    """The sort key of paths with equal cost. Its four numbers are the depth of a tested
    element below the context, the index of the test, the group of the path (such as
    `BY_TAGS`), and the path's index in the group."""


class Anchor(NamedTuple):
    """An XPath step to descendants that have a given tag and pass one test."""

    step: int
    """The number of the step."""
    cost: int
    """The cost of the kind of feature, which is low if such features seldom change."""
    family: str
    """The kind of feature that is tested, such as "class"."""


@dataclass(frozen=True, slots=True, eq=False)
class PathPart:
    """A group of paths from one element to another that test features of the same
    elements.

    For example, all paths that test only HTML attributes of the target are one group.
    """

    candidates: Sequence[PathCandidate]


class Chain:
    """A generator of paths from a context element down to a target element.

    `tags` holds the tags of the elements on the way, of which the last is the target.
    """

    def __init__(
        self, start: StepNumbers, tags: Sequence[str], numbering: StepNumbering
    ) -> None:
        self._start, self._tags, self._numbering = start, tags, numbering
        self._all_steps = tuple([numbering.child_step(tag, 0) for tag in tags])
        self._target_anywhere = numbering.number(Step(tags[-1], deep=True))

    def by_tags(self) -> Iterator[PathCandidate]:
        """Yield the paths from the context to the target that test only tags."""
        tags = self._tags
        family = ELEMENT if tags[-1] in SEMANTIC_TAGS else TAG
        steps = (*self._start, self._target_anywhere)
        yield PathCandidate(steps, COSTS[family], family, (-1, -1, BY_ATTRIBUTES, 0))
        for level, tag in enumerate(tags[:-1]):
            if tag in SEMANTIC_TAGS:
                anchor = self._numbering.number(Step(tag, deep=True))
                yield from self._through(anchor, COSTS[ELEMENT], ELEMENT, level, -1)
        steps = self._start + self._all_steps
        cost = COSTS[TAG] + STEP_COST * len(self._all_steps)
        yield PathCandidate(steps, cost, TAG, (len(tags), 0, BY_TAGS, 0))

    def by_target(
        self, group: int, target_anchors: Iterable[Anchor]
    ) -> Iterator[PathCandidate]:
        """Yield paths to the target that test one feature of the target.

        `target_anchors` has the steps to the target, each with one test. `group` is a
        part of the paths' sort key.
        """
        for index, (step, cost, family) in enumerate(target_anchors):
            rank = -1, 0, group, index
            yield PathCandidate((*self._start, step), cost, family, rank)

    def by_ancestor_and_target(
        self,
        level: int,
        ancestor_anchors: Sequence[Anchor],
        group: int,
        target_anchors: Sequence[Anchor],
    ) -> Iterator[PathCandidate]:
        """Yield paths that test a feature of an ancestor and a feature of the target.

        The ancestor is at `level`, where 0 is the child of the context. The two lists
        of anchors are steps to the ancestor and to the target, with one test each.
        `group` is a part of the paths' sort key.
        """
        is_parent = level == len(self._tags) - 2
        for number, ancestor in enumerate(ancestor_anchors):
            for index, (step, cost, family) in enumerate(target_anchors):
                last_step = self._numbering.as_child_step(step) if is_parent else step
                yield PathCandidate(
                    (*self._start, ancestor.step, last_step),
                    ancestor.cost + ANCHOR_COST + cost,
                    weakest_family(ancestor.family, family),
                    (level, number, group, index),
                )

    def by_ancestor(
        self, level: int, ancestor_anchors: Sequence[Anchor]
    ) -> Iterator[PathCandidate]:
        """Yield paths that test one feature of an ancestor, and then only tags.

        `ancestor_anchors` holds steps to the ancestor at `level`, each with one test.
        """
        for number, (step, cost, anchor_family) in enumerate(ancestor_anchors):
            family = weakest_family(anchor_family, CONTAINER)
            yield from self._through(step, cost + ANCHOR_COST, family, level, number)

    def _through(
        self, anchor: int, cost: int, family: str, level: int, number: int
    ) -> Iterator[PathCandidate]:
        """Yield paths that consist of a step with a test, and then of steps that test
        only tags.

        `anchor` is the number of the first step, which leads to the element at `level`.
        `cost` is the cost of this step, and `family` the kind of feature that it tests.
        `number` is a part of the paths' sort key.
        """
        steps_below = self._all_steps[level + 1 :]
        cost += STEP_COST * len(steps_below)
        steps = *self._start, anchor
        rank = level, number, BY_TAGS, 0
        yield PathCandidate(steps + steps_below, cost, family, rank)
        if len(steps_below) > 1:
            steps = *steps, self._target_anywhere
            yield PathCandidate(steps, cost, family, (level, number, BY_TAGS, 1))

    def by_ancestor_and_indexes(
        self, level: int, ancestor_anchors: Sequence[Anchor], indexes: Sequence[int]
    ) -> Iterator[PathCandidate]:
        """Yield paths that test a feature of an ancestor, and the positions of the
        elements below the ancestor.

        `indexes` has positions among siblings of the same tag, or 0 for an element
        without such siblings.
        """
        full_steps = self._indexed_steps(level + 1, indexes)
        alternatives = [full_steps]
        only_children = next(i for i, index in enumerate(indexes) if index)
        if only_children > 1:
            last_only_child = Step(self._tags[level + only_children], deep=True)
            short_steps = full_steps[only_children:]
            alternatives = [
                (self._numbering.number(last_only_child), *short_steps),
                full_steps,
            ]
        for number, (step, cost, _) in enumerate(ancestor_anchors):
            cost += ANCHOR_COST + COSTS[POSITION]
            for i, steps in enumerate(alternatives):
                rank = level, number, BY_INDEXES, i
                yield PathCandidate((*self._start, step, *steps), cost, POSITION, rank)

    def by_all_indexes(self, indexes: Sequence[int]) -> Iterator[PathCandidate]:
        """Yield the path that tests the positions of all elements from the context to
        the target.

        `indexes` has positions among siblings of the same tag, or 0 for an element
        without such siblings.
        """
        steps = self._indexed_steps(0, indexes)
        cost = 2 * COSTS[POSITION] + STEP_COST * len(steps)
        rank = len(steps), 0, BY_INDEXES, 0
        yield PathCandidate(self._start + steps, cost, POSITION, rank)

    def _indexed_steps(self, first_level: int, indexes: Sequence[int]) -> StepNumbers:
        """Return child steps from the element at `first_level` down to the target.

        `indexes` has positions among siblings of the same tag, or 0 for an element
        without such siblings.
        """
        tags = self._tags[first_level:]
        return tuple(map(self._numbering.child_step, tags, indexes))


def least_multiple_step_cost() -> int:
    """Return the lowest cost that an XPath path with several steps may have."""
    least = min(COSTS.values())
    least_by_anchor = least + ANCHOR_COST + min(least, STEP_COST)
    least_by_tag = min(COSTS[ELEMENT], COSTS[TAG]) + STEP_COST
    return min(least_by_anchor, least_by_tag)


def cheapest_first(
    cheap: Iterable[PathCandidate], further: Iterable[PathCandidate], limit: int
) -> Iterator[PathCandidate]:
    """Yield paths from the cheapest to the most expensive, without duplicates.

    Paths that cost less than `limit` come from `cheap`. All other paths come from
    `further`, which is read only when needed.
    """
    for candidates in (
        (path for path in cheap if path.cost < limit),
        (path for path in further if path.cost >= limit),
    ):
        different: dict[StepNumbers, PathCandidate] = {}
        for path in sorted(candidates, key=attrgetter("cost")):
            different.setdefault(path.steps, path)
        yield from different.values()
