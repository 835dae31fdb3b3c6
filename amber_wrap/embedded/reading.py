"""From rules to values: which nodes a wrapper selects, and what it reads there."""

from collections import Counter
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
    """One way to the records: the roots of their areas, from there their starts.

    With `climb` the expression selects what each record has one of; the record is the
    highest element around it that holds no other.
    """

    root: str
    record: str
    climb: NotRequired[bool]


class Value(NamedTuple):
    """What a record displays as a value, all that was matched around it, and where."""

    shown: str
    matched: str
    node: Node
    source: str


def record_rows(place: Place, span: int, root: Node) -> Iterator[list[Node]]:
    """The rows of each record: its start, and up to `span` with those that follow.

    Blank siblings don't count.  What is not displayed, a row for scripts to copy, is no
    record.
    """
    for top in xpath(place["root"])(root):
        starts = xpath(place["record"])(top)
        if place.get("climb"):
            starts = highest_apart(starts)
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


def highest_apart(nodes: list[Node]) -> list[Node]:
    """The highest elements that hold one of the nodes each, in document order."""
    chains = [[node, *node.iterancestors()] for node in nodes]
    held = Counter(one for chain in chains for one in chain)
    starts = (
        [one for i, one in enumerate(chain) if i == 0 or held[one] == 1][-1]
        for chain in chains
    )
    return list(dict.fromkeys(starts))


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
    source = locator.get("source", "text")
    for node in xpath(locator["xpath"])(rows[row]) if row < len(rows) else ():
        content = read_node(node, source)
        if name is None:
            if shows_value(content):
                return Value(content, content, node, source)
        elif match := patterns(name).search(content):
            shown = match["value"] if "value" in match.re.groupindex else match[0]
            if shown:
                return Value(shown, match[0], node, source)
    return None


@cache
def xpath(expression: str) -> Callable[..., list[Node]]:
    """The expression, compiled once; called with a node, it gives those selected."""
    compiled = etree.XPath(expression, smart_strings=False)
    return cast("Callable[..., list[Node]]", compiled)
