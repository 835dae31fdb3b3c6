"""Test data areas by role, records at several parents, and which areas are results.

A case marks the annotations of a page.  With `areas` the case lists the areas that the
analysis keeps, each with the parents of its records and the records.  With `parents` it
lists the parents of one area, and the records that segmentation finds among them.
"""

from __future__ import annotations

from typing import Any

import pytest
from case_pages import AnnotatedPage, Case, annotated_page, cases, random_pages
from hypothesis import given
from hypothesis import strategies as st
from typed_pages import case_domain

from amber_wrap.analysis.extraction_typing import DataArea, Segmentation
from amber_wrap.analysis.identify_by_pivots import element_roles, identify_by_role
from amber_wrap.analysis.segment import segment
from amber_wrap.analysis.thresholds import SELECTION
from amber_wrap.annotate.annotator import Annotation
from amber_wrap.annotate.links import links_of
from amber_wrap.dom.page import TEXT, NodeId, Page, child_above, lowest_common_ancestor
from amber_wrap.dom.tree_edit import DISTANCES
from amber_wrap.strategies import ANY_TYPE, Annotated, identify_all, select_by_fit

TYPES = {
    "price": {"kind": "money"},
    "title": {"regular": False},
    "town": {"regular": False},
    "beds": {"kind": "count", "regular": False},
    "link": {"kind": "url", "regular": False},
}


def with_key(key: str) -> list[Any]:
    return [case for case in cases("roles") if key in case.values[0]]


KNOWN = {
    "a-carousel-of-the-same-kind": "the carousel isn't added to the list",
    "a-record-without-a-price": "the advert is taken for one, too",
    "all-results-in-a-dialog": "the list above isn't added to the other",
    "many-attributes-in-little-text": "the list with more text is chosen",
    "words-that-are-no-asides": "of three lists one is chosen, the others aren't added",
}
"""Cases whose result is wrong so far, each with the reason."""


@pytest.mark.parametrize("case", with_key("areas"))
def test_the_analysis_keeps_the_expected_areas(
    case: Case, request: pytest.FixtureRequest
) -> None:
    if request.node.callspec.id in KNOWN:
        with pytest.raises(AssertionError):
            check_areas(case)  # If the case passes now, take it off the list.
    else:
        check_areas(case)


def check_areas(case: Case) -> None:
    tree = annotated_page(case["html"])
    assert [
        {
            "parents": list(map(tree.name, area.area.record_parents)),
            "records": [list(map(tree.name, record.nodes)) for record in area.records],
        }
        for area in analysed(tree)
    ] == case["areas"]


def analysed(tree: AnnotatedPage) -> tuple[Segmentation, ...]:
    domain, links = case_domain({"types": TYPES}), links_of(tree.page)
    annotated = Annotated(domain, tuple(tree.annotations), links)
    distance = DISTANCES["fast"](tree.page)
    areas = identify_all(tree.page, [annotated], distance)[ANY_TYPE]
    return select_by_fit(tree.page, [annotated], areas).lists


@pytest.mark.parametrize("case", with_key("parents"))
def test_segmentation_finds_records_at_several_parents(case: Case) -> None:
    tree = annotated_page(case["html"])
    parents = tuple(map(tree.node, case["parents"]))
    area = DataArea(
        lowest_common_ancestor(tree.page, parents), tuple(tree.pivots("price")), parents
    )
    segmentation = segment(tree.page, area, DISTANCES["fast"](tree.page))
    assert segmentation.record_length == case["record_length"]
    assert [trial.shift for trial in segmentation.trials if trial.complete] == (
        case["complete_shifts"]
    )
    assert [list(map(tree.name, record.nodes)) for record in segmentation.records] == (
        case["records"]
    )


# --- what always holds ------------------------------------------------------------


@given(page=random_pages(), data=st.data())
def test_areas_by_role_fulfil_their_definition(page: Page, data: st.DataObject) -> None:
    nodes = st.lists(st.integers(0, len(page) - 1), unique=True, max_size=16)
    pivots = data.draw(nodes)
    roles = element_roles(page)
    areas = identify_by_role(page, roles, pivots)
    assert areas == identify_by_role(page, roles, reversed(pivots))
    assert len(areas) <= SELECTION.most_areas
    for area in areas:
        assert len(area.pivots) >= 2
        assert list(area.pivots) == sorted(set(area.pivots))
        assert {page.element(node) for node in pivots} >= set(area.pivots)
        assert len({tags_above(page, pivot) for pivot in area.pivots}) == 1
        assert area.root == lowest_common_ancestor(page, area.parents)
        assert list(area.parents) == sorted(set(area.parents))
        assert len({page.depth[parent] for parent in area.parents}) == 1
        for pivot in area.pivots:
            assert any(page.contains(parent, pivot) for parent in area.parents)
    records = [records_of(page, area) for area in areas]
    assert len(records) == len(set(records))


@given(page=random_pages(), data=st.data())
def test_results_are_records_that_do_not_overlap(
    page: Page, data: st.DataObject
) -> None:
    texts = [node for node in range(len(page)) if page.is_text(node)]
    kinds = st.sampled_from((*TYPES, None))
    annotations = [
        Annotation(node, TEXT, 0, len(text), kind, text, text, "the test")
        for node in texts
        if (kind := data.draw(kinds)) and (text := page.text[node])
    ]
    areas = analysed(AnnotatedPage(page, tuple(annotations)))
    starts = [area.records[0].start for area in areas]
    assert starts == sorted(starts)
    records = sorted(record.nodes for area in areas for record in area.records)
    ends = [nodes[-1] + page.size[nodes[-1]] for nodes in records]
    assert all(end <= nodes[0] for end, nodes in zip(ends, records[1:], strict=False))
    for area in areas:
        parents = area.area.record_parents
        for record in area.records:
            above = {page.parent[node] for node in record.nodes}
            assert len(above) == 1
            assert above <= set(parents)


def tags_above(page: Page, node: NodeId) -> tuple[str, ...]:
    tags = []
    while node >= 0:
        tags.append(page.tag[node])
        node = page.parent[node]
    return tuple(tags)


def records_of(page: Page, area: DataArea) -> frozenset[NodeId]:
    """Return the children of the parents that have a pivot in them."""
    return frozenset(
        child_above(page, parent, pivot)
        for parent in area.parents
        for pivot in area.pivots
        if pivot != parent and page.contains(parent, pivot)
    )
