"""XPath read back: of what `xpath` prints the value, for wrappers that were written."""

from __future__ import annotations

import re
from collections.abc import Callable

from amber_wrap.wrapper.xpath import (
    After,
    Contains,
    Equals,
    Every,
    Expression,
    Follows,
    HasStem,
    HasToken,
    Headed,
    Heading,
    Holds,
    Path,
    Position,
    Says,
    Step,
    Test,
    is_quotable,
)

TEXT = r"""("[^"]*"|'[^']*'|concat\((?:"[^"]*"(?:, '"', )?)+\))"""
NAME = r"([\w.:-]+)"
TOKENS = rf'concat\(" ", normalize-space\(@{NAME}\)'
TAG = rf"(?:\*\[name\(\)={TEXT}\]|{NAME}|\*)"
STEP = re.compile(rf"/(/?){TAG}")
BEFORE = re.compile(rf"preceding-sibling::\*\[1\]/self::{TAG}")
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
            r"position\(\) mod ([1-9]\d*) = (\d+)",
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
        (rf"normalize-space\(\)={TEXT}", lambda text: Says(unquoted(text))),
    )
)


HEADING = re.compile(r"\./preceding(?:::|-sibling::(?=tr\[))(\w+)\[.*")


def parse_path(text: str) -> Path:
    """The path that prints so; raises ValueError where none does."""
    try:
        path, _ = _path(text, 0)
    except ValueError:
        path = Path()
    if not text or str(path) != text or not is_quotable(text):
        raise ValueError(f"no path of wrappers: {text!r}")
    return path


def parse_expression(text: str) -> Expression:
    """The expression that prints so; raises ValueError where none does."""
    if heading := HEADING.fullmatch(text):
        found = Heading(heading[1])
        if str(found) == text:
            return found
    return parse_path(text)


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
        tests, at = _tests(text, step.end())
        steps.append(Step(_tag(odd, tag), tests, bool(deep)))
    return Path(tuple(steps), absolute), at


def _tag(odd: str | None, tag: str | None) -> str:
    return unquoted(odd) if odd else tag or "*"


def _tests(text: str, at: int) -> tuple[tuple[Test, ...], int]:
    """The tests that begin there, and where they end."""
    tests = []
    while text[at : at + 1] == "[":
        test, at = _test(text, at + 1)
        tests.append(test)
        at += 1
    return tuple(tests), at


def _test(text: str, at: int) -> tuple[Test, int]:
    """The test that begins there, and where it ends."""
    for pattern, make in TESTS:
        if found := pattern.match(text, at):
            return make(*found.groups()), found.end()
    if before := BEFORE.match(text, at):
        tests, end = _tests(text, before.end())
        return After(Step(_tag(*before.groups()), tests)), end
    if text[at : at + 1] != ".":
        raise ValueError(f"no test of paths: {text[at:]}")
    path, end = _path(text, at)
    return Holds(path), end
