"""Evaluate XPath expressions and CSS selectors on pages.

An XPath expression is first rewritten to an equivalent expression that libxml2
evaluates faster.
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
"""A regular expression for the name of an element or attribute."""
PLAIN_STEP: Final = re.compile(rf"\.//({_NAME}|\*)")
"""Matches an XPath expression that selects all descendants of an element, or all with a
tag, such as ".//td".
"""
ATTRIBUTE_TEST: Final = (
    rf'@{_NAME}="[^"]*"|contains\(@{_NAME}, "[^"]+"\)|contains\(concat\(" ", '
    rf'normalize-space\(@{_NAME}\)(?:, " ")?\), " (?P<token>[^"\s]+) ?"\)'
)
"""A regular expression for an XPath condition on one attribute, such as `@id="x"`.

The condition must be written as `wrapper.xpath` prints it. If the condition tests for a
class or other token, the group `token` is the token.
"""
DEEP_STEP: Final = re.compile(
    rf"""(?P<string>"[^"]*"|'[^']*')|//(?:(?P<tag>\*|{_NAME})\[(?P<test>{ATTRIBUTE_TEST})\]"""
    rf"""|(?=(?:\*|{_NAME})\[(?!\d|position|last)))"""
)
"""Matches a string literal, or the start of a descendant step such as `//a[@id="x"]`.

Only a step with a predicate that doesn't depend on a position is matched. The group
`string` is the string literal.
"""
COUNTED_PREDICATE: Final = re.compile(r"\]\[(?:\d|position|last)")
"""Matches the start of a predicate that counts the elements selected by an earlier
predicate, for example the second predicate of `//a[@id][2]`."""
_CSS_ID = re.compile(r"[A-Za-z][\w-]*", re.ASCII)
"""Matches an id that a CSS selector accepts without escapes."""


class CompiledExpressions(local):
    """The compiled XPath expressions of one thread.

    Threads share no expressions, because lxml locks an expression during its
    evaluation.
    """

    def __init__(self) -> None:
        self.by_expression: dict[str, _Select] = {}


COMPILED: Final = CompiledExpressions()
"""The compiled XPath expressions of the current thread."""


def xpath(expression: str) -> _Select:
    """Return a function that evaluates an XPath expression on an lxml element.

    The function returns the selected nodes in document order.
    """
    select_nodes = COMPILED.by_expression.get(expression)
    if select_nodes is None:
        select_nodes = _compiled(expression)
        COMPILED.by_expression[expression] = select_nodes
    return select_nodes


def _compiled(expression: str) -> _Select:
    """Return a new function that evaluates an XPath expression on an lxml element."""
    if step := PLAIN_STEP.fullmatch(expression):
        tag = step[1]
        return lambda node: list(node.iterdescendants(tag))
    compiled = etree.XPath(faster_xpath(expression), smart_strings=False, regexp=False)
    return cast("_Select", compiled)


def faster_xpath(expression: str) -> str:
    """Return an equivalent XPath expression that libxml2 evaluates faster.

    For example, return `/descendant::a/@id[.="x"]/parent::*` for `//a[@id="x"]`. An
    expression for which no faster one is known is returned unchanged.
    """
    # In `//a[@id][2]`, the replacement would change the element that counts as second.
    if COUNTED_PREDICATE.search(expression):
        return expression
    return DEEP_STEP.sub(faster_step, expression)


def faster_step(step: re.Match[str]) -> str:
    """Return a faster equivalent of one step of an XPath expression.

    For example, return `/descendant::a/@id[.="x"]/parent::*` for `//a[@id="x"]`. `step`
    is a match of `DEEP_STEP`.
    """
    if not (test := step["test"]):
        return step["string"] or "/descendant::"
    _, attribute, _ = re.split(rf"(@{_NAME})", test, maxsplit=1)
    # A class token is first sought by the cheaper `contains`.
    token_test = f'[contains(., "{step["token"]}")]' if step["token"] else ""
    test = test.replace(attribute, ".", 1)
    return f"/descendant::{step['tag']}/{attribute}{token_test}[{test}]/parent::*"


def select(page: Page, selector: str) -> list[NodeId]:
    """Return the elements that a CSS selector or XPath expression selects, in document
    order.

    XPath starts with "/", "./" or "(". Raise SelectionError if the selector is invalid.
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
    """Return a CSS selector for one element, such as "#list > div:nth-of-type(2)"."""
    steps: list[str] = []
    while page.parent[node] >= 0:
        css_id = page.attributes[node].get("id", "")
        if _CSS_ID.fullmatch(css_id) and len(page.select(f"//*[@id='{css_id}']")) == 1:
            return " > ".join([f"#{css_id}", *reversed(steps)])
        same_tag_siblings = [
            sibling
            for sibling in page.child_elements(page.parent[node])
            if page.tag[sibling] == page.tag[node]
        ]
        step = page.tag[node]
        if len(same_tag_siblings) > 1:
            step += f":nth-of-type({same_tag_siblings.index(node) + 1})"
        steps.append(step)
        node = page.parent[node]
    return " > ".join([page.tag[node], *reversed(steps)])


def nodes_in_scope(page: Page, within: str, without: str) -> Sequence[bool]:
    """Return for each node of a page whether the node is displayed and may be searched.

    Only the elements that `within` selects, and their descendants, may be searched. The
    elements that `without` selects, and their descendants, may not. Both are CSS
    selectors or XPath expressions, or "" for no restriction. Raise SelectionError for
    an invalid selector, or if `within` selects no element.
    """
    searched_elements = select(page, within) if within else [0]
    if not searched_elements:
        raise SelectionError(f"{within!r} selects no element of the page")
    skipped_elements = select(page, without) if without else []
    is_in_scope = [False] * len(page)
    for node in searched_elements:
        is_in_scope[node : node + page.size[node]] = [True] * page.size[node]
    for node in (*skipped_elements, *filter(page.is_hidden, page.elements())):
        is_in_scope[node : node + page.size[node]] = [False] * page.size[node]
    return is_in_scope
