"""Generate the XPath expressions that may select an element, with their costs.

An expression has at most two steps that test a feature, such as a class.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import partial
from operator import attrgetter
from typing import NamedTuple

from amber_wrap.cache import cached_method
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.engine.evaluator import DOCUMENT, indexes_of_siblings
from amber_wrap.selectors.costs_and_limits import COSTS, SEARCH, TAG
from amber_wrap.selectors.node_tests import ElementTest, NodeTests
from amber_wrap.selectors.path_generation import (
    BY_ATTRIBUTES,
    BY_INDEXES,
    BY_LABELS,
    BY_TAGS,
    Anchor,
    Chain,
    PathCandidate,
    PathPart,
)
from amber_wrap.selectors.step_numbers import StepNumbering
from amber_wrap.wrapper.xpath import LONGEST_EXPRESSION, Step


class ChainKey(NamedTuple):
    """The features of elements that determine which paths lead from a context element
    down to a target.

    Elements with equal features have equal paths.
    """

    is_absolute: bool
    """Whether the context is the whole page."""
    element_numbers: tuple[int, ...]
    """For each element on the way, a number that stands for its tag and the tests that
    its HTML attributes pass."""
    sibling_indexes: tuple[int, ...]
    """For each element on the way, its index among its siblings
    (`indexes_of_siblings`)."""
    label_number: int
    """A number that stands for the tests that the target's link address and labels
    pass."""


class PathGenerator:
    """A generator of XPath paths from an element to a descendant.

    The paths are cached, and used again for elements with equal features.
    """

    def __init__(self, node_tests: NodeTests) -> None:
        self.node_tests = node_tests
        self.numbering = StepNumbering()
        self._chains: dict[int, Chain] = {}
        self._part_of_key: dict[Hashable, PathPart] = {}
        self._parts_of_chain: dict[ChainKey, Sequence[PathPart]] = {}
        self._numbers: dict[Hashable, int] = {}
        self._element_numbers: dict[Page, dict[NodeId, int]] = defaultdict(dict)
        self._sibling_indexes: dict[Page, dict[NodeId, int]] = defaultdict(dict)
        self._label_numbers: dict[Page, dict[NodeId, int]] = defaultdict(dict)
        self._anchor = cached_method(self._new_anchor)
        self._own_anchors: dict[tuple[str, int], list[Anchor]] = {}
        self._label_anchors: dict[tuple[str, int], list[Anchor]] = {}
        self._link_anchors: dict[tuple[str, str], list[Anchor]] = {}

    def own_anchors(self, page: Page, node: NodeId) -> list[Anchor]:
        """Return one `.//` step to an element for each test that its HTML attributes
        pass.
        """
        key = page.tag[node], self.node_tests.own_tests_number(page, node)
        if (anchors := self._own_anchors.get(key)) is None:
            tests = self.node_tests.own_tests(page, node)
            anchors = self._own_anchors[key] = self._anchors_for(page.tag[node], tests)
        return anchors

    def link_anchors(self, page: Page, node: NodeId) -> list[Anchor]:
        """Return one `.//` step to a link for each test that the link target passes."""
        key = page.tag[node], page.attributes[node].get("href", "")
        if (anchors := self._link_anchors.get(key)) is None:
            tests = self.node_tests.link_tests(page, node)
            anchors = self._link_anchors[key] = self._anchors_for(page.tag[node], tests)
        return anchors

    def label_anchors(self, page: Page, node: NodeId) -> list[Anchor]:
        """Return one `.//` step to an element for each test that its link target or
        labels pass.
        """
        key = page.tag[node], self._label_number(page, node)
        if (anchors := self._label_anchors.get(key)) is None:
            tests = self._label_and_link_tests(page, node)
            anchors = self._anchors_for(page.tag[node], tests)
            self._label_anchors[key] = anchors
        return anchors

    def _label_and_link_tests(self, page: Page, node: NodeId) -> Iterator[ElementTest]:
        """Yield tests that an element passes, on its link target, its labels and the
        element before it.
        """
        yield from self.node_tests.link_tests(page, node)
        yield from self.node_tests.label_tests(page, node)
        yield from self.node_tests.neighbour_tests(page, node)

    def _anchors_for(self, tag: str, tests: Iterable[ElementTest]) -> list[Anchor]:
        """Return, for each test, the step to all descendants that have the tag and pass
        the test.

        For example, the step for the class `price` is `.//b[@class~="price"]`.
        """
        return [self._anchor(tag, test) for test in tests]

    def _new_anchor(self, tag: str, test: ElementTest) -> Anchor:
        """Return the step to all descendants that have a tag and pass a test."""
        number = self.numbering.number(Step(tag, (test.predicate,), deep=True))
        return Anchor(number, COSTS[test.family], test.family)

    def between(
        self, page: Page, context: NodeId, target: NodeId
    ) -> Sequence[PathCandidate]:
        """Return the paths from `context`, an element or the `DOCUMENT`, to `target`.

        The paths are sorted by the depth of the element that they test, then by the
        test.
        """
        chain_key = self.chain_key(page, context, target)
        parts = self.parts(page, context, target, chain_key)
        candidates = [path for part in parts for path in part.candidates]
        return sorted(candidates, key=attrgetter("rank"))

    def parts(
        self, page: Page, context: NodeId, target: NodeId, chain_key: ChainKey
    ) -> Sequence[PathPart]:
        """Return groups of paths from the element `context` to the element `target`
        within it.

        All paths of one group test features of the same elements. `chain_key` has the
        features of the elements on the way.
        """
        if (parts := self._parts_of_chain.get(chain_key)) is None:
            nodes = chain_between(page, context, target)
            parts = tuple(self._generate_parts(page, context, nodes, chain_key))
            self._parts_of_chain[chain_key] = parts
        return parts

    def _generate_parts(
        self, page: Page, context: NodeId, nodes: Sequence[NodeId], chain_key: ChainKey
    ) -> Iterator[PathPart]:
        """Yield groups of paths from a context through `nodes` to the last node.

        All paths of one group test features of the same elements. `chain_key` has the
        features of the elements in `nodes`.
        """
        if not nodes:
            itself = PathCandidate((), 0, TAG, (0, 0, BY_ATTRIBUTES, 0))
            yield self._part((), lambda: [itself])
            return
        chain, chain_number = self._chain(page, context, nodes)
        target, indexes = nodes[-1], chain_key.sibling_indexes
        target_number = chain_key.element_numbers[-1]
        label_number = chain_key.label_number
        target_anchors = self.own_anchors(page, target)
        label_anchors = self.label_anchors(page, target)
        yield self._part(chain_number, chain.by_tags)
        key: Hashable = (chain_number, BY_ATTRIBUTES, target_number)
        yield self._part(key, partial(chain.by_target, BY_ATTRIBUTES, target_anchors))
        if label_anchors:
            key = chain_number, BY_LABELS, label_number
            yield self._part(key, partial(chain.by_target, BY_LABELS, label_anchors))
        if any(indexes):
            key = chain_number, BY_INDEXES, indexes
            yield self._part(key, partial(chain.by_all_indexes, indexes))
        for level, node in enumerate(nodes[:-1]):
            anchors = self.own_anchors(page, node)
            if not anchors:
                continue
            ancestor = chain_number, level, chain_key.element_numbers[level]
            generate = partial(chain.by_ancestor, level, anchors)
            yield self._part((ancestor, BY_TAGS), generate)
            by_both = partial(chain.by_ancestor_and_target, level, anchors)
            generate = partial(by_both, BY_ATTRIBUTES, target_anchors)
            yield self._part((ancestor, BY_ATTRIBUTES, target_number), generate)
            if label_anchors:
                generate = partial(by_both, BY_LABELS, label_anchors)
                yield self._part((ancestor, BY_LABELS, label_number), generate)
            indexes_below = indexes[level + 1 :]
            if any(indexes_below):
                generate = partial(
                    chain.by_ancestor_and_indexes, level, anchors, indexes_below
                )
                yield self._part((ancestor, BY_INDEXES, indexes_below), generate)

    def _part(
        self, key: Hashable, generate: Callable[[], Iterable[PathCandidate]]
    ) -> PathPart:
        """Return the group of paths that is stored under `key`, or else call `generate`
        and store the group.

        Expressions of `LONGEST_EXPRESSION` or more characters are left out.
        """
        if (part := self._part_of_key.get(key)) is None:
            short_paths = [
                path
                for path in generate()
                if self.numbering.length(path.steps) < LONGEST_EXPRESSION
            ]
            part = self._part_of_key[key] = PathPart(tuple(short_paths))
        return part

    def _chain(
        self, page: Page, context: NodeId, nodes: Sequence[NodeId]
    ) -> tuple[Chain, int]:
        """Return a generator of paths from a context through `nodes`, and the number of
        the generator.

        Generators for the same tags have the same number.
        """
        start = (DOCUMENT,) if context == DOCUMENT else ()
        tags = tuple(page.tag[node] for node in nodes)
        number = self._number_of((start, tags))
        if number not in self._chains:
            self._chains[number] = Chain(start, tags, self.numbering)
        return self._chains[number], number

    def in_one_step(self, page: Page, target: NodeId) -> Iterator[PathCandidate]:
        """Yield the paths from the root of the page that test only the target
        element."""
        chain, _ = self._chain(page, DOCUMENT, [target])
        yield from chain.by_tags()
        yield from chain.by_target(BY_ATTRIBUTES, self.own_anchors(page, target))
        yield from chain.by_target(BY_LABELS, self.label_anchors(page, target))

    def around(
        self, page: Page, row: NodeId, target: NodeId, chain_key: ChainKey
    ) -> PathPart:
        """Return paths from a record's top node to the nearest elements around a value.

        A regular expression may find the value in the text of such an element. `row` is
        the top node, and `target` the value's element. `chain_key` has the features of
        the elements between them.
        """

        def generate() -> Iterator[PathCandidate]:
            ancestors = chain_between(page, row, target)[:-1]
            nearest_first = ancestors[::-1][: SEARCH.levels_above]
            for level, node in enumerate(nearest_first):
                for i, (step, cost, family) in enumerate(self.own_anchors(page, node)):
                    rank = -2, level, 0, i
                    yield PathCandidate((step,), cost + 1 + level, family, rank)

        return self._part(("around", chain_key.element_numbers), generate)

    def chain_key(self, page: Page, context: NodeId, target: NodeId) -> ChainKey:
        """Return the features of elements that determine the paths from a context to a
        target.
        """
        number_of, index_of = self._element_numbers[page], self._sibling_indexes[page]
        element_numbers: list[int] = []
        sibling_indexes: list[int] = []
        node = target
        while node != context:
            if (number := number_of.get(node)) is None:
                features = page.tag[node], self.node_tests.own_tests_number(page, node)
                number = number_of[node] = self._number_of(features)
            if node not in index_of:
                index_of.update(indexes_of_siblings(page, node))
            element_numbers.append(number)
            sibling_indexes.append(index_of[node])
            node = page.parent[node]
        return ChainKey(
            context == DOCUMENT,
            tuple(element_numbers[::-1]),
            tuple(sibling_indexes[::-1]),
            self._label_number(page, target),
        )

    def _label_number(self, page: Page, node: NodeId) -> int:
        """Return a number that stands for the tests on an element's link target and
        labels.

        Equal tests have equal numbers.
        """
        number_of = self._label_numbers[page]
        if (number := number_of.get(node)) is None:
            tests = tuple(self._label_and_link_tests(page, node))
            number = number_of[node] = self._number_of(tests)
        return number

    def _number_of(self, features: Hashable) -> int:
        """Return a number that stands for the given features.

        Equal features have the same number, and different features have different
        numbers.
        """
        return self._numbers.setdefault(features, len(self._numbers))


def chain_between(page: Page, ancestor: NodeId, node: NodeId) -> tuple[NodeId, ...]:
    """Return the elements from a child of `ancestor` down to `node`."""
    chain = []
    while node != ancestor:
        chain.append(node)
        node = page.parent[node]
    return tuple(reversed(chain))
