"""Choose the values of each record by comparing all records of a list (AMBER paper,
section 3.5).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
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
from amber_wrap.analysis.path_scores import LearnCut, score_paths
from amber_wrap.analysis.record_annotations import (
    BY_NODE,
    AnnotationsByRecord,
    PlacedAnnotation,
    TypeClaims,
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
from amber_wrap.analysis.values_in_lines_and_elements import (
    gather_value_parts,
    line_sources,
)
from amber_wrap.analysis.values_within_values import (
    ValuePart,
    are_parts_of_values,
    containing_type,
    containing_types_first,
    part_attribute,
    part_within,
)
from amber_wrap.analysis.words_to_trim import Trimming
from amber_wrap.annotate.annotator import Annotation
from amber_wrap.annotate.links import Links
from amber_wrap.dom.displayed_texts import shows_value
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.domain.schema import AttributeType, Schema, Thresholds, ValueKind


@dataclass(frozen=True, slots=True)
class AlignmentOptions:
    """The options of `align_attributes`, which chooses the values of each record."""

    places: Callable[[Page, Sequence[Sequence[NodeId]]], Places]
    """A function that numbers the paths from records to the elements in them, such as
    `li > b`. Its arguments are the page and the top elements of each record.
    """
    choice: OccurrenceChoice
    """A function that chooses among several elements of a record the one with the
    value.
    """
    learn_cut: LearnCut
    """A function that finds what to remove from texts, such as the label "Price:"."""
    gathers: bool
    """Whether a value may be a line of a text, several elements or a part of another
    value.
    """
    presumes: bool
    """Whether to accept texts that no pattern or word list recognised, and to ignore
    former prices and instalments.
    """


@dataclass(frozen=True, slots=True)
class _Area:
    """A list of records with the texts in each record that may be values."""

    page: Page
    links: Links
    schema: Schema
    patterns: Mapping[str, re.Pattern[str]]
    """The regular expressions that find values, by name."""
    options: AlignmentOptions
    path_of: Sequence[Mapping[NodeId, PathNumber]]
    """For each record, a number for each element: its path from the record.
    Corresponding elements of two records have the same number.
    """
    nodes_at: Sequence[Mapping[PathNumber, Sequence[NodeId]]]
    """For each record, the elements by the number of their path."""
    claims: AnnotationsByRecord
    """For each record, the texts that may be values."""
    claims_by_type: Sequence[Mapping[str, Sequence[PlacedAnnotation]]]
    """For each record, the texts that may be values, by the name of their type such as
    "price".
    """

    def type_claims(self, kind: AttributeType) -> AnnotationsByRecord:
        """Return for each record the texts that may be values of the type `kind`."""
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
    """Return the records of `segmentation`, with at most one value of each type per
    record (AMBER paper, section 3.5).

    `annotations` are the texts of the page that may be values, in document order. Such
    a text becomes a value only if enough records have such a text at the same path from
    the record.
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
    """Return for each record a long value, such as its address, and the value of type
    `kind` in it, such as the postcode.

    The two results are lists with an item for each record. Both are empty if values of
    `kind` aren't parts of longer values.
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
    """Return for each record its possible values of the type `kind`, by path, and a
    score for each path.

    All texts at a path may count as values, although only some are recognised. `keep`
    and `infer` are the shares of recognised texts that this requires.
    """
    page, links, options = area.page, area.links, area.options
    found = TypeClaims(page, kind, area.schema, area.claims, area.type_claims(kind))
    if options.presumes and kind.kind is ValueKind.MONEY:
        current = without_instalments(without_former(page, found.of_type))
        found = replace(found, of_type=current)
    gathers = options.gathers and kind.whole
    if gathers:
        found = gather_value_parts(found, area.path_of)
    if options.presumes and kind.is_headline:
        headlines = short_headlines(page, links, kind, found.of_type, area.nodes_at)
        claims = _merged(found.claims, headlines)
        of_type = _merged(found.of_type, headlines)
        found = replace(found, claims=claims, of_type=of_type)
    lines = line_sources(found) if gathers else {}
    claim_at = [
        {claim.place: claim for claim in reversed(record_claims)}
        for record_claims in found.of_type
    ]
    scores = score_paths(found, links, options.learn_cut, lines)
    if options.presumes:
        texts_at = partial(_texts_at, page, area.nodes_at, lines)
        scores |= presumed_value_paths(kind, claim_at, scores, texts_at, keep)
        scores |= labelled_value_paths(
            page, kind, found.claims, scores, area.nodes_at, keep, infer
        )
    return claim_at, scores


def _inferred_occurrences(
    area: _Area, kind: AttributeType, index: int, places: Iterable[ValuePlace]
) -> Iterator[Occurrence]:
    """Yield the elements at the paths `places` in the record with the index `index`,
    where no possible value was recognised.

    A path is skipped if the record has no element or several elements there, or if the
    element displays no value.
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
    """Return for each record its possible values in `claims` and in `added_claims`, in
    document order.
    """
    return [
        sorted([*record_claims, *added], key=BY_NODE) if added else record_claims
        for record_claims, added in zip(claims, added_claims, strict=True)
    ]


def _nodes_by_path(
    paths: Mapping[NodeId, PathNumber],
) -> Mapping[PathNumber, list[NodeId]]:
    """Return the elements of a record by the number of their path. `paths` has the
    number of each element.
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
    """Return the texts at one path in the records, such as `li > b`, without empty
    texts and mere dashes.

    A record with several elements at the path is ignored. `lines` says which line of an
    element's text to read, such as `FIRST_LINE`.
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
    """Return the elements in `nodes` in which no value was recognised, or only values
    of `kind`.
    """
    taken = {
        claim.node for claim in record_claims if claim.annotation.type != kind.name
    }
    return [node for node in nodes if node not in taken]
