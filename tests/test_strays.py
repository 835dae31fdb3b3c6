"""The pass `complete`: which records apart from the others belong to their area.

A case of cases/strays marks areas and their records as `typed_pages` says, and what
annotators find.  `records` are those of each completed area; `attributes`, where given,
the values of some of them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

import pytest
from case_pages import AnnotatedPage, Case, annotated_page, cases
from hypothesis import given
from hypothesis import strategies as st
from typed_pages import case_domain, typed_page

from amber_wrap.analysis.attributes import Manner, align
from amber_wrap.analysis.cuts import no_cut
from amber_wrap.analysis.places import Marks, marks_of
from amber_wrap.analysis.standing import best_standing
from amber_wrap.analysis.strays import LEAST_RECORDS, complete, find_strays
from amber_wrap.analysis.typing import (
    AreaTyping,
    Attribute,
    DataArea,
    Record,
    Segmentation,
)
from amber_wrap.dom.page import NodeId
from amber_wrap.domain.schema import Thresholds

DOMAIN = case_domain(
    {
        "types": {
            "title": {},
            "price": {"kind": "money", "patterns": ["price"]},
            "beds": {"kind": "count", "regular": False, "patterns": ["beds"]},
            "town": {"regular": False},
        },
        "patterns": {"price": r"£[\d,]+", "beds": r"\d+ beds"},
    }
)
MANNER = Manner(Marks, best_standing, no_cut, gathers=True, presumes=False)


@pytest.mark.parametrize("case", cases("strays"))
def test_records(case: Case) -> None:
    tree, typing = typed_page(case["html"], DOMAIN.schema.types)
    found = completed(tree, typing.areas)
    assert [
        [tree.name(start) for record in area.records for start in record.nodes[:1]]
        for area in found
    ] == case["records"]
    for area in found:
        starts = [record.start for record in area.records]
        assert starts == sorted(starts)
        assert {tree.page.parent[start] for start in starts} == set(
            area.segmentation.area.record_parents
        )


@pytest.mark.parametrize(
    "case", [one for one in cases("strays") if "attributes" in one.values[0]]
)
def test_attributes(case: Case) -> None:
    tree, typing = typed_page(case["html"], DOMAIN.schema.types)
    found = {
        tree.name(record.start): {one.type: one.text for one in attributes}
        for area in completed(tree, typing.areas)
        for record, attributes in zip(area.records, area.attributes, strict=True)
    }
    for name, wanted in case["attributes"].items():
        assert found[name] == wanted


def completed(tree: AnnotatedPage, areas: Sequence[AreaTyping]) -> Sequence[AreaTyping]:
    return tuple(complete(tree.page, areas, lambda found: aligned(tree, found)))


def aligned(tree: AnnotatedPage, found: Segmentation) -> AreaTyping:
    patterns = {name: re.compile(text) for name, text in DOMAIN.patterns.items()}
    schema, limits = DOMAIN.schema, Thresholds()
    return align(tree.page, found, tree.annotations, schema, limits, patterns, MANNER)


# --- what always holds ------------------------------------------------------------

BOXES = ("<div>", '<div class="box">', '<div class="card">', '<div class="card box">')
PARTS = (
    *BOXES,
    '<div class="card"><b>[price £1]</b> <i>[title House]</i></div>',
    '<div class="card"><b>£2</b> <i>Flat</i></div>',
    '<div class="card box"><b>[price £3]</b></div>',
    '<div class="card"><i>text</i></div>',
    "<b>[price £4]</b>",
)


@st.composite
def areas(draw: st.DrawFn) -> tuple[AnnotatedPage, AreaTyping]:
    """A page of cards and boxes; of those that hold none another some are records."""
    html, opened = [], 0
    for part in draw(st.lists(st.sampled_from(PARTS), min_size=6, max_size=24)):
        closed = draw(st.integers(0, min(2, opened)))
        html += ["</div>" * closed, part]
        opened += (part in BOXES) - closed
    tree = annotated_page(
        f"<section><div>{''.join(html)}{'</div>' * opened}</div></section>"
    )
    starts: list[NodeId] = []
    for node in draw(st.permutations(tree.page.select("//div"))):
        if apart(tree, [*starts, node]):
            starts.append(node)
    starts = sorted(starts[: draw(st.integers(1, len(starts)))])
    parents = tuple(dict.fromkeys(tree.page.parent[start] for start in starts))
    records = tuple(Record((start,)) for start in starts)
    return tree, aligned(tree, Segmentation(DataArea(0, (), parents), records, 1))


@given(found=areas())
def test_what_a_stray_is(found: tuple[AnnotatedPage, AreaTyping]) -> None:
    tree, area = found
    page = tree.page
    starts = [record.start for record in area.records]
    shared = frozenset.intersection(*(marks_of(page, start) for start in starts))
    strays = list(find_strays(page, area, starts))
    assert apart(tree, [*starts, *strays])
    if shared:
        assert all(marks_of(page, stray) >= shared for stray in strays)
    if len(starts) < LEAST_RECORDS:
        assert not strays


@given(found=areas())
def test_a_completed_area_holds_what_it_did(
    found: tuple[AnnotatedPage, AreaTyping],
) -> None:
    tree, area = found
    (whole,) = completed(tree, [area])
    starts = [record.start for record in whole.records]
    assert apart(tree, starts)
    assert starts == sorted(starts)
    known, typed = attributes_of(area), attributes_of(whole)
    boxes = known.keys() - typed.keys()
    assert {start: typed.get(start, known[start]) for start in known} == known
    assert len(known) - len(boxes) >= LEAST_RECORDS or not boxes
    for box in boxes:
        inside = [node for node in tree.page.elements(box) if node != box]
        assert sum(marks_of(tree.page, one) >= {".card"} for one in inside) > 1
    if not boxes:
        strays = find_strays(tree.page, area, [*known])
        assert typed.keys() - known.keys() <= set(strays)


def attributes_of(area: AreaTyping) -> dict[NodeId, tuple[Attribute, ...]]:
    starts = (record.start for record in area.records)
    return dict(zip(starts, area.attributes, strict=True))


def apart(tree: AnnotatedPage, nodes: Sequence[NodeId]) -> bool:
    """Whether no node is, or holds, another one."""
    return all(
        first + tree.page.size[first] <= second
        for first, second in pairwise(sorted(nodes))
    )
