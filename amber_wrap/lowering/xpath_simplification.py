"""Simplify XPath expressions for generated Python files, and compare expressions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from typing import Final, TypeVar

from lxml import etree

from amber_wrap.dom.expressions import Node, xpath
from amber_wrap.lowering.helpers import text_found
from amber_wrap.lowering.thresholds import LOWERING
from amber_wrap.wrapper.ir import Locator, RecordLocator
from amber_wrap.wrapper.xpath import Expression, Heading, Pinned, xpath_literal

NOT_BLANK = "[normalize-space() or descendant-or-self::*/@*]"
"""An XPath predicate for elements with a text or an attribute, or with an attribute in
a descendant."""
_STRINGS = "text()[normalize-space()]"
"""An XPath step to the child text nodes that aren't blank."""
_HAS_CLASS = re.compile(
    r'contains\(concat\(" ", normalize-space\(@([\w-]+)\), " "\), " ([^"\s]+) "\)'
)
"""Matches the XPath test for a whole word of an HTML attribute, such as a class. The
groups are the attribute and the word."""
_HAS_CLASS_PREFIX = re.compile(
    r'contains\(concat\(" ", normalize-space\(@([\w-]+)\)\), " ([^"\s]+)"\)'
)
"""Matches the XPath test for the beginning of a word of an HTML attribute. The groups
are the attribute and the beginning."""
HTML_BODY = re.compile(r"^(?:/html)?/+body(?=//)")
"""Matches the step to the `body` at the beginning of an XPath expression. Before `//`,
the step may be left out."""
ATTRIBUTE: Final = re.compile(r"(?P<element>.*)/@(?P<name>[\w:-]+)", re.DOTALL)
"""Matches an XPath expression for an attribute, such as `.//a/@href`. The groups are
the path to the element and the name."""
DESCENDANTS: Final = re.compile(r"\.//(?P<step>(?:[^/\[\"']|\[[^\[\]]*\])+)")
"""Matches an XPath expression with a single step to descendants, such as `.//b`."""
_WORD: Final = re.compile(r"[^\W\d_]{2,}|[^\W\d_][²³]")
"""Matches a word of at least two letters, or a unit such as `m²`."""
_BLANK: Final = " \t\n\r\u00a0-–—./"
"""A text with only these characters counts as empty in generated files."""
Alternative = TypeVar("Alternative")
"""The type of the items that `by_likeness` sorts, such as groups of XPath
expressions."""
_QUOTED = re.compile("[\"'] ?(.*?) ?[\"']")
"""Matches a quoted string in an XPath expression.  The group is the string without
outer blanks."""


def records_xpath(locator: RecordLocator) -> str:
    """Return one XPath expression for the records that `locator` selects.

    The expression joins two parts of the locator: a path to the element around the
    records, and a path from this element to each record.
    """
    if isinstance(locator.record, Pinned):
        return str(locator.record)
    relative_path = str(locator.record).removeprefix(".") + locator.rise
    return plainer(HTML_BODY.sub("", f"{locator.root}{relative_path}"))


def value_paths(locator: Locator) -> Iterator[str]:
    """Yield XPath expressions for the value that a locator reads, the simplest first.

    Each expression starts at the first element of a record.
    """
    full_path = str(locator.xpath)
    simple_path = full_path
    if not isinstance(locator.xpath, Pinned):
        simple_path = plainer(full_path)
    for path in dict.fromkeys((simple_path, full_path)):
        if locator.row:
            below = path.removeprefix(".")
            if below and not below.startswith("/"):
                below = f"/{below}"
            for test in ("", NOT_BLANK):
                row_path = f"following-sibling::*{test}[{locator.row}]{below}"
                yield from _source_paths(row_path, locator.source)
        else:
            yield from _source_paths(path, locator.source)


def _source_paths(path: str, source: str) -> Iterator[str]:
    """Yield XPath expressions for the texts or the attribute of the element at `path`,
    the simplest first.

    `source` is an attribute such as "@href", or a part of the text such as
    "first-line".
    """
    if source[0] == "@":
        yield f"{path}/{source}"
    elif source == "own-text":
        yield f"{path}/text()"
        yield f"({path})[1]/text()"
        yield f"{path}/{_STRINGS}"
        yield path
        yield f"{path}/*/{_STRINGS}"
    elif source in ("first-line", "last-line"):
        position = "1" if source == "first-line" else "last()"
        yield f"{path}/{_STRINGS}[{position}]"
    elif source.startswith("tail"):
        yield f"{path}/following-sibling::node()[1][self::text()]"
    else:
        yield f"{path}/*" if source == "items" else path


def short(path: str) -> str:
    """Return an XPath expression in a short notation: `@class~="x"` for the class `x`.

    Generated files expand the notation to plain XPath.
    """
    return _HAS_CLASS.sub(r'@\1~="\2"', path)


def plainer(path: str) -> str:
    """Return an XPath expression with simpler tests for the beginning of a class.

    A simpler test is `contains`, which also accepts the text at another position in the
    class.
    """
    return _HAS_CLASS_PREFIX.sub(r'contains(@\1, "\2")', path)


def by_likeness(
    names: Set[str],
    alternatives: Iterable[Alternative],
    names_in: Callable[[Alternative], Set[str]],
) -> list[Alternative]:
    """Return the alternatives in order, from the least to the most similar to `names`.

    `names` are tags and attribute values. `names_in` returns the names in an
    alternative.
    """
    return sorted(
        alternatives,
        key=lambda alternative: shared_names(names, names_in(alternative)),
    )


def shared_names(names: Set[str], other_names: Set[str]) -> int:
    """Return the number of the `names` that resemble one of `other_names`, with
    attribute values counted twice.

    `names` are tags and attribute values. A name resembles another name if one of them
    begins with the other.
    """
    return sum(
        1 if " " in name else 2  # Attribute values change more often than tags.
        for name in names
        if any(
            name.startswith(other) or other.startswith(name) for other in other_names
        )
    )


def expression_names(expressions: Iterable[Expression]) -> set[str]:
    """Return the tags and attribute values in XPath expressions.

    A tag gets a blank at its end, such as "li ". Expressions that a person wrote are
    left out.
    """
    names: set[str] = set()
    for expression in expressions:
        if isinstance(expression, Heading):
            names.add(f"{expression.tag} ")
            continue
        if isinstance(expression, Pinned):
            continue  # An expression that a person wrote gets no substitute.
        names.update(f"{step.name} " for step in expression.steps if step.name != "*")
        names.update(
            name for test in expression.quoted for name in _QUOTED.findall(test)
        )
    return names - {""}


def first_node_path(
    path: str,
    pattern: str,
    rows: Sequence[Node],
    text: Callable[[Node | str], str],
) -> tuple[str, bool]:
    """Return an XPath expression whose first node has the value of each record, and
    whether it is exact.

    An exact expression selects nothing in records without a value. Return "" and False
    if there is no such expression. `path` and `pattern` find the value among several
    nodes, and `rows` has the records.
    """
    texts_by_row = [list(map(text, xpath(path)(row))) for row in rows]
    values = [text_found(texts, pattern) for texts in texts_by_row]
    positions = set()
    holders = []
    for texts, value in zip(texts_by_row, values, strict=True):
        if value is not None:
            found = [text_found([node_text], pattern) for node_text in texts]
            positions.add(found.index(value))
            if value:
                holders.append(texts[found.index(value)])
    inexact = ""
    for first in _narrower_paths(path, pattern, holders, positions):
        try:
            nodes_of_rows = [xpath(first)(row)[:1] for row in rows]
        except etree.XPathError:
            continue
        if values == [text_found(map(text, nodes), pattern) for nodes in nodes_of_rows]:
            pairs = zip(values, nodes_of_rows, strict=True)
            if all(value or not nodes for value, nodes in pairs):
                return first, True
            inexact = inexact or first
    return inexact, False


def _narrower_paths(
    path: str, pattern: str, holders: Sequence[str], positions: set[int]
) -> Iterator[str]:
    """Yield XPath expressions whose first node may have a record's value, the simplest
    first.

    `holders` has the texts of the nodes with values. `positions` has the indexes of
    these nodes among all nodes that `path` selects.
    """
    yield with_text(path)
    if ATTRIBUTE.fullmatch(path) or path == ".":
        return
    yield with_test(path, f"translate(., {xpath_literal(_BLANK)}, '')")
    words_by_holder = [
        set(_WORD.findall(around_value(text, pattern))) for text in holders
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
    """Return the text of a match before and behind its last group, such as "a c" for
    "abc" and `a(b)c`.

    Return "" if the pattern doesn't match or has no group.
    """
    match = re.search(pattern, text)
    if match is None or not match.lastindex:
        return ""
    start, end = match.span(match.lastindex)
    return f"{text[match.start() : start]} {text[end : match.end()]}"


def with_text(path: str) -> str:
    """Return an XPath expression that selects only those nodes of `path` that have a
    text.
    """
    if match := ATTRIBUTE.fullmatch(path):
        name = match["name"]
        element_path = with_test(match["element"], f"normalize-space(@{name})")
        return f"{element_path}/@{name}"
    return with_test(path, "normalize-space()")


def with_test(path: str, test: str) -> str:
    """Return an XPath expression for the nodes of `path` that pass a test.

    For example, return `.//b[@id]` for `.//b` and the test `@id`.
    """
    if path == ".":
        return f"self::*[{test}]"
    return f"({path})[{test}]" if " | " in path else f"{path}[{test}]"
