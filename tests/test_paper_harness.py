"""Test the tools of the paper's evaluation: stored results and charts."""

from __future__ import annotations

import re
import sys
import xml.etree.ElementTree as ET

import pytest
from gold_corpus import ROOT

sys.path.insert(0, str(ROOT / "benchmarks"))
sys.path.insert(0, str(ROOT / "benchmarks" / "paper"))

import charts
import runs
from runs import Job, Runs, digest

# Kept results

ASKED = []


def noted(text):
    ASKED.append(text)
    if text == "bad":
        raise ValueError(text)
    return {"text": text}


@pytest.fixture
def stored_runs(tmp_path):
    ASKED.clear()
    return Runs(tmp_path / "kept", processes=1)


def test_jobs_with_a_stored_result_are_not_run_again(stored_runs):
    jobs = [Job("a", (), ("first",)), Job("b", (), ("second",))]
    assert stored_runs.of(noted, jobs) == [{"text": "first"}, {"text": "second"}]
    assert stored_runs.of(noted, jobs[::-1]) == [{"text": "second"}, {"text": "first"}]
    assert ASKED == ["first", "second"]


def test_a_stopped_run_continues_behind_its_stored_results(stored_runs):
    first, bad, last = (
        Job("a", (), ("first",)),
        Job("b", (), ("bad",)),
        Job("c", (), ("last",)),
    )
    with pytest.raises(ValueError, match="bad"):
        stored_runs.of(noted, [first, bad, last])
    stored_runs.of(noted, [first, last])
    assert ASKED == ["first", "bad", "last"]


def test_jobs_with_changed_pages_or_sources_are_run_again(stored_runs, tmp_path):
    page, code = tmp_path / "page.html", tmp_path / "code.py"
    for body, source in (("a", "x"), ("b", "x"), ("b", "y")):
        page.write_text(body)
        code.write_text(source)
        runs._digest_of_path.cache_clear()
        stored_runs.of(noted, [Job("a", (page,), (body + source,))], [code])
    assert ASKED == ["ax", "bx", "by"]


def test_two_processes_give_the_results_of_one(tmp_path):
    jobs = [Job(str(n), (), (f"text {n}",)) for n in range(5)]
    by_one, by_two = (
        Runs(tmp_path / str(number), number).of(noted, jobs) for number in (1, 2)
    )
    assert by_one == by_two


def test_a_digest_depends_on_names_and_bytes_but_not_compiled_files(tmp_path):
    def now():
        runs._digest_of_path.cache_clear()
        return digest([tmp_path])

    (tmp_path / "a.py").write_text("1")
    first = now()
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__" / "a.pyc").write_text("2")
    assert now() == first
    (tmp_path / "a.py").rename(tmp_path / "b.py")
    assert now() != first


# Charts

ROWS = ["price", "a<b & c"]
BOTH = {"precision": [0.912, 0.25], "recall": [0.875, None]}


@pytest.mark.parametrize("draw", [charts.rows, charts.lines])
def test_a_chart_is_well_formed_and_labels_each_value(draw):
    drawn = draw("Title of it", ROWS, BOTH)
    assert draw("Title of it", ROWS, BOTH) == drawn
    texts = [element.text for element in ET.fromstring(drawn).iter() if element.text]
    for label in (
        "Title of it",
        *ROWS,
        "precision",
        "recall",
        "0.912",
        "0.250",
        "0.875",
    ):
        assert texts.count(label) == 1, label
    assert len(drawn) < 8_000


def test_bars_begin_at_zero_and_dots_where_the_scale_does():
    dots = charts.SHAPES[0]
    assert charts.rows("", ROWS, BOTH).count(dots) == 1, "in the legend only"
    assert charts.rows("", ROWS, BOTH, low=0.2).count(dots) == 3


@pytest.mark.parametrize(
    ("values", "low"), [([0.96, 1.0], 0.9), ([0.9], 0.8), ([0.42, 1.0], 0), ([], 0)]
)
def test_a_scale_begins_at_the_expected_value(values, low):
    assert charts.scale_from(values) == pytest.approx(low)


def test_labels_of_equal_values_do_not_overlap():
    drawn = charts.lines("", ["x"], {name: [0.5] for name in "abc"})
    heights = re.findall(r'y="([\d.]+)"[^>]*>0\.500<', drawn)
    first, second, third = sorted(map(float, heights))
    assert min(second - first, third - second) >= charts.LABEL - 3


@pytest.mark.parametrize("colour", [*charts.COLOURS, charts.TEXT])
@pytest.mark.parametrize("ground", ["#ffffff", "#0d1117"])
def test_colours_have_enough_contrast_on_light_and_dark_grounds(colour, ground):
    """WCAG asks a contrast of 3 of graphics and large texts."""
    light, dark = sorted((luminance(colour), luminance(ground)), reverse=True)
    assert (light + 0.05) / (dark + 0.05) >= 3


def luminance(colour):
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    linear = [
        p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
