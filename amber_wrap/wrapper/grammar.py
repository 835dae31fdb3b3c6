"""XPath read back: of what `xpath` prints the value, to evaluate it on columns."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from amber_wrap.wrapper.xpath import (
    Contains,
    Equals,
    Every,
    Follows,
    HasStem,
    HasToken,
    Headed,
    Holds,
    Path,
    Position,
    Step,
    Test,
)

TEXT = r"""("[^"]*"|'[^']*'|concat\((?:"[^"]*"(?:, '"', )?)+\))"""
NAME = r"([\w.:-]+)"
TOKENS = rf'concat\(" ", normalize-space\(@{NAME}\)'
STEP = re.compile(rf"/(/?)(?:\*\[name\(\)={TEXT}\]|{NAME}|\*)")
TESTS: tuple[tuple[re.Pattern[str], Callable[..., Test]], ...] = tuple(
    (re.compile(pattern), make)
    for pattern, make in (
        (
            rf'contains\({TOKENS}, " "\), {TEXT}\)',
            lambda name, text: HasToken(name, unquoted(text)[1:-1]),
        ),
        (
            rf"contains\({TOKENS}\), {TEXT}\)",
            lambda name, text: HasStem(name, unquoted(text)[1:]),
        ),
        (rf"@{NAME}={TEXT}", lambda name, text: Equals(name, unquoted(text))),
        (
            rf"contains\(@{NAME}, {TEXT}\)",
            lambda name, text: Contains(name, unquoted(text)),
        ),
        (r"(\d+)", lambda index: Position(int(index))),
        (
            r"position\(\) mod (\d+) = (\d+)",
            lambda period, rest: Every(int(period), (int(rest) - 1) % int(period)),
        ),
        (
            rf"preceding-sibling::\*\[1\]\[normalize-space\(\)={TEXT}\]",
            lambda text: Follows(unquoted(text)),
        ),
        (
            rf"\*\[1\]\[normalize-space\(\)={TEXT}\]",
            lambda text: Headed(unquoted(text)),
        ),
    )
)


@lru_cache(maxsize=1 << 12)
def parsed(expression: str) -> Path | None:
    """The path that prints so; None for what only XPath itself can evaluate."""
    try:
        path, _ = _path(expression, 0)
    except (ValueError, ZeroDivisionError):
        return None
    return path if expression and str(path) == expression else None


def unquoted(literal: str) -> str:
    """The text that `xpath.literal` quoted."""
    if literal.startswith("concat("):
        return literal[8:-2].replace('", \'"\', "', '"')
    return literal[1:-1]


def _path(text: str, at: int) -> tuple[Path, int]:
    """The path that begins there, and where it ends."""
    absolute = text[at : at + 1] != "."
    at += not absolute
    steps = []
    while step := STEP.match(text, at):
        deep, odd, tag = step.groups()
        tests, at = [], step.end()
        while text[at : at + 1] == "[":
            test, at = _test(text, at + 1)
            tests.append(test)
            at += 1
        name = unquoted(odd) if odd else tag or "*"
        steps.append(Step(name, tuple(tests), bool(deep)))
    return Path(tuple(steps), absolute), at


def _test(text: str, at: int) -> tuple[Test, int]:
    """The test that begins there, and where it ends."""
    for pattern, make in TESTS:
        if found := pattern.match(text, at):
            return make(*found.groups()), found.end()
    if text[at : at + 1] != ".":
        raise ValueError(f"no test of paths: {text[at:]}")
    path, end = _path(text, at)
    return Holds(path), end
