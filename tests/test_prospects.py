"""Areas are aligned late: which are, and that what is selected is the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from case_pages import cases
from gold_corpus import ROOT
from test_selection import CARS

from amber_wrap.analysis.attributes import align
from amber_wrap.analysis.prospects import Claimed, Ground, Prospect
from amber_wrap.analysis.selection import left_out, select
from amber_wrap.analysis.typing import AreaTyping, Record
from amber_wrap.annotate.run import annotate, annotators, readers
from amber_wrap.dom.page import Page
from amber_wrap.dom.parse import parse
from amber_wrap.dom.tree_edit import TreeEditDistance
from amber_wrap.domain.loader import load_domain
from amber_wrap.domain.schema import Domain
from amber_wrap.pipeline import restrict
from amber_wrap.strategies import STRATEGIES

ROLE = STRATEGIES["role"]
ANY_NUMBER = 1e6
"""More attributes than a record can have."""
SAMPLES = {
    "property-list": "real-estate",
    "car-grid": "used-cars",
    "forum-table": "listing",
}


def pages() -> list[object]:
    small = [
        pytest.param(case["html"].encode(), CARS, id=f"case-{i}")
        for i, case in enumerate(param.values[0] for param in cases("selection"))
    ]
    golden = [
        pytest.param(
            (ROOT / "tests" / "golden" / name / "sample.html").read_bytes(),
            load_domain(domain),
            id=name,
        )
        for name, domain in SAMPLES.items()
    ]
    return small + golden


def prospects(page: Page, domain: Domain) -> list[Prospect]:
    found = annotate(page, domain.schema, annotators(domain))
    annotations = tuple(restrict(page, found, "", ""))
    schema, limits = domain.schema, domain.thresholds
    nodes = ROLE.pivots(annotations, schema, schema.pivots[0])
    distance = TreeEditDistance(page)
    segmented = [
        ROLE.segment(page, area, distance)
        for area in ROLE.identify(page, nodes, limits)
    ]
    claimed = Claimed(page, annotations, schema, limits, ROLE.manner.presumes)

    def typed(one):
        return align(
            page, one, annotations, schema, limits, readers(domain), ROLE.manner
        )

    return [
        Prospect(page, one, claimed.most(one.records), typed)
        for one in segmented
        if one.records
    ]


@pytest.mark.parametrize(("body", "domain"), pages())
def test_no_area_has_more_attributes_than_is_foretold(body, domain):
    for one in prospects(parse(body), domain):
        attributes = sum(map(len, one.typing.attributes))
        assert attributes <= one.most * len(one.records)


@pytest.mark.parametrize(("body", "domain"), pages())
def test_what_is_selected_is_the_same_where_all_areas_are_aligned(body, domain):
    page = parse(body)
    late = prospects(page, domain)
    early = [replace(one, most=ANY_NUMBER) for one in prospects(page, domain)]
    chosen = select(page, late, domain.schema)
    assert starts(chosen) == starts(select(page, early, domain.schema))
    for is_open in (False, True):
        others = left_out(page, late, chosen, is_open)
        assert starts(others) == starts(left_out(page, early, chosen, is_open))


def test_what_cannot_be_selected_is_not_aligned():
    page = parse((ROOT / "tests/golden/property-list/sample.html").read_bytes())
    found = prospects(page, load_domain("real-estate"))
    (area,) = select(page, found, load_domain("real-estate").schema)
    aligned = [one for one in found if "typing" in vars(one)]
    assert area in [one.typing for one in aligned]
    assert len(aligned) < len(found) / 2


def test_what_is_taken_is_not_free_nor_what_is_around_it():
    page = parse(b"<ul><li><b>1</b><li><b>2</b></ul><p>3</p>")
    [ul] = page.select("//ul")
    [one, two] = page.select("//li")
    [p] = page.select("//p")
    ground = Ground(page)
    ground.take([Record((one,))])
    assert [ground.is_free([Record((node,))]) for node in (ul, one, one + 1)] == (
        [False] * 3
    )
    assert ground.is_free([Record((two, p))])
    assert not ground.is_free([Record((p,)), Record((p, one))])


def starts(areas: Sequence[AreaTyping]) -> list[list[int]]:
    return [[record.start for record in area.records] for area in areas]
