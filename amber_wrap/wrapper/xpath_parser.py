"""Parse the XPath expressions of stored wrappers into the classes of
`wrapper.xpath`.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from amber_wrap.wrapper import xpath
from amber_wrap.wrapper.xpath import NO_XML, Expression, Path, Step, check_length

_LITERAL = r"""("[^"]*"|'[^']*'|concat\((?:"[^"]*"(?:, '"', )?)+\))"""
_NAME = r"([^\W\d][\w.-]*)"
TOKENS = rf'concat\(" ", normalize-space\(@{_NAME}\)'
_NODE_TEST = rf"(?:\*\[name\(\)={_LITERAL}\]|{_NAME}|\*)"
STEP = re.compile(rf"/(/?){_NODE_TEST}")
_PREVIOUS = re.compile(rf"preceding-sibling::\*\[1\]/self::{_NODE_TEST}")
TESTS: tuple[tuple[re.Pattern[str], Callable[..., xpath.Test]], ...] = tuple(
    (re.compile(pattern), make_test)
    for pattern, make_test in (
        (
            rf'contains\({TOKENS}, " "\), {_LITERAL}\)',
            lambda name, token: xpath.HasToken(name, token[1:-1]),
        ),
        (
            rf"contains\({TOKENS}\), {_LITERAL}\)",
            lambda name, stem: xpath.HasStem(name, stem[1:]),
        ),
        (rf"@{_NAME}={_LITERAL}", xpath.Equals),
        (rf"contains\(@{_NAME}, {_LITERAL}\)", xpath.Contains),
        (
            rf"contains\(@\*\[name\(\)={_LITERAL}\], {_LITERAL}\)",
            xpath.Contains,
        ),
        (r"(\d+)", lambda index: xpath.Position(int(index))),
        (
            r"position\(\) mod ([1-9]\d*) = (\d+)",
            lambda n, rest: xpath.EveryNth(int(n), (int(rest) - 1) % int(n)),
        ),
        (
            rf"(preceding-sibling::\*\[1\]|\*\[1\])\[normalize-space\(\)={_LITERAL}\]",
            lambda of, text: xpath.HasText(text, of),
        ),
        (rf"normalize-space\(\)={_LITERAL}", xpath.HasText),
    )
)
"""Pairs of a regular expression for the content of an XPath predicate, and a function
from the matched groups to an object for the predicate."""


_HEADING = re.compile(r"\./preceding(?:::|-sibling::(?=tr\[))(\w+)\[.*")


def parse_path(text: str) -> Path:
    """Return the `Path` object for an XPath location path.

    Raise ValueError if the text is no path that a `Path` can represent.
    """
    check_length(text)
    try:
        path, _ = _path(text, 0)
    except (ValueError, RecursionError):
        path = Path()
    if not text or str(path) != text or NO_XML.search(text):
        raise ValueError(f"not a path of a wrapper: {text!r}")
    return path


def parse_expression(text: str) -> Expression:
    """Return the `Path` or `Heading` object for an XPath expression.

    Raise ValueError if the text is no expression that these classes can represent.
    """
    if match := _HEADING.fullmatch(text):
        heading = xpath.Heading(match[1])
        if str(heading) == text:
            return heading
    return parse_path(text)


def _unquoted(literal: str) -> str:
    """Return the text that an XPath string literal stands for.

    Return any other argument, such as a number, unchanged.
    """
    if literal.startswith("concat("):
        return literal[8:-2].replace('", \'"\', "', '"')
    return literal[1:-1] if literal[0] in "\"'" else literal


def _path(text: str, offset: int) -> tuple[Path, int]:
    """Return the path that begins at the index `offset` in a text, and the index of its
    end.
    """
    is_absolute = not text.startswith(".", offset)
    if not is_absolute:
        offset += 1
    steps = []
    while match := STEP.match(text, offset):
        slash, literal, name = match.groups()
        tests, offset = _tests(text, match.end())
        steps.append(Step(_tag(literal, name), tests, deep=bool(slash)))
    return Path(tuple(steps), is_absolute), offset


def _tag(literal: str | None, name: str | None) -> str:
    """Return the tag of an XPath node test, from a quoted string or a plain name.

    Return `*` if both are None.
    """
    return _unquoted(literal) if literal else name or "*"


def _tests(text: str, offset: int) -> tuple[tuple[xpath.Test, ...], int]:
    """Return the predicates that begin at the index `offset` in a text, and the index
    of their end.
    """
    tests = []
    while text.startswith("[", offset):
        test, offset = _test(text, offset + 1)
        tests.append(test)
        offset += 1
    return tuple(tests), offset


def _test(text: str, offset: int) -> tuple[xpath.Test, int]:
    """Return the predicate whose content begins at the index `offset` in a text, and
    the index of its end.

    Raise ValueError if there is no predicate that a wrapper's paths may have.
    """
    for pattern, make_test in TESTS:
        if match := pattern.match(text, offset):
            return make_test(*map(_unquoted, match.groups())), match.end()
    if match := _PREVIOUS.match(text, offset):
        tests, end = _tests(text, match.end())
        return xpath.PreviousMatches(Step(_tag(*match.groups()), tests)), end
    if not text.startswith(".", offset):
        raise ValueError(f"not a test of a path: {text[offset:]}")
    path, end = _path(text, offset)
    return xpath.PathExists(path), end
