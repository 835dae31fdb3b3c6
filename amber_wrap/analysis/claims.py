"""Annotations as alignment sees them, and what the texts at a place say."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from types import MappingProxyType

from amber_wrap.analysis.places import Path
from amber_wrap.annotate.annotator import COMPOSED_LENGTH, Annotation
from amber_wrap.annotate.builtin import BUILT_IN
from amber_wrap.dom.page import FIRST_LINE, LAST_LINE, OWN_TEXT, TEXT, NodeId, Page
from amber_wrap.domain.schema import AttributeType, Schema, ValueKind

Place = tuple[Path, str]
"""Where an attribute is within a record: a path, and the source at its end."""
Span = tuple[int, int]
"""Where in a text something is recognised."""

LEAST_GATHERED = 0.5
"""The share of records that must have such neighbours for their parent to count."""
LEAST_LINES = 3
"""Records from which on it is no chance that only a line of a text is meant."""
NEARLY_ALL = 0.8
"""The share of the texts of several lines that must agree on the line."""


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


def gathered(
    page: Page,
    kind: AttributeType,
    schema: Schema,
    claims: Sequence[Sequence[Claim]],
    path_of: Sequence[Mapping[NodeId, Path]],
) -> list[list[Claim]]:
    """The claims, those of a whole text in several elements made at what holds them.

    `<span>12 Old Lane</span> <span>Oxford</span>`: where most records have such
    neighbours, and nothing else beside them, their parent displays the value.
    """
    votes = Counter(
        paths[parent]
        for found, paths in zip(claims, path_of, strict=True)
        for parent in _holders(page, kind, schema, found)
        if parent in paths
    )
    agreed = {path for path, n in votes.items() if n >= LEAST_GATHERED * len(claims)}
    agreed |= _sparsely_claimed(page, kind, schema, claims, path_of)

    def moved(claim: Claim, paths: Mapping[NodeId, Path]) -> Claim:
        parent = page.parent[claim.node]
        if not _is_own_text(kind, claim) or paths.get(parent) not in agreed:
            return claim
        annotation = claim.annotation._replace(node=parent)
        return Claim(parent, (paths[parent], TEXT), annotation)

    return [
        [moved(claim, paths) for claim in found]
        for found, paths in zip(claims, path_of, strict=True)
    ]


def _holders(
    page: Page, kind: AttributeType, schema: Schema, claims: Sequence[Claim]
) -> Iterator[NodeId]:
    """The small elements with values of a type in several children, and no others."""
    below: dict[NodeId, set[NodeId]] = defaultdict(set)
    for one in claims:
        if _is_own_text(kind, one):
            below[page.parent[one.node]].add(one.node)
    others = list(_others(kind, schema, claims))
    for parent, children in below.items():
        if (
            len(children) > 1
            and page.text_length(parent) <= COMPOSED_LENGTH
            and not any(page.contains(parent, node) for node in others)
        ):
            yield parent


def _sparsely_claimed(
    page: Page,
    kind: AttributeType,
    schema: Schema,
    claims: Sequence[Sequence[Claim]],
    path_of: Sequence[Mapping[NodeId, Path]],
) -> set[Path]:
    """The paths of small elements whose children all hold values, here one, there one.

    Lists know few streets and few towns; nothing else is ever claimed in the children.
    """
    parents: dict[Path, set[NodeId]] = defaultdict(set)
    claimed: dict[Path, Counter[int]] = defaultdict(Counter)
    for found, paths in zip(claims, path_of, strict=True):
        own = {one.node for one in found if _is_own_text(kind, one)}
        for node in own & paths.keys():
            parent = page.parent[node]
            if parent in paths:
                parents[paths[parent]].add(parent)
                claimed[paths[parent]][_shown(page, parent).index(node)] += 1
    others = list(_others(kind, schema, chain.from_iterable(claims)))
    return {
        path
        for path, nodes in parents.items()
        if all(
            claimed[path][rank] >= max(1, min(LEAST_LINES, len(nodes) // 4))
            for rank in range(max(len(_shown(page, one)) for one in nodes))
        )
        if len(claimed[path]) > 1
        if all(page.text_length(one) <= COMPOSED_LENGTH for one in nodes)
        if not any(page.contains(one, other) for one in nodes for other in others)
    }


def _shown(page: Page, node: NodeId) -> list[NodeId]:
    """The child elements with text."""
    return [one for one in page.child_elements(node) if page.text_length(one)]


def _others(
    kind: AttributeType, schema: Schema, claims: Iterable[Claim]
) -> Iterator[NodeId]:
    """The elements with claims of something else, headlines and the like left out."""
    for one in claims:
        other = schema[one.annotation.type]
        if one.annotation.recogniser not in BUILT_IN and not _is_part(other, kind):
            yield one.node


def _is_part(other: AttributeType, kind: AttributeType) -> bool:
    """Whether values of a type are no more than parts of those of another.

    The postcode is recognised by what an address is.
    """
    return other.name == kind.name or not set(other.patterns).isdisjoint(kind.patterns)


def _is_own_text(kind: AttributeType, claim: Claim) -> bool:
    return claim.annotation.type == kind.name and claim.place[1] == TEXT


def whole_source(
    page: Page, node: NodeId, source: str, annotation: Annotation | None
) -> str:
    """Where the whole text is that was recognised on an element, maybe in part.

    What stands beside that text, in elements of its own, is something else.
    """
    if source == TEXT and (annotation is None or page.is_text(annotation.node)):
        return OWN_TEXT if page.source_text(node, OWN_TEXT) else source
    return source


def line_sources(
    page: Page, kind: AttributeType, claims: Sequence[Sequence[Claim]]
) -> dict[Place, str]:
    """The places whose values are one line of what their elements say.

    "5 new flats<br>12 Old Lane, Oxford": the address is in the last line only, and
    something else in the first.  A badge within a headline is the same wherever it is.
    """
    votes: dict[Place, Counter[str]] = defaultdict(Counter)
    badges: dict[Place, Counter[str]] = defaultdict(Counter)
    for found in claims:
        for claim in {
            one.place: one for one in found if one.annotation.type == kind.name
        }.values():
            if claim.annotation.recogniser in BUILT_IN:
                badges[claim.place][_beside_own_text(page, claim)] += 1
            else:
                votes[claim.place][_line(page, claim, found)] += 1
    lines = {
        place: line
        for place, count in votes.items()
        for line in (FIRST_LINE, LAST_LINE)
        if count[line] >= max(LEAST_LINES, NEARLY_ALL * (count.total() - count[""]))
    }
    return lines | {
        place: OWN_TEXT
        for place, count in badges.items()
        if count[""] and len(count) == 2 and count.total() >= LEAST_LINES
    }


def _line(page: Page, claim: Claim, claims: Sequence[Claim]) -> str:
    """The only line of an element with values of a type; others hold other types'.

    `OWN_TEXT` if several have, "" if there is but one line.
    """
    lines = [one for one in page.children(claim.node) if page.is_text(one)]
    if len(lines) < 2 or claim.place[1] != TEXT:
        return ""
    kind = claim.annotation.type
    own = {one.annotation.node for one in claims if one.annotation.type == kind}
    others = {one.annotation.node for one in claims if one.annotation.type != kind}
    if own.intersection(lines) == {lines[0]} and others.intersection(lines[1:]):
        return FIRST_LINE
    if own.intersection(lines) == {lines[-1]} and others.intersection(lines[:-1]):
        return LAST_LINE
    return OWN_TEXT


def _beside_own_text(page: Page, claim: Claim) -> str:
    """What the elements within a headline say beside its own text."""
    own = page.source_text(claim.node, OWN_TEXT)
    shown = page.source_text(claim.node, TEXT)
    return shown.replace(own, "").strip() if own else shown


def said_at_places(
    page: Page,
    kind: AttributeType,
    schema: Schema,
    claims: Sequence[Sequence[Claim]],
    lines: Mapping[Place, str] = MappingProxyType({}),
) -> dict[Place, list[Said]]:
    """What the whole texts say at each place of a type, from the claims per record.

    `lines` are the sources of places of which only a line is meant.
    """
    places = {
        claim.place
        for found in claims
        for claim in found
        if claim.annotation.type == kind.name
    }
    texts: dict[Place, list[Said]] = defaultdict(list)
    for found in claims:
        own: dict[Place, Claim] = {}
        nodes: dict[Place, set[NodeId]] = defaultdict(set)
        for claim in reversed(found):
            nodes[claim.place].add(claim.node)
            if claim.annotation.type == kind.name:
                own[claim.place] = claim
        # Which of several elements it would be, a record without a value doesn't tell.
        other = {one.place: one for one in found if len(nodes[one.place]) == 1}
        at = other | own
        for place in places & at.keys():
            claim = at[place]
            source = lines.get(place) or whole_source(
                page, claim.node, place[1], claim.annotation
            )
            text = page.source_text(claim.node, source)
            if text:
                texts[place].append(_said(page, kind, schema, claim, text, found))
    return texts


def _said(
    page: Page,
    kind: AttributeType,
    schema: Schema,
    claim: Claim,
    text: str,
    claims: Sequence[Claim],
) -> Said:
    """What the text of a claim says, by all claims of its record."""
    node, (_, source) = claim.node, claim.place
    own: list[Span] = []
    others: list[Span] = []
    headline = claim.annotation.recogniser in BUILT_IN
    for one in claims:
        if one.place[1] != source or not page.contains(node, one.node):
            continue
        other = schema[one.annotation.type]
        shown = one.annotation.text
        if other.name != kind.name and one.annotation.matched in text:
            shown = one.annotation.matched  # "3 Bed" says nothing else than 3.
        start = text.find(shown)
        span = (start, start + len(shown))
        if start < 0:
            continue
        if other.name == kind.name:
            own.append(span)
        elif headline:
            # A headline says all kinds of things of its record, the price is none.
            if other.kind is ValueKind.MONEY:
                others.append(span)
        elif not _is_part(other, kind):
            others.append(span)
    said = Said(text, tuple(own), ())
    apart = tuple(span for span in others if not _overlaps(span, said.parts))
    return replace(said, others=apart)


def _overlaps(span: Span, others: Sequence[Span]) -> bool:
    return any(span[0] < end and start < span[1] for start, end in others)
