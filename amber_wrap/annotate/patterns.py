"""Values that a regular expression recognises (the part of JAPE rules in AMBER)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from amber_wrap.annotate.annotator import Annotation, Texts
from amber_wrap.dom.page import Page


@dataclass(frozen=True, slots=True)
class PatternAnnotator:
    """Claims for type `type` each match of pattern `name`."""

    type: str
    name: str
    expression: re.Pattern[str]

    def annotate(self, page: Page, texts: Texts) -> Iterator[Annotation]:
        """One annotation per match; a match stays within one text."""
        for match in self._matches(texts.joined):
            start, end = displayed_span(match)
            node, source, offset = texts.locate(match.start())
            yield Annotation(
                node=node,
                source=source,
                start=start - offset,
                end=end - offset,
                type=self.type,
                text=texts.joined[start:end],
                matched=match[0],
                recogniser=self.name,
            )

    def _matches(self, joined: str) -> Iterator[re.Match[str]]:
        """All matches; one that ran into the next line is sought again in its own."""
        position = 0
        while match := self.expression.search(joined, position):
            line_end = joined.find("\n", match.start())
            if 0 <= line_end < match.end():
                short = self.expression.search(joined, match.start(), line_end)
                if short is None:
                    position = line_end + 1
                    continue
                match = short
            yield match
            position = max(match.end(), position + 1)


def displayed_span(match: re.Match[str]) -> tuple[int, int]:
    """Where the displayed value is: the group `value`, else the whole match."""
    return match.span("value") if "value" in match.re.groupindex else match.span()
