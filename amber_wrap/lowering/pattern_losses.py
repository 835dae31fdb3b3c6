"""Find fields whose regular expression is simpler in a generated file than in the
wrapper.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from amber_wrap.lowering.domain_patterns import shortened
from amber_wrap.lowering.program import Program
from amber_wrap.values.regular_expressions import compose
from amber_wrap.wrapper.ir import Wrapper


class PatternLoss(NamedTuple):
    """A field whose regular expression is simpler in the generated file than in the
    wrapper.

    `field` is the name of the field. `pattern` is the expression in the generated file,
    "" for whole texts. `name` is the name of the wrapper's expression. `length` is the
    length of the wrapper's expression in characters.
    """

    field: str
    pattern: str
    name: str
    length: int


def find_pattern_losses(wrapper: Wrapper, program: Program) -> Iterator[PatternLoss]:
    """Yield the fields whose regular expression is simpler in the program than in the
    wrapper.

    `program` is the content of the generated file. `wrapper` must be the wrapper that
    lowering returned with the program.
    """
    patterns = dict(wrapper.patterns)
    for area, page_list in zip(wrapper.areas, program.lists, strict=True):
        rules = {rule.name: rule for rule in area.fields}
        for column in page_list.columns:
            full_patterns = {
                locator.pattern: compose(locator.pattern, patterns)
                for reading in area.followed_readings(rules[column.name])
                for locator in reading.locators
                if locator.pattern
            }
            copied = {shortened(pattern) for pattern in full_patterns.values()}
            for pattern in dict.fromkeys(read.pattern for read in column.reads):
                if full_patterns and pattern not in copied:
                    name, full_pattern = next(iter(full_patterns.items()))
                    yield PatternLoss(column.name, pattern, name, len(full_pattern))
