"""Expressions that could stand for a node, cheapest first.

What a step may test: ids, semantic attributes and class tokens that hold no extracted
value; positions come last.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from amber_wrap.annotate.names import LABELLING, icons, is_label, label_beside
from amber_wrap.dom.page import NAMING_ATTRIBUTES, NodeId, Page
from amber_wrap.wrapper.xpath import (
    Equals,
    HasToken,
    Holds,
    Path,
    Position,
    Step,
    Test,
    is_quotable,
    literal,
)

SEMANTIC_ATTRIBUTES = (*NAMING_ATTRIBUTES, "data-role", "role", "rel", "name")
"""Attributes that say what an element is for, whatever the page looks like."""

SEMANTIC_COST, ID_COST, TOKEN_COST, LABEL_COST = 1, 1, 2, 1
TAG_COST, POSITION_COST = 4, 16
SHORT_VALUE = 3
"""A value of fewer characters ("3") says nothing when a class token contains it."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A path and what it costs to rely on it: less is better."""

    path: Path
    cost: int

    def __str__(self) -> str:
        return str(self.path)


class Vocabulary:
    """What expressions may say about an element, extracted values left out."""

    def __init__(self, values: Iterable[str]) -> None:
        squeezed = {squeeze(value) for value in values}
        self._values = frozenset(v for v in squeezed if len(v) >= SHORT_VALUE)
        self._allowed: dict[str, bool] = {}

    def allows(self, word: str) -> bool:
        """Whether an expression can quote `word`, and may: no value, no number."""
        if word not in self._allowed:
            squeezed = squeeze(word)
            self._allowed[word] = (
                is_quotable(word)
                and not _numbered(word)
                and not any(value in squeezed for value in self._values)
            )
        return self._allowed[word]

    def tests(self, page: Page, node: NodeId) -> Iterator[tuple[Test, int]]:
        """The tests that an element passes, with their costs."""
        attributes = page.attributes[node]
        for name in SEMANTIC_ATTRIBUTES:
            value = attributes.get(name, "")
            if value and self.allows(value):
                yield Equals(name, value), SEMANTIC_COST
        identifier = attributes.get("id", "")
        if identifier and self.allows(identifier):
            yield Equals("id", identifier), ID_COST
        for token in dict.fromkeys(page.classes(node)):
            if self.allows(token):
                yield HasToken("class", token), TOKEN_COST

    def labels(self, page: Page, node: NodeId) -> Iterator[tuple[Test, int]]:
        """The tests on what is shown when an element is pointed at, and on its icon."""
        for name in LABELLING:
            label = page.attributes[node].get(name, "")
            if is_label(label) and self.allows(label):
                yield Equals(name, label), LABEL_COST
        label = label_beside(page, node)
        if label and self.allows(label):
            yield (
                Holds(f"preceding-sibling::*[1][normalize-space()={literal(label)}]"),
                LABEL_COST,
            )
        found = list(icons(page, node))
        if len(found) == 1:
            for test, cost in (
                *self.tests(page, found[0]),
                *self.labels(page, found[0]),
            ):
                step = Step(page.tag[found[0]], (test,))
                yield Holds(str(Path((step,)))), cost + LABEL_COST


def squeeze(text: str) -> str:
    """Letters and digits only, in one case: how values are sought in markup."""
    return "".join(c for c in text.casefold() if c.isalnum())


def _numbered(word: str) -> bool:
    """Whether the word carries a number that is likely one item's: `item-48213`."""
    return re.search(r"\d{4}", word) is not None


DOCUMENT: NodeId = -1
"""The context of absolute paths: the parent of the root element."""


def paths(
    page: Page, context: NodeId, target: NodeId, vocabulary: Vocabulary
) -> Iterator[Candidate]:
    """Paths from an element, or from the `DOCUMENT`, to an element below.

    With one anchor, with two, with tags only, with positions; `.` for the context
    itself.
    """
    absolute = context == DOCUMENT
    chain = chain_between(page, context, target)

    def candidate(cost: int, *steps: Step) -> Candidate:
        return Candidate(Path(steps, absolute), cost)

    if not chain:
        yield candidate(0)
        return
    tag = page.tag[target]
    here = [*vocabulary.tests(page, target), *vocabulary.labels(page, target)]
    yield candidate(TAG_COST, Step(tag, deep=True))
    for test, cost in here:
        yield candidate(cost, Step(tag, (test,), deep=True))
    for i, ancestor in enumerate(chain[:-1]):
        below = chain[i + 1 :]
        tags = [Step(page.tag[one]) for one in below]
        for test, cost in vocabulary.tests(page, ancestor):
            anchor = Step(page.tag[ancestor], (test,), deep=True)
            cost += TOKEN_COST
            for inner, more in here:
                last = Step(tag, (inner,), deep=len(tags) > 1)
                yield candidate(cost + more, anchor, last)
            yield candidate(cost + len(tags), anchor, *tags)
            if len(tags) > 1:
                yield candidate(cost + len(tags), anchor, Step(tag, deep=True))
            yield candidate(cost + POSITION_COST, anchor, *positioned(page, below))
    steps = [Step(page.tag[one]) for one in chain]
    yield candidate(TAG_COST + len(steps), *steps)
    yield candidate(2 * POSITION_COST + len(steps), *positioned(page, chain))


def chain_between(page: Page, ancestor: NodeId, node: NodeId) -> tuple[NodeId, ...]:
    """The elements from the child of `ancestor` down to `node`."""
    chain = []
    while node != ancestor:
        chain.append(node)
        node = page.parent[node]
    return tuple(reversed(chain))


def positioned(page: Page, chain: Sequence[NodeId]) -> tuple[Step, ...]:
    """Child steps with positions, where an element has siblings of its tag."""
    steps = []
    for node in chain:
        parent = page.parent[node]
        siblings = [node] if parent == DOCUMENT else page.child_elements(parent)
        same = [one for one in siblings if page.tag[one] == page.tag[node]]
        tests = (Position(same.index(node) + 1),) if len(same) > 1 else ()
        steps.append(Step(page.tag[node], tests))
    return tuple(steps)
