"""Number the steps of XPath expressions.

A path is kept as the numbers of its steps, since a few different steps form many paths.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from amber_wrap.engine.evaluator import DOCUMENT
from amber_wrap.wrapper.xpath import Path, Position, Step

K = TypeVar("K")

Steps = tuple[int, ...]
"""The numbers of a path's steps. The number `DOCUMENT` begins an absolute path."""


class Numbering:
    """A numbering of the steps of XPath expressions.

    Equal steps have the same number.
    """

    def __init__(self) -> None:
        self._steps: list[Step] = []
        self._lengths: list[int] = []
        self._numbers: dict[tuple[bool, str], int] = {}
        self._tests: dict[str, int] = {}
        self.placed = _Derived(self._place)
        self.child = _Derived(self._child)
        self._loosened = _Derived(self._loosen)
        self._quoted = _Derived(self._quote)

    def number(self, step: Step) -> int:
        """Return the number of a step."""
        number = self._numbers.setdefault((step.deep, str(step)), len(self._steps))
        if number == len(self._steps):
            self._steps.append(step)
            self._lengths.append(len("//") + len(str(step)))
        return number

    def path(self, steps: Steps) -> Path:
        """Return the path of the numbered steps."""
        absolute = steps[:1] == (DOCUMENT,)
        return Path(tuple([self._steps[one] for one in steps[absolute:]]), absolute)

    def length(self, steps: Steps) -> int:
        """Return the approximate length in characters of a path of numbered steps."""
        return sum([self._lengths[one] for one in steps if one != DOCUMENT])

    def loosened(self, steps: Steps) -> Steps:
        """Return the numbers of loose copies of the steps.

        A loose copy selects elements at any depth. A loose copy with tests accepts any
        tag.
        """
        return tuple([self._loosened[one] for one in steps])

    def quoted(self, steps: Steps) -> int:
        """Return a bit set of the tests in a path.

        Only tests that quote an id, a class or a text of the page are in the set.
        """
        found = 0
        for one in steps:
            found |= self._quoted[one]
        return found

    def _place(self, at: tuple[str, int]) -> int:
        """Return the number of the step to a child element.

        `at` consists of the tag of the child and its index among its siblings. Index 0
        stands for any child with the tag.
        """
        tag, place = at
        return self.number(Step(tag, (Position(place),) if place else ()))

    def _child(self, number: int) -> int:
        """Return the number of a copy of the step `number` on the child axis."""
        step = self._steps[number]
        return self.number(Step(step.tag, step.tests))

    def _loosen(self, number: int) -> int:
        return self.number(self._steps[number].loosened())

    def _quote(self, number: int) -> int:
        found = 0
        for test in self._steps[number].quoted:
            found |= 1 << self._tests.setdefault(test, len(self._tests))
        return found


class _Derived(dict[K, int]):
    """A cache of numbers that are computed at their first use."""

    def __init__(self, find: Callable[[K], int]) -> None:
        self._find = find

    def __missing__(self, one: K) -> int:
        found = self[one] = self._find(one)
        return found
