"""Test the experiments of the survival benchmark, and the page that shows them."""

# ruff: noqa: F811  Tests take imported fixtures.

from __future__ import annotations

import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from gold_corpus import CORPUS, ROOT, write_gold
from survival_page import CARD, gold, page_of, truth_of  # noqa: F401

sys.path.insert(0, str(ROOT / "benchmarks"))
sys.path.insert(0, str(ROOT / "benchmarks" / "paper"))
sys.path.insert(0, str(ROOT / "benchmarks" / "survival"))

import campaign
import labelled
import redesigns
import systems
import trials
from baselines import label_scraper
from campaign import ALARMS, CAMPAIGN, CHECKS
from operators import OPERATORS
from operators.draft import SCOPES
from runs import Runs
from systems import BY_HAND

EXPERIMENTS = (CAMPAIGN, ALARMS, redesigns.main, CHECKS)


def options(tmp_path, *more):
    return ["-j", "1", "--cache", str(tmp_path / "cache"), *more]


def test_a_campaign_prints_its_tables_and_draws_its_charts(
    gold, tmp_path, monkeypatch, capsys
):
    monkeypatch.setattr(label_scraper, "REQUIREMENTS", (str(tmp_path / "nothing"),))
    monkeypatch.setattr(labelled, "FOLDER", tmp_path / "scraper")
    assert CAMPAIGN(options(tmp_path, "--seeds", "1")) == 0
    text = capsys.readouterr().out
    assert "autoscraper is left out: autoscraper can't be installed: " in text
    assert "| full @class | 1 of 1 | 3.0 | 100 |" in text
    assert f"| {BY_HAND} | 0 of 1 |" in text
    for scope in SCOPES:
        assert f"### Scope: {scope}" in text
        for name in (f"survival-{scope}.svg", f"survival-{scope}-systems.svg"):
            ET.parse(tmp_path / "cache" / "charts" / name)
    for operator in OPERATORS:
        assert f"| {operator} |" in text
    assert (tmp_path / "cache" / "lost.tsv").exists()
    assert CAMPAIGN(options(tmp_path, "--seeds", "1")) == 0
    assert capsys.readouterr().out == text


def test_results_of_a_part_of_the_seeds_are_not_written(gold, tmp_path):
    with pytest.raises(SystemExit, match="a part of the seeds"):
        CAMPAIGN(options(tmp_path, "--seeds", "1", "--write"))
    assert not (tmp_path / "cache" / "results.sqlite").exists()


def test_results_of_other_systems_do_not_depend_on_the_whole_package(gold, tmp_path):
    """Experiments depend only on the parts of the package that read and score pages."""
    for name, group in systems.GROUPS.items():
        whole = systems.PACKAGE in group.package
        assert whole is (name == "own")
        assert all(path.exists() for path in (*group.sources, *group.package))


def test_the_result_of_a_job_is_stored_by_the_sources_given(tmp_path):
    code, calls = tmp_path / "code.py", []
    code.write_text("1")

    def answer():
        calls.append(1)

    answer.__module__ = __name__
    jobs = [trials.Job("a", (), ())]
    runs = Runs(tmp_path / "kept", 1)
    for package in ([code], [code], []):
        runs.of(answer, jobs, (), package)
    assert len(calls) == 2


def test_checks_prints_flagged_runs_for_each_rate(gold, tmp_path, capsys):
    assert CHECKS(options(tmp_path, "--seeds", "1")) == 0
    text = capsys.readouterr().out
    assert "Scope template, amber-wrap:\n\n| rate | wrong runs | flagged, % |" in text
    assert (tmp_path / "cache" / "checks.tsv").read_text().startswith("page\tscope\t")


def test_alarms_prints_counts_for_the_page_and_for_others(gold, tmp_path, capsys):
    write_gold(tmp_path / "gold", "products/trees/2", truth_of(), page_of())
    assert ALARMS(options(tmp_path)) == 0
    text = capsys.readouterr().out
    assert "| the page of the wrapper | right | 2 | 0 |" in text
    assert "| another page of its template | right | 1 | 0 |" in text


def test_redesigns_prints_a_row_for_each_pair(gold, tmp_path, monkeypatch, capsys):
    card = CARD.replace("card wide", "tile").replace("<h3>", "<b>")
    write_gold(tmp_path / "gold", "products/trees/2", truth_of(), page_of(card=card))
    pairs = tmp_path / "pairs.toml"
    pairs.write_text('[[pair]]\nold = "products/trees/1"\nnew = "products/trees/2"\n')
    monkeypatch.setattr(redesigns, "PAIRS", pairs)
    assert redesigns.main(options(tmp_path)) == 0
    text = capsys.readouterr().out
    assert "| products/trees/1 | 2 | – | – |" in text
    assert text.count("Of 1 pairs ") == 1


def test_pairs_of_redesigns_are_distinct_and_of_one_domain():
    pairs = redesigns.read_pairs()
    assert len(set(pairs)) == len(pairs) >= 20
    for old, new in pairs:
        assert old != new
        assert old.split("/")[0] == new.split("/")[0], "one domain"


@pytest.mark.skipif(not CORPUS.is_dir(), reason="without the real corpus")
def test_the_pages_of_redesigns_are_in_the_corpus():
    for name in {name for pair in redesigns.read_pairs() for name in pair}:
        assert (CORPUS / "gold" / "json" / f"{name}.json").exists(), name


@pytest.mark.parametrize("one", EXPERIMENTS, ids=lambda one: one.name)
def test_the_page_has_a_place_for_each_result(one):
    page = one.page.read_text("utf-8")
    for name in one.markers:
        assert page.count(f"<!-- {name} -->") == page.count(f"<!-- /{name} -->") == 1


def test_the_charts_that_the_page_links_to_exist():
    for link in re.findall(r"\]\(([^)#]+)\)", campaign.PAGE.read_text("utf-8")):
        assert (campaign.PAGE.parent / link).exists(), link


def test_the_experiments_are_listed_with_a_line_each():
    command = [sys.executable, str(Path("benchmarks") / "survival")]
    ended = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr
    for one in EXPERIMENTS:
        assert f"{one.name:12} {one.about.splitlines()[0]}" in ended.stdout
