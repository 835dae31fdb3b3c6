"""Find XPath expressions whose first selected node has the value of a field.

The expressions are for export to other tools. A generated file takes the first selected
text that matches a pattern. Most other tools take the text of the first selected node.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from lxml import etree

from amber_wrap.dom.expressions import Node, xpath
from amber_wrap.lowering.helpers import text_found
from amber_wrap.lowering.program import Read
from amber_wrap.lowering.thresholds import LOWERING
from amber_wrap.wrapper.xpath import xpath_literal

ATTRIBUTE: Final = re.compile(r"(?P<element>.*)/@(?P<name>[\w:-]+)", re.DOTALL)
"""Matches an expression for an attribute, such as `.//a/@href`."""
DESCENDANTS: Final = re.compile(r"\.//(?P<step>(?:[^/\[\"']|\[[^\[\]]*\])+)")
"""Matches an expression with a single step to descendants, such as `.//b`."""
_WORD: Final = re.compile(r"[^\W\d_]{2,}|[^\W\d_][²³]")
"""Matches a word of at least two letters, or a unit such as `m²`."""
_BLANK: Final = " \t\n\r\u00a0-–—./"
"""A text with only these characters counts as empty in generated files."""


def with_first(
    read: Read, rows: Sequence[Node], text: Callable[[Node | str], str]
) -> Read:
    """Return a copy of `read` with an expression whose first selected node has the
    value.

    `read` is an XPath expression with a pattern. The new expression is in the attribute
    `first` of the copy. In each record, the text of the first selected node must give
    the value that `read` gives. If no expression is right, `first` is "". `rows` are
    the first elements of the records. `text` reads the text of a node.
    """
    texts_by_row = [list(map(text, xpath(read.xpath)(row))) for row in rows]
    values = [text_found(texts, read.pattern) for texts in texts_by_row]
    positions = []
    holders = []
    for texts, value in zip(texts_by_row, values, strict=True):
        if value is not None:
            found = [text_found([node_text], read.pattern) for node_text in texts]
            positions.append(found.index(value))
            if value:
                holders.append(texts[positions[-1]])
    inexact = ""
    for path in first_node_paths(read, holders, set(positions)):
        try:
            first_nodes = [xpath(path)(row)[:1] for row in rows]
        except etree.XPathError:
            continue
        if values != [
            text_found(map(text, nodes), read.pattern) for nodes in first_nodes
        ]:
            continue
        if all(
            value or not nodes for value, nodes in zip(values, first_nodes, strict=True)
        ):
            return replace(read, first=path, is_exact=True)
        inexact = inexact or path
    return replace(read, first=inexact)


def first_node_paths(
    read: Read, holders: Sequence[str], positions: set[int]
) -> Iterator[str]:
    """Yield expressions whose first selected node may have a value, the simplest first.

    Each expression selects some of the nodes that `read.xpath` selects, for example the
    nodes that contain a word. `holders` are the texts of the nodes with the values.
    `positions` are the positions of these nodes, from 0, among all nodes that
    `read.xpath` selects in a record.
    """
    path = read.xpath
    yield with_text(path)
    if ATTRIBUTE.fullmatch(path) or path == ".":
        return
    yield with_test(path, f"translate(., {xpath_literal(_BLANK)}, '')")
    words_by_holder = [
        set(_WORD.findall(around_value(text, read.pattern))) for text in holders
    ]
    common = set.intersection(*words_by_holder) if words_by_holder else set[str]()
    longest = sorted(common, key=lambda word: (-len(word), word))
    for word in longest[: LOWERING.most_words_tried]:
        yield with_test(path, f"contains(., {xpath_literal(word)})")
    step = DESCENDANTS.fullmatch(path)
    if step and len(positions) == 1:
        (position,) = positions
        yield f"./descendant::{step['step']}[{position + 1}]"


def around_value(text: str, pattern: str) -> str:
    """Return the text that a pattern matches before and behind its last group.

    For example, return "a c" for the text "abc" and the pattern `a(b)c`. A blank joins
    the two parts. Return "" if the pattern doesn't match or has no group.
    """
    match = re.search(pattern, text)
    if match is None or not match.lastindex:
        return ""
    start, end = match.span(match.lastindex)
    return f"{text[match.start() : start]} {text[end : match.end()]}"


def with_text(path: str) -> str:
    """Return an expression for those nodes of `path` whose text isn't blank."""
    if match := ATTRIBUTE.fullmatch(path):
        name = match["name"]
        element_path = with_test(match["element"], f"normalize-space(@{name})")
        return f"{element_path}/@{name}"
    return with_test(path, "normalize-space()")


def with_test(path: str, test: str) -> str:
    """Return an expression that selects those nodes of `path` that pass a test.

    For example, return `.//b[@id]` for `.//b` and the test `@id`.
    """
    if path == ".":
        return f"self::*[{test}]"
    return f"({path})[{test}]" if " | " in path else f"{path}[{test}]"
