"""The survival benchmark: learned wrappers, runs, what they come to, its page."""

from __future__ import annotations

import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path

import pytest
from gold_corpus import CORPUS, ROOT, write_gold

sys.path.insert(0, str(ROOT / "benchmarks"))
sys.path.insert(0, str(ROOT / "benchmarks" / "paper"))
sys.path.insert(0, str(ROOT / "benchmarks" / "survival"))

import alarms
import campaign
import checks
import excerpts
import expressions
import labelled
import own
import redesigns
import systems
import tally
import trials
from baselines import label_scraper
from baselines.label_scraper import LabelScraperError, Service
from expressions import ABSOLUTE, FULL_CLASS, INDEX_FREE
from operators import OPERATORS
from operators.draft import SCOPES
from runs import Runs
from systems import BY_HAND, OURS
from trials import RATES, Accuracy, Outcome, SystemResult, Trial, plan

from amber_wrap.domain.loader import load_domain
from amber_wrap.evaluation.gold import GoldPage, read_corpus

# A page of three cards below an advert, in two rows each

CARD = (
    '<div class="card wide"><h3><a href="/tree/{n}">{title}</a></h3></div>'
    '<div class="foot"><p class="old">was £999</p><p class="now">now £{price}</p></div>'
)
TREES = [("Oak", "120"), ("Elm", "85"), ("Ash", "1,240")]
HTML = (
    '<html><body><div class="top"><p>Trees</p></div><div id="list">'
    '<div class="advert">Buy now</div>{cards}</div></body></html>'
)


def page_of(trees=TREES, card=CARD) -> bytes:
    cards = [
        card.format(n=n, title=title, price=price)
        for n, (title, price) in enumerate(trees, start=1)
    ]
    return HTML.format(cards="".join(cards)).encode()


def truth_of(trees=TREES):
    records = []
    for n, (title, price) in enumerate(trees):
        rows = [f"/html/body/div[2]/div[{2 * n + row}]" for row in (2, 3)]
        link = f"{rows[0]}/h3/a"
        attributes = {
            "title": {"value": title, "xpath": link, "source": "text"},
            "price": {
                "value": f"£{price}",
                "xpath": f"{rows[1]}/p[2]",
                "source": "text",
            },
            "details_page": {
                "value": f"/tree/{n + 1}",
                "xpath": link,
                "source": "@href",
            },
        }
        records.append({"nodes": rows, "attributes": attributes})
    return {"areas": [{"name": "results", "records": records}]}


@pytest.fixture
def gold(tmp_path, monkeypatch) -> GoldPage:
    write_gold(tmp_path / "gold", "products/trees/1", truth_of(), page_of())
    monkeypatch.setenv("AMBER_CORPUS", str(tmp_path))
    return read_corpus(tmp_path / "gold").pages[0]


TRUE_ROWS = [
    {"title": title, "price": f"£{price}", "details_page": f"/tree/{n}"}
    for n, (title, price) in enumerate(TREES, start=1)
]

# Learned expressions

LEARNED = [
    (ABSOLUTE, "/html/body/div[2]/div[@n]", "./h3/a"),
    (INDEX_FREE, "/html/body/div/div", "./h3/a"),
    (FULL_CLASS, '//div[@class="card wide"]', ".//a"),
]


@pytest.mark.parametrize(
    ("language", "record", "title"), LEARNED, ids=["absolute", "index-free", "class"]
)
def test_what_a_language_learns(language, record, title, gold):
    rules = expressions.learn(language, page_of(), gold)
    first = rules.rules[0]
    found = re.sub(r"div\[\d\]$", "div[@n]", first.records.path)
    assert found == record
    assert first.values["title"].path.path == title


def test_records_at_odd_positions_are_a_rule_each_for_an_absolute_path(gold):
    """Each record is two sibling rows: with a free position the feet come along."""
    rules = expressions.learn(ABSOLUTE, page_of(), gold)
    assert [rule.records.path for rule in rules.rules] == [
        f"/html/body/div[2]/div[{n}]" for n in (2, 4, 6)
    ]
    assert rules(page_of()) == TRUE_ROWS


def test_full_classes_find_records_wherever_they_are(gold):
    rules = expressions.learn(FULL_CLASS, page_of(), gold)
    price = rules.rules[0].values["price"]
    assert price.path.path == (
        './following-sibling::div[@class="foot"]//p[@class="now"]'
    )
    assert rules(page_of()) == TRUE_ROWS
    more = [("Yew", "7"), *TREES, ("Fir", "9")]
    moved = page_of(more).replace(b"<body>", b"<body><main>")
    assert [row["price"] for row in rules(moved)] == [f"£{p}" for _, p in more]
    assert rules(page_of().replace(b"card wide", b"wide card")) == []


def test_a_type_that_an_expression_gets_wrong_is_left_out(gold):
    """Without positions both prices are the same path: the first is the old one."""
    rules = expressions.learn(INDEX_FREE, page_of(), gold)
    assert set(rules.rules[0].values) == {"title", "details_page"}


@pytest.mark.parametrize(
    ("pairs", "text", "value"),
    [
        ([("£120", "£120"), ("£85", "£85")], "POA", "POA"),
        ([("now £120", "£120"), ("now £85", "£85")], "now 3 EUR", "3 EUR"),
        ([("now £120 only", "£120"), ("now £85 only", "£85")], "now x only", "x"),
        ([("2 bed flat", "2"), ("big 3 bed house", "3")], "the 14 bed hut", "14"),
        ([("flat, 2 bed", "flat"), ("new hut, 3 bed", "hut")], "a hut here", "hut"),
        ([("now £120", "£120"), ("on request", None)], "sold", None),
    ],
)
def test_the_part_of_a_text_that_is_the_value(pairs, text, value):
    assert excerpts.learn(pairs)(text) == value


# autoscraper, by a stand-in of the same interface

STAND_IN = """
class AutoScraper:
    def build(self, html, wanted_dict, url):
        self.stack_list = [
            {"alias": name, "stack_id": f"{name}-{n}", "wanted": values[0]}
            for name, values in wanted_dict.items() for n in range(2)
        ]
    def get_result_similar(self, html, url, grouped, keep_order):
        if "broken" in html:
            raise ValueError("no page")
        import re
        found = {
            "title-1": re.findall("(?s)<a [^>]*>(.*?)<", html),
            "title-0": re.findall("<p>(.*?)<", html),
            "price-0": re.findall("now (.*?)<", html)[:2],
        }
        return {r["stack_id"]: found.get(r["stack_id"], []) for r in self.stack_list}
"""


@pytest.fixture
def scraper(tmp_path, monkeypatch):
    folder = tmp_path / "library"
    (folder / "autoscraper").mkdir(parents=True)
    (folder / "autoscraper" / "__init__.py").write_text(STAND_IN, "utf-8")
    monkeypatch.setattr(labelled, "FOLDER", folder)
    labelled.service.cache_clear()
    yield folder
    labelled.service.cache_clear()


def test_one_process_answers_for_many_pages(scraper):
    service = Service(scraper)
    rules = service.learn({"title": "Oak"}, "<a h>Oak</a>")
    assert [rule["stack_id"] for rule in rules] == ["title-0", "title-1"]
    for title in ("Elm", "Größe\n2"):
        assert service.apply(rules[1:], f"<a h>{title}</a>") == [[title]]
    with pytest.raises(LabelScraperError, match=r"^autoscraper: ValueError: no page$"):
        service.apply(rules, "broken")
    assert service.apply(rules[1:], "<a h>Fir</a>") == [["Fir"]]
    service.close()
    with pytest.raises(LabelScraperError, match="the process is gone"):
        service.apply(rules, "<p>")


def test_of_a_type_the_rule_is_kept_that_has_every_value(scraper, gold):
    """No rule has all prices: the type can't be told by records."""
    wrapper = labelled.learn(page_of(), gold)
    assert wrapper(page_of()) == [{"title": title} for title, _ in TREES]
    assert wrapper(page_of([("Fir", "1")])) == [{"title": "Fir"}]


# The runs

PAGES = {("template", "wrap"): list("abcde"), ("element", "wrap"): list("ab")}


def test_every_operator_rate_and_scope_has_a_run_for_each_seed_on_all_pages():
    planned = plan(PAGES, 10)
    assert plan(PAGES, 10) == planned
    counted = Counter(
        (page, trial.scope, trial.rate)
        for page, found in planned.items()
        for trial in found
    )
    assert counted == {
        (page, scope, rate): 10 // len(names)
        for (scope, _), names in PAGES.items()
        for page in names
        for rate in RATES
    }


def test_few_seeds_are_the_first_of_many():
    few, many = plan(PAGES, 3), plan(PAGES, 30)
    for page, found in few.items():
        assert set(found) <= set(many[page])


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
def test_what_survives(rows, survives, on_titles):
    """Records in number and place, and their values; or those of some types."""

    def records_of(values):
        return [dict(zip(("title", "price"), one, strict=True)) for one in values]

    class Runner:
        def __call__(self, body):
            return records_of(rows)

    expected = records_of([("a", "1"), ("b", "2")])
    outcome = trials.outcome_of(Runner(), b"", expected)
    assert outcome.survives() is survives
    assert outcome.survives(["title"]) is on_titles


def test_what_a_check_says_is_kept():
    class Runner:
        def __call__(self, body):
            return []

        def report(self, body):
            return "OK", "BROKEN", ["records"]

    outcome = trials.outcome_of(Runner(), b"", [{"title": "a"}])
    assert (outcome.alone, outcome.status) == ("OK", "BROKEN")
    assert list(outcome.failed) == ["records"]


def test_a_system_that_fails_has_lost_its_run_and_is_told(capsys):
    class Runner:
        def __call__(self, body):
            raise IndexError("no record 7")

        report = __call__

    outcome = trials.outcome_of(Runner(), b"", [{"title": "a"}])
    assert not outcome.survives()
    assert outcome.status == "ERROR"
    assert "internal error: IndexError: no record 7\n" in capsys.readouterr().err


def test_the_first_ways_alone_read_the_sample_as_all_do(gold):
    whole = own.with_fallbacks(page_of(), gold)
    first = own.without_fallbacks(page_of(), gold)
    assert any(area.followed for area in whole.wrapper.areas)
    assert not any(area.followed for area in first.wrapper.areas)
    assert first(page_of()) == whole(page_of())


def test_the_generated_file_gives_typed_values_and_is_measured_by_them(gold):
    file = own.generated_file(page_of(), gold)
    assert [row["price"] for row in file.displayed] == ["£120", "£85", "£1,240"]
    assert [row["price"] for row in file.typed] == ["120", "85", "1240"]
    cheaper = [("Oak", "99"), *TREES[1:]]
    shown = [{**row} for row in file.displayed]
    shown[0]["price"] = "£99"
    assert file(page_of(cheaper)) == file.expected(shown)
    shown[0]["price"] = None
    assert file.expected(shown)[0]["price"] is None
    assert trials.outcome_of(file, page_of(), file.displayed).survives()
    assert not trials.outcome_of(file, page_of(TREES[:2]), file.displayed).survives()
    assert file.report(page_of())[0] == "OK"
    assert file.report(b"<p>Nothing</p>")[0] == "WRONG"


def test_a_system_takes_part_where_it_is_right_about_all_that_it_gives(gold):
    types = load_domain("products").schema.types
    part = [{"title": title} for title, _ in TREES]
    wrong = [{**row, "price": "£1"} for row in TRUE_ROWS]
    for rows, takes_part, found in (
        (TRUE_ROWS, True, 1.0),
        (part, True, 1 / 3),
        (part[:2], False, 2 / 9),
        (wrong, False, 2 / 3),
        ([], False, 0.0),
    ):
        accuracy = trials.accuracy_of(gold, rows, types)
        assert accuracy.takes_part is takes_part
        assert accuracy.found == pytest.approx(found)


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


def test_shares_of_survivors():
    assert tally.own_pages(RESULTS, OURS, keep) == tally.Share(3, 6)
    assert tally.own_pages(RESULTS, OURS, keep, records_only=True) == tally.Share(5, 6)
    assert tally.all_pages(RESULTS, OURS, keep) == tally.Share(3, 7)
    assert tally.own_pages(RESULTS, BY_HAND, keep) == tally.Share(2, 5)
    assert tally.all_pages(RESULTS, BY_HAND, keep) == tally.Share(2, 7)


def test_two_systems_are_compared_on_the_same_runs_and_types():
    assert tally.shared_pages(RESULTS, OURS, BY_HAND) == {"a": {"title"}}
    ours, other = tally.duel(RESULTS, OURS, BY_HAND, keep)
    assert (ours, other) == (tally.Share(4, 4), tally.Share(2, 4))


def test_the_table_of_the_check():
    row = tally.checks(RESULTS, "template").splitlines()[2]
    assert row == "| 1 % | 3 | 66.7 | 0.0 | 0.0 | 4 | 25.0 | 25.0 |"


def test_the_list_of_what_is_lost():
    lines = [line.split("\t") for line in tally.lost(RESULTS)]
    assert [(line[0], line[4], line[-2]) for line in lines[1:]] == [
        ("a", "1", "DEGRADED"),
        ("a", "2", "DEGRADED"),
        ("a", "3", "DEGRADED"),
        ("b", "0", "OK"),
    ]


# The experiments

EXPERIMENTS = (campaign, alarms, redesigns, checks)


def options(tmp_path, *more):
    return ["-j", "1", "--cache", str(tmp_path / "cache"), *more]


def test_a_campaign(gold, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(label_scraper, "REQUIREMENTS", (str(tmp_path / "nothing"),))
    monkeypatch.setattr(labelled, "FOLDER", tmp_path / "scraper")
    assert campaign.main(options(tmp_path, "--seeds", "1")) == 0
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
    assert campaign.main(options(tmp_path, "--seeds", "1")) == 0
    assert capsys.readouterr().out == text


def test_few_seeds_are_not_what_the_page_shows(gold, tmp_path):
    with pytest.raises(SystemExit, match="a part of the seeds"):
        campaign.main(options(tmp_path, "--seeds", "1", "--write"))
    assert not (tmp_path / "cache" / "results.sqlite").exists()


def test_results_of_others_stay_whatever_becomes_of_the_package(gold, tmp_path):
    """Of the package they depend on what reads and scores pages alone."""
    for name, group in systems.GROUPS.items():
        whole = systems.PACKAGE in group.package
        assert whole is (name == "own")
        assert all(path.exists() for path in (*group.sources, *group.package))


def test_a_job_is_kept_by_the_sources_that_it_names(tmp_path):
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


def test_checks_of_a_campaign(gold, tmp_path, capsys):
    assert checks.main(options(tmp_path, "--seeds", "1")) == 0
    text = capsys.readouterr().out
    assert "Scope template, amber-wrap:\n\n| rate | wrong runs | flagged, % |" in text
    assert (tmp_path / "cache" / "checks.tsv").read_text().startswith("page\tscope\t")


def test_alarms(gold, tmp_path, capsys):
    write_gold(tmp_path / "gold", "products/trees/2", truth_of(), page_of())
    assert alarms.main(options(tmp_path)) == 0
    text = capsys.readouterr().out
    assert "| the page of the wrapper | right | 2 | 0 |" in text
    assert "| another page of its template | right | 1 | 0 |" in text


def test_redesigns(gold, tmp_path, monkeypatch, capsys):
    card = CARD.replace("card wide", "tile").replace("<h3>", "<b>")
    write_gold(tmp_path / "gold", "products/trees/2", truth_of(), page_of(card=card))
    pairs = tmp_path / "pairs.toml"
    pairs.write_text('[[pair]]\nold = "products/trees/1"\nnew = "products/trees/2"\n')
    monkeypatch.setattr(redesigns, "PAIRS", pairs)
    assert redesigns.main(options(tmp_path)) == 0
    text = capsys.readouterr().out
    assert "| products/trees/1 | 2 | – | – |" in text
    assert text.count("Of 1 pairs ") == 1


def test_the_pairs_of_redesigns():
    pairs = redesigns.read_pairs()
    assert len(set(pairs)) == len(pairs) >= 20
    for old, new in pairs:
        assert old != new
        assert old.split("/")[0] == new.split("/")[0], "one domain"


@pytest.mark.skipif(not CORPUS.is_dir(), reason="without the real corpus")
def test_the_pages_of_redesigns_are_there():
    for name in {name for pair in redesigns.read_pairs() for name in pair}:
        assert (CORPUS / "gold" / "json" / f"{name}.json").exists(), name


@pytest.mark.parametrize("module", EXPERIMENTS, ids=lambda one: one.__name__)
def test_the_page_has_a_place_for_each_result(module):
    page = module.main.page.read_text("utf-8")
    for name in module.main.markers:
        assert page.count(f"<!-- {name} -->") == page.count(f"<!-- /{name} -->") == 1


def test_the_page_links_to_charts_that_are_there():
    for link in re.findall(r"\]\(([^)#]+)\)", campaign.PAGE.read_text("utf-8")):
        assert (campaign.PAGE.parent / link).exists(), link


def test_the_experiments_are_listed_with_a_line_each():
    command = [sys.executable, str(Path("benchmarks") / "survival")]
    told = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert told.returncode == 0, told.stderr
    for module in EXPERIMENTS:
        assert f"{module.__name__:12} {module.__doc__.splitlines()[0]}" in told.stdout
