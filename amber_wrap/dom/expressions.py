"""Compile and evaluate XPath expressions, and the CSS selectors that users give.

XPath expressions are rewritten in a form that libxml2 evaluates faster.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from threading import local
from typing import Final, cast

from cssselect import HTMLTranslator, SelectorError
from lxml import etree

from amber_wrap.dom.page import NodeId, Page
from amber_wrap.errors import SelectionError

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
_PLAIN = re.compile(r"[A-Za-z][\w-]*", re.ASCII)
"""Ids that CSS accepts without escapes."""


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


def select(page: Page, selector: str) -> list[NodeId]:
    """Return the elements that a CSS selector or an XPath expression selects on a page.

    A selector that starts with "/", "./" or "(" is XPath. Raise SelectionError if the
    selector is invalid.
    """
    try:
        if selector.lstrip().startswith(("/", "./", "(")):
            return page.select(selector)
        return page.select(HTMLTranslator().css_to_xpath(selector))
    except (SelectorError, etree.XPathError, ValueError) as error:
        raise SelectionError(
            f"{selector!r} is not a valid CSS selector or XPath expression ({error}); "
            "an XPath expression begins with /, ./ or ("
        ) from error


def selector_of(page: Page, node: NodeId) -> str:
    """Return a CSS selector for one element, for example "#list > div:nth-of-type(2)".

    The selector starts at a unique id of the element or its nearest ancestor. Without a
    unique id, the selector starts at the root.
    """
    steps: list[str] = []
    while page.parent[node] >= 0:
        name = page.attributes[node].get("id", "")
        if _PLAIN.fullmatch(name) and len(page.select(f"//*[@id='{name}']")) == 1:
            return " > ".join([f"#{name}", *reversed(steps)])
        alike = [
            one
            for one in page.child_elements(page.parent[node])
            if page.tag[one] == page.tag[node]
        ]
        place = f":nth-of-type({alike.index(node) + 1})" if len(alike) > 1 else ""
        steps.append(page.tag[node] + place)
        node = page.parent[node]
    return " > ".join([page.tag[node], *reversed(steps)])


def scope(page: Page, within: str, without: str) -> Sequence[bool]:
    """Return for each node of a page whether the node is to be searched.

    The node must be displayed. The selector `within` selects the elements to search in.
    The selector `without` selects the elements to leave out. An empty selector is
    ignored.

    Raise SelectionError if a selector is invalid, or if `within` selects nothing.
    """
    inside = select(page, within) if within else [0]
    if not inside:
        raise SelectionError(f"{within!r} selects no element of the page")
    outside = select(page, without) if without else []
    found = [False] * len(page)
    for node in inside:
        found[node : node + page.size[node]] = [True] * page.size[node]
    for node in (*outside, *filter(page.is_hidden, page.elements())):
        found[node : node + page.size[node]] = [False] * page.size[node]
    return found
