"""XPath expressions, compiled; what is read most is as fast as lxml can be."""

import re
from collections.abc import Callable
from threading import local
from typing import Final, cast

from lxml import etree

Node = etree._Element
_Select = Callable[..., list[Node]]
"""Called with a node, it gives those selected, in document order."""

_NAME: Final = r"[A-Za-z_][A-Za-z0-9_.-]*"
# A step to any depth without predicates, from a node.
PLAIN_STEP: Final = re.compile(rf"\.//({_NAME}|\*)")
# A test of one attribute, as it is printed.
TEST: Final = (
    rf'@{_NAME}="[^"]*"|contains\(@{_NAME}, "[^"]+"\)|contains\(concat\(" ", '
    rf'normalize-space\(@{_NAME}\)(?:, " ")?\), " (?P<token>[^"\s]+) ?"\)'
)
# A string, or a step to any depth with a predicate that doesn't count.
DEEP_STEP: Final = re.compile(
    rf"""(?P<string>"[^"]*"|'[^']*')|//(?:(?P<tag>\*|{_NAME})\[(?P<test>{TEST})\]"""
    rf"""|(?=(?:\*|{_NAME})\[(?!\d|position|last)))"""
)
SECOND_COUNT: Final = re.compile(r"\]\[(?:\d|position|last)")


class Compiled(local):
    """Expressions by what they say; threads that share them wait for one another."""

    def __init__(self) -> None:
        self.by_expression: dict[str, _Select] = {}


COMPILED: Final = Compiled()


def xpath(expression: str) -> _Select:
    """Return the expression, compiled once."""
    found = COMPILED.by_expression.get(expression)
    if found is None:
        found = COMPILED.by_expression[expression] = _compiled(expression)
    return found


def _compiled(expression: str) -> _Select:
    """Return the expression, as libxml2 is fast at it."""
    if step := PLAIN_STEP.fullmatch(expression):
        tag = step[1]
        return lambda node: list(node.iterdescendants(tag))
    made = etree.XPath(straight(expression), smart_strings=False, regexp=False)
    return cast("_Select", made)


def straight(expression: str) -> str:
    """Return the expression with other words for "//a[...]".

    libxml2 takes "//" for a look at the children of every node, and to begin with a
    predicate costs it more for an element than for an attribute.  What is selected is
    the same but where a predicate counts: that stays as it is.
    """
    if SECOND_COUNT.search(expression):
        return expression
    return DEEP_STEP.sub(straight_step, expression)


def straight_step(found: re.Match[str]) -> str:
    """Return a step as `straight` has it; a string stays as it is.

    `//a[@id="x"]` is `/descendant::a/@id[.="x"]/parent::*`.  Few attributes hold the
    characters of a token at all, and to split one into tokens is dear.
    """
    if not (test := found["test"]):
        return found["string"] or "/descendant::"
    _, name, _ = re.split(rf"(@{_NAME})", test, maxsplit=1)
    holds = f'[contains(., "{found["token"]}")]' if found["token"] else ""
    test = test.replace(name, ".", 1)
    return f"/descendant::{found['tag']}/{name}{holds}[{test}]/parent::*"
