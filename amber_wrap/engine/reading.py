"""From rules to values: which nodes a wrapper selects, and what it reads there."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from re import Pattern
from typing import NamedTuple

from amber_wrap.dom.expressions import Node, xpath
from amber_wrap.dom.markup import (
    EACH,
    is_blank,
    is_hidden,
    read_node,
    shows_value,
    text_of,
)
from amber_wrap.values.patterns import SEARCHED
from amber_wrap.values.typed import ITEM_END
from amber_wrap.wrapper.ir import Locator, RecordLocator

PatternLookup = Callable[[str], Pattern[str]]


class ReadValue(NamedTuple):
    """What a record displays as a value, all that was matched around it, and where."""

    shown: str
    matched: str
    node: Node
    source: str


ColumnValues = list[ReadValue | None]
"""A field's values, one for each record."""


def record_rows(place: RecordLocator, span: int, root: Node) -> Iterator[list[Node]]:
    """The rows of each record at a place."""
    return rows_from(list(starts_at(place, root)), span)


def starts_at(place: RecordLocator, root: Node) -> Iterator[Node]:
    """The start of each record at a place.

    What is not displayed, a row for scripts to copy, is no record.
    """
    for top in xpath(str(place.root))(root):
        starts = xpath(f"{place.record}{place.rise}")(top)
        yield from displayed_starts(starts, place)


def rows_from(starts: Sequence[Node], span: int) -> Iterator[list[Node]]:
    """The rows of each record: its start, and up to `span` with those that follow.

    Blank siblings don't count, and another start begins another record.
    """
    others = set(starts)
    for start in starts:
        rows = [start]
        for sibling in start.itersiblings("*") if span > 1 else ():
            if len(rows) == span or sibling in others:
                break
            if not is_blank(sibling):
                rows.append(sibling)
        yield rows


def displayed_starts(starts: list[Node], place: RecordLocator) -> Iterator[Node]:
    """Those that are displayed, as far as their place lets doubt it."""
    anywhere = place.record.is_deep
    # Records stand side by side: what holds them is looked at once.
    shown: dict[Node | None, bool] = {}
    for start in starts:
        above = start.getparent() if anywhere else None
        if above not in shown:
            around = start.iterancestors() if anywhere else ()
            shown[above] = not any(map(is_hidden, around))
        if shown[above] and not is_hidden(start):
            yield start


class ValueReader:
    """Reads values of records; what several fields are read from is read only once."""

    def __init__(self, patterns: PatternLookup) -> None:
        self.patterns = patterns
        self.selected: dict[str, dict[Node, list[Node]]] = defaultdict(dict)
        self.contents: dict[str, dict[Node, str]] = defaultdict(dict)

    def column(
        self, locators: Iterable[Locator], records: Sequence[Sequence[Node]]
    ) -> ColumnValues:
        """Of each record, its rows, the value of the first locator that gives one."""
        values: ColumnValues = [None] * len(records)
        for locator in locators:
            row, value_in = locator.row, self.finder(locator)
            for i, rows in enumerate(records):
                if values[i] is None and row < len(rows):
                    values[i] = value_in(rows[row])
        return values

    def finder(self, locator: Locator) -> Callable[[Node], ReadValue | None]:
        """What gives the value in a row: of the first node whose text fits."""
        expression, source = str(locator.xpath), locator.source
        select = xpath(expression)
        selected, contents = self.selected[expression], self.contents[source]
        pattern = self.patterns(locator.pattern) if locator.pattern else None
        group = "value" if pattern and "value" in pattern.groupindex else 0

        def value_in(row: Node) -> ReadValue | None:
            if (nodes := selected.get(row)) is None:
                nodes = selected[row] = select(row)
            if source == EACH:
                shown = ITEM_END.join(filter(shows_value, map(text_of, nodes)))
                return ReadValue(shown, shown, nodes[0], source) if shown else None
            for node in nodes:
                if (content := contents.get(node)) is None:
                    content = contents[node] = read_node(node, source)
                if pattern is None:
                    if shows_value(content):
                        return ReadValue(content, content, node, source)
                    continue
                match = pattern.search(content, 0, SEARCHED)
                if match and (shown := match[group]):
                    return ReadValue(shown, match[0], node, source)
            return None

        return value_in
