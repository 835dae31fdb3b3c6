"""XPath expressions, compiled; what is read most is as fast as lxml can be."""

import re
from collections.abc import Callable, Iterable
from threading import local
from typing import Final, cast

from lxml import etree

Node = etree._Element
Select = Callable[..., list[Node]]
"""Called with a node, it gives those selected, in document order."""

NAME: Final = r"[A-Za-z_][A-Za-z0-9_.-]*"
# The tests of one attribute, as they are printed.
TEST: Final = (
    rf'@(?P<same>{NAME})="(?P<value>[^"]+)"'
    rf'|contains\(@(?P<holder>{NAME}), "(?P<part>[^"]+)"\)'
    rf'|contains\(concat\(" ", normalize-space\(@(?P<tokens>{NAME})\)'
    r'(?:, " "\), "(?P<token> [^"\s]+ )"\)|\), "(?P<stem> [^"\s]+)"\))'
)
ONE_STEP: Final = re.compile(rf"(?P<start>\.?)//(?P<tag>{NAME}|\*)(?:\[(?:{TEST})\])?")
# What parts tokens in XPath.
BLANKS: Final = r" \t\n\r"

# A string, or a step to any depth with a predicate that doesn't count.
DEEP_STEP: Final = re.compile(
    rf"""("[^"]*"|'[^']*')|//(?=(?:\*|{NAME})\[(?!\d|position|last))"""
)
SECOND_COUNT: Final = re.compile(r"\]\[(?:\d|position|last)")


class Compiled(local):
    """Expressions by what they say; threads that share them wait for one another."""

    def __init__(self) -> None:
        self.by_expression: dict[str, Select] = {}


COMPILED: Final = Compiled()


def xpath(expression: str) -> Select:
    """The expression, compiled once."""
    found = COMPILED.by_expression.get(expression)
    if found is None:
        found = COMPILED.by_expression[expression] = compiled(expression)
    return found


def compiled(expression: str) -> Select:
    """The expression, by hand if it is a single step with at most one plain test."""
    if step := ONE_STEP.fullmatch(expression):
        return one_step(step)
    made = etree.XPath(straight(expression), smart_strings=False)
    return cast("Select", made)


def straight(expression: str) -> str:
    """The expression with "//a[...]" written as "/descendant::a[...]".

    libxml2 takes the first for a look at the children of every node.  The two are the
    same but where a predicate counts: that stays as it is.
    """
    if SECOND_COUNT.search(expression):
        return expression
    return DEEP_STEP.sub(lambda found: found[1] or "/descendant::", expression)


def one_step(step: re.Match[str]) -> Select:
    """A step to any depth, from a node or from the root of its tree."""
    tag, keeps = step["tag"], keeper(step)

    def below(node: Node) -> list[Node]:
        return keeps(node.iterdescendants(tag))

    def anywhere(node: Node) -> list[Node]:
        return keeps(node.getroottree().iter(tag))

    return below if step["start"] else anywhere


def keeper(step: re.Match[str]) -> Callable[[Iterable[Node]], list[Node]]:
    """What keeps the elements that pass the test of a step, if there is one.

    libxml2 makes tokens of the class of each element; that it holds these characters at
    all is told in a fraction of the time, and is seldom so.
    """
    if value := step["value"]:
        name = step["same"]
        return lambda found: [one for one in found if one.get(name) == value]
    if part := step["part"]:
        name = step["holder"]
        return lambda found: [one for one in found if part in one.get(name, "")]
    if token := step["token"] or step["stem"]:
        name, bare = step["tokens"], token.strip()
        end = rf"(?![^{BLANKS}])" if step["token"] else ""
        holds = re.compile(rf"(?<![^{BLANKS}]){re.escape(bare)}{end}").search
        return lambda found: [
            one
            for one in found
            if bare in (given := one.get(name, "")) and holds(given)
        ]
    return list
