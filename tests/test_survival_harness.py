"""Test the runs of the survival benchmark, their shares and tables."""

# ruff: noqa: F811  Tests take imported fixtures.

from __future__ import annotations

import sys
from collections import Counter

import pytest
from gold_corpus import ROOT
from survival_page import TREES, TRUE_ROWS, gold, page_of  # noqa: F401

sys.path.insert(0, str(ROOT / "benchmarks"))
sys.path.insert(0, str(ROOT / "benchmarks" / "paper"))
sys.path.insert(0, str(ROOT / "benchmarks" / "survival"))

import own
import tally
import trials
from systems import BY_HAND, OURS
from trials import RATES, Accuracy, Outcome, SystemResult, Trial, plan

from amber_wrap.domain.loader import load_domain

# The runs

PAGES = {("template", "wrap"): list("abcde"), ("element", "wrap"): list("ab")}


def test_every_operator_rate_and_scope_has_a_run_for_each_seed():
    planned = plan(PAGES, 10)
    assert plan(PAGES, 10) == planned
    counted = Counter(
        (page, trial.scope, trial.rate)
        for page, trials_of_page in planned.items()
        for trial in trials_of_page
    )
    assert counted == {
        (page, scope, rate): 10 // len(names)
        for (scope, _), names in PAGES.items()
        for page in names
        for rate in RATES
    }


def test_runs_of_few_seeds_are_among_those_of_many_seeds():
    few, many = plan(PAGES, 3), plan(PAGES, 30)
    for page, trials_of_page in few.items():
        assert set(trials_of_page) <= set(many[page])


@pytest.mark.parametrize(
    ("rows", "survives", "on_titles"),
    [
        ([("a", "1"), ("b", "2")], True, True),
        ([("a", "1"), ("b", "3")], False, True),
        ([("a", "1"), ("b", None)], False, True),
        ([("b", "1"), ("a", "2")], False, False),
        ([("a", "1"), ("b", "2"), (None, None)], False, False),
        ([], False, False),
    ],
)
def test_a_run_survives_with_the_same_records_and_values(rows, survives, on_titles):
    """Compare number and place of records, and values of all or some types."""

    def records_of(values):
        return [dict(zip(("title", "price"), row, strict=True)) for row in values]

    class Runner:
        def __call__(self, body):
            return records_of(rows)

    expected = records_of([("a", "1"), ("b", "2")])
    outcome = trials.outcome_of(Runner(), b"", expected)
    assert outcome.survives() is survives
    assert outcome.survives(["title"]) is on_titles


def test_an_outcome_has_the_status_of_the_check():
    class Runner:
        def __call__(self, body):
            return []

        def report(self, body):
            return "OK", "BROKEN", ["records"]

    outcome = trials.outcome_of(Runner(), b"", [{"title": "a"}])
    assert (outcome.file_status, outcome.status) == ("OK", "BROKEN")
    assert list(outcome.failed) == ["records"]


def test_a_system_that_raises_an_error_fails_its_run_and_is_reported(capsys):
    class Runner:
        def __call__(self, body):
            raise IndexError("no record 7")

        report = __call__

    outcome = trials.outcome_of(Runner(), b"", [{"title": "a"}])
    assert not outcome.survives()
    assert outcome.status == "ERROR"
    assert "internal error: IndexError: no record 7\n" in capsys.readouterr().err


def test_a_wrapper_without_fallbacks_reads_the_same_from_the_sample(gold):
    whole = own.with_fallbacks(page_of(), gold)
    first = own.without_fallbacks(page_of(), gold)
    assert any(area.followed for area in whole.wrapper.areas)
    assert not any(area.followed for area in first.wrapper.areas)
    assert first(page_of()) == whole(page_of())


def test_the_generated_file_is_measured_by_its_typed_values(gold):
    file = own.generated_file(page_of(), gold)
    assert [row["price"] for row in file.displayed] == ["£120", "£85", "£1,240"]
    assert [row["price"] for row in file.typed] == ["120", "85", "1240"]
    cheaper = [("Oak", "99"), *TREES[1:]]
    displayed = [{**row} for row in file.displayed]
    displayed[0]["price"] = "£99"
    assert file(page_of(cheaper)) == file.expected(displayed)
    displayed[0]["price"] = None
    assert file.expected(displayed)[0]["price"] is None
    assert trials.outcome_of(file, page_of(), file.displayed).survives()
    assert not trials.outcome_of(file, page_of(TREES[:2]), file.displayed).survives()
    assert file.report(page_of())[0] == "OK"
    assert file.report(b"<p>Nothing</p>")[0] == "WRONG"


def test_a_system_takes_part_only_if_all_its_values_are_right(gold):
    types = load_domain("products").schema.types
    part = [{"title": title} for title, _ in TREES]
    wrong = [{**row, "price": "£1"} for row in TRUE_ROWS]
    for rows, takes_part, share in (
        (TRUE_ROWS, True, 1.0),
        (part, True, 1 / 3),
        (part[:2], False, 2 / 9),
        (wrong, False, 2 / 3),
        ([], False, 0.0),
    ):
        accuracy = trials.accuracy_of(gold, rows, types)
        assert accuracy.takes_part is takes_part
        assert accuracy.found == pytest.approx(share)


# What the runs come to


def seen(takes_part, names, outcomes):
    trials_of = [Trial("wrap", 0.01, "template", n) for n in range(len(outcomes))]
    return SystemResult(
        Accuracy(takes_part, tuple(names), 1.0),
        dict(zip(trials_of, outcomes, strict=True)),
    )


GOOD = Outcome(True, {"title": (9, 9, 9), "price": (9, 9, 9)}, "OK", "OK")
NO_PRICE = Outcome(True, {"title": (9, 9, 9), "price": (0, 0, 9)}, "OK", "DEGRADED")
NONE = Outcome(False, {"title": (0, 0, 9)}, "BROKEN", "BROKEN")
MISSED = Outcome(False, {"title": (8, 8, 9)}, "OK", "OK")
ALARM = Outcome(True, {"title": (9, 9, 9), "price": (9, 9, 9)}, "DEGRADED", "DEGRADED")
BOTH = ["title", "price"]
RESULTS = {
    OURS: {
        "a": seen(True, BOTH, [GOOD, NO_PRICE, NO_PRICE, ALARM]),
        "b": seen(True, BOTH, [MISSED, GOOD]),
        "c": seen(False, BOTH, [GOOD]),
    },
    BY_HAND: {
        "a": seen(True, ["title"], [GOOD, GOOD, NONE, NONE]),
        "b": seen(False, BOTH, [GOOD, GOOD]),
        "c": seen(True, BOTH, [NONE]),
    },
}


def keep(trial):
    return trial.scope == "template"


def test_shares_of_survivors_are_counted_on_own_and_all_pages():
    assert tally.own_pages(RESULTS, OURS, keep) == tally.Share(3, 6)
    assert tally.own_pages(RESULTS, OURS, keep, records_only=True) == tally.Share(5, 6)
    assert tally.all_pages(RESULTS, OURS, keep) == tally.Share(3, 7)
    assert tally.own_pages(RESULTS, BY_HAND, keep) == tally.Share(2, 5)
    assert tally.all_pages(RESULTS, BY_HAND, keep) == tally.Share(2, 7)


def test_two_systems_are_compared_on_the_same_runs_and_types():
    assert tally.shared_pages(RESULTS, OURS, BY_HAND) == {"a": {"title"}}
    ours, other = tally.duel(RESULTS, BY_HAND, keep)
    assert (ours, other) == (tally.Share(4, 4), tally.Share(2, 4))


def test_the_table_of_the_check_has_shares_of_flagged_runs():
    row = tally.checks(RESULTS, "template").splitlines()[2]
    assert row == "| 1 % | 3 | 66.7 | 0.0 | 0.0 | 4 | 25.0 | 25.0 |"


def test_the_list_of_losses_has_the_page_seed_and_status():
    lines = [line.split("\t") for line in tally.lost(RESULTS)]
    assert [(line[0], line[4], line[-2]) for line in lines[1:]] == [
        ("a", "1", "DEGRADED"),
        ("a", "2", "DEGRADED"),
        ("a", "3", "DEGRADED"),
        ("b", "0", "OK"),
    ]
