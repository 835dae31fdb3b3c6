"""Compile XPath expressions, and rewrite them in a form that libxml2 evaluates
faster.
"""

import re
from collections.abc import Callable
from threading import local
from typing import Final, cast

from lxml import etree

Node = etree._Element
_Select = Callable[..., list[Node]]
"""A function from a node to the nodes selected from it, in document order."""

_NAME: Final = r"[A-Za-z_][A-Za-z0-9_.-]*"
# A relative descendant step without predicates.
PLAIN_STEP: Final = re.compile(rf"\.//({_NAME}|\*)")
# A test of one attribute, in the form that `wrapper.xpath` prints.
TEST: Final = (
    rf'@{_NAME}="[^"]*"|contains\(@{_NAME}, "[^"]+"\)|contains\(concat\(" ", '
    rf'normalize-space\(@{_NAME}\)(?:, " ")?\), " (?P<token>[^"\s]+) ?"\)'
)
# A string literal, or a descendant step with a predicate that depends on no position.
DEEP_STEP: Final = re.compile(
    rf"""(?P<string>"[^"]*"|'[^']*')|//(?:(?P<tag>\*|{_NAME})\[(?P<test>{TEST})\]"""
    rf"""|(?=(?:\*|{_NAME})\[(?!\d|position|last)))"""
)
SECOND_COUNT: Final = re.compile(r"\]\[(?:\d|position|last)")


class Compiled(local):
    """The compiled XPath expressions of one thread.

    Threads share no expressions, because lxml locks an expression during its
    evaluation.
    """

    def __init__(self) -> None:
        self.by_expression: dict[str, _Select] = {}


COMPILED: Final = Compiled()


def xpath(expression: str) -> _Select:
    """Return the function that evaluates an XPath expression.

    Each thread compiles an expression only once.
    """
    found = COMPILED.by_expression.get(expression)
    if found is None:
        found = COMPILED.by_expression[expression] = _compiled(expression)
    return found


def _compiled(expression: str) -> _Select:
    """Return a new function that evaluates an XPath expression."""
    if step := PLAIN_STEP.fullmatch(expression):
        tag = step[1]
        return lambda node: list(node.iterdescendants(tag))
    made = etree.XPath(straight(expression), smart_strings=False, regexp=False)
    return cast("_Select", made)


def straight(expression: str) -> str:
    """Return an equivalent XPath expression that libxml2 evaluates faster.

    Steps such as `//a[@id="x"]` are replaced (`straight_step`). An expression such as
    `//a[@id][2]` is returned unchanged, because the replacement would change which
    element counts as the second.
    """
    if SECOND_COUNT.search(expression):
        return expression
    return DEEP_STEP.sub(straight_step, expression)


def straight_step(found: re.Match[str]) -> str:
    """Return the faster replacement for a match of `DEEP_STEP` in an XPath expression.

    For example, `//a[@id="x"]` becomes `/descendant::a/@id[.="x"]/parent::*`. If the
    match is a string literal, the literal is returned unchanged.
    """
    if not (test := found["test"]):
        return found["string"] or "/descendant::"
    _, name, _ = re.split(rf"(@{_NAME})", test, maxsplit=1)
    holds = f'[contains(., "{found["token"]}")]' if found["token"] else ""
    test = test.replace(name, ".", 1)
    return f"/descendant::{found['tag']}/{name}{holds}[{test}]/parent::*"
