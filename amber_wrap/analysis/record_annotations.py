"""Annotations as alignment sees them, and what the texts at a place say."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from amber_wrap.analysis.relative_paths import PathNumber
from amber_wrap.annotate.annotator import COMPOSED_LENGTH, Annotation
from amber_wrap.dom.page import OWN_TEXT, TEXT, NodeId, Page
from amber_wrap.domain.schema import AttributeType, Schema, ValueKind

ValuePlace = tuple[PathNumber, str]
"""Where an attribute is within a record: a path, and the source at its end."""
TextSpan = tuple[int, int]
"""Where in a text something is recognised."""

LEAST_GATHERED = 0.5
"""The share of records that must have such neighbours for their parent to count."""
LEAST_LINES = 3
"""Records from which on it is no chance that only a line of a text is meant."""


class PlacedAnnotation(NamedTuple):
    """An annotation as alignment sees it: on an element of a record."""

    node: NodeId
    place: ValuePlace
    annotation: Annotation


Claims = Sequence[Sequence[PlacedAnnotation]]
"""The claims of each record of an area, in document order."""


@dataclass(frozen=True, slots=True)
class ShownText:
    """A text, and where in it values of the type and of other types are recognised.

    Others overlap no own ones, but those that cover all of the text.
    """

    text: str
    own: tuple[TextSpan, ...]
    others: tuple[TextSpan, ...]

    @property
    def parts(self) -> tuple[TextSpan, ...]:
        """The own ones that are but part of the text.

        What calls all of it a value, a headline or a class, doesn't tell which part is.
        """
        return tuple(span for span in self.own if span != (0, len(self.text)))

    def within(self, span: TextSpan) -> ShownText:
        """Return the same for a part of the text."""
        begin, end = span

        def clipped(spans: Sequence[TextSpan]) -> tuple[TextSpan, ...]:
            inside = ((max(s, begin), min(e, end)) for s, e in spans)
            return tuple((s - begin, e - begin) for s, e in inside if s < e)

        return ShownText(self.text[begin:end], clipped(self.own), clipped(self.others))


def gathered(
    page: Page,
    kind: AttributeType,
    schema: Schema,
    claims: Claims,
    own: Claims,
    path_of: Sequence[Mapping[NodeId, PathNumber]],
) -> Claims:
    """Return the claims, those of a whole text in several elements made at what
    holds them.

    `<span>12 Old Lane</span> <span>Oxford</span>`: where most records have such
    neighbours, and nothing else beside them, their parent displays the value.  `own`
    are the claims of the type; they are what is moved.
    """
    held = list(_holders(page, own, path_of))
    others = apart_from(kind, schema)
    agreed = _agreed(page, held, claims, others)
    agreed |= _sparsely_claimed(page, held, claims, others)
    if not agreed:
        return claims

    def moved(
        claim: PlacedAnnotation, paths: Mapping[NodeId, PathNumber]
    ) -> PlacedAnnotation:
        parent = page.parent[claim.node]
        if not _is_own_text(kind, claim) or paths.get(parent) not in agreed:
            return claim
        annotation = claim.annotation._replace(node=parent)
        return PlacedAnnotation(parent, (paths[parent], TEXT), annotation)

    return [
        [moved(claim, paths) for claim in found]
        for found, paths in zip(claims, path_of, strict=True)
    ]


class Holder(NamedTuple):
    """A small element with values of a type in some of its children.

    `record` is the number of its record.
    """

    record: int
    path: PathNumber
    node: NodeId
    children: AbstractSet[NodeId]


def _holders(
    page: Page, own: Claims, path_of: Sequence[Mapping[NodeId, PathNumber]]
) -> Iterator[Holder]:
    """Yield what holds displayed values of a type, given by their claims, within
    records.
    """
    for i, (found, paths) in enumerate(zip(own, path_of, strict=True)):
        below: dict[NodeId, set[NodeId]] = defaultdict(set)
        for one in found:
            if one.place[1] == TEXT:
                below[page.parent[one.node]].add(one.node)
        for parent, children in below.items():
            if parent in paths:
                yield Holder(i, paths[parent], parent, children)


def _agreed(
    page: Page, holders: Iterable[Holder], claims: Claims, others: AbstractSet[str]
) -> set[PathNumber]:
    """Return the paths where most records have a small element with several values
    of a type.

    It has no claims of the `others`.
    """
    several: dict[PathNumber, list[Holder]] = defaultdict(list)
    for one in holders:
        if len(one.children) > 1 and page.text_length(one.node) <= COMPOSED_LENGTH:
            several[one.path].append(one)
    least = LEAST_GATHERED * len(claims)
    return {
        path
        for path, held in several.items()
        if len(held) >= least
        and sum(not _holds(page, one, claims, others) for one in held) >= max(1, least)
    }


def _sparsely_claimed(
    page: Page, holders: Iterable[Holder], claims: Claims, others: AbstractSet[str]
) -> set[PathNumber]:
    """Return the paths of small elements whose children all hold values, here one,
    there one.

    Lists know few streets and few towns; nothing else is ever claimed in the children.
    """
    held_at: dict[PathNumber, list[Holder]] = defaultdict(list)
    for one in holders:
        held_at[one.path].append(one)

    def is_meant(held: Sequence[Holder]) -> bool:
        if any(page.text_length(one.node) > COMPOSED_LENGTH for one in held):
            return False
        shown = [shown_children(page, one.node) for one in held]
        claimed = Counter(
            parts.index(node)
            for one, parts in zip(held, shown, strict=True)
            for node in one.children
        )
        least = max(1, min(LEAST_LINES, len(held) // 4))
        return (
            len(claimed) > 1
            and all(claimed[rank] >= least for rank in range(max(map(len, shown))))
            and not any(_holds(page, one, claims, others) for one in held)
        )

    return {path for path, held in held_at.items() if is_meant(held)}


def _holds(
    page: Page, holder: Holder, claims: Claims, others: AbstractSet[str]
) -> bool:
    """Return whether something else is claimed in an element, headlines and the
    like left out.

    `others` are the types that are something else.
    """
    return any(
        one.annotation.type in others
        and not one.annotation.is_of_markup
        and page.contains(holder.node, one.node)
        for one in claims[holder.record]
    )


def shown_children(page: Page, node: NodeId) -> list[NodeId]:
    """Return the child elements with text."""
    return [one for one in page.child_elements(node) if page.text_length(one)]


def apart_from(kind: AttributeType, schema: Schema) -> frozenset[str]:
    """Return the types whose values are something else than those of a type."""
    return frozenset(one.name for one in schema.types if not _is_part(one, kind))


def _is_part(other: AttributeType, kind: AttributeType) -> bool:
    """Return whether values of a type are no more than parts of those of another.

    The postcode is recognised by what an address is.
    """
    return other.name == kind.name or not set(other.patterns).isdisjoint(kind.patterns)


def _is_own_text(kind: AttributeType, claim: PlacedAnnotation) -> bool:
    return claim.annotation.type == kind.name and claim.place[1] == TEXT


def whole_source(
    page: Page, node: NodeId, source: str, annotation: Annotation | None
) -> str:
    """Return where the whole text is that was recognised on an element, maybe in
    part.

    What stands beside that text, in elements of its own, is something else.
    """
    if source == TEXT and (annotation is None or page.is_text(annotation.node)):
        return OWN_TEXT if page.source_text(node, OWN_TEXT) else source
    return source


def texts_at_paths(
    page: Page,
    kind: AttributeType,
    schema: Schema,
    claims: Claims,
    lines: Mapping[ValuePlace, str] = MappingProxyType({}),
) -> dict[ValuePlace, list[ShownText]]:
    """Return what the whole texts say at each place of a type, from the claims per
    record.

    `lines` are the sources of places of which only a line is meant.
    """
    places = {
        claim.place
        for found in claims
        for claim in found
        if claim.annotation.type == kind.name
    }
    apart = apart_from(kind, schema)
    texts: dict[ValuePlace, list[ShownText]] = defaultdict(list)
    for found in claims:
        own: dict[ValuePlace, PlacedAnnotation] = {}
        other: dict[ValuePlace, PlacedAnnotation] = {}
        several: set[ValuePlace] = set()
        for claim in found:
            place = claim.place
            if place in places:
                if place in other and other[place].node != claim.node:
                    several.add(place)
                other[place] = claim
                if claim.annotation.type == kind.name:
                    own.setdefault(place, claim)
        # Which of several elements it would be, a record without a value doesn't tell.
        for place in other.keys() - several | own.keys():
            claim = own.get(place) or other[place]
            source = lines.get(place) or whole_source(
                page, claim.node, place[1], claim.annotation
            )
            if text := page.source_text(claim.node, source):
                said = _said(page, kind, schema, apart, claim, text, found)
                texts[place].append(said)
    return texts


def _said(
    page: Page,
    kind: AttributeType,
    schema: Schema,
    apart: AbstractSet[str],
    claim: PlacedAnnotation,
    text: str,
    claims: Sequence[PlacedAnnotation],
) -> ShownText:
    """Return what the text of a claim says, by all claims of its record.

    `apart` are the types that are something else.
    """
    begin, end = claim.node, claim.node + page.size[claim.node]
    own: list[TextSpan] = []
    others: list[TextSpan] = []
    headline = claim.annotation.is_of_markup
    for node, (_, source), annotation in claims:
        if not begin <= node < end or source != claim.place[1]:
            continue
        name, shown = annotation.type, annotation.text
        if name != kind.name and annotation.matched in text:
            shown = annotation.matched  # "3 Bed" says nothing else than 3.
        start = text.find(shown)
        if start < 0:
            continue
        span = (start, start + len(shown))
        if name == kind.name:
            own.append(span)
        elif headline:
            # A headline says all kinds of things of its record, the price is none.
            if schema[name].kind is ValueKind.MONEY:
                others.append(span)
        elif name in apart:
            others.append(span)
    parts = ShownText(text, tuple(own), ()).parts
    left = tuple(span for span in others if not overlaps(span, parts))
    return ShownText(text, tuple(own), left)


def overlaps(span: TextSpan, others: Sequence[TextSpan]) -> bool:
    """Return whether one span overlaps any of others."""
    return any(span[0] < end and start < span[1] for start, end in others)
