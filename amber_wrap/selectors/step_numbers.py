"""Number the steps of XPath expressions, to compare paths as tuples of numbers."""

from __future__ import annotations

from amber_wrap.cache import cached_method
from amber_wrap.engine.evaluator import DOCUMENT
from amber_wrap.wrapper.xpath import Path, Position, Step

StepNumbers = tuple[int, ...]
"""An XPath location path, as one number for each step. A `StepNumbering` gives each
different step, such as `div[2]`, its number. An absolute path begins with the number
`DOCUMENT`, which stands for no step."""


class StepNumbering:
    """A numbering of the steps of XPath expressions.

    Equal steps have the same number.
    """

    def __init__(self) -> None:
        self._steps: list[Step] = []
        self._lengths: list[int] = []
        self._numbers: dict[tuple[bool, str], int] = {}
        self._test_numbers: dict[str, int] = {}
        self.child_step = cached_method(self._child_step)
        self.as_child_step = cached_method(self._as_child_step)
        self._loosened = cached_method(self._loosened_step)
        self._quoted = cached_method(self._quoted_tests)

    def number(self, step: Step) -> int:
        """Return the number of an XPath step, which is a new number for a new step."""
        number = self._numbers.setdefault((step.deep, str(step)), len(self._steps))
        if number == len(self._steps):
            self._steps.append(step)
            self._lengths.append(len("//") + len(str(step)))
        return number

    def path(self, steps: StepNumbers) -> Path:
        """Return the XPath path that consists of the steps with the given numbers."""
        is_absolute = steps[:1] == (DOCUMENT,)
        relative_steps = steps[1:] if is_absolute else steps
        return Path(tuple([self._steps[step] for step in relative_steps]), is_absolute)

    def length(self, steps: StepNumbers) -> int:
        """Return the approximate length in characters of a path of numbered steps."""
        return sum([self._lengths[step] for step in steps if step != DOCUMENT])

    def loosened(self, steps: StepNumbers) -> StepNumbers:
        """Return the numbers of looser copies of the steps.

        A looser step selects elements at any depth, and with any tag if the step has
        tests.
        """
        return tuple(map(self._loosened, steps))

    def quoted(self, steps: StepNumbers) -> int:
        """Return a bit set with a bit for each test in a path, except for tests of
        positions.
        """
        test_bits = 0
        for step in steps:
            test_bits |= self._quoted(step)
        return test_bits

    def _child_step(self, tag: str, index: int) -> int:
        """Return the number of the step to the child elements with a tag, or to one of
        them.

        `index` counts the siblings with the tag from 1, and 0 stands for all of them.
        """
        return self.number(Step(tag, (Position(index),) if index else ()))

    def _as_child_step(self, number: int) -> int:
        """Return the number of a copy of a step that selects only children."""
        step = self._steps[number]
        return self.number(Step(step.tag, step.tests))

    def _loosened_step(self, number: int) -> int:
        """Return the number of a looser copy of the step `number`.

        The copy selects elements at any depth, and with any tag if the step has tests.
        """
        return self.number(self._steps[number].loosened())

    def _quoted_tests(self, number: int) -> int:
        """Return a bit set with a bit for each test in a step, except for tests of
        positions.
        """
        test_bits = 0
        for test in self._steps[number].quoted:
            test_bits |= 1 << self._test_numbers.setdefault(
                test, len(self._test_numbers)
            )
        return test_bits
