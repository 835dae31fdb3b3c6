"""Evaluate XPath expressions on a `Page`, without an XPath engine.

The elements that pass the tests of a step are found once for each page.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import partial
from typing import Final

from amber_wrap.cache import remembered
from amber_wrap.dom.page import NodeId, Page, compiled_xpath
from amber_wrap.wrapper import xpath
from amber_wrap.wrapper.xpath import Expression, Path, Step, Test

BLANKS = re.compile("[ \t\r\n]+")
"""The whitespace that separates the tokens of an HTML attribute."""
Select = Callable[[NodeId], Sequence[NodeId]]
"""A function from a context element to the elements that a path selects, in document
order."""
DOCUMENT: NodeId = -1
"""The context of absolute paths: the parent of the root element."""


def select_nodes(page: Page, path: Path, context: NodeId = 0) -> Sequence[NodeId]:
    """Return the elements that a path selects from a context, in document order.

    The result equals `page.select(str(path), context)`, which uses an XPath engine.
    """
    return selector(page, path)(context)


def selector(page: Page, expression: Expression) -> Select:
    """Return a function that evaluates an expression from any element of a page.

    The function takes an element's number, and returns the numbers of the selected
    elements.
    """
    if isinstance(expression, xpath.Heading | xpath.Pinned):
        return partial(page.select, str(expression))
    path, steps = expression, expression.steps
    if not steps or any(step.deep for step in steps[1:]):
        return _stepwise_selector(page, path)
    if path.absolute:
        return _absolute_selector(page, steps)
    if len(steps) == 1:
        return _one_step_selector(page, steps[0])
    return _relative_selector(page, steps)


def _one_step_selector(page: Page, step: Step) -> Select:
    """Return the function that evaluates a relative path of one step."""
    size, parent = page.size, page.parent
    passing = _passing(page, step.name, step.tests)

    def descendants(context: NodeId) -> Sequence[NodeId]:
        """Return the descendants of the element `context` that the step selects."""
        start = bisect_left(passing, context + 1)
        return passing[start : bisect_left(passing, context + size[context], start)]

    def children(context: NodeId) -> Sequence[NodeId]:
        """Return the children of the element `context` that the step selects."""
        return [node for node in descendants(context) if parent[node] == context]

    return descendants if step.deep else children


def _relative_selector(page: Page, steps: Sequence[Step]) -> Select:
    """Return the function that evaluates a relative path of several steps.

    All steps after the first must be child steps.
    """
    size, parent, is_deep = page.size, page.parent, steps[0].deep
    *outer_steps, last = steps
    passing_outer_steps = [
        set(_passing(page, step.name, step.tests)) for step in reversed(outer_steps)
    ]
    targets: list[NodeId] = []
    # For each target, the element of the first step if `is_deep`, else its parent.
    tops: list[NodeId] = []
    # The elements that pass the last step are few.
    for target in _passing(page, last.name, last.tests):
        node = target
        for passing in passing_outer_steps:
            node = parent[node]
            if node not in passing:
                break
        else:
            targets.append(target)
            tops.append(node if is_deep else parent[node])

    def select(context: NodeId) -> Sequence[NodeId]:
        start = bisect_left(targets, context + 1)
        end = bisect_left(targets, context + size[context], start)
        if is_deep:
            return [targets[i] for i in range(start, end) if tops[i] > context]
        return [targets[i] for i in range(start, end) if tops[i] == context]

    return select


def _absolute_selector(page: Page, steps: Sequence[Step]) -> Select:
    """Return the function that evaluates an absolute path.

    All steps after the first must be child steps.
    """
    first, *further_steps = steps
    selected = _passing(page, first.name, first.tests)
    if not first.deep:
        selected = [node for node in selected if page.parent[node] == DOCUMENT]
    for step in further_steps:
        passing = set(_passing(page, step.name, step.tests))
        selected = [
            child
            for node in selected
            for child in page.child_elements(node)
            if child in passing
        ]
    selected = sorted(selected)
    return lambda context: selected


def _stepwise_selector(page: Page, path: Path) -> Select:
    """Return the function that evaluates any path, step by step."""
    size, parent = page.size, page.parent
    steps = [(step.deep, _passing(page, step.name, step.tests)) for step in path.steps]

    def select(context: NodeId) -> Sequence[NodeId]:
        selected = [DOCUMENT if path.absolute else context]
        for is_deep, passing in steps:
            inner: list[NodeId] = []
            covered = 0
            for node in selected:
                end = len(page) if node == DOCUMENT else node + size[node]
                if end > covered:  # Otherwise the node is within the previous one.
                    start = bisect_left(passing, node + 1)
                    inner += passing[start : bisect_left(passing, end, start)]
                    covered = end
            if not is_deep:
                parents = set(selected)
                inner = [node for node in inner if parent[node] in parents]
            if not inner:
                return inner
            selected = inner
        return selected

    return select


@remembered
def _passing(page: Page, name: str, tests: tuple[Test, ...]) -> Sequence[NodeId]:
    """Return the elements with the tag `name` that pass all tests, in document order.

    The tag "*" stands for any tag.
    """
    if not tests:
        return [node for node in page.elements() if name in ("*", page.tag[node])]
    *other_tests, test = tests

    def passing_other_tests() -> Sequence[NodeId]:
        """Return the elements with the tag `name` that pass all tests but the last."""
        return _passing(page, name, tuple(other_tests))

    match test:
        case xpath.Position(index):
            return _at_positions(page, passing_other_tests(), lambda i: i == index)
        case xpath.EveryNth(period, offset):
            first = (offset + 1) % period
            return _at_positions(
                page, passing_other_tests(), lambda i: i % period == first
            )
        case xpath.PathExists(path):
            contexts = _contexts_of(page, path)
            return [node for node in passing_other_tests() if node in contexts]
        case xpath.HasText(text, of):
            text_of = _TEXTS_OF[of]
            return [
                node for node in passing_other_tests() if text_of(page, node) == text
            ]
        case xpath.PreviousMatches(step):
            matching = set(_passing(page, step.name, step.tests))
            return [
                node
                for node in passing_other_tests()
                if page.previous(node) in matching
            ]
    with_attribute = _passing_attribute_test(page, test)
    if other_tests:
        passing = set(passing_other_tests())
        return [node for node in with_attribute if node in passing]
    return [node for node in with_attribute if name in ("*", page.tag[node])]


def _contexts_of(page: Page, path: Path) -> Set[NodeId]:
    """Return the elements that can be the context from which a path selects at least
    one element.
    """
    if path.absolute or not path.steps:
        return frozenset(filter(selector(page, path), page.elements()))
    contexts: set[NodeId] | None = None
    for step in reversed(path.steps):
        passing = set(_passing(page, step.name, step.tests))
        if contexts is not None:
            passing &= contexts
        contexts = set()
        for node in passing:
            node = page.parent[node]
            while node >= 0 and node not in contexts:
                contexts.add(node)
                if not step.deep:
                    break
                node = page.parent[node]
    return contexts or frozenset()


def _at_positions(
    page: Page, nodes: Iterable[NodeId], accepts: Callable[[int], bool]
) -> list[NodeId]:
    """Return those nodes for whose position `accepts` returns True.

    The position of a node is its number, from 1, among the `nodes` with the same
    parent.
    """
    last_position: dict[NodeId, int] = {}
    accepted = []
    for node in nodes:
        parent = page.parent[node]
        position = last_position[parent] = last_position.get(parent, 0) + 1
        if accepts(position):
            accepted.append(node)
    return accepted


def indexes_of_siblings(page: Page, node: NodeId) -> Iterator[tuple[NodeId, int]]:
    """Yield an element and its siblings, each with an index.

    The index is the number of the element, from 1, among its siblings with the same
    tag. It is 0 for an element without such siblings.
    """
    siblings = page.child_elements(page.parent[node]) if node else (node,)
    by_tag: dict[str, list[NodeId]] = defaultdict(list)
    for sibling in siblings:
        by_tag[page.tag[sibling]].append(sibling)
    for nodes in by_tag.values():
        if len(nodes) == 1:
            yield nodes[0], 0
            continue
        for position, same_tag_node in enumerate(nodes, start=1):
            yield same_tag_node, position


def _passing_attribute_test(page: Page, test: Test) -> Sequence[NodeId]:
    """Return the elements of a page that pass a test of an HTML attribute, in document
    order.

    Raise TypeError if `test` tests anything else.
    """
    match test:
        case xpath.Equals(attribute, value):
            by_value, _ = _by_attribute(page, attribute)
            return by_value.get(value, [])
        case xpath.HasToken(attribute, token):
            _, by_token = _by_attribute(page, attribute)
            return sorted(by_token.get(token, []))
        case xpath.HasStem(attribute, stem):
            _, by_token = _by_attribute(page, attribute)
            return _union(
                nodes for token, nodes in by_token.items() if token.startswith(stem)
            )
        case xpath.Contains(attribute, text):
            by_value, _ = _by_attribute(page, attribute)
            return _union(nodes for value, nodes in by_value.items() if text in value)
    raise TypeError(f"{test!r} is not an attribute test")


def _union(node_lists: Iterable[Sequence[NodeId]]) -> Sequence[NodeId]:
    """Return the nodes of all lists in document order, each node once."""
    return sorted({node for nodes in node_lists for node in nodes})


@remembered
def _by_attribute(
    page: Page, attribute: str
) -> tuple[Mapping[str, Sequence[NodeId]], Mapping[str, Sequence[NodeId]]]:
    """Return two dictionaries of the elements with an HTML attribute: by the value, and
    by each word in the value.

    For example, an element with two classes is under each class in the second
    dictionary. The elements of a word are unordered.
    """
    by_value: dict[str, list[NodeId]] = defaultdict(list)
    for node, attributes in enumerate(page.attributes):
        if attribute in attributes:
            by_value[attributes[attribute]].append(node)
    by_token: dict[str, list[NodeId]] = defaultdict(list)
    for value, nodes in by_value.items():
        for token in set(BLANKS.split(value)):
            by_token[token].extend(nodes)
    return by_value, by_token


def _text_of_previous(page: Page, node: NodeId) -> str | None:
    """Return the text of the sibling element before an element, with collapsed white
    space.

    Return None if the element is the first child of its parent.
    """
    previous = page.previous(node)
    return None if previous < 0 else normalized_text(page, previous)


@remembered
def _text_of_first_child(page: Page, node: NodeId) -> str | None:
    """Return the text of the first child element, with collapsed white space.

    Return None if there is no child element.
    """
    children = page.child_elements(node)
    return normalized_text(page, children[0]) if children else None


def normalized_text(page: Page, node: NodeId) -> str:
    """Return the text of an element with collapsed white space, like
    `normalize-space()` in XPath.
    """
    return str(compiled_xpath("normalize-space()")(page.element_of(node)))


_TEXTS_OF: Final[Mapping[str, Callable[[Page, NodeId], str | None]]] = {
    "": normalized_text,
    xpath.FIRST_CHILD: _text_of_first_child,
    xpath.PREVIOUS: _text_of_previous,
}
"""The functions that return the text which `HasText` compares."""
