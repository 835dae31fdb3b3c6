"""Collect the texts in each record that may be values, with the paths to them from the
record.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from operator import attrgetter
from types import MappingProxyType
from typing import NamedTuple

from amber_wrap.analysis.relative_paths import PathNumber
from amber_wrap.annotate.annotator import Annotation
from amber_wrap.dom.page import OWN_TEXT, TEXT, NodeId, Page
from amber_wrap.domain.schema import AttributeType, Schema, ValueKind

BY_NODE = attrgetter("node")
"""The key function that sorts recognised values in document order."""
TextSpan = tuple[int, int]
"""The start and end offsets of a recognised value in a text."""


class ValuePlace(NamedTuple):
    """The position of a value in a record: the path to an element, and where in the
    element the value is.
    """

    path: PathNumber
    """The number of the path from the record to the element."""
    source: str
    """Where in the element the value is, such as "text" or "@href"."""


class PlacedAnnotation(NamedTuple):
    """A text that may be a value, with its position in a record."""

    node: NodeId
    """The element with the text."""
    place: ValuePlace
    annotation: Annotation


AnnotationsByRecord = Sequence[Sequence[PlacedAnnotation]]
"""The texts in each record of a list that may be values. The records and their texts
are in document order.
"""


@dataclass(frozen=True, slots=True)
class AnnotatedText:
    """A displayed text with the offsets of the values that were recognised in it."""

    text: str
    type_spans: tuple[TextSpan, ...]
    """The (start, end) offsets of values of the type that is sought."""
    other_spans: tuple[TextSpan, ...]
    """The (start, end) offsets of values of other types that don't overlap a value of
    the type that is sought.
    """

    @property
    def inner_spans(self) -> tuple[TextSpan, ...]:
        """The spans in `type_spans` that don't cover the whole text.

        A span of a whole headline doesn't show which part of the text is the value.
        """
        return tuple(span for span in self.type_spans if span != (0, len(self.text)))

    def within(self, span: TextSpan) -> AnnotatedText:
        """Return the part of the text within `span`, with the recognised values in the
        part.

        Values that are only partly within `span` are shortened.
        """
        part_begin, part_end = span

        def clipped(spans: Sequence[TextSpan]) -> tuple[TextSpan, ...]:
            inside = (
                (max(start, part_begin), min(end, part_end)) for start, end in spans
            )
            return tuple(
                (start - part_begin, end - part_begin)
                for start, end in inside
                if start < end
            )

        text = self.text[part_begin:part_end]
        return AnnotatedText(text, clipped(self.type_spans), clipped(self.other_spans))


@dataclass(frozen=True, slots=True)
class TypeClaims:
    """The texts in each record of a list that may be values of any type, and the texts
    that may be values of one type.
    """

    page: Page
    kind: AttributeType
    schema: Schema
    claims: AnnotationsByRecord
    """The texts in each record that may be values of any type."""
    of_type: AnnotationsByRecord
    """The texts in each record that may be the value of the type `kind`."""

    @property
    def apart_types(self) -> frozenset[str]:
        """The names of all types of values except `kind` and the types of its parts.

        For the type of addresses, for example, the type of postcodes is left out,
        because postcodes are parts of addresses.
        """
        types = self.schema.types
        return frozenset(it.name for it in types if not _is_part(it, self.kind))

    def by_record(
        self,
    ) -> Iterator[tuple[Sequence[PlacedAnnotation], Sequence[PlacedAnnotation]]]:
        """Yield two lists for each record: its texts that may be values of any type,
        and its texts that may be values of the type `kind`.
        """
        return zip(self.claims, self.of_type, strict=True)


def _is_part(part: AttributeType, kind: AttributeType) -> bool:
    """Return whether `part` is the type `kind`, or a type with which `kind` shares a
    pattern.

    For example, postcodes are parts of addresses, and the two types share a pattern.
    """
    return part.name == kind.name or not set(part.patterns).isdisjoint(kind.patterns)


def whole_source(
    page: Page, node: NodeId, source: str, annotation: Annotation | None
) -> str:
    """Return where the whole text around a recognised value is.

    The result is `TEXT`, `OWN_TEXT` (without child elements) or an HTML attribute such
    as "@title".
    """
    if source == TEXT and (annotation is None or page.is_text(annotation.node)):
        return OWN_TEXT if page.source_text(node, OWN_TEXT) else source
    return source


def texts_at_paths(
    found: TypeClaims, lines: Mapping[ValuePlace, str] = MappingProxyType({})
) -> dict[ValuePlace, list[AnnotatedText]]:
    """Return the whole texts at each path in records where values of the type
    `found.kind` are recognised.

    Each record has at most one text at a path. `lines` says which line of an element's
    text to read, such as `FIRST_LINE`.
    """
    page, kind, apart_types = found.page, found.kind, found.apart_types
    type_places = {
        claim.place
        for record_claims in found.claims
        for claim in record_claims
        if claim.annotation.type == kind.name
    }
    texts: dict[ValuePlace, list[AnnotatedText]] = defaultdict(list)
    for record_claims in found.claims:
        first_of_type: dict[ValuePlace, PlacedAnnotation] = {}
        last_of_any: dict[ValuePlace, PlacedAnnotation] = {}
        ambiguous: set[ValuePlace] = set()
        for claim in record_claims:
            place = claim.place
            if place not in type_places:
                continue
            if place in last_of_any and last_of_any[place].node != claim.node:
                ambiguous.add(place)
            last_of_any[place] = claim
            if claim.annotation.type == kind.name:
                first_of_type.setdefault(place, claim)
        for place in last_of_any.keys() - ambiguous | first_of_type.keys():
            claim = first_of_type.get(place) or last_of_any[place]
            source = lines.get(place) or whole_source(
                page, claim.node, place.source, claim.annotation
            )
            if text := page.source_text(claim.node, source):
                texts[place].append(
                    _with_spans(found, apart_types, claim, text, record_claims)
                )
    return texts


def _with_spans(
    found: TypeClaims,
    apart_types: AbstractSet[str],
    claim: PlacedAnnotation,
    text: str,
    record_claims: Sequence[PlacedAnnotation],
) -> AnnotatedText:
    """Return the text of the element of `claim`, with the offsets of the recognised
    values in it.

    `record_claims` has all recognised values of the record. Values of other types than
    `found.kind` count only if their type is in `apart_types`. In a headline, only
    amounts of money count.
    """
    kind, begin = found.kind, claim.node
    end = begin + found.page.size[begin]
    type_spans: list[TextSpan] = []
    other_spans: list[TextSpan] = []
    for node, place, annotation in record_claims:
        if not begin <= node < end or place.source != claim.place.source:
            continue
        value = annotation.text
        if annotation.type != kind.name and annotation.matched in text:
            value = annotation.matched  # For example "3 Bed", and not just "3".
        start = text.find(value)
        if start < 0:
            continue
        span = (start, start + len(value))
        if annotation.type == kind.name:
            type_spans.append(span)
        elif claim.annotation.is_of_markup:
            # A headline may contain many things, but no price of the record.
            if found.schema[annotation.type].kind is ValueKind.MONEY:
                other_spans.append(span)
        elif annotation.type in apart_types:
            other_spans.append(span)
    inner_spans = AnnotatedText(text, tuple(type_spans), ()).inner_spans
    apart_spans = tuple(
        span for span in other_spans if not overlaps_any(span, inner_spans)
    )
    return AnnotatedText(text, tuple(type_spans), apart_spans)


def overlaps_any(span: TextSpan, spans: Sequence[TextSpan]) -> bool:
    """Return whether a span overlaps any of the spans `spans`."""
    span_start, span_end = span
    return any(span_start < end and start < span_end for start, end in spans)


def annotations_of_record(
    page: Page,
    rows: Sequence[NodeId],
    paths: Mapping[NodeId, PathNumber],
    annotations: Sequence[Annotation],
) -> list[PlacedAnnotation]:
    """Return the texts of a record that may be values, with their paths, in document
    order.

    `rows` are the top elements of the record, `paths` has the path to each element, and
    `annotations` has all possible values of the page in document order.
    """
    claims = []
    for row in rows:
        begin = bisect_left(annotations, row, key=BY_NODE)
        end = bisect_left(annotations, row + page.size[row], begin, key=BY_NODE)
        for annotation in annotations[begin:end]:
            # Paths end at elements, so a text node is replaced by its parent.
            node = page.element(annotation.node)
            place = ValuePlace(paths[node], annotation.source)
            claims.append(PlacedAnnotation(node, place, annotation))
    return claims


def claims_by_type_name(
    record_claims: Iterable[PlacedAnnotation],
) -> Mapping[str, list[PlacedAnnotation]]:
    """Return the possible values of a record by the name of their type."""
    by_type: dict[str, list[PlacedAnnotation]] = defaultdict(list)
    for claim in record_claims:
        by_type[claim.annotation.type].append(claim)
    return by_type
