"""Test the paper's evaluation: variants of the system, experiments, their page."""

from __future__ import annotations

import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import pytest
from gold_corpus import ROOT, write_gold, write_golden

from amber_wrap.annotate.annotator import Annotation
from amber_wrap.dom.page import TEXT
from amber_wrap.dom.parse import parse
from amber_wrap.domain.loader import load_domain
from amber_wrap.evaluation.gold import GoldArea, GoldPage, GoldRecord, read_corpus
from amber_wrap.evaluation.score import Count, Difference, Score
from amber_wrap.evaluation.tasks import SELF, Result, Setting, plan_evaluation

sys.path.insert(0, str(ROOT / "benchmarks"))
sys.path.insert(0, str(ROOT / "benchmarks" / "paper"))

import accuracy
import comparison
import experiment
import generated_pages
import learning
import measurement
import robustness
from accuracy import ACCURACY, SIZES, THRESHOLDS
from generated_pages import LARGESCALE, NOISE
from measurement import LOCATION, System, domain_of
from runs import Runs

PAPER = ROOT / "benchmarks" / "paper"
EXPERIMENTS = (
    *(NOISE, ACCURACY, LARGESCALE, robustness.main, THRESHOLDS, learning.main),
    *(SIZES, comparison.main),
)


@pytest.fixture
def gold(tmp_path, monkeypatch):
    """Read a corpus with a page of each of the paper's domains, as the real one."""
    write_golden(tmp_path / "gold", "property-list", "real-estate")
    write_golden(tmp_path / "gold", "car-grid", "used-cars")
    for other in (tmp_path / "gold" / "json").rglob("[12].json"):
        other.unlink()
    monkeypatch.setenv("AMBER_CORPUS", str(tmp_path))
    return read_corpus(tmp_path / "gold")


def options(tmp_path, *more):
    return ["--on", "real", "-j", "1", "--cache", str(tmp_path / "cache"), *more]


# The system in some shape


def places(domain):
    lists = domain.schema[LOCATION].gazetteers
    return {name: set(domain.gazetteers[name].terms) for name in lists}


def test_smaller_shares_of_places_are_parts_of_larger_ones():
    whole, half, quarter = (
        set().union(*places(domain_of("real-estate", System(share=share))).values())
        for share in (1.0, 0.5, 0.25)
    )
    assert quarter < half < whole
    assert len(quarter) == pytest.approx(len(whole) / 4, abs=1)
    other = places(domain_of("real-estate", System(share=0.25, sample=2)))
    assert set().union(*other.values()) != quarter


def test_a_place_in_two_lists_is_kept_in_both_or_dropped_from_both():
    whole = places(load_domain("real-estate"))
    cut = places(domain_of("real-estate", System(share=0.5)))
    assert {"uk_towns", "uk_counties", "us_places", "places_gb"} <= cut.keys()
    twice = whole["uk_towns"] & whole["us_places"]
    assert twice & cut["uk_towns"] == twice & cut["us_places"]
    assert 0 < len(twice & cut["uk_towns"]) < len(twice)


CARD = parse(
    b'<p class="address">12 Old Lane, Kettering NN16 8AA</p><p>in Kettering</p>'
)


@pytest.mark.parametrize(
    ("system", "recognisers"),
    [
        (
            System(),
            {"name", "street_address", "place_and_postcode", "gazetteer:us_places"},
        ),
        (System(alone=True), {"gazetteer:us_places"}),
    ],
)
def test_a_system_of_lists_alone_recognises_places_only_by_lists(system, recognisers):
    domain = domain_of("real-estate", system)
    annotations = robustness.annotate(
        CARD, domain.schema, robustness.annotators(domain)
    )
    assert {
        annotation.recogniser
        for annotation in annotations
        if annotation.type == LOCATION
    } == recognisers
    assert "NN16 8AA" in {
        annotation.text for annotation in annotations if annotation.type == "postcode"
    }


def test_thresholds_of_a_system_are_those_of_its_domain():
    limits = domain_of("used-cars", System("paper", 2, 4)).thresholds
    assert (limits.depth, limits.distance) == (2, 4)


def test_a_measured_page_has_the_score_of_evaluate(gold, tmp_path):
    [results] = measurement.measure(gold, Runs(tmp_path / "kept", 1))
    expected = list(plan_evaluation(gold, Setting(SELF)).run())
    assert [(one.page, one.score) for one in results] == [
        (one.page, one.score) for one in expected
    ]


# What annotations miss


def claim(node, text):
    return Annotation(node, TEXT, 0, len(text), LOCATION, text, text, "towns")


def test_values_that_no_annotation_marks_are_missed():
    page = parse(b"<div><p>High Street, Wantage</p><p>Ely</p><p>Wantage</p></div>")
    street, town, menu = page.select("//p")
    claims = [claim(street + 1, "Wantage"), claim(menu + 1, "Wantage")]
    errors = robustness.annotation_errors(
        page, claims, [(street, "High Street, Wantage"), (town, "Ely")]
    )
    assert errors == {"pages": 1, "values": 2, "missed": 1, "false": 1}


def test_places_of_locations_are_taken_from_the_gold(tmp_path):
    """The second value stands behind an empty element; the third has no place."""
    records = [
        {"attributes": {LOCATION: {"value": value, "xpath": path}}}
        for value, path in (("Ely", "//p"), ("Wantage", "//i"), ("Bath", None))
    ]
    body = b"<div><p>Ely</p><i></i>Wantage</div>"
    write_gold(tmp_path, "d/t/p", {"areas": [{"records": records}]}, body)
    [gold] = read_corpus(tmp_path).pages
    page = parse(body)
    [(first, ely), (second, wantage)] = robustness.places_of(page, gold)
    assert page.string(first) == ely == "Ely"
    assert page.text[second] == wantage == "Wantage"


# Distributions


def result(records, differences=(), **types):
    page = GoldPage(
        "d/t/p", Path("p"), "d", (GoldArea("1", (GoldRecord({}),) * records),)
    )
    return Result(page, Score(types=types), tuple(differences), "")


def test_objects_are_counted_by_their_number_of_wrong_attributes():
    counts = accuracy.records_by_errors(
        [
            result(2),
            result(
                4,
                [
                    *(Difference("1 1", name, "a", "b") for name in "xy"),
                    Difference("1 2", "x", None, "b"),
                    Difference("1 3", "", "a", None),
                    Difference("output 9", "", None, "b"),
                ],
            ),
        ]
    )
    assert counts == {"0": 3, "1": 1, "2": 1, "3": 0, "4 or more": 0, "not found": 1}


def test_pages_are_counted_by_their_share_of_right_attributes():
    counts = accuracy.pages_by_recall(
        [result(1, x=Count(n, 10, 10)) for n in (10, 9, 8, 0)]
    )
    assert {label: n for label, n in counts.items() if n} == {
        "90-100 %": 2,
        "80-90 %": 1,
        "0-10 %": 1,
    }


def test_pages_are_counted_by_their_number_of_types_with_errors():
    right, missing, many = Count(2, 2, 2), Count(1, 1, 2), Count(2, 3, 2)
    counts = accuracy.pages_by_wrong_types(
        [result(1, a=right), result(1, a=missing, b=many, c=right)]
    )
    assert counts == {"0": 1, "1": 0, "2": 1, "3": 0, "4 or more": 0}


def test_frequencies_are_shares_of_records():
    score = Score(
        records=Count(8, 8, 10), types={"price": Count(6, 8, 10), "date": Count()}
    )
    assert list(generated_pages.frequencies(score)) == [("price", 1, 1)]
    assert generated_pages.deviation(0.5, 0.4) == "-20.0 %"
    assert generated_pages.deviation(0, 0.4) == "–"


# The experiments


def test_accuracy_prints_its_table_and_draws_its_charts(gold, tmp_path, capsys):
    assert ACCURACY(options(tmp_path)) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("Real pages: real-estate 1 sites, 1 pages, ")
    right = " | ".join(["1.000"] * 6)
    assert any(
        line.startswith("| used-cars | records | ") and line.endswith(f"| {right} |")
        for line in lines
    )
    drawn = {one.name for one in (tmp_path / "cache" / "charts").iterdir()}
    assert len(drawn) == 4
    assert "accuracy-real-real-estate-types.svg" in drawn


def test_sizes_uses_the_results_that_accuracy_has_measured(
    gold, tmp_path, capsys, monkeypatch
):
    assert ACCURACY(options(tmp_path)) == 0
    monkeypatch.setattr(measurement, "induce", None)
    assert SIZES(options(tmp_path)) == 0
    [results] = measurement.measure(gold, Runs(tmp_path / "cache"))
    perfect = sum(one.score.perfect for one in results)
    assert perfect > 20
    assert f"\n| 0 | {perfect} | " in capsys.readouterr().out


def test_robustness_prints_a_row_for_each_share(gold, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(robustness, "SHARES", (1.0, 0.25))
    assert robustness.main(options(tmp_path, "--samples", "1")) == 0
    shares = re.findall(r"^\| (\d+ %) \|.*$", capsys.readouterr().out, re.MULTILINE)
    assert shares == ["100 %", "25 %"] * 2


def test_thresholds_have_no_effect_with_the_strategy_role(
    gold, tmp_path, capsys, monkeypatch
):
    monkeypatch.setattr(accuracy, "PAIRS", ((0, 0), (2, 4)))
    assert THRESHOLDS(options(tmp_path)) == 0
    rows = [line for line in capsys.readouterr().out.splitlines() if "| role |" in line]
    assert len({row.partition(")")[2] for row in rows}) == 1
    assert len(rows) == len(accuracy.PAIRS)


def test_a_synthetic_set_is_generated_once(tmp_path, capsys):
    words = ["--sites", "1", "-j", "1", "--cache", str(tmp_path)]
    assert LARGESCALE(words) == 0
    [folder] = tmp_path.glob("synthetic-*")
    before = folder.stat().st_mtime_ns
    first = capsys.readouterr().out
    assert LARGESCALE(words) == 0
    assert folder.stat().st_mtime_ns == before
    assert capsys.readouterr().out == first
    assert "| price | " in first


def test_noise_prints_a_row_for_each_kind_of_noise(tmp_path, capsys):
    assert NOISE(["--sites", "1", "-j", "1", "--cache", str(tmp_path)]) == 0
    output = capsys.readouterr().out
    assert "| records | 2,785 | " in output
    for label in generated_pages.PAPER:
        assert f"| {label} | " in output


def test_learning_annotates_more_locations_than_before(tmp_path, capsys, monkeypatch):
    """Four sites are enough for a place to be learned, and then recognised."""
    monkeypatch.setattr(learning, "SETTINGS", (learning.Setting(0.25),))
    words = ["--sites", "4", "-j", "1", "--cache", str(tmp_path)]
    assert learning.main(words) == 0
    output = capsys.readouterr().out
    rounds = [
        row.split(" | ") for row in re.findall(r"^\| (\d+ \| .*) \|$", output, re.M)
    ]
    assert [row[0] for row in rounds] == [str(n + 1) for n in range(len(rounds))]
    assert int(rounds[0][7]) > 0, "places learned in the first round"
    assert int(rounds[-1][2]) > int(rounds[0][2]), "locations annotated"
    assert "Learned from 2 sites, asked on the 2 others" in output


def test_a_location_is_right_where_the_gold_has_it():
    page = parse(b"<div><p><b>Ely</b></p><p>Ely</p></div>")
    first, second = page.select("//p")
    [inner] = page.select("//b")
    places = [(first, "ely")]
    assert learning.is_right(page, inner, "ely", places)
    assert not learning.is_right(page, inner, "bath", places)
    assert not learning.is_right(page, second, "ely", places)


# The page


def test_results_are_written_between_markers_and_charts_beside_the_page(
    gold, tmp_path, capsys
):
    page = tmp_path / "docs" / "evaluation.md"
    page.parent.mkdir()
    page.write_text("".join(f"<!-- {n} -->\n<!-- /{n} -->\n" for n in ACCURACY.markers))
    write = replace(ACCURACY, page=page)
    assert write(options(tmp_path, "--write")) == 0
    text = page.read_text("utf-8")
    assert text.startswith(
        "<!-- accuracy-synthetic -->\n<!-- /accuracy-synthetic -->\n"
    )
    for link in re.findall(r"\]\((charts/[^)]+)\)", text):
        ET.parse(page.parent / link)
    assert write(options(tmp_path, "--write")) == 0
    assert page.read_text("utf-8") == text


@pytest.mark.parametrize("one", EXPERIMENTS, ids=lambda one: one.name)
def test_the_page_has_a_place_for_each_result(one):
    page = experiment.EVALUATION.read_text("utf-8")
    for name in one.markers:
        assert page.count(f"<!-- {name} -->") == page.count(f"<!-- /{name} -->") == 1


def test_the_charts_that_the_page_links_to_exist():
    page = experiment.EVALUATION
    for link in re.findall(r"\]\(([^)#]+)\)", page.read_text("utf-8")):
        assert (page.parent / link).exists(), link


def test_a_page_without_markers_is_reported_before_the_measurement(gold, tmp_path):
    (tmp_path / "page.md").write_text("no markers")
    with pytest.raises(ValueError, match="once each"):
        replace(ACCURACY, page=tmp_path / "page.md")(options(tmp_path, "--write"))
    assert not (tmp_path / "cache").exists()


def test_an_experiment_skips_sets_without_use_for_the_experiment(gold, tmp_path):
    assert NOISE(options(tmp_path)) == 0


def test_a_missing_corpus_is_reported_in_one_line(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("AMBER_CORPUS", "nowhere")
    assert ACCURACY(options(tmp_path)) == 1
    error_output = capsys.readouterr().err
    assert error_output.endswith("nowhere/gold: the real set is left out\n")


def test_results_of_a_part_of_the_sites_are_not_written(tmp_path, capsys):
    with pytest.raises(SystemExit):
        ACCURACY(options(tmp_path, "--sites", "1", "--write"))
    assert "a part of the sites" in capsys.readouterr().err


def test_a_sample_of_the_real_set_has_the_first_sites(gold):
    assert (
        experiment.real(["used-cars"]).corpus.pages == gold.of_domain("used-cars").pages
    )
    assert experiment.real(["products"], 1).corpus.pages == ()


def run(*arguments):
    command = [sys.executable, str(PAPER), *arguments]
    return subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False
    )


def test_the_experiments_are_listed_with_a_line_each():
    ended = run()
    assert ended.returncode == 0, ended.stderr
    for one in EXPERIMENTS:
        first = re.escape(one.about.partition("\n")[0])
        assert re.search(rf"^{one.name} +{first}$", ended.stdout, re.M)


def test_an_unknown_experiment_is_reported_in_one_line():
    ended = run("acuracy")
    assert ended.returncode == 2
    assert ended.stderr.startswith(
        "there is no experiment 'acuracy' (there are: noise, "
    )
    assert ended.stderr.count("\n") == 1
