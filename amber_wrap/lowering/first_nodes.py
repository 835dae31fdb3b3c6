"""Write expressions whose first node has the value, for export to other tools.

A generated file takes the first selected text that matches a pattern.  Most other tools
take the text of the first selected node.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from lxml import etree

from amber_wrap.dom.expressions import Node, xpath
from amber_wrap.lowering.field_lowering import text_found
from amber_wrap.lowering.program import Read
from amber_wrap.lowering.thresholds import LOWERING
from amber_wrap.wrapper.xpath import xpath_literal

ATTRIBUTE: Final = re.compile(r"(?P<element>.*)/@(?P<name>[\w:-]+)", re.DOTALL)
DESCENDANTS: Final = re.compile(r"\.//(?P<step>(?:[^/\[\"']|\[[^\[\]]*\])+)")
"""Matches an expression with a single step to descendants, such as `.//b`."""
_WORD: Final = re.compile(r"[^\W\d_]{2,}|[^\W\d_][²³]")
_NOTHING: Final = " \t\n\r\u00a0-–—./"
"""The characters of texts that count as empty in generated files."""


def with_first(
    read: Read, rows: Sequence[Node], text: Callable[[Node | str], str]
) -> Read:
    """Return `read` with an expression `first`, whose first node has the value.

    `rows` are the first elements of the records.  In all records, the first node must
    give the value of `read`.  `first` is "" if no expression is right.
    """
    texts = [list(map(text, xpath(read.xpath)(row))) for row in rows]
    wanted = [text_found(some, read.pattern) for some in texts]
    places = [
        next(
            at
            for at, one in enumerate(some)
            if text_found([one], read.pattern) == value
        )
        for some, value in zip(texts, wanted, strict=True)
        if value is not None
    ]
    valued = (some for some, value in zip(texts, wanted, strict=True) if value)
    holders = [some[at] for some, at in zip(valued, places, strict=True)]
    loose = ""
    for path in candidates(read, holders, set(places)):
        try:
            nodes = [xpath(path)(row)[:1] for row in rows]
        except etree.XPathError:
            continue
        found = [text_found(map(text, some), read.pattern) for some in nodes]
        if found != wanted:
            continue
        if all(value or not some for value, some in zip(wanted, nodes, strict=True)):
            return replace(read, first=path, is_exact=True)
        loose = loose or path
    return replace(read, first=loose)


def candidates(read: Read, holders: Sequence[str], places: set[int]) -> Iterator[str]:
    """Yield expressions whose first node may have the value, the simplest first.

    Each expression adds a test to `read.xpath`, for example for a word.  `holders` are
    the texts of the nodes with the values.  `places` are the positions of the nodes
    with the values, from 0, among all nodes that `read.xpath` selects.
    """
    path = read.xpath
    yield with_text(path)
    if ATTRIBUTE.fullmatch(path) or path == ".":
        return
    yield tested(path, f"translate(., {xpath_literal(_NOTHING)}, '')")
    words = [set(_WORD.findall(around_value(one, read.pattern))) for one in holders]
    common = set.intersection(*words) if words else set[str]()
    longest = sorted(common, key=lambda one: (-len(one), one))
    for word in longest[: LOWERING.words_tried]:
        yield tested(path, f"contains(., {xpath_literal(word)})")
    step = DESCENDANTS.fullmatch(path)
    if step and len(places) == 1:
        yield f"./descendant::{step['step']}[{places.copy().pop() + 1}]"


def around_value(text: str, pattern: str) -> str:
    """Return the text that a pattern matches outside of its group.

    Return "" if the pattern doesn't match or has no group.
    """
    found = re.search(pattern, text)
    if found is None or not found.lastindex:
        return ""
    start, end = found.span(found.lastindex)
    return f"{text[found.start() : start]} {text[end : found.end()]}"


def with_text(path: str) -> str:
    """Return an expression for the nodes of `path` whose text isn't blank."""
    if found := ATTRIBUTE.fullmatch(path):
        name = found["name"]
        return f"{tested(found['element'], f'normalize-space(@{name})')}/@{name}"
    return tested(path, "normalize-space()")


def tested(path: str, test: str) -> str:
    """Return an expression for the nodes of `path` that pass a test: `path[test]`."""
    if path == ".":
        return f"self::*[{test}]"
    return f"({path})[{test}]" if " | " in path else f"{path}[{test}]"
