"""Evaluate the CSS selectors and XPath expressions that users give."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cssselect import HTMLTranslator, SelectorError
from lxml import etree

from amber_wrap.dom.page import NodeId, Page
from amber_wrap.errors import SelectionError

_PLAIN = re.compile(r"[A-Za-z][\w-]*", re.ASCII)
"""Ids that CSS accepts without escapes."""


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
            f"{selector!r} is neither CSS nor XPath ({error}); "
            "XPath begins with /, ./ or ("
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
