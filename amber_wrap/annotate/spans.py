"""Annotate the spans that a plugin's function finds in texts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from amber_wrap.annotate.annotator import Annotation, Texts
from amber_wrap.dom.page import Page

LONGEST_SPAN = 256
"""The greatest number of characters of a text that a function gets."""
_QUOTED = 40
"""The number of characters of a text that a message quotes."""

MatchSpan = tuple[int, int]
"""The start and end offsets of a value in a text."""
Find = Callable[[str], Iterable[MatchSpan]]


class RecogniserError(ValueError):
    """An invalid result of a recogniser.

    The message continues a sentence that starts with the recogniser's name.
    """


@dataclass(frozen=True, slots=True)
class SpanAnnotator:
    """Annotates the spans that the function `find` returns for a text.

    The annotations have the type `type`. `find` must be a pure function, because it is
    called once for each different text of a page.

    A text of more than 256 characters is cut at a blank. A span that reaches the cut is
    dropped.
    """

    type: str
    name: str
    find: Find

    def annotate(self, page: Page, texts: Texts) -> Iterator[Annotation]:
        """Yield one annotation for each span in each text.

        Raise RecogniserError if the function raises an exception, or returns anything
        but (start, end) offsets within the text.
        """
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
    """Return whether an object is a pair (start, end) of offsets within a text, with
    start less than end.
    """
    if not isinstance(span, tuple | list) or len(span) != 2:
        return False
    start, end = span
    return type(start) is type(end) is int and 0 <= start < end <= len(text)


def _quoted(text: str) -> str:
    """Return the start of a text in quotation marks, for messages."""
    return ascii(text if len(text) <= _QUOTED else f"{text[:_QUOTED]}...")
