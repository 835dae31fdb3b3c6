"""Run the annotators that other packages register as entry points (AMBER paper, section
5).

An entry point is a function that finds values in a text, or a class of annotators.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from amber_wrap.annotate.annotator import Annotation, Annotator, Texts
from amber_wrap.dom.page import TEXT, Page
from amber_wrap.domain.schema import Plugin, annotator_pattern

LONGEST_SPAN = 256
"""The greatest number of characters of a text that is passed to a plugin's function."""
_QUOTED = 40
"""The number of characters of a text that a message quotes."""
MatchSpan = tuple[int, int]
"""The start and end offsets of a value in a text."""
Find = Callable[[str], Iterable[MatchSpan]]
"""A function that returns the (start, end) offsets of the values in a text."""


class RecogniserError(ValueError):
    """Raised if a plugin that finds values returns an invalid result.

    The message continues a sentence that starts with the plugin's name.
    """


@dataclass(frozen=True, slots=True)
class SpanAnnotator:
    """An annotator that takes the values in a text from the function `find`.

    Of a text with more than 256 characters, only the start is searched.
    """

    type: str
    """The name of the type that the annotations have, such as "price"."""
    name: str
    """The name that the annotations have as `recogniser`."""
    find: Find
    """A pure function of a text, which is called once for each different text of a
    page."""

    def annotate(self, page: Page, texts: Texts) -> Iterator[Annotation]:
        """Yield one annotation for each value that `find` finds in a text.

        Raise RecogniserError if `find` raises an exception, or returns anything but
        (start, end) offsets within the text.
        """
        find_once = cache(self._spans)
        for node, source, text in texts:
            for start, end in find_once(text):
                value = text[start:end]
                yield Annotation(
                    node, source, start, end, self.type, value, value, self.name
                )

    def _spans(self, text: str) -> tuple[MatchSpan, ...]:
        """Return the (start, end) offsets of the values that `find` finds in the start
        of a text.

        Raise RecogniserError if `find` raises an exception or returns anything but
        offsets.
        """
        cut_text = text
        if len(text) > LONGEST_SPAN:
            start_of_text = text[:LONGEST_SPAN]
            cut_text = start_of_text.rpartition(" ")[0] or start_of_text
        try:
            result = self.find(cut_text)
            spans = tuple(result) if isinstance(result, Iterable) else (result,)
        except Exception as error:
            raise RecogniserError(
                f"raised {type(error).__name__} ({error}) for {_quoted(cut_text)}"
            ) from error
        for span in spans:
            if not _is_span(span, cut_text):
                raise RecogniserError(
                    f"returned {span!r} for {_quoted(cut_text)}: return (start, end) "
                    "pairs, all within the text"
                )
        is_cut = len(cut_text) < len(text)
        return tuple(
            (start, end) for start, end in spans if not is_cut or end < len(cut_text)
        )


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


@dataclass(frozen=True, slots=True)
class PluginAnnotator:
    """An annotator that finds values with a plugin, which is code of another package.

    The `recogniser` of each annotation names the plugin: "annotator:vin" for the plugin
    "vin".
    """

    type: str
    """The name of the type that the annotations have, such as "price"."""
    plugin: Plugin

    def annotate(self, page: Page, texts: Texts) -> Iterator[Annotation]:
        """Yield the plugin's annotations of a page.

        Raise DomainError if the plugin raises an exception, or returns annotations that
        are invalid or overlap.
        """
        try:
            claims = list(self._annotator().annotate(page, texts))
            for claim in claims:
                _check(page, claim, self.type)
            _check_overlaps(claims)
        except RecogniserError as error:
            self.plugin.fail(str(error), error)
        except Exception as error:
            self.plugin.fail(f"raised {type(error).__name__} ({error})", error)
        name = annotator_pattern(self.plugin.name)
        yield from (claim._replace(recogniser=name) for claim in claims)

    def _annotator(self) -> Annotator:
        """Return the annotator that the plugin's class makes, or an annotator that
        calls the plugin's function.
        """
        class_or_function = self.plugin.recognise
        if isinstance(class_or_function, type):
            annotator: Annotator = class_or_function(self.type)
            return annotator
        return SpanAnnotator(self.type, self.plugin.name, class_or_function)


def _check(page: Page, claim: object, type_name: str) -> None:
    """Raise RecogniserError unless a plugin's result is a valid annotation of a type.

    Its text must be on the page at its offsets.
    """
    if not isinstance(claim, Annotation):
        raise RecogniserError(f"returned {claim!r}, which is not an Annotation")
    if claim.type != type_name:
        raise RecogniserError(
            f"returned an annotation of {claim.type!r}, not of {type_name!r}"
        )
    text = _annotated_text(page, claim)
    if not (
        0 <= claim.start < claim.end <= len(text)
        and text[claim.start : claim.end] == claim.text
        and claim.text in claim.matched
    ):
        raise RecogniserError(
            f"returned {claim.text!r} as {claim.start} to {claim.end} of "
            f"{text[:80]!r}, where the text differs"
        )


def _annotated_text(page: Page, claim: Annotation) -> str:
    """Return the whole text at the node and source of an annotation.

    Return "" if the node or the source isn't on the page.
    """
    if claim.node not in range(len(page)):
        return ""
    if page.is_text(claim.node):
        return page.text[claim.node] if claim.source == TEXT else ""
    is_source = claim.source == TEXT or claim.source.startswith("@")
    return page.source_text(claim.node, claim.source) if is_source else ""


def _check_overlaps(claims: list[Annotation]) -> None:
    """Raise RecogniserError if two annotations overlap in one text."""
    for left, right in pairwise(sorted(claims)):
        in_same_text = (left.node, left.source) == (right.node, right.source)
        if in_same_text and right.start < left.end:
            raise RecogniserError(
                f"returned both {left.text!r} and {right.text!r}, which overlap in one "
                "text"
            )
