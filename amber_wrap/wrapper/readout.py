"""Records and values read on columns, as `embedded.reading` does on a tree.

Induction reads the same elements by many locators: what one displays is found once.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence

from amber_wrap.dom.page import TEXT, NodeId, Page
from amber_wrap.embedded.markup import shows_value
from amber_wrap.wrapper.evaluator import Select, printed_selector
from amber_wrap.wrapper.interpret import Patterns
from amber_wrap.wrapper.ir import Place


def record_starts(page: Page, place: Place) -> set[NodeId]:
    """The first row of each record at a place (`embedded.reading.record_rows`)."""
    starts: set[NodeId] = set()
    anywhere = place.record.startswith(".//")
    select = printed_selector(page, place.record)
    for top in printed_selector(page, place.root)(0):
        found = select(top)
        if place.climb:
            found = highest_apart(page, found)
        starts.update(
            one
            for one in found
            if not page.is_hidden(one)
            if not (anywhere and page.is_within_hidden(one))
        )
    return starts


def highest_apart(page: Page, nodes: Sequence[NodeId]) -> Sequence[NodeId]:
    """The highest elements that hold one of the nodes each."""
    found = []
    for node in nodes:
        while (above := page.parent[node]) >= 0:
            at = bisect_left(nodes, above)
            if bisect_left(nodes, above + page.size[above], at) - at > 1:
                break
            node = above
        found.append(node)
    return found


class Readout:
    """What elements display, through the patterns of a wrapper."""

    def __init__(self, patterns: Patterns) -> None:
        self.patterns = patterns
        self._displays: dict[tuple[int, str, str | None], _Displays] = {}

    def column(
        self,
        page: Page,
        select: Select,
        source: str,
        pattern: str | None,
        rows: Iterable[NodeId | None],
    ) -> list[str | None]:
        """Of each row the value of the first selected element that has one."""
        displays = self._of(page, source, pattern)
        values: list[str | None] = []
        for row in rows:
            shown = None
            for node in () if row is None else select(row):
                if shown := displays[node]:
                    break
            values.append(shown or None)
        return values

    def _of(
        self, page: Page, source: str, pattern: str | None
    ) -> Mapping[NodeId, str | None]:
        key = id(page), source, pattern
        if key not in self._displays:
            self._displays[key] = _Displays(page, source, pattern, self.patterns)
        return self._displays[key]


class _Displays(dict[NodeId, str | None]):
    """By element what is a value there; found when it is asked for."""

    def __init__(
        self, page: Page, source: str, pattern: str | None, patterns: Patterns
    ) -> None:
        self._page, self._source = page, source
        self._pattern, self._patterns = pattern, patterns

    def __missing__(self, node: NodeId) -> str | None:
        is_text = self._source == TEXT
        page = self._page
        content = page.string(node) if is_text else page.source_text(node, self._source)
        if self._pattern is not None:
            shown = self._patterns.shown(self._pattern, content)
        else:
            shown = content if shows_value(content) else None
        self[node] = shown
        return shown
