"""The scripts behind docs/scoreboard.md: variants, halves, tables."""

from __future__ import annotations

import pickle
import sys
from collections import Counter
from contextlib import suppress
from pathlib import Path
from pkgutil import resolve_name

import pytest
from gold_corpus import CORPUS, GOLDEN, ROOT, write_golden

from amber_wrap.analysis import candidates
from amber_wrap.analysis.list_selection import ListChoice
from amber_wrap.annotate import run
from amber_wrap.domain.loader import load_domain
from amber_wrap.evaluation.gold import Corpus, GoldPage, read_corpus
from amber_wrap.evaluation.tasks import SELF, TRANSFER, Setting, plan
from amber_wrap.files import read_saved_page
from amber_wrap.pipeline import compile_wrapper

sys.path.insert(0, str(ROOT / "benchmarks"))

import ablation
import scoreboard
import tables
from corpus import HALVES, halves, measure, sites_of
from steps import STEPS, change, no_lines, nothing, strategy
from variants import Change, Variant, everywhere, forget, made

ALL_STEPS = [step for steps in STEPS.values() for step in steps]


@pytest.fixture
def gold(tmp_path, monkeypatch):
    """A corpus of two templates on which all is right, instead of the real one."""
    write_golden(tmp_path / "gold", "forum-table", "listing")
    write_golden(tmp_path / "gold", "property-list", "real-estate")
    monkeypatch.setenv("AMBER_CORPUS", str(tmp_path))
    return read_corpus(tmp_path / "gold")


# Variants


@pytest.mark.slow
def test_the_default_is_what_evaluate_measures(gold):
    [outcome] = measure(gold, [Variant()])
    for mode in (SELF, TRANSFER):
        results = list(plan(gold, Setting(mode)).run())
        assert scores(outcome[mode]) == scores(results)


def no_records(page, annotated, found):
    return ListChoice((), 0.0)


@pytest.mark.parametrize(
    "changes",
    [
        change("annotate.run", "reconcile", nothing),
        change("analysis.path_scores", "standings", no_lines),
        strategy(select=no_records),
        change("generalise.rules", "field_rule", nothing),
        change("engine.interpret", "to_rows", nothing),
        change("engine.reading", "starts_at", nothing),
    ],
    ids=["annotate", "align", "analysis", "generalise", "wrapper", "engine"],
)
@pytest.mark.parametrize("is_first", [True, False])
@pytest.mark.slow
def test_what_is_remembered_of_one_variant_does_not_serve_another(
    gold, changes, is_first
):
    forget()
    order = [Variant(changes), Variant()] if is_first else [Variant(), Variant(changes)]
    outcomes = measure(gold, order)
    changed, default = outcomes if is_first else reversed(outcomes)
    for mode in (SELF, TRANSFER):
        for one, other in zip(default[mode], changed[mode], strict=True):
            assert one.score.records.right
            assert one.score != other.score


def test_changes_are_undone_whatever_happens():
    few, many = candidates.LEAST_RECORDS, candidates.MOST_CANDIDATES
    changes = [
        *change("analysis.candidates", "LEAST_RECORDS", 17),
        *change("analysis.candidates", "MOST_CANDIDATES", 18),
    ]
    with suppress(ZeroDivisionError), made(changes):
        assert candidates.LEAST_RECORDS == 17
        assert candidates.MOST_CANDIDATES == 18
        raise ZeroDivisionError
    with (
        pytest.raises(AttributeError),
        made([*changes, Change("amber_wrap.analysis", "OTHER", 1)]),
    ):
        pass
    assert (few, many) == (candidates.LEAST_RECORDS, candidates.MOST_CANDIDATES)


def test_a_variant_that_cannot_be_made_is_told_at_once(gold):
    with pytest.raises(AttributeError, match="LEAST_LUCK"):
        measure(gold, [Variant(change("analysis.candidates", "LEAST_LUCK", 1))])


def scores(results):
    return [(one.page.name, one.score) for one in results]


# The steps are those of the package


@pytest.mark.parametrize("step", ALL_STEPS, ids=lambda step: step.name)
def test_a_step_can_be_left_out(step):
    assert pickle.loads(pickle.dumps(step.without)) == step.without
    for one in step.without:
        assert getattr(resolve_name(one.owner), one.name) != one.value
    with made(step.without):
        pass


@pytest.mark.slow
def test_without_any_step_the_system_works(gold):
    listing = gold.of_domain("listing")
    outcomes = measure(listing, [Variant(step.without) for step in ALL_STEPS])
    for step, outcome in zip(ALL_STEPS, outcomes, strict=True):
        for result in (*outcome[SELF], *outcome[TRANSFER]):
            assert not result.failure.startswith("internal error"), step.name


def test_without_the_ensemble_the_first_ways_remain():
    sample = [read_saved_page(str(GOLDEN / "property-list" / "sample.html"))]
    domains = [load_domain("real-estate")]
    (step,) = (one for one in ALL_STEPS if one.name == "ensemble")
    (area,) = compile_wrapper(sample, domains).wrapper.areas
    with made(step.without):
        (alone,) = compile_wrapper(sample, domains).wrapper.areas
    assert len(area.places) > 1
    assert area.witness
    assert alone.places == area.places[:1]
    assert not alone.witness
    for rule, first in zip(area.fields, alone.fields, strict=True):
        assert first.readings == rule.readings[:1], rule.name


def test_steps_have_names_of_their_own():
    assert len({step.name for step in ALL_STEPS}) == len(ALL_STEPS)


def test_what_is_imported_is_changed_everywhere():
    changes = everywhere("amber_wrap.annotate.annotator", "Annotation", None)
    owners = [one.owner for one in changes]
    assert owners[0] == "amber_wrap.annotate.annotator"
    assert "amber_wrap.annotate.run" in owners
    with made(changes):
        assert run.Annotation is None


# Halves


def corpus_of(*sites):
    return Corpus(
        tuple(
            GoldPage(f"{site}/page", Path("page.html"), site.partition("/")[0], ())
            for site in sites
        )
    )


def test_the_sites_of_each_domain_are_dealt_out_by_name():
    found = halves(corpus_of("cars/d", "cars/c", "homes/b", "homes/a", "homes/e"))
    assert found == {
        **{"cars/c": "A", "cars/d": "B"},
        **{"homes/a": "A", "homes/b": "B", "homes/e": "A"},
    }


def test_the_half_with_fewer_pages_gets_the_next_site():
    found = halves(corpus_of("cars/a", "cars/a", "cars/b", "cars/c", "cars/d"))
    assert "".join(found[f"cars/{site}"] for site in "abcd") == "ABBA"


def test_the_folders_of_a_site_have_its_name_with_more_behind_it():
    folders = ("cars/acme-2019-de", "homes/acme-old", "homes/acme", "homes/acmes")
    assert sites_of(folders) == dict(
        zip(folders, ["acme", "acme", "acme", "acmes"], strict=True)
    )


def test_a_site_is_in_one_half_with_its_redesigns_and_other_domains():
    found = halves(
        corpus_of("cars/a", "cars/b", "homes/a-1", "homes/b-2019", "homes/b-2021-de")
    )
    assert {site for site in found if found[site] == "B"} == {
        "cars/b",
        "homes/b-2019",
        "homes/b-2021-de",
    }


@pytest.mark.skipif(
    not (CORPUS / "gold").is_dir(), reason="the corpus is not here (AMBER_CORPUS)"
)
def test_no_half_of_the_corpus_is_much_smaller():
    real = read_corpus(CORPUS / "gold")
    half_of = halves(real)
    for domain in {page.domain for page in real.pages}:
        count = Counter(
            half_of[page.site] for page in real.pages if page.domain == domain
        )
        assert min(count[half] for half in HALVES) >= 0.4 * count.total(), domain


# Tables


def test_new_tables_stand_between_their_markers_and_all_else_stays():
    page = "Prose.\n<!-- a -->\nold\n<!-- /a -->\nMore.\n<!-- b -->\n<!-- /b -->\n"
    once = tables.inserted(page, {"a": "new\n"})
    assert once == (
        "Prose.\n<!-- a -->\n\nnew\n\n<!-- /a -->\nMore.\n<!-- b -->\n<!-- /b -->\n"
    )
    assert tables.inserted(once, {"a": "new\n"}) == once


@pytest.mark.parametrize(
    "page",
    [
        "",
        "<!-- a -->\n",
        "<!-- /a -->\n<!-- a -->\n",
        "<!-- a -->\n<!-- /a -->\n<!-- a -->\n<!-- /a -->\n",
    ],
)
def test_a_page_without_the_markers_is_left_alone(page):
    with pytest.raises(ValueError, match="once each"):
        tables.inserted(page, {"a": "new\n"})


@pytest.mark.parametrize(
    ("change", "shown"), [(0.012, "+1.2"), (-0.1, "-10.0"), (0.0004, "0"), (-0.0, "0")]
)
def test_points(change, shown):
    assert tables.points(change) == shown


@pytest.mark.parametrize("script", [scoreboard, ablation])
def test_the_scoreboard_has_a_place_for_each_table(script):
    page = tables.SCOREBOARD.read_text("utf-8")
    tables.inserted(page, dict.fromkeys(script.NAMES, ""))


@pytest.mark.parametrize("script", [scoreboard, ablation])
def test_without_a_corpus_one_line_says_so(script, monkeypatch, capsys):
    monkeypatch.setenv("AMBER_CORPUS", "nowhere")
    assert script.main([]) == 1
    told = capsys.readouterr().err
    assert told.endswith("nowhere/gold, nothing is measured\n")


def test_a_part_of_the_corpus_is_not_written(gold, capsys):
    with pytest.raises(SystemExit):
        scoreboard.main(["--filter", "listing", "--write"])
    assert "a part of the corpus" in capsys.readouterr().err


# The scripts


@pytest.mark.slow
def test_the_scoreboard(gold, monkeypatch, tmp_path, capsys):
    page = tmp_path / "scoreboard.md"
    page.write_text("".join(f"<!-- {n} -->\n<!-- /{n} -->\n" for n in scoreboard.NAMES))
    monkeypatch.setattr(tables, "SCOREBOARD", page)
    assert scoreboard.main(["-j", "1", "--write"]) == 0
    lines = page.read_text("utf-8").splitlines()
    right = " | ".join(["1.000"] * 8)
    assert lines[2].startswith("6 pages of 2 templates, ")
    assert lines[6].startswith("| default | self | 1.000 | ")
    assert "At zero, the default strategy: none." in lines
    assert f"| listing | default | transfer | {right} |" in lines
    assert any(line.startswith("A: 2 templates, ") for line in lines)
    assert any(line.startswith("| listing | title | 59 / 59 / 59 |") for line in lines)


def test_the_ablation(gold, capsys):
    assert ablation.main(["-j", "1", "--only", "asides", "--filter", "listing"]) == 0
    _, _, default, heading, step, paper = capsys.readouterr().out.splitlines()
    right = "1.000 | 1.000 / 1.000 / 1.000 | 1.000"
    assert default == f"| **the default strategy** | {right} |  | {right} |  |"
    assert heading.startswith("| **Structure** |  |")
    assert step.startswith("| asides: ")
    assert step.endswith(f"| {right} | 0 / 0 / 0 | {right} | 0 / 0 / 0 |")
    assert paper.startswith("| **the paper's strategy** |")


def test_what_a_step_brings_is_what_is_missing_without_it(gold):
    listing = gold.of_domain("listing")
    default, without = measure(
        listing,
        [Variant(), Variant(change("generalise.rules", "field_rule", nothing))],
    )
    assert (
        list(ablation.cells(without, default))[3::4] == ["+100.0 / +100.0 / +100.0"] * 2
    )
