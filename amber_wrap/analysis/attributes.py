"""The pass `align`: attributes from annotations (AMBER, section 3.5)."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from amber_wrap.analysis.places import Path, Places
from amber_wrap.analysis.typing import (
    AreaTyping,
    Attribute,
    Position,
    Record,
    Segmentation,
)
from amber_wrap.annotate.annotator import Annotation
from amber_wrap.annotate.builtin import BUILT_IN
from amber_wrap.annotate.patterns import displayed_span
from amber_wrap.dom.page import OWN_TEXT, TEXT, NodeId, Page
from amber_wrap.domain.schema import AttributeType, Schema, Thresholds

Place = tuple[Path, str]
"""Where an attribute is within a record: a path, and the source at its end."""


@dataclass(frozen=True, slots=True)
class Claim:
    """An annotation as alignment sees it: on an element of a record."""

    node: NodeId
    place: Place
    annotation: Annotation


@dataclass(frozen=True, slots=True)
class Candidate:
    """An element that may become the attribute of its record."""

    node: NodeId
    place: Place
    annotation: Annotation | None

    @property
    def rank(self) -> NodeId:
        """Where it stands in document order."""
        return self.annotation.node if self.annotation else self.node


@dataclass(frozen=True, slots=True)
class Standing:
    """What is known of a place over all records; fractions.

    `support` is the paper's.  `fill` is how much of the text there the values are (A2:
    attributes fill their text box).  `variety` is 1 unless the texts there are values
    as a whole, `whole`, and most of them the same: a title that all records share is a
    label.
    """

    support: float
    fill: float
    variety: float
    whole: bool


Choice = Callable[[Sequence[tuple[Candidate, Standing]]], Candidate | None]
"""Which of the candidates of one record, each with the standing of its place, it is."""

LEAST_FILL = 0.15
"""How much of a text must be recognised for all of it to be the value."""

HEADLINE_LENGTH = 20
"""Characters from which on the text of a link says all that a headline can."""
NEARLY = 0.95
"""The share of the best merit from which on a candidate is as good."""


def first(candidates: Sequence[tuple[Candidate, Standing]]) -> Candidate:
    """AMBER's choice: the first in document order (A1)."""
    return min((candidate for candidate, _ in candidates), key=lambda one: one.rank)


def best_standing(
    candidates: Sequence[tuple[Candidate, Standing]],
) -> Candidate | None:
    """Displayed rather than hidden; of those with about the most merit the first.

    A place has merit if most records have a value there; the less, the more else it
    says, and if it says the same in all records.  A description that mentions a town
    is no address.
    """
    shown = [one for one in candidates if not one[0].place[1].startswith("@")]
    merits = [
        (candidate, place.support * (1 + place.fill) * (1 + place.variety))
        for candidate, place in shown or candidates
        if not place.whole or place.fill >= LEAST_FILL
    ]
    if not merits:
        return None
    enough = NEARLY * max(merit for _, merit in merits)
    return min(
        (candidate for candidate, merit in merits if merit >= enough),
        key=lambda one: one.rank,
    )


def align(
    page: Page,
    segmentation: Segmentation,
    annotations: Iterable[Annotation],
    schema: Schema,
    thresholds: Thresholds,
    patterns: Mapping[str, re.Pattern[str]],
    places: Places,
    choice: Choice,
) -> AreaTyping:
    """Turn annotations into attributes where enough records agree on their place.

    AMBER, section 3.5, align.  The support of a place for a type is the fraction of
    records with an annotation of that type there.  Above the keep threshold annotated
    nodes become attributes, above the infer threshold those without annotation too; of
    several in one record the chosen one stays.  `patterns`, the domain's, read the
    values of inferred places.
    """
    records = segmentation.records
    path_of = [places.of_record(page, record.nodes) for record in records]
    nodes_at = [_inverse(paths) for paths in path_of]
    claims = _claims(page, records, path_of, annotations)

    attributes: list[list[Attribute]] = [[] for _ in records]
    positions: list[Position] = []
    for kind in schema.types:
        keep = thresholds.keep_regular if kind.regular else thresholds.keep_optional
        infer = thresholds.infer_regular if kind.regular else thresholds.infer_optional
        mine = [
            [c for c in found if c.annotation.type == kind.name] for found in claims
        ]
        claimed = [{c.place: c for c in reversed(found)} for found in mine]
        standings = _standings(page, kind, mine)
        if kind.whole:
            standings = _without_mentions(standings, claims, kind)
        for i in range(len(records)):
            candidates = [
                *(
                    Candidate(claim.node, place, claim.annotation)
                    for place, claim in claimed[i].items()
                    if place in standings and standings[place].support > keep
                ),
                *(
                    Candidate(node, place, None)
                    for place, standing in standings.items()
                    if standing.support > infer and place not in claimed[i]
                    if (node := _only(nodes_at[i].get(place[0], ()))) is not None
                    if page.source_text(node, place[1])
                ),
            ]
            rated = [(one, standings[one.place]) for one in candidates]
            if rated and (best := choice(rated)):
                support = standings[best.place].support
                attributes[i].append(read(page, kind, best, support, patterns))
        positions += (
            Position(
                kind.name,
                places.text(path),
                source,
                standing.support,
                standing.support > keep,
            )
            for (path, source), standing in sorted(
                standings.items(), key=lambda item: (-item[1].support, item[0])
            )
        )
    return AreaTyping(
        segmentation,
        tuple(tuple(sorted(found, key=lambda a: a.node)) for found in attributes),
        tuple(positions),
    )


def _standings(
    page: Page, kind: AttributeType, claims: Sequence[Sequence[Claim]]
) -> dict[Place, Standing]:
    """The standing of each place from the claims of each record."""
    found: dict[Place, list[list[Claim]]] = defaultdict(list)
    for claimed in claims:
        here: dict[Place, list[Claim]] = defaultdict(list)
        for claim in claimed:
            here[claim.place].append(claim)
        for place, together in here.items():
            found[place].append(together)
    return {
        place: Standing(
            support=len(records) / len(claims),
            fill=sum(_fill(page, one, kind.whole) for one in records) / len(records),
            variety=_variety(page, records) if kind.whole else 1,
            whole=kind.whole,
        )
        for place, records in found.items()
    }


def _without_mentions(
    standings: Mapping[Place, Standing],
    claims: Sequence[Sequence[Claim]],
    kind: AttributeType,
) -> dict[Place, Standing]:
    """The places where no more is recognised of other types than of this one.

    "13 mins ago, 215k mi" and "Jet Black Metallic" are no addresses, though there is a
    town called Black.
    """
    own: Counter[Place] = Counter()
    others: Counter[Place] = Counter()
    for found in claims:
        taken = [one for one in found if one.annotation.type == kind.name]
        for one in found:
            size = len(one.annotation.text)
            if one.annotation.type == kind.name:
                own[one.place] += size
            elif not any(_overlap(one.annotation, other.annotation) for other in taken):
                others[one.place] += size
    return {
        place: standing
        for place, standing in standings.items()
        if others[place] <= own[place]
    }


def _overlap(one: Annotation, other: Annotation) -> bool:
    return (
        (one.node, one.source) == (other.node, other.source)
        and one.start < other.end
        and other.start < one.end
    )


def _fill(page: Page, claims: Sequence[Claim], whole: bool) -> float:
    """How much of their text the values are; of a link or headline, how much it says.

    A link of few words, or of none, is rarely the one that names its record.
    """
    node, source = claims[0].node, claims[0].place[1]
    if claims[0].annotation.recogniser in BUILT_IN:
        return min(1, page.text_length(node) / HEADLINE_LENGTH)
    # A whole text may be recognised in parts; of several single values one counts.
    counted = claims if whole else claims[:1]
    recognised = sum(len(claim.annotation.text) for claim in counted)
    return min(1, recognised / len(page.source_text(node, source)))


def _variety(page: Page, records: Sequence[Sequence[Claim]]) -> float:
    """1 if a third of the texts differ, less if fewer do."""
    texts = {page.source_text(one[0].node, one[0].place[1]) for one in records}
    return min(1, 3 * len(texts) / len(records))


def _inverse(paths: Mapping[NodeId, Path]) -> Mapping[Path, list[NodeId]]:
    """The elements at each place, in document order."""
    found: dict[Path, list[NodeId]] = defaultdict(list)
    for node in sorted(paths):
        found[paths[node]].append(node)
    return found


def _only(nodes: Sequence[NodeId]) -> NodeId | None:
    """The element of a place, if it is the only one: which of several can't be told."""
    return nodes[0] if len(nodes) == 1 else None


def _claims(
    page: Page,
    records: Sequence[Record],
    path_of: Sequence[Mapping[NodeId, Path]],
    annotations: Iterable[Annotation],
) -> list[list[Claim]]:
    """Per record the annotations in it, in document order."""
    claims: list[list[Claim]] = [[] for _ in records]
    order = sorted(range(len(records)), key=lambda i: records[i].start)
    starts = [records[i].start for i in order]
    for annotation in sorted(annotations):
        # Paths end at elements: a text node stands for the element above it.
        node = page.element(annotation.node)
        at = bisect_right(starts, node) - 1
        if at >= 0 and node in path_of[order[at]]:
            place = (path_of[order[at]][node], annotation.source)
            claims[order[at]].append(Claim(node, place, annotation))
    return claims


def read(
    page: Page,
    kind: AttributeType,
    candidate: Candidate,
    support: float,
    patterns: Mapping[str, re.Pattern[str]],
) -> Attribute:
    """The attribute at a place: its value as annotated, else as it can be read."""
    node, source = candidate.node, candidate.place[1]
    annotation = candidate.annotation
    text: str | None
    matched: str | None
    recogniser: str | None
    if annotation is not None:
        text, matched = annotation.text, annotation.matched
        recogniser = annotation.recogniser
    else:
        text, matched, recogniser = _unannotated(
            page.source_text(node, source), kind, patterns
        )
    if kind.whole:
        # What stands beside the text that was recognised is something else.
        own = page.source_text(node, OWN_TEXT) if source == TEXT else ""
        if own and (annotation is None or page.is_text(annotation.node)):
            source = OWN_TEXT
        text = matched = page.source_text(node, source)
    return Attribute(
        type=kind.name,
        node=node,
        source=source,
        text=text,
        matched=matched,
        recogniser=recogniser,
        support=support,
        origin="inferred" if annotation is None else "annotated",
    )


def _unannotated(
    shown: str, kind: AttributeType, patterns: Mapping[str, re.Pattern[str]]
) -> tuple[str | None, str | None, str | None]:
    """(text, matched, recogniser) of an inferred place."""
    for name in kind.patterns:
        if match := patterns[name].search(shown):
            start, end = displayed_span(match)
            return shown[start:end], match[0], name
    # Lists are never complete (section 4): where no pattern could tell, the place does.
    return (None, None, None) if kind.patterns else (shown, shown, None)
