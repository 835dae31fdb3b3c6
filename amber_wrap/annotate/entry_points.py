"""Run the annotators that other packages register as entry points (AMBER, section 5:
annotator layer).

An entry point is a function or a class. A function takes a text, and returns the
(start, end) spans of the values in the text. A class takes the name of an attribute
type, and makes an `Annotator`. The results of both are checked.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from amber_wrap.annotate.annotator import Annotation, Annotator, Texts
from amber_wrap.annotate.spans import RecogniserError, SpanAnnotator
from amber_wrap.dom.page import TEXT, Page
from amber_wrap.domain.schema import Plugin, annotator_pattern


@dataclass(frozen=True, slots=True)
class PluginAnnotator:
    """Annotates values that a plugin finds.

    The annotations have the type `type` and the recogniser `annotator:<name>`.
    """

    type: str
    plugin: Plugin

    def annotate(self, page: Page, texts: Texts) -> Iterator[Annotation]:
        """Yield the plugin's annotations of a page.

        Raise DomainError if the plugin raises an exception, or returns annotations that
        are invalid or overlap.
        """
        try:
            found = list(self._annotator().annotate(page, texts))
            for claim in found:
                _check(page, claim, self.type)
            _check_overlaps(found)
        except RecogniserError as error:
            self.plugin.fail(str(error), error)
        except Exception as error:
            self.plugin.fail(f"raised {type(error).__name__} ({error})", error)
        name = annotator_pattern(self.plugin.name)
        yield from (claim._replace(recogniser=name) for claim in found)

    def _annotator(self) -> Annotator:
        recognise = self.plugin.recognise
        if isinstance(recognise, type):
            made: Annotator = recognise(self.type)
            return made
        return SpanAnnotator(self.type, self.plugin.name, recognise)


def _check(page: Page, claim: object, kind: str) -> None:
    """Raise RecogniserError unless an object is a valid annotation.

    A valid annotation has the type `kind`, and its text is on the page at its offsets.
    """
    if not isinstance(claim, Annotation):
        raise RecogniserError(f"gave {claim!r}, which is no Annotation")
    if claim.type != kind:
        raise RecogniserError(f"gave an annotation of {claim.type!r}, not of {kind!r}")
    shown = _shown(page, claim)
    if not (
        0 <= claim.start < claim.end <= len(shown)
        and shown[claim.start : claim.end] == claim.text
        and claim.text in claim.matched
    ):
        raise RecogniserError(
            f"gave {claim.text!r} as {claim.start} to {claim.end} of {shown[:80]!r}, "
            "where the text differs"
        )


def _shown(page: Page, claim: Annotation) -> str:
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
    for one, other in pairwise(sorted(claims)):
        same = (one.node, one.source) == (other.node, other.source)
        if same and other.start < one.end:
            raise RecogniserError(
                f"gave both {one.text!r} and {other.text!r}, which overlap in one text"
            )
