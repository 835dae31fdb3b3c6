"""Test the pass `segment` without fillers: trimmed records and short ones.

A case of cases/fillers has an element `area`, whose prices are the pivots.  `parents`
are the parents of its records, if they aren't the area itself.
"""

from __future__ import annotations

import pytest
from case_pages import AnnotatedPage, Case, annotated_page, cases
from hypothesis import given
from hypothesis import strategies as st

from amber_wrap.analysis.class_marks import marks_of
from amber_wrap.analysis.extraction_typing import DataArea
from amber_wrap.analysis.segment import segment, segment_without_fillers
from amber_wrap.dom.page import siblings
from amber_wrap.dom.tree_edit import DISTANCES


@pytest.mark.parametrize("distance", DISTANCES)
@pytest.mark.parametrize("case", cases("fillers"))
def test_segmentation_without_fillers_gives_the_records_of_the_case(
    case: Case, distance: str
) -> None:
    tree = annotated_page(case["html"])
    area = area_of(tree, *case.get("parents", ()))
    segmentation = segment_without_fillers(
        tree.page, area, DISTANCES[distance](tree.page)
    )
    assert [
        list(map(tree.name, record.nodes)) for record in segmentation.records
    ] == case["records"]
    assert segmentation.record_length == case["record_length"]


@given(
    short=st.lists(st.integers(1, 3), max_size=3),
    length=st.integers(2, 4),
    most=st.integers(4, 7),
)
def test_short_records_before_the_others_keep_their_lengths(
    short: list[int], length: int, most: int
) -> None:
    lengths = [*(min(number, length - 1) for number in short), *[length] * most]
    head, text = '<h3 class="card">[price £1]</h3>', "<p>text</p>"
    html = "".join(head + (number - 1) * text for number in lengths)
    tree = annotated_page(f"<div id='area'>{html}</div>")
    page, area = tree.page, area_of(tree)
    segmentation = segment_without_fillers(page, area, DISTANCES["fast"](page))
    assert [len(record.nodes) for record in segmentation.records] == lengths
    nodes = [node for record in segmentation.records for node in record.nodes]
    assert tuple(nodes) == siblings(page, area.root)


ROWS = (
    '<h3 class="card">[price £1]</h3>',
    '<h3 class="card">[price £1]</h3> <p>text</p>',
    "<h3>[price £1]</h3>",
    '<h4 class="card new">[price £1]</h4> <p class="line"></p>',
    "<p>text</p>",
    "<br>",
)


@given(rows=st.lists(st.sampled_from(ROWS), min_size=1, max_size=12))
def test_records_are_siblings_with_a_text_and_the_marks_of_others(
    rows: list[str],
) -> None:
    tree = annotated_page(f"<div id='area'>{''.join(rows)}</div>")
    page, area = tree.page, area_of(tree)
    distance = DISTANCES["fast"](page)
    segmentation = segment_without_fillers(page, area, distance)
    assert segmentation.records or not segment(page, area, distance).records
    children = siblings(page, area.root)
    for record in segmentation.records:
        rank = children.index(record.start)
        assert record.nodes == children[rank : rank + len(record.nodes)]
        assert any(map(page.text_length, record.nodes))
    full = [
        record
        for record in segmentation.records
        if len(record.nodes) == segmentation.record_length
    ]
    short = [
        record
        for record in segmentation.records
        if len(record.nodes) < segmentation.record_length
    ]
    assert len(full) + len(short) == len(segmentation.records)
    divided = {record.start for record in segment(page, area, distance).records}
    for record in short:
        shared = (marks_of(page, full_record.start) for full_record in full)
        if record.start in divided or record.nodes[-1] == children[-1]:
            continue  # Nothing is asked of a record that a filler or its row ends.
        assert frozenset.intersection(*shared) <= marks_of(page, record.start)
        assert any(page.contains(record.start, pivot) for pivot in area.pivots)


def area_of(tree: AnnotatedPage, *parents: str) -> DataArea:
    return DataArea(
        tree.node("area"), tuple(tree.pivots("price")), tuple(map(tree.node, parents))
    )
