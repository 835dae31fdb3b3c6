"""The pass `align`: attributes from annotations (AMBER, section 3.5)."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from amber_wrap.analysis.tag_path import TagPath, TagPaths
from amber_wrap.analysis.typing import (
    AreaTyping,
    Attribute,
    Position,
    Record,
    Segmentation,
)
from amber_wrap.annotate.annotator import Annotation
from amber_wrap.annotate.patterns import displayed_span
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.domain.schema import AttributeType, Schema, Thresholds

Place = tuple[TagPath, str]
"""Where an attribute is within a record: a tag path, and the source at its end."""


@dataclass(frozen=True, slots=True)
class Claim:
    """An annotation as alignment sees it: on an element of a record."""

    node: NodeId
    place: Place
    annotation: Annotation


def align(
    page: Page,
    segmentation: Segmentation,
    annotations: Iterable[Annotation],
    schema: Schema,
    thresholds: Thresholds,
    patterns: Mapping[str, re.Pattern[str]],
) -> AreaTyping:
    """Turn annotations into attributes where enough records agree on their place.

    AMBER, section 3.5, align.  The support of a place for a type is the fraction of
    records with an annotation of that type there.  Above the keep threshold annotated
    nodes become attributes, above the infer threshold those without annotation too;
    of several in one record the first in document order stays.  `patterns`, the
    domain's, read the values of inferred places.
    """
    records = segmentation.records
    paths = TagPaths()
    elements = [paths.of_record(page, record.nodes) for record in records]
    claims = _claims(page, records, elements, annotations)

    attributes: list[list[Attribute]] = [[] for _ in records]
    positions: list[Position] = []
    for kind in schema.types:
        keep = thresholds.keep_regular if kind.regular else thresholds.keep_optional
        infer = thresholds.infer_regular if kind.regular else thresholds.infer_optional
        claimed = [
            {c.place: c for c in reversed(found) if c.annotation.type == kind.name}
            for found in claims
        ]
        counts = Counter(place for found in claimed for place in found)
        support = {place: n / len(records) for place, n in counts.items()}
        for i in range(len(records)):
            first = min(
                (
                    (_rank(claimed[i], elements[i], place), place)
                    for place, share in support.items()
                    if place[0] in elements[i]
                    if share > (keep if place in claimed[i] else infer)
                    if page.source_text(elements[i][place[0]], place[1])
                ),
                default=None,
            )
            if first is not None:
                place = first[1]
                claim = claimed[i].get(place)
                found = read(
                    page,
                    kind,
                    elements[i][place[0]],
                    place[1],
                    claim.annotation if claim else None,
                    support[place],
                    patterns,
                )
                attributes[i].append(found)
        positions += (
            Position(kind.name, paths.text(path), source, share, share > keep)
            for (path, source), share in sorted(
                support.items(), key=lambda item: (-item[1], item[0])
            )
        )
    return AreaTyping(
        segmentation,
        tuple(tuple(sorted(found, key=lambda a: a.node)) for found in attributes),
        tuple(positions),
    )


def _rank(
    claimed: Mapping[Place, Claim], elements: Mapping[TagPath, NodeId], place: Place
) -> NodeId:
    """Where a place stands in document order: the annotated node, else the element."""
    return claimed[place].annotation.node if place in claimed else elements[place[0]]


def _claims(
    page: Page,
    records: Sequence[Record],
    elements: Sequence[Mapping[TagPath, NodeId]],
    annotations: Iterable[Annotation],
) -> list[list[Claim]]:
    """Per record the annotations in it, in document order."""
    claims: list[list[Claim]] = [[] for _ in records]
    starts = [record.start for record in records]
    path_of = [{node: path for path, node in found.items()} for found in elements]
    for annotation in sorted(annotations):
        # Tag paths end at elements: a text node stands for the element above it.
        node = page.element(annotation.node)
        i = bisect_right(starts, node) - 1
        if i >= 0 and node in path_of[i]:
            place = (path_of[i][node], annotation.source)
            claims[i].append(Claim(node, place, annotation))
    return claims


def read(
    page: Page,
    kind: AttributeType,
    node: NodeId,
    source: str,
    annotation: Annotation | None,
    support: float,
    patterns: Mapping[str, re.Pattern[str]],
) -> Attribute:
    """The attribute at a place: its value as annotated, else as it can be read."""
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
