"""The step `align_attributes`: choose the attributes of each record (AMBER paper,
section 3.5).

An attribute is a value with a type, such as a price. It is chosen among annotations,
the texts that were recognised as possible values, by comparing all records of a list.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from amber_wrap.analysis.attribute_choice import (
    Occurrence,
    OccurrenceChoice,
    PathScore,
    chosen_attribute,
    places_of_other_things,
)
from amber_wrap.analysis.extraction_typing import (
    AreaTyping,
    Attribute,
    Segmentation,
    TypePlace,
)
from amber_wrap.analysis.partial_values import (
    ValuePart,
    are_parts_of_values,
    containing_type,
    containing_types_first,
    part_attribute,
    part_within,
)
from amber_wrap.analysis.path_scores import LearnCut, score_paths
from amber_wrap.analysis.record_annotations import (
    BY_NODE,
    AnnotationsByRecord,
    PlacedAnnotation,
    ValuePlace,
    annotations_of_record,
    claims_by_type_name,
)
from amber_wrap.analysis.relative_paths import PathNumber, Places
from amber_wrap.analysis.secondary_amounts import without_former, without_instalments
from amber_wrap.analysis.sparse_annotations import (
    labelled_value_paths,
    presumed_value_paths,
    short_headlines,
    single_nodes,
)
from amber_wrap.analysis.value_extents import gather_value_parts, line_sources
from amber_wrap.analysis.value_trimming import Trimming
from amber_wrap.annotate.annotator import Annotation
from amber_wrap.annotate.links import Links
from amber_wrap.dom.markup import shows_value
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.domain.schema import AttributeType, Schema, Thresholds, ValueKind


@dataclass(frozen=True, slots=True)
class AlignmentOptions:
    """The options of `align_attributes`, which chooses the values of each record.

    `places` numbers the positions of elements in records, so that records can be
    compared. `choice` chooses the value of a record among several elements with
    possible values of one type. `learn_cut` returns the parts to remove from the texts
    at a position, such as a label.

    If `gathers` is True, a value may be one line of a text, extend over several
    elements, or be a part of another value. If `presumes` is True, all texts at a
    position may become values although few of them are recognised, and former prices
    and instalments don't count as prices.
    """

    places: Callable[[Page, Sequence[Sequence[NodeId]]], Places]
    choice: OccurrenceChoice
    learn_cut: LearnCut
    gathers: bool
    presumes: bool


@dataclass(frozen=True, slots=True)
class _Area:
    """The records of a list (data area) with their annotations, as `align_attributes`
    uses them.

    An annotation is a text that was recognised as a possible value of a type. A path is
    the position of an element in its record. `path_of` has a mapping for each record,
    from elements to paths. `nodes_at` has the reverse mapping for each record. `claims`
    has the annotations of each record. `claims_by_type` has a mapping for each record,
    from the name of a type to the annotations of that type. `patterns` maps names to
    the patterns that read values.
    """

    page: Page
    links: Links
    schema: Schema
    patterns: Mapping[str, re.Pattern[str]]
    options: AlignmentOptions
    path_of: Sequence[Mapping[NodeId, PathNumber]]
    nodes_at: Sequence[Mapping[PathNumber, Sequence[NodeId]]]
    claims: AnnotationsByRecord
    claims_by_type: Sequence[Mapping[str, Sequence[PlacedAnnotation]]]

    def type_claims(self, kind: AttributeType) -> AnnotationsByRecord:
        """Return for each record the texts that were recognised as values of the type
        `kind`.
        """
        return [by_type.get(kind.name, ()) for by_type in self.claims_by_type]


def align_attributes(
    page: Page,
    links: Links,
    segmentation: Segmentation,
    annotations: Sequence[Annotation],
    schema: Schema,
    thresholds: Thresholds,
    patterns: Mapping[str, re.Pattern[str]],
    options: AlignmentOptions,
) -> AreaTyping:
    """Return the list (data area) with the attributes of each record (AMBER paper,
    section 3.5).

    An attribute is a value with a type, such as a price. `segmentation` has the list
    and its records. `annotations` are the texts of the page that were recognised as
    possible values of a type, in document order. A path is the position of an element
    in its record. The support of a path for a type is the share of records with an
    annotation of the type at the path.

    If the support is above the keep threshold of `thresholds`, annotated elements at
    the path may become attributes. If the support is above the infer threshold,
    elements at the path without an annotation may become attributes, too. `patterns`
    find the values in these elements. `options.choice` chooses at most one attribute of
    each type for a record.
    """
    records = segmentation.records
    places = options.places(page, [record.nodes for record in records])
    path_of = [places.of_record(page, record.nodes) for record in records]
    nodes_at = [_nodes_by_path(paths) for paths in path_of]
    claims = [
        annotations_of_record(page, record.nodes, paths, annotations)
        for record, paths in zip(records, path_of, strict=True)
    ]
    claims_by_type = [claims_by_type_name(record_claims) for record_claims in claims]
    area = _Area(
        page,
        links,
        schema,
        patterns,
        options,
        path_of,
        nodes_at,
        claims,
        claims_by_type,
    )
    claimed_types = {name for by_type in claims_by_type for name in by_type}
    all_paths = dict.fromkeys(path for nodes in nodes_at for path in nodes)
    path_order = {path: rank for rank, path in enumerate(all_paths)}

    attributes: list[list[Attribute]] = [[] for _ in records]
    noise: list[list[Annotation]] = [[] for _ in records]
    cuts: dict[str, Trimming] = {}
    positions: list[TypePlace] = []
    for kind in containing_types_first(schema) if options.gathers else schema.types:
        wholes, parts = _value_parts(area, kind, attributes)
        may_be_short = options.presumes and kind.is_headline
        if not (kind.name in claimed_types or any(parts) or may_be_short):
            continue
        keep = thresholds.keep_regular if kind.regular else thresholds.keep_optional
        infer = thresholds.infer_regular if kind.regular else thresholds.infer_optional
        claim_at, scores = _scored_claims(area, kind, keep, infer)
        type_claims = area.type_claims(kind)
        if not are_parts_of_values(page, wholes, parts, type_claims, infer):
            parts = ()
        dropped = {place for place, score in scores.items() if score.support <= keep}
        inferred = [place for place, score in scores.items() if score.support > infer]
        rated_candidates = []
        for i in range(len(records)):
            noise[i] += (
                claim.annotation for claim in type_claims[i] if claim.place in dropped
            )
            candidates = [
                Occurrence(claim.node, place, claim.annotation)
                for place, claim in claim_at[i].items()
                if place not in dropped
            ]
            unclaimed = [place for place in inferred if place not in claim_at[i]]
            candidates += _inferred_occurrences(area, kind, i, unclaimed)
            rated_candidates.append([(it, scores[it.place]) for it in candidates])
        others: Collection[ValuePlace] = ()
        if options.presumes and (kind.is_headline or kind.kind is ValueKind.URL):
            others = places_of_other_things(page, rated_candidates, options.choice)
        used: set[ValuePlace] = set()
        for i, candidates_of_record in enumerate(rated_candidates):
            if parts and (whole := wholes[i]):
                if part := parts[i]:
                    attributes[i].append(part_attribute(kind, whole, part, parts))
                continue
            rated = [it for it in candidates_of_record if it[0].place not in others]
            if rated and (best := options.choice(rated)):
                score = scores[best.place]
                used.add(best.place)
                attributes[i].append(
                    chosen_attribute(page, kind, best, score, patterns)
                )
        cuts[kind.name] = Trimming.union(scores[place].cut for place in used)
        by_support = sorted(
            scores.items(),
            key=lambda item: (
                -item[1].support,
                path_order[item[0].path],
                item[0].source,
            ),
        )
        for place, score in by_support:
            path_text = places.text(place.path)
            is_kept = score.support > keep
            positions.append(
                TypePlace(kind.name, path_text, place.source, score.support, is_kept)
            )
    return AreaTyping(
        segmentation,
        tuple(tuple(sorted(values, key=BY_NODE)) for values in attributes),
        tuple(positions),
        {name: cut for name, cut in cuts.items() if cut},
        {
            record.start: tuple(dropped_annotations)
            for record, dropped_annotations in zip(records, noise, strict=True)
            if dropped_annotations
        },
    )


def _value_parts(
    area: _Area, kind: AttributeType, attributes: Sequence[Sequence[Attribute]]
) -> tuple[Sequence[Attribute | None], Sequence[ValuePart | None]]:
    """Return values that may contain a value of type `kind`, and the contained values.

    For postcodes, for example, the first result has the address of each record, and the
    second result has the postcode in each address. An entry is None for a record
    without an address or without a postcode. Both results are empty if no type has
    longer values that contain values of `kind`, or if `area.options.gathers` is False.
    `attributes` has for each record the values (attributes) that were already found.
    """
    whole_type = containing_type(kind, area.schema) if area.options.gathers else None
    if whole_type is None:
        return (), ()
    wholes = [
        next((value for value in values if value.type == whole_type), None)
        for values in attributes
    ]
    parts = [part_within(area.page, kind, whole, area.patterns) for whole in wholes]
    return wholes, parts


def _scored_claims(
    area: _Area, kind: AttributeType, keep: float, infer: float
) -> tuple[
    Sequence[Mapping[ValuePlace, PlacedAnnotation]], Mapping[ValuePlace, PathScore]
]:
    """Return the annotations of the type `kind` by position, and the positions' scores.

    A position is the path from a record to an element. An annotation is a text that was
    recognised as a possible value. The first result has a mapping for each record, from
    positions to the first annotation there. The second result maps positions to scores,
    by which the value of a record is chosen.

    If `area.options.presumes` is True, a position may have a high score although few
    texts there are annotated. `keep` and `infer` are the least shares of annotated
    texts and records at such positions, as in `labelled_value_paths`.
    """
    page, links, options = area.page, area.links, area.options
    claims = area.claims
    type_claims = area.type_claims(kind)
    if options.presumes and kind.kind is ValueKind.MONEY:
        type_claims = without_instalments(without_former(page, type_claims))
    gathers = options.gathers and kind.whole
    if gathers:
        claims = gather_value_parts(
            page, kind, area.schema, area.claims, type_claims, area.path_of
        )
        if claims is not area.claims:
            type_claims = [
                claims_by_type_name(record_claims).get(kind.name, ())
                for record_claims in claims
            ]
    if options.presumes and kind.is_headline:
        headlines = short_headlines(page, links, kind, type_claims, area.nodes_at)
        claims = _merged(claims, headlines)
        type_claims = _merged(type_claims, headlines)
    lines: Mapping[ValuePlace, str] = {}
    if gathers:
        lines = line_sources(page, kind, area.schema, claims, type_claims)
    claim_at = [
        {claim.place: claim for claim in reversed(record_claims)}
        for record_claims in type_claims
    ]
    scores = score_paths(
        page, links, kind, area.schema, claims, type_claims, options.learn_cut, lines
    )
    if options.presumes:
        texts_at = partial(_texts_at, page, area.nodes_at, lines)
        scores |= presumed_value_paths(kind, claim_at, scores, texts_at, keep)
        scores |= labelled_value_paths(
            page, kind, claims, scores, area.nodes_at, keep, infer
        )
    return claim_at, scores


def _inferred_occurrences(
    area: _Area, kind: AttributeType, index: int, places: Iterable[ValuePlace]
) -> Iterator[Occurrence]:
    """Yield elements of a record that may have an unrecognised value of the type
    `kind`.

    `index` is the index of the record. For each position of `places`, the element there
    is yielded. A position is skipped if the record has no element there, has several
    elements there, or displays no value there.
    """
    for place in places:
        nodes = area.nodes_at[index].get(place.path, ())
        if area.options.gathers and kind.whole and len(nodes) > 1:
            nodes = _without_other_types(nodes, area.claims[index], kind)
        if len(nodes) == 1 and shows_value(
            area.page.source_text(nodes[0], place.source)
        ):
            yield Occurrence(nodes[0], place, None)


def _merged(
    claims: AnnotationsByRecord, added_claims: AnnotationsByRecord
) -> AnnotationsByRecord:
    """Return for each record its annotations in `claims` and in `added_claims`, in
    document order.

    An annotation is a text that was recognised as a possible value.
    """
    return [
        sorted([*record_claims, *added], key=BY_NODE) if added else record_claims
        for record_claims, added in zip(claims, added_claims, strict=True)
    ]


def _nodes_by_path(
    paths: Mapping[NodeId, PathNumber],
) -> Mapping[PathNumber, list[NodeId]]:
    """Return a mapping from positions in a record (paths) to the elements there.

    `paths` is the reverse mapping, from elements to paths. The elements of a path stay
    in the order of `paths`.
    """
    nodes_at: dict[PathNumber, list[NodeId]] = {}
    for node, path in paths.items():
        if path in nodes_at:
            nodes_at[path].append(node)
        else:
            nodes_at[path] = [node]
    return nodes_at


def _texts_at(
    page: Page,
    nodes_at: Sequence[Mapping[PathNumber, Sequence[NodeId]]],
    lines: Mapping[ValuePlace, str],
    place: ValuePlace,
) -> list[str]:
    """Return the texts of the elements at a position, at most one for each record.

    A position is the path from a record to an element. `nodes_at` has a mapping for
    each record, from paths to elements. A record without an element or with several
    elements at the position is left out. Texts that display no value, such as "-", are
    left out, too. `lines` maps a position to the part of the text that is the value,
    such as the first line.
    """
    source = lines.get(place, place.source)
    texts = [
        page.source_text(node, source) for node in single_nodes(nodes_at, place.path)
    ]
    return list(filter(shows_value, texts))


def _without_other_types(
    nodes: Sequence[NodeId],
    record_claims: Iterable[PlacedAnnotation],
    kind: AttributeType,
) -> list[NodeId]:
    """Return `nodes` without the elements in which values of other types were
    recognised.

    `record_claims` has the recognised values of the record. `kind` is the wanted type.
    """
    taken = {
        claim.node for claim in record_claims if claim.annotation.type != kind.name
    }
    return [node for node in nodes if node not in taken]
