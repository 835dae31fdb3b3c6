"""The pass `align_attributes`: attributes from annotations (AMBER, section 3.5)."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from operator import attrgetter

from amber_wrap.analysis.extraction_typing import (
    AreaTyping,
    Attribute,
    Record,
    Segmentation,
    TypePlace,
)
from amber_wrap.analysis.line_values import line_sources
from amber_wrap.analysis.part_types import (
    ValuePart,
    are_within,
    part_of,
    whole_of,
    wholes_first,
)
from amber_wrap.analysis.path_scores import (
    LearnCut,
    Occurrence,
    OccurrenceChoice,
    PathScore,
    score_paths,
)
from amber_wrap.analysis.record_annotations import (
    Claims,
    PlacedAnnotation,
    ValuePlace,
    gathered,
    whole_source,
)
from amber_wrap.analysis.relative_paths import PathNumber, Places
from amber_wrap.analysis.secondary_amounts import without_former, without_instalments
from amber_wrap.analysis.sparse_annotations import presumed, short_names
from amber_wrap.analysis.value_trimming import Trimming, part_pattern
from amber_wrap.analysis.whole_texts import labelled
from amber_wrap.annotate.annotator import Annotation
from amber_wrap.annotate.builtin import headline_annotator
from amber_wrap.annotate.patterns import displayed_span
from amber_wrap.dom.markup import shows_value
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.domain.schema import AttributeType, Schema, Thresholds, ValueKind
from amber_wrap.values.patterns import SEARCHED

BY_NODE = attrgetter("node")
_NEARLY_ALL = 0.8
"""How much of the texts at a place its values must be for another text to be one."""


@dataclass(frozen=True, slots=True)
class AlignmentOptions:
    """What alignment leaves to a strategy.

    How places are told apart, which of several candidates is the attribute, what is cut
    off from whole texts, whether these may be a line or several elements, and whether
    texts are presumed to be values where few of them are known (`scarcity`).
    """

    places: Callable[[Page, Sequence[Sequence[NodeId]]], Places]
    choice: OccurrenceChoice
    learn_cut: LearnCut
    gathers: bool
    presumes: bool


def align_attributes(
    page: Page,
    segmentation: Segmentation,
    annotations: Sequence[Annotation],
    schema: Schema,
    thresholds: Thresholds,
    patterns: Mapping[str, re.Pattern[str]],
    manner: AlignmentOptions,
) -> AreaTyping:
    """Turn annotations into attributes where enough records agree on their place.

    AMBER, section 3.5, align.  The support of a place for a type is the fraction of
    records with an annotation of that type there.  Above the keep threshold annotated
    nodes become attributes, above the infer threshold those without annotation too; of
    several in one record the chosen one stays.  `patterns`, the domain's, read the
    values of inferred places.
    """
    records = segmentation.records
    places = manner.places(page, [record.nodes for record in records])
    path_of = [places.of_record(page, record.nodes) for record in records]
    nodes_at = [_inverse(paths) for paths in path_of]
    order = {path: n for n, path in enumerate(dict.fromkeys(chain(*nodes_at)))}
    claims = [
        _claims(page, record, paths, annotations)
        for record, paths in zip(records, path_of, strict=True)
    ]
    by_type = [_by_type(found) for found in claims]
    claimed_types = set(chain(*by_type))

    attributes: list[list[Attribute]] = [[] for _ in records]
    noise: list[list[Annotation]] = [[] for _ in records]
    cuts: dict[str, Trimming] = {}
    positions: list[TypePlace] = []
    for kind in wholes_first(schema) if manner.gathers else schema.types:
        holders: Sequence[Attribute | None] = ()
        parts: Sequence[ValuePart | None] = ()
        if manner.gathers and (whole := whole_of(kind, schema)):
            holders = [_of_type(found, whole) for found in attributes]
            parts = [part_of(page, kind, one, patterns) for one in holders]
        may_be_short = manner.presumes and headline_annotator(kind) is not None
        if not (kind.name in claimed_types or any(parts) or may_be_short):
            continue
        keep = thresholds.keep_regular if kind.regular else thresholds.keep_optional
        infer = thresholds.infer_regular if kind.regular else thresholds.infer_optional
        gathers = manner.gathers and kind.whole
        mine = [found.get(kind.name, ()) for found in by_type]
        own: Claims = mine
        if manner.presumes and kind.kind is ValueKind.MONEY:
            own = without_instalments(without_former(page, own))
        placed: Claims = claims
        lines: Mapping[ValuePlace, str] = {}
        if gathers:
            placed = gathered(page, kind, schema, claims, own, path_of)
            if placed is not claims:
                own = [_by_type(found).get(kind.name, ()) for found in placed]
        if may_be_short:
            names = short_names(page, kind, own, nodes_at)
            placed, own = _together(placed, names), _together(own, names)
        if gathers:
            lines = line_sources(page, kind, schema, placed, own)
        claimed = [{claim.place: claim for claim in reversed(one)} for one in own]
        standing_of = score_paths(
            page, kind, schema, placed, own, manner.learn_cut, lines
        )
        if manner.presumes:
            shown_at = partial(_shown_at, page, nodes_at, lines)
            standing_of |= presumed(kind, claimed, standing_of, shown_at, keep)
            standing_of |= labelled(
                page, kind, placed, standing_of, nodes_at, keep, infer
            )
        used: set[ValuePlace] = set()
        if not are_within(page, holders, parts, mine, infer):
            parts = ()
        dropped = {p for p, one in standing_of.items() if one.support <= keep}
        inferred = [p for p, one in standing_of.items() if one.support > infer]
        for i in range(len(records)):
            if dropped:
                noise[i] += (c.annotation for c in mine[i] if c.place in dropped)
            if parts and (holder := holders[i]):
                if part := parts[i]:
                    attributes[i].append(_part(kind, holder, part, parts))
                continue
            here = claimed[i]
            candidates = [
                Occurrence(claim.node, place, claim.annotation)
                for place, claim in here.items()
                if place not in dropped
            ]
            for place in inferred:
                if place not in here and (nodes := nodes_at[i].get(place[0])):
                    if gathers and len(nodes) > 1:
                        nodes = _not_taken(nodes, claims[i], kind)
                    if len(nodes) == 1 and shows_value(
                        page.source_text(nodes[0], place[1])
                    ):
                        candidates.append(Occurrence(nodes[0], place, None))
            rated = [(one, standing_of[one.place]) for one in candidates]
            if rated and (best := manner.choice(rated)):
                used.add(best.place)
                standing = standing_of[best.place]
                attributes[i].append(_read(page, kind, best, standing, patterns))
        cuts[kind.name] = Trimming.union(standing_of[place].cut for place in used)
        positions += (
            TypePlace(
                kind.name,
                places.text(path),
                source,
                standing.support,
                standing.support > keep,
            )
            for (path, source), standing in sorted(
                standing_of.items(),
                key=lambda item: (-item[1].support, order[item[0][0]], item[0][1]),
            )
        )
    return AreaTyping(
        segmentation,
        tuple(tuple(sorted(found, key=lambda a: a.node)) for found in attributes),
        tuple(positions),
        {name: cut for name, cut in cuts.items() if cut},
        {r.start: tuple(some) for r, some in zip(records, noise, strict=True) if some},
    )


def _of_type(attributes: Iterable[Attribute], name: str) -> Attribute | None:
    """Return the attribute of a type in a record."""
    return next((one for one in attributes if one.type == name), None)


def _part(
    kind: AttributeType,
    holder: Attribute,
    part: ValuePart,
    parts: Sequence[ValuePart | None],
) -> Attribute:
    """Return the attribute that is part of another; `parts` are those of all
    records.
    """
    return Attribute(
        type=kind.name,
        node=holder.node,
        source=part.source,
        text=part.text,
        matched=part.matched,
        recogniser=part.recogniser,
        support=sum(one is not None for one in parts) / len(parts),
        origin="annotated",
    )


def _together(claims: Claims, more: Claims) -> Claims:
    """Return the claims of each record and more of them, in document order."""
    return [
        sorted([*found, *other], key=BY_NODE) if other else found
        for found, other in zip(claims, more, strict=True)
    ]


def _inverse(paths: Mapping[NodeId, PathNumber]) -> Mapping[PathNumber, list[NodeId]]:
    """Return the elements at each place, in the order of the paths."""
    found: dict[PathNumber, list[NodeId]] = {}
    for node, path in paths.items():
        if path in found:
            found[path].append(node)
        else:
            found[path] = [node]
    return found


def _shown_at(
    page: Page,
    nodes_at: Sequence[Mapping[PathNumber, Sequence[NodeId]]],
    lines: Mapping[ValuePlace, str],
    place: ValuePlace,
) -> list[str]:
    """Return what the records show at a place, those with just one such element."""
    source = lines.get(place, place[1])
    nodes_of = (at.get(place[0], ()) for at in nodes_at)
    texts = (page.source_text(one[0], source) for one in nodes_of if len(one) == 1)
    return list(filter(shows_value, texts))


def _not_taken(
    nodes: Sequence[NodeId], claims: Iterable[PlacedAnnotation], kind: AttributeType
) -> list[NodeId]:
    """Return the elements of a place without a claim of another type."""
    taken = {c.node for c in claims if c.annotation.type != kind.name}
    return [node for node in nodes if node not in taken]


def _claims(
    page: Page,
    record: Record,
    paths: Mapping[NodeId, PathNumber],
    annotations: Sequence[Annotation],
) -> list[PlacedAnnotation]:
    """Return the annotations in a record, in document order."""
    claims = []
    for row in record.nodes:
        begin = bisect_left(annotations, row, key=BY_NODE)
        end = bisect_left(annotations, row + page.size[row], begin, key=BY_NODE)
        for annotation in annotations[begin:end]:
            # Paths end at elements: a text node stands for the element above it.
            node = page.element(annotation.node)
            claims.append(
                PlacedAnnotation(node, (paths[node], annotation.source), annotation)
            )
    return claims


def _by_type(
    claims: Iterable[PlacedAnnotation],
) -> Mapping[str, list[PlacedAnnotation]]:
    """Return the claims of each type."""
    found: dict[str, list[PlacedAnnotation]] = defaultdict(list)
    for claim in claims:
        found[claim.annotation.type].append(claim)
    return found


def _read(
    page: Page,
    kind: AttributeType,
    candidate: Occurrence,
    standing: PathScore,
    patterns: Mapping[str, re.Pattern[str]],
) -> Attribute:
    """Return the attribute at a place: its value as annotated, else as it can be
    read.
    """
    node, source = candidate.node, candidate.place[1]
    annotation = candidate.annotation
    text: str | None
    matched: str | None
    recogniser: str | None
    if annotation is not None:
        text, matched = annotation.text, annotation.matched
        recogniser = annotation.recogniser
    else:
        shown = page.source_text(node, source)
        text, matched, recogniser = _unannotated(shown, kind, patterns)
        if kind.kind is ValueKind.TEXT and standing.fill < _NEARLY_ALL:
            # Values are parts of what is shown here: which part this one is, no list
            # tells.
            text = matched = text if recogniser else None
    if standing.whole:
        source = standing.line or whole_source(page, node, source, annotation)
        text = matched = page.source_text(node, source)
        if not kind.whole:
            recogniser = None  # What is recognised is but part of it.
        if standing.cut:
            start, end = standing.cut.of(text)
            text = matched = text[start:end]
            recogniser = part_pattern(kind.name)
    return Attribute(
        type=kind.name,
        node=node,
        source=source,
        text=text,
        matched=matched,
        recogniser=recogniser,
        support=standing.support,
        origin="inferred" if annotation is None else "annotated",
    )


def _unannotated(
    shown: str, kind: AttributeType, patterns: Mapping[str, re.Pattern[str]]
) -> tuple[str | None, str | None, str | None]:
    """(text, matched, recogniser) of an inferred place."""
    readers = [name for name in kind.readers if name in patterns]
    for name in readers:
        if match := patterns[name].search(shown, 0, SEARCHED):
            start, end = displayed_span(match)
            return shown[start:end], match[0], name
    # Lists are never complete (section 4): where no pattern could tell, the place does.
    return (None, None, None) if readers else (shown, shown, None)
