"""Select records and read values by XPath expressions and regular expressions."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from re import Pattern
from typing import NamedTuple

from amber_wrap.dom.displayed_texts import (
    EACH,
    is_blank,
    read_node,
    shows_value,
    text_of,
)
from amber_wrap.dom.expressions import Node, xpath
from amber_wrap.dom.hidden_elements import is_hidden
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.engine.evaluator import Select, selector
from amber_wrap.values.regular_expressions import SEARCHED, compose
from amber_wrap.values.texts import ITEM_END
from amber_wrap.wrapper.ir import Locator, RecordLocator

PatternLookup = Callable[[str], Pattern[str]]
"""A function from the name of a regular expression to the compiled expression."""


class ReadValue(NamedTuple):
    """A value that was read from a node."""

    shown: str
    """The displayed value."""
    matched: str
    """The whole match of the regular expression that found the value, such as "Price:
    £5" for the value "£5"."""
    node: Node
    source: str
    """Where the node has the value: in its text, or in an HTML attribute such as
    `@href`."""


ColumnValues = list[ReadValue | None]
"""The values of a field, one for each record. None stands for a missing value."""


def record_rows(locator: RecordLocator, span: int, root: Node) -> Iterator[list[Node]]:
    """Yield the sibling nodes of each record that an XPath expression selects.

    A record has at most `span` sibling nodes.
    """
    return rows_from(list(record_starts_in_tree(locator, root)), span)


def record_starts_in_tree(locator: RecordLocator, root: Node) -> Iterator[Node]:
    """Yield the first node of each record that an XPath expression selects.

    Hidden nodes, such as templates for scripts, are left out.
    """
    for container in xpath(str(locator.root))(root):
        starts = xpath(f"{locator.record}{locator.rise}")(container)
        yield from displayed_starts(starts, locator)


def rows_from(starts: Sequence[Node], span: int) -> Iterator[list[Node]]:
    """Yield the sibling nodes of each record: its first node, and the siblings that
    follow.

    A record ends after `span` nodes that aren't blank, or before the next record.
    """
    all_starts = set(starts)
    for start in starts:
        rows = [start]
        for sibling in start.itersiblings("*") if span > 1 else ():
            if len(rows) == span or sibling in all_starts:
                break
            if not is_blank(sibling):
                rows.append(sibling)
        yield rows


def displayed_starts(starts: list[Node], locator: RecordLocator) -> Iterator[Node]:
    """Yield the first nodes of records that are displayed.

    If there are several nodes and all are hidden, yield them all, since a script may
    display them.
    """
    starts = [start for start in starts if not is_hidden(start)]
    if not locator.record.is_deep:
        return iter(starts)
    # Records are siblings, so their ancestors are checked only once.
    is_displayed: dict[Node | None, bool] = {}
    for start in starts:
        parent = start.getparent()
        if parent not in is_displayed:
            is_displayed[parent] = not any(map(is_hidden, start.iterancestors()))
    displayed = [start for start in starts if is_displayed[start.getparent()]]
    return iter(displayed if displayed or len(starts) == 1 else starts)


class TreeValueReader:
    """A reader of values in the records of an lxml tree.

    The reader caches the nodes that XPath expressions select, and the texts of nodes.
    """

    def __init__(self, patterns: PatternLookup) -> None:
        self._patterns = patterns
        self._selected: dict[str, dict[Node, list[Node]]] = defaultdict(dict)
        self._contents: dict[str, dict[Node, str]] = defaultdict(dict)

    def column(
        self, locators: Iterable[Locator], records: Sequence[Sequence[Node]]
    ) -> ColumnValues:
        """Return, for each record, the value that the first successful XPath expression
        reads.

        An entry is None if no expression finds a value.
        """
        values: ColumnValues = [None] * len(records)
        for locator in locators:
            value_in = self.finder(locator)
            for i, rows in enumerate(records):
                if values[i] is None and locator.row < len(rows):
                    values[i] = value_in(rows[locator.row])
        return values

    def nodes(self, expression: str, row: Node) -> list[Node]:
        """Return the nodes that an XPath expression selects from `row`, a top node of a
        record.
        """
        nodes_of = self._selected[expression]
        if (nodes := nodes_of.get(row)) is None:
            nodes = nodes_of[row] = xpath(expression)(row)
        return nodes

    def finder(self, locator: Locator) -> Callable[[Node], ReadValue | None]:
        """Return a function from a top node of a record to the value that an XPath
        expression reads there.

        The function returns None if there is no value.
        """
        expression, source = str(locator.xpath), locator.source
        content_of = self._contents[source]
        pattern = self._patterns(locator.pattern) if locator.pattern else None
        group = "value" if pattern and "value" in pattern.groupindex else 0

        def value_in(row: Node) -> ReadValue | None:
            nodes = self.nodes(expression, row)
            if source == EACH:
                shown = ITEM_END.join(filter(shows_value, map(text_of, nodes)))
                return ReadValue(shown, shown, nodes[0], source) if shown else None
            for node in nodes:
                if (content := content_of.get(node)) is None:
                    content = content_of[node] = read_node(node, source)
                if pattern is None:
                    if shows_value(content):
                        return ReadValue(content, content, node, source)
                    continue
                match = pattern.search(content, 0, SEARCHED)
                if match and (shown := match[group]):
                    return ReadValue(shown, match[0], node, source)
            return None

        return value_in


def record_starts_on_page(page: Page, locator: RecordLocator) -> set[NodeId]:
    """Return the first node of each record that an XPath expression selects.

    The nodes are the same as those of `record_starts_in_tree`.
    """
    all_starts: set[NodeId] = set()
    select = selector(page, locator.record)
    for container in selector(page, locator.root)(0):
        climb, tag = locator.climb, locator.tag
        ancestors = (_ancestor(page, node, climb, tag) for node in select(container))
        starts = [one for one in ancestors if one >= 0 and not page.is_hidden(one)]
        if locator.record.is_deep:
            displayed = [start for start in starts if not page.is_within_hidden(start)]
            starts = displayed if displayed or len(set(starts)) == 1 else starts
        all_starts.update(starts)
    return all_starts


def _ancestor(page: Page, node: NodeId, climb: int, tag: str) -> NodeId:
    """Return the ancestor of a node that is reached by going up `climb` times to the
    next ancestor with the tag `tag`.

    The tag "*" stands for any tag. Return -1 if there are too few ancestors.
    """
    while climb and (node := page.parent[node]) >= 0:
        if tag in ("*", page.tag[node]):
            climb -= 1
    return node


class PatternCache:
    """The regular expressions for reading the pages of a site, by name.

    Each expression is compiled at its first use.
    """

    def __init__(self, patterns: Mapping[str, str]) -> None:
        self._patterns = patterns
        self._compiled = cache(lambda name: re.compile(compose(name, patterns)))

    def __call__(self, name: str) -> re.Pattern[str]:
        """Return the compiled pattern with the given name."""
        return self._compiled(name)

    def __contains__(self, name: object) -> bool:
        return name in self._patterns


class PageValueReader:
    """A reader of values in the records of a `Page`, without lxml.

    `patterns` has the regular expressions that find values in texts, by name.
    """

    def __init__(self, patterns: PatternCache) -> None:
        self.patterns = patterns
        self._values_by_pattern: dict[str | None, _ValueOfText] = {}

    def column(
        self,
        page: Page,
        select: Select,
        source: str,
        pattern: str | None,
        rows: Iterable[NodeId | None],
    ) -> list[str | None]:
        """Return, for each record, the value that an XPath expression selects, or None.

        `rows` has the node of each record from which `select` evaluates the expression.
        Of several values, the first is returned. If `source` is `EACH`, they are
        joined.
        """
        if (value_of := self._values_by_pattern.get(pattern)) is None:
            compiled = None if pattern is None else self.patterns(pattern)
            value_of = self._values_by_pattern[pattern] = _ValueOfText(compiled)
        column: list[str | None] = []
        for row in rows:
            nodes = () if row is None else select(row)
            texts = (page.source_text(node, source) for node in nodes)
            values = (value for text in texts if (value := value_of[text]))
            value = ITEM_END.join(values) if source == EACH else next(values, None)
            column.append(value or None)
        return column


class _ValueOfText(dict[str, str | None]):
    """A dictionary from texts to the values in them, each found at its first use.

    The value is None or "" for a text without a value.
    """

    def __init__(self, pattern: re.Pattern[str] | None) -> None:
        self._pattern = pattern

    def __missing__(self, text: str) -> str | None:
        value: str | None
        if self._pattern is None:
            value = text if shows_value(text) else None
        else:
            match = self._pattern.search(text, 0, SEARCHED)
            group = "value" if "value" in self._pattern.groupindex else 0
            value = match[group] if match else None
        self[text] = value
        return value
