"""Read typed pages: the annotated trees of `case_pages` with areas and records.

An element marked AREA is a data area.  PARENT marks a parent of its records if that
isn't the area itself.  RECORD marks a record start, ROW a later row of the record.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from case_pages import MARK, AnnotatedPage, Case, annotated_page

from amber_wrap.analysis.extraction_typing import (
    AreaTyping,
    Attribute,
    DataArea,
    ExtractionTyping,
    Record,
    Segmentation,
)
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.dom.parse import parse
from amber_wrap.domain.gazetteer_patterns import gazetteer_pattern
from amber_wrap.domain.schema import AttributeType, Domain, Gazetteer, Schema, ValueKind

STRUCTURE = re.compile(r" (AREA|PARENT|RECORD|ROW)(?=[ >])")


def attribute_types(types: Mapping[str, Any]) -> tuple[AttributeType, ...]:
    """Make the types of a case's table; by default they are regular texts."""
    return tuple(
        AttributeType(
            name,
            ValueKind(options.get("kind", "text")),
            regular=options.get("regular", True),
            patterns=tuple(options.get("patterns", ())),
            gazetteers=tuple(options.get("gazetteers", ())),
            annotators=tuple(options.get("annotators", ())),
            names=tuple(options.get("names", ())),
            labels=tuple(options.get("labels", ())),
            weak=tuple(options.get("weak", ())),
            short=tuple(options.get("short", ())),
            whole=options.get("whole", False),
        )
        for name, options in types.items()
    )


def case_domain(case: Case) -> Domain:
    """Make a domain of the `types`, `disjoint`, `patterns` and `gazetteers` of a case.

    Without `types` the domain has the types of the values marked on the samples.
    """
    marks = MARK.findall("".join(case.get("samples", ())))
    types = case.get("types") or {name: {} for name, _ in marks}
    kinds = attribute_types(types)
    return Domain(
        name="case",
        title="",
        schema=Schema(
            types=kinds,
            pivots=tuple(kind.name for kind in kinds if kind.regular)[:1],
            disjoint=tuple(map(tuple, case.get("disjoint", ()))),
        ),
        patterns=case.get("patterns", {}),
        gazetteers={
            name: Gazetteer(name, tuple(terms), "the case", "none")
            for name, terms in case.get("gazetteers", {}).items()
        },
    )


def typed_page(
    html: str, kinds: Sequence[AttributeType]
) -> tuple[AnnotatedPage, ExtractionTyping]:
    """Remove the marks from a page, and turn them into its typing."""
    marked = parse(html.encode())
    tree = annotated_page(STRUCTURE.sub("", html))
    areas = [node for node in marked.elements() if "area" in marked.attributes[node]]
    return tree, ExtractionTyping(
        tuple(area_typing(tree, marked, area, kinds) for area in areas)
    )


def area_typing(
    tree: AnnotatedPage, marked: Page, root: NodeId, kinds: Sequence[AttributeType]
) -> AreaTyping:
    parents = tuple(
        node for node in marked.elements(root) if "parent" in marked.attributes[node]
    )
    records: list[list[NodeId]] = []
    for parent in parents or (root,):
        for child in marked.child_elements(parent):
            if "record" in marked.attributes[child]:
                records.append([child])
            elif "row" in marked.attributes[child]:
                records[-1].append(child)
    assert records, "an area has records"
    area = DataArea(root, (), parents)
    area_records = tuple(Record(tuple(rows)) for rows in records)
    return AreaTyping(
        Segmentation(area, area_records, max(map(len, records))),
        tuple(tuple(attributes(tree, record, kinds)) for record in area_records),
    )


def attributes(
    tree: AnnotatedPage, record: Record, kinds: Sequence[AttributeType]
) -> Iterator[Attribute]:
    """Yield the first value of each type that is marked in a record."""
    inside = [
        annotation
        for annotation in tree.annotations
        if any(tree.page.contains(row, annotation.node) for row in record.nodes)
    ]
    for kind in kinds:
        for annotation in [
            annotation for annotation in inside if annotation.type == kind.name
        ][:1]:
            node = tree.page.element(annotation.node)
            text = (
                tree.page.source_text(node, annotation.source)
                if kind.whole
                else annotation.text
            )
            names = (*kind.patterns, *map(gazetteer_pattern, kind.gazetteers), None)
            yield Attribute(
                kind.name,
                node,
                annotation.source,
                text,
                text,
                names[0],
                1.0,
                "annotated",
            )
