"""Test the features that lists are chosen by.

A case of cases/features has a page and `lists`.  A list has the XPaths of each record
and the expected values of some features: a number or "positive".
"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from case_pages import Case, cases
from gold_corpus import GOLDEN

from amber_wrap.analysis.candidate_lists import single_element_list
from amber_wrap.analysis.extraction_typing import Record, Segmentation
from amber_wrap.analysis.features.list_counts import CandidateView
from amber_wrap.analysis.features.page_counts import PageCounts
from amber_wrap.analysis.features.registry import features
from amber_wrap.analysis.features.surroundings import stated_range
from amber_wrap.annotate.links import links_of
from amber_wrap.dom.parse import parse
from amber_wrap.domain.loader import load_domain
from amber_wrap.passes.analysis import annotate_samples
from amber_wrap.settings import DEFAULTS

SCRIPT = """
import sys
from pathlib import Path
from amber_wrap.domain.loader import built_in_domains, load_domain
from amber_wrap.passes.analysis import annotate_samples, identify_lists, parse_samples
from amber_wrap.passes.analysis import find_examples, select_lists
from amber_wrap.settings import DEFAULTS, Source

pages = parse_samples([Source("", Path(sys.argv[1]).read_bytes())], DEFAULTS)
domains = [load_domain(name) for name in built_in_domains()]
annotations = annotate_samples(pages, domains, DEFAULTS)
pointed = find_examples(pages, DEFAULTS)
candidates = identify_lists(pages, annotations, DEFAULTS)
[chosen] = select_lists(pages, annotations, candidates, pointed, DEFAULTS)
for choice in chosen.values():
    for one in choice.ranked:
        print(one.score, one.features)
"""


def test_features_are_the_same_in_every_process():
    """Vary the hash seed, and so the order of sets of strings."""
    page = GOLDEN / "car-grid" / "sample.html"
    outputs = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT, str(page)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(outputs) == 1
    assert b"mark_elsewhere" in outputs.pop()


@pytest.mark.parametrize("unit", ["1", "1,", "1 ", ".", "1.1", "1 to ", "a1"])
def test_long_runs_of_numbers_are_not_read_as_a_range(unit: str) -> None:
    """Search long texts: the test doesn't end if the search restarts at every digit."""
    page = parse(f"<p>1 - {unit * 50_000}</p><i>a</i><i>b</i>".encode())
    records = [Record((node,)) for node in page.select("//i")]
    area = single_element_list(page, [record.start for record in records]).area
    page_counts = PageCounts(page, (), (), links_of(page))
    view = CandidateView(page_counts, Segmentation(area, records, 1), 1)
    assert stated_range(view) == 0


@pytest.mark.parametrize("case", cases("features"))
def test_features_have_the_values_of_the_case(case: Case) -> None:
    page = parse(case["html"].encode())
    page_counts = PageCounts(page, (), (), links_of(page))
    for case_list in case["lists"]:
        records = tuple(Record(tuple(page.select(x))) for x in case_list.pop("records"))
        area = single_element_list(page, [record.start for record in records]).area
        length = max(len(record.nodes) for record in records)
        values = features(
            CandidateView(page_counts, Segmentation(area, records, length), 1)
        )
        for name, expected in case_list.items():
            if expected == "positive":
                assert values[name] > 0, name
            else:
                assert values[name] == pytest.approx(expected), name


def test_texts_behind_a_link_and_their_annotations_belong_to_its_record() -> None:
    page = parse(
        b"<p><a href=/1>Smith v. Jones</a>, May 29, 2026<br>"
        b"<a href=/2>Brown v. Green</a>, May 7, 2026</p>"
        b"<h2><a href=/3>More</a></h2><h2><a href=/4>Less</a></h2>"
    )
    domain = load_domain("listing")
    ((annotated,),) = annotate_samples([page], [domain], DEFAULTS)
    page_counts = PageCounts(
        page, annotated.annotations, domain.schema.types, annotated.links
    )
    features_of_lists = [
        features(
            CandidateView(page_counts, single_element_list(page, page.select(path)), 1)
        )
        for path in ("//p/a", "//a")
    ]
    assert [values["dates"] for values in features_of_lists] == [1, 0.5]
    lone = single_element_list(page, page.select("//h2/a"))
    assert features(CandidateView(page_counts, lone, 1))["are_links"] == 1
    assert features_of_lists[0]["are_links"] == 0
