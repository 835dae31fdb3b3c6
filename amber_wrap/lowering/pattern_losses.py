"""What a generated file's patterns cut off: those of the wrapper read more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from amber_wrap.lowering.patterns import plain
from amber_wrap.lowering.program import Program
from amber_wrap.values.patterns import compose
from amber_wrap.wrapper.ir import Wrapper


class PatternLoss(NamedTuple):
    """A field that a file reads through a simpler `pattern`, "" for whole texts, than
    the wrapper's pattern `name`, which has so many characters."""

    field: str
    pattern: str
    name: str
    length: int


def cuts(wrapper: Wrapper, program: Program) -> Iterator[PatternLoss]:
    """Yield the simpler patterns of a program, field by field; `wrapper` is
    lowered, too.
    """
    patterns = dict(wrapper.patterns)
    for area, one in zip(wrapper.areas, program.lists, strict=True):
        rules = {rule.name: rule for rule in area.fields}
        for column in one.columns:
            named = {
                locator.pattern: compose(locator.pattern, patterns)
                for reading in area.followed_readings(rules[column.name])
                for locator in reading.locators
                if locator.pattern
            }
            whole = {plain(full) for full in named.values()}
            for pattern in dict.fromkeys(read.pattern for read in column.reads):
                if named and pattern not in whole:
                    name, full = next(iter(named.items()))
                    yield PatternLoss(column.name, pattern, name, len(full))
