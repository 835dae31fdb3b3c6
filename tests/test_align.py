"""Test the pass `align` on the paper's examples, edge cases and random records."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Any

import pytest
from case_pages import AnnotatedPage, Case, annotated_page, cases
from hypothesis import given, settings
from hypothesis import strategies as st

from amber_wrap.analysis.align import AlignmentOptions, align_attributes
from amber_wrap.analysis.attribute_choice import first_occurrence
from amber_wrap.analysis.extraction_typing import (
    AreaTyping,
    DataArea,
    Record,
    Segmentation,
)
from amber_wrap.analysis.relative_paths import TagPaths
from amber_wrap.analysis.words_to_trim import no_cut
from amber_wrap.annotate.links import links_of
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.domain.schema import AttributeType, Schema, Thresholds, ValueKind


@pytest.mark.parametrize("case", cases("align"))
def test_records_have_the_attributes_of_the_case(case: Case) -> None:
    typing = aligned(annotated_page(case["html"]), case)
    assert [
        {a.type: a.text for a in attributes} for attributes in typing.attributes
    ] == [
        {name: text or None for name, text in expected.items()}
        for expected in case["attributes"]
    ]
    assert [
        [a.type for a in attributes if a.origin == "inferred"]
        for attributes in typing.attributes
    ] == case.get("inferred", [[] for _ in case["attributes"]])


@pytest.mark.parametrize("case", cases("align"))
def test_positions_have_the_support_of_the_case(case: Case) -> None:
    typing = aligned(annotated_page(case["html"]), case)
    expected = {
        (position["type"], position["path"], position.get("source", "text")): (
            float(Fraction(position["is"])),
            position.get("kept", True),
        )
        for position in case["support"]
    }
    assert {
        (position.type, position.path, position.source): (
            position.support,
            position.is_kept,
        )
        for position in typing.positions
    } == expected


CELLS = (
    "<b>[price £1]</b>",
    "<b>1</b>",
    "<i>[beds 2]</i>",
    "<i>2</i>",
    "<i></i>",
    "<p>[price £3]<b>[price £4]</b></p>",
    '<a href="[link /1]">[price £5], [beds 5]</a>',
    '<a href="/2"></a>',
    "text",
)
LIMITS = (
    Thresholds(),
    Thresholds(
        infer_regular=0.7, infer_optional=0.3, keep_optional=0.25, keep_regular=0.1
    ),
)


@settings(deadline=None)
@given(
    cards=st.lists(
        st.lists(st.sampled_from(CELLS), max_size=4), min_size=1, max_size=6
    ),
    rows=st.integers(1, 2),
    limits=st.sampled_from(LIMITS),
)
def test_attributes_are_at_the_places_that_the_paper_calls_well_supported(
    cards: list[list[str]], rows: int, limits: Thresholds
) -> None:
    """Compare with AMBER, section 3.5, by trying every element of every record."""
    html = "".join(f"<div>{''.join(cells)}</div>" for cells in cards)
    tree = annotated_page(f"<div id='area'>{html}</div>")
    children = list(tree.page.child_elements(tree.node("area")))
    records = [
        Record(tuple(children[i : i + rows]))
        for i in range(0, len(children) - rows + 1, rows)
    ]
    types = {"price": {"regular": True}, "beds": {}, "link": {}}
    typing = align_all(tree, records, types, limits)
    for record, attributes in zip(records, typing.attributes, strict=True):
        assert [attribute.node for attribute in attributes] == sorted(
            attribute.node for attribute in attributes
        )
        for kind, options in types.items():
            keep = limits.keep_regular if options else limits.keep_optional
            infer = limits.infer_regular if options else limits.infer_optional
            expected = [
                (node, source, share, "annotated" if annotated else "inferred")
                for node, source in places(tree.page, record)
                for share in [support(tree, records, record, node, source, kind)]
                for annotated in [is_annotated(tree, node, source, kind)]
                if share > infer or (annotated and share > keep)
                if tree.page.source_text(node, source)
            ]
            assert [
                (attribute.node, attribute.source, attribute.support, attribute.origin)
                for attribute in attributes
                if attribute.type == kind
            ] == expected[:1]


def aligned(tree: AnnotatedPage, case: Case) -> AreaTyping:
    records = [Record(tuple(map(tree.node, names))) for names in case["records"]]
    limits = Thresholds(**case.get("thresholds", {}))
    return align_all(tree, records, case["types"], limits, case.get("patterns", {}))


def align_all(
    tree: AnnotatedPage,
    records: list[Record],
    types: Mapping[str, Any],
    limits: Thresholds,
    patterns: Mapping[str, str] = MappingProxyType({}),
) -> AreaTyping:
    """Align the records of any area; this pass doesn't use the pivots."""
    kinds = tuple(
        AttributeType(name, ValueKind.TEXT, **options)
        for name, options in types.items()
    )
    schema = Schema(kinds, pivots=(kinds[0].name,))
    segmentation = Segmentation(DataArea(0, ()), tuple(records), 1)
    compiled = {name: re.compile(text) for name, text in patterns.items()}
    return align_attributes(
        tree.page,
        links_of(tree.page),
        segmentation,
        tree.annotations,
        schema,
        limits,
        compiled,
        AlignmentOptions(
            TagPaths, first_occurrence, no_cut, gathers=False, presumes=False
        ),
    )


def places(page: Page, record: Record) -> Iterator[tuple[NodeId, str]]:
    for row in record.nodes:
        for node in page.elements(row):
            yield node, "text"
            yield node, "@href"


def support(
    tree: AnnotatedPage,
    records: list[Record],
    record: Record,
    node: NodeId,
    source: str,
    kind: str,
) -> float:
    """Return the share of records with an annotation of a type at a node's place."""
    path = tag_path(tree.page, record, node)
    agreeing = [
        other_record
        for other_record in records
        if any(
            tag_path(tree.page, other_record, other) == path
            and is_annotated(tree, other, source, kind)
            for other, _ in places(tree.page, other_record)
        )
    ]
    return len(agreeing) / len(records)


def is_annotated(tree: AnnotatedPage, node: NodeId, source: str, kind: str) -> bool:
    return any(
        (tree.page.element(annotation.node), annotation.source, annotation.type)
        == (node, source, kind)
        for annotation in tree.annotations
    )


def tag_path(page: Page, record: Record, node: NodeId) -> str:
    """Build the characteristic tag path from the record start, from its end."""
    if node == record.start:
        return page.tag[node]
    above = page.parent[node]
    row = record.nodes if node in record.nodes else tuple(page.child_elements(above))
    i = row.index(node)
    before, step = (row[i - 1], "next-sibl") if i else (above, "first-child")
    return f"{tag_path(page, record, before)}/{step}::{page.tag[node]}"
