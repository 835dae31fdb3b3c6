"""Apply the rules of a wrapper to a tree: select nodes, and read their values."""

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
from amber_wrap.values.regular_expressions import SEARCHED
from amber_wrap.values.typed import ITEM_END
from amber_wrap.wrapper.ir import Locator, RecordLocator

PatternLookup = Callable[[str], Pattern[str]]


class ReadValue(NamedTuple):
    """A value that a locator read from a node.

    `shown` is the displayed value. `matched` is the whole match of the pattern, such as
    "Price: £5" for the value "£5". `source` says whether the value is the node's text
    or an HTML attribute.
    """

    shown: str
    matched: str
    node: Node
    source: str


ColumnValues = list[ReadValue | None]
"""The values of a field, one for each record."""


def record_rows(place: RecordLocator, span: int, root: Node) -> Iterator[list[Node]]:
    """Yield the rows (sibling nodes) of each record that a locator selects.

    `span` is the greatest number of rows in a record.
    """
    return rows_from(list(starts_at(place, root)), span)


def starts_at(place: RecordLocator, root: Node) -> Iterator[Node]:
    """Yield the first node of each record that a locator selects.

    Hidden nodes are left out, for example templates for scripts.
    """
    for top in xpath(str(place.root))(root):
        starts = xpath(f"{place.record}{place.rise}")(top)
        yield from displayed_starts(starts, place)


def rows_from(starts: Sequence[Node], span: int) -> Iterator[list[Node]]:
    """Yield the rows of each record: its first node and the siblings that follow.

    A record has at most `span` rows, without counting blank siblings. A record ends
    before the first node of another record.
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
    """Yield the first nodes of displayed records.

    A hidden node is left out. A node within a hidden element is left out, too, if the
    path `place.record` begins with a descendant step. If two or more nodes are all
    within hidden elements, yield them all: a script will show the list.
    """
    starts = [start for start in starts if not is_hidden(start)]
    if not place.record.is_deep:
        return iter(starts)
    # Records are siblings, so their ancestors are checked only once.
    shown: dict[Node | None, bool] = {}
    for start in starts:
        above = start.getparent()
        if above not in shown:
            shown[above] = not any(map(is_hidden, start.iterancestors()))
    displayed = [start for start in starts if shown[start.getparent()]]
    return iter(displayed if displayed or len(starts) == 1 else starts)


class ValueReader:
    """A reader of values in records, which caches the selected nodes and their
    texts.
    """

    def __init__(self, patterns: PatternLookup) -> None:
        self.patterns = patterns
        self.selected: dict[str, dict[Node, list[Node]]] = defaultdict(dict)
        self.contents: dict[str, dict[Node, str]] = defaultdict(dict)

    def column(
        self, locators: Iterable[Locator], records: Sequence[Sequence[Node]]
    ) -> ColumnValues:
        """Return for each record the value from the first locator that finds a value.

        The entry is None if no locator finds a value. A record is given as its rows.
        """
        values: ColumnValues = [None] * len(records)
        for locator in locators:
            row, value_in = locator.row, self.finder(locator)
            for i, rows in enumerate(records):
                if values[i] is None and row < len(rows):
                    values[i] = value_in(rows[row])
        return values

    def nodes(self, expression: str, row: Node) -> list[Node]:
        """Return the nodes that an expression selects from a row."""
        selected = self.selected[expression]
        if (nodes := selected.get(row)) is None:
            nodes = selected[row] = xpath(expression)(row)
        return nodes

    def finder(self, locator: Locator) -> Callable[[Node], ReadValue | None]:
        """Return a function from a row to the value that a locator reads in the row.

        The value is from the first selected node whose text matches the pattern. For a
        list field, the value joins the texts of all selected nodes. The value is None
        if no text matches.
        """
        expression, source = str(locator.xpath), locator.source
        contents = self.contents[source]
        pattern = self.patterns(locator.pattern) if locator.pattern else None
        group = "value" if pattern and "value" in pattern.groupindex else 0

        def value_in(row: Node) -> ReadValue | None:
            nodes = self.nodes(expression, row)
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
