"""Annotations as alignment sees them, and what the texts at a place say."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from amber_wrap.analysis.places import Path
from amber_wrap.annotate.annotator import Annotation
from amber_wrap.annotate.builtin import BUILT_IN
from amber_wrap.dom.page import OWN_TEXT, TEXT, NodeId, Page
from amber_wrap.domain.schema import AttributeType, Schema, ValueKind

Place = tuple[Path, str]
"""Where an attribute is within a record: a path, and the source at its end."""
Span = tuple[int, int]
"""Where in a text something is recognised."""


@dataclass(frozen=True, slots=True)
class Claim:
    """An annotation as alignment sees it: on an element of a record."""

    node: NodeId
    place: Place
    annotation: Annotation


@dataclass(frozen=True, slots=True)
class Said:
    """A text, and where in it values of the type and of other types are recognised.

    Others overlap no own ones, but those that cover all of the text.
    """

    text: str
    own: tuple[Span, ...]
    others: tuple[Span, ...]

    @property
    def parts(self) -> tuple[Span, ...]:
        """The own ones that are but part of the text.

        What calls all of it a value, a headline or a class, doesn't tell which part is.
        """
        return tuple(span for span in self.own if span != (0, len(self.text)))

    def within(self, span: Span) -> Said:
        """The same for a part of the text."""
        begin, end = span

        def clipped(spans: Sequence[Span]) -> tuple[Span, ...]:
            inside = ((max(s, begin), min(e, end)) for s, e in spans)
            return tuple((s - begin, e - begin) for s, e in inside if s < e)

        return Said(self.text[begin:end], clipped(self.own), clipped(self.others))


def whole_source(
    page: Page, node: NodeId, source: str, annotation: Annotation | None
) -> str:
    """Where the whole text is that was recognised on an element, maybe in part.

    What stands beside that text, in elements of its own, is something else.
    """
    if source == TEXT and (annotation is None or page.is_text(annotation.node)):
        return OWN_TEXT if page.source_text(node, OWN_TEXT) else source
    return source


def said_at_places(
    page: Page, kind: AttributeType, schema: Schema, claims: Sequence[Sequence[Claim]]
) -> dict[Place, list[Said]]:
    """What the whole texts say at each place of a type, from the claims per record."""
    places = {
        claim.place
        for found in claims
        for claim in found
        if claim.annotation.type == kind.name
    }
    texts: dict[Place, list[Said]] = defaultdict(list)
    for found in claims:
        at: dict[Place, Claim] = {}
        for claim in reversed(found):
            known = at.get(claim.place)
            if (
                known is None
                or known.annotation.type != kind.name
                or (claim.annotation.type == kind.name)
            ):
                at[claim.place] = claim
        for place in places & at.keys():
            texts[place].append(_said(page, kind, schema, at[place], found))
    return texts


def _said(
    page: Page,
    kind: AttributeType,
    schema: Schema,
    claim: Claim,
    claims: Sequence[Claim],
) -> Said:
    """What the text of a claim says, by all claims of its record."""
    node, (_, source) = claim.node, claim.place
    text = page.source_text(node, whole_source(page, node, source, claim.annotation))
    own: list[Span] = []
    others: list[Span] = []
    headline = claim.annotation.recogniser in BUILT_IN
    for one in claims:
        if one.place[1] != source or not page.contains(node, one.node):
            continue
        start = text.find(one.annotation.text)
        span = (start, start + len(one.annotation.text))
        if start < 0:
            continue
        if one.annotation.type == kind.name:
            own.append(span)
        elif not headline or schema[one.annotation.type].kind is ValueKind.MONEY:
            # A headline says all kinds of things of its record, the price is none.
            others.append(span)
    said = Said(text, tuple(own), ())
    apart = tuple(span for span in others if not _overlaps(span, said.parts))
    return replace(said, others=apart)


def _overlaps(span: Span, others: Sequence[Span]) -> bool:
    return any(span[0] < end and start < span[1] for start, end in others)
