"""Values read on the columns of a page, as `embedded.reading.Reader` does on its tree.

Induction reads the same elements by many locators: what one displays is found once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from amber_wrap.dom.page import NodeId, Page
from amber_wrap.embedded.markup import shows_value
from amber_wrap.wrapper.evaluator import Select
from amber_wrap.wrapper.interpret import Patterns


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
        content = self._page.source_text(node, self._source)
        if self._pattern is not None:
            shown = self._patterns.shown(self._pattern, content)
        else:
            shown = content if shows_value(content) else None
        self[node] = shown
        return shown
