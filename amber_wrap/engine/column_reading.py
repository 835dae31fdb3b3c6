"""Read records and values on the columns of a page, as `tree_reading` does on a tree.

A column of a page is a list with one entry per node. Induction reads the same texts by
many locators, so each text is searched only once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from amber_wrap.dom.markup import EACH, shows_value
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.engine.evaluator import Select, selector
from amber_wrap.engine.interpret import PatternCache
from amber_wrap.values.regular_expressions import SEARCHED
from amber_wrap.values.typed import ITEM_END
from amber_wrap.wrapper.ir import RecordLocator


def record_starts(page: Page, place: RecordLocator) -> set[NodeId]:
    """Return the first node of each record that a locator selects.

    The nodes are the same as those of `engine.tree_reading.starts_at`.
    """
    starts: set[NodeId] = set()
    select = selector(page, place.record)
    for top in selector(page, place.root)(0):
        climbed = (_above(page, one, place.climb, place.tag) for one in select(top))
        found = [one for one in climbed if one >= 0 and not page.is_hidden(one)]
        if place.record.is_deep:
            shown = [one for one in found if not page.is_within_hidden(one)]
            found = shown if shown or len(set(found)) == 1 else found
        starts.update(found)
    return starts


def _above(page: Page, node: NodeId, climb: int, tag: str) -> NodeId:
    """Return the `climb`-th ancestor of a node among its ancestors with the tag `tag`.

    The tag "*" stands for any tag. Return -1 if the node has fewer ancestors. Return
    the node itself if `climb` is 0.
    """
    while climb and (node := page.parent[node]) >= 0:
        climb -= tag in ("*", page.tag[node])
    return node


class Readout:
    """A reader of displayed values through the patterns of a wrapper."""

    def __init__(self, patterns: PatternCache) -> None:
        self.patterns = patterns
        self._values: dict[str | None, _Values] = {}

    def column(
        self,
        page: Page,
        select: Select,
        source: str,
        pattern: str | None,
        rows: Iterable[NodeId | None],
    ) -> list[str | None]:
        """Return for each row the value of the first selected element that has a value.

        `select` returns the elements that an XPath expression selects from a row.
        `source` says whether an element's text or an HTML attribute is read. The entry
        is None if no element has a value. For a list field, `source` is `EACH`,
        and an entry joins the values of all selected elements.
        """
        if (read := self._values.get(pattern)) is None:
            compiled = None if pattern is None else self.patterns(pattern)
            read = self._values[pattern] = _Values(compiled)

        def shown_by(node: NodeId) -> str | None:
            return read[page.source_text(node, source)]

        values: list[str | None] = []
        for row in rows:
            found = filter(None, map(shown_by, () if row is None else select(row)))
            shown = ITEM_END.join(found) if source == EACH else next(found, None)
            values.append(shown or None)
        return values


class _Values(dict[str, str | None]):
    """A dictionary from texts to values, each computed at its first use.

    A value is the part of the text that the pattern matches. If there is no pattern,
    the value is the whole text. For a text without a value, the entry is None or "".
    """

    def __init__(self, pattern: re.Pattern[str] | None) -> None:
        self._pattern = pattern

    def __missing__(self, content: str) -> str | None:
        shown: str | None
        if self._pattern is None:
            shown = content if shows_value(content) else None
        else:
            match = self._pattern.search(content, 0, SEARCHED)
            group = "value" if "value" in self._pattern.groupindex else 0
            shown = match[group] if match else None
        self[content] = shown
        return shown
