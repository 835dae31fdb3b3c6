"""From rules to values: which nodes a wrapper selects, and what it reads there."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from re import Pattern
from typing import NamedTuple, NotRequired, TypedDict

from amber_wrap.embedded.markup import (
    is_blank,
    is_hidden,
    read_node,
    shows_value,
    text_of,
)
from amber_wrap.embedded.paths import Node, xpath

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


Column = list[Value | None]
"""A field's values, one for each record."""


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


class Reader:
    """Reads values of records; what several fields are read from is read only once."""

    def __init__(self, patterns: Patterns) -> None:
        self.patterns = patterns
        self.selected: dict[str, dict[Node, list[Node]]] = defaultdict(dict)
        self.displayed: dict[Node, str] = {}

    def column(self, locators: list[Locator], records: list[list[Node]]) -> Column:
        """Of each record, its rows, the value of the first locator that gives one."""
        values: Column = [None] * len(records)
        for locator in locators:
            row, source = locator.get("row", 0), locator.get("source", "text")
            name = locator.get("pattern")
            pattern = None if name is None else self.patterns(name)
            select = xpath(locator["xpath"])
            selected = self.selected[locator["xpath"]]
            for i, rows in enumerate(records):
                if values[i] is None and row < len(rows):
                    start = rows[row]
                    if start not in selected:
                        selected[start] = select(start)
                    if nodes := selected[start]:
                        values[i] = self.value(nodes, source, pattern)
        return values

    def value(
        self, nodes: list[Node], source: str, pattern: Pattern[str] | None
    ) -> Value | None:
        """The value of the first node whose text fits the pattern."""
        for node in nodes:
            if source != "text":
                content = read_node(node, source)
            elif node in self.displayed:
                content = self.displayed[node]
            else:
                content = self.displayed[node] = text_of(node)
            if pattern is None:
                if shows_value(content):
                    return Value(content, content, node, source)
            elif match := pattern.search(content):
                shown = match["value" if "value" in pattern.groupindex else 0]
                if shown:
                    return Value(shown, match[0], node, source)
        return None
