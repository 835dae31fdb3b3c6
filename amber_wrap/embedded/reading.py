"""From rules to values: which nodes a wrapper selects, and what it reads there."""

from collections.abc import Callable, Iterator
from functools import cache
from re import Pattern
from typing import NamedTuple, NotRequired, TypedDict, cast

from lxml import etree

from amber_wrap.embedded.markup import is_blank, is_hidden, read_node, shows_value

Node = etree._Element
Patterns = Callable[[str], Pattern[str]]


class Locator(TypedDict):
    """One way to a value: an XPath expression, relative to a row of the record.

    `source` is "text" (the default) or another of `read_node`; `pattern` names one of
    PATTERNS; `row` counts from 0, the default.
    """

    xpath: str
    source: NotRequired[str]
    pattern: NotRequired[str]
    row: NotRequired[int]


class Place(TypedDict):
    """One way to the records: the roots of their areas, from there their starts."""

    root: str
    record: str


class Value(NamedTuple):
    """What a record displays as a value, all that was matched around it, and where."""

    shown: str
    matched: str
    node: Node


def record_rows(place: Place, span: int, root: Node) -> Iterator[list[Node]]:
    """The rows of each record: its start, and up to `span` with those that follow.

    Blank siblings don't count.  What is not displayed, a row for scripts to copy, is no
    record.
    """
    for top in xpath(place["root"])(root):
        starts = xpath(place["record"])(top)
        others = set(starts)
        for start in starts:
            if is_unseen(start, place):
                continue
            rows = [start]
            for sibling in start.itersiblings("*") if span > 1 else ():
                if len(rows) == span:
                    break
                if is_blank(sibling):
                    continue
                if sibling in others:
                    break
                rows.append(sibling)
            yield rows


def is_unseen(start: Node, place: Place) -> bool:
    """Whether a record is not displayed, as far as its place lets doubt it."""
    anywhere = place["record"].startswith(".//")
    above = start.iterancestors() if anywhere else ()
    return is_hidden(start) or any(map(is_hidden, above))


def read_first(
    locators: list[Locator], rows: list[Node], patterns: Patterns
) -> Value | None:
    """The value that the first locator gives, None if none does."""
    for locator in locators:
        value = read_value(locator, rows, patterns)
        if value is not None:
            return value
    return None


def read_value(locator: Locator, rows: list[Node], patterns: Patterns) -> Value | None:
    """The value of the first selected node whose text fits the pattern."""
    row, name = locator.get("row", 0), locator.get("pattern")
    for node in xpath(locator["xpath"])(rows[row]) if row < len(rows) else ():
        content = read_node(node, locator.get("source", "text"))
        if name is None:
            if shows_value(content):
                return Value(content, content, node)
        elif match := patterns(name).search(content):
            shown = match["value"] if "value" in match.re.groupindex else match[0]
            if shown:
                return Value(shown, match[0], node)
    return None


@cache
def xpath(expression: str) -> Callable[..., list[Node]]:
    """The expression, compiled once; called with a node, it gives those selected."""
    compiled = etree.XPath(expression, smart_strings=False)
    return cast("Callable[..., list[Node]]", compiled)
