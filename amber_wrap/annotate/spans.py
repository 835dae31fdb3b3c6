"""Recognisers that are functions of a text, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from amber_wrap.annotate.annotator import Annotation, Texts
from amber_wrap.dom.page import Page

LONGEST_SPAN = 256
"""Characters of a text that a recogniser is given: what follows only costs time."""
_QUOTED = 40
"""Characters of a text that a message quotes."""

MatchSpan = tuple[int, int]
"""Where a value starts in a text, and where it ends."""
Find = Callable[[str], Iterable[MatchSpan]]


class RecogniserError(ValueError):
    """What a recogniser did that it must not; the message says it after its name."""


@dataclass(frozen=True, slots=True)
class SpanAnnotator:
    """Claims for type `type` the spans that `find` gives of each text.

    `find` must be a pure function of the text.  It is called once for equal texts of a
    page, with 256 characters at most: longer texts are cut at a blank, and spans that
    reach the cut are left out.
    """

    type: str
    name: str
    find: Find

    def annotate(self, page: Page, texts: Texts) -> Iterator[Annotation]:
        """One annotation per span; raises RecogniserError if there are other finds."""
        find = cache(self._spans)
        for node, source, text in texts:
            for start, end in find(text):
                value = text[start:end]
                yield Annotation(
                    node, source, start, end, self.type, value, value, self.name
                )

    def _spans(self, text: str) -> tuple[MatchSpan, ...]:
        given = text
        if len(text) > LONGEST_SPAN:
            given = text[:LONGEST_SPAN].rpartition(" ")[0] or text[:LONGEST_SPAN]
        try:
            found = self.find(given)
            spans = tuple(found) if isinstance(found, Iterable) else (found,)
        except Exception as error:
            raise RecogniserError(
                f"raised {type(error).__name__} ({error}) for {_quoted(given)}"
            ) from error
        for span in spans:
            if not _is_span(span, given):
                raise RecogniserError(
                    f"gave {span!r} for {_quoted(given)}: it must give (start, end) "
                    "pairs, all within the text"
                )
        whole = len(given) == len(text)
        return tuple((start, end) for start, end in spans if whole or end < len(given))


def _is_span(span: object, text: str) -> bool:
    """Return whether it is a pair of offsets with something in between."""
    if not isinstance(span, tuple | list) or len(span) != 2:
        return False
    start, end = span
    return type(start) is type(end) is int and 0 <= start < end <= len(text)


def _quoted(text: str) -> str:
    """Return the beginning of a text, for messages."""
    return ascii(text if len(text) <= _QUOTED else f"{text[:_QUOTED]}...")
