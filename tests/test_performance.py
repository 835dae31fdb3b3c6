"""Bound the cost of a page: docs/performance.md has the figures."""

from __future__ import annotations

import sys
import time
from platform import python_version

import pytest
from gold_corpus import GOLDEN, ROOT, write_golden
from parsel import Selector

from amber_wrap.dom.decoding import decode
from amber_wrap.files import read_wrapper

sys.path.insert(0, str(ROOT / "benchmarks"))

import apply_cost
import rivals
import tables

CASES = sorted(path.parent for path in GOLDEN.glob("*/case.toml"))


@pytest.fixture
def gold(tmp_path, monkeypatch):
    """Write a corpus of one template instead of the real one."""
    write_golden(tmp_path / "gold", "forum-table", "listing")
    monkeypatch.setenv("AMBER_CORPUS", str(tmp_path))


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
def test_a_generated_file_costs_little_more_than_a_handwritten_spider(case):
    """Golden pages are short and full of records: a parse costs next to nothing."""
    wrapper = read_wrapper(str(case / "wrapper.py"))
    body = (case / "sample.html").read_bytes()
    extract, spider = apply_cost.read_by(wrapper, body), rivals.parsel_spider(wrapper)
    spent, by_hand, selector = least(
        lambda: extract(body),
        lambda: spider(body),
        lambda: Selector(text=decode(body)),
    )
    assert spent < 1.3 * by_hand
    assert spent < 6 * selector


def least(*runs, rounds=40):
    """Measure the least CPU time of each, in turn: a machine is slower now and then."""
    spent = [[] for _ in runs]
    for _ in range(rounds):
        for run, times in zip(runs, spent, strict=True):
            start = time.process_time()
            run()
            times.append(time.process_time() - start)
    return list(map(min, spent))


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
def test_handwritten_expressions_find_the_records_of_the_file(case):
    """Compare XPath and CSS with the generated file."""
    wrapper = read_wrapper(str(case / "wrapper.py"))
    body = (case / "sample.html").read_bytes()
    page = Selector(text=decode(body))
    count = len(apply_cost.read_by(wrapper, body)(body))
    assert len(rivals.parsel_spider(wrapper)(body)) >= count
    for area_in_css in rivals.in_css(wrapper):
        assert len(page.css(area_in_css.records)) >= count


@pytest.mark.parametrize(
    ("expression", "css"),
    [
        ('//ul[@id="list"]', 'ul[id="list"]'),
        ('.//div[@id="a"]/a//b', 'div[id="a"] > a b'),
        ('.//a[contains(@href, "/p/")]', 'a[href*="/p/"]'),
        (
            './/p[contains(concat(" ", normalize-space(@class), " "), " md:x ")]',
            'p[class~="md:x"]',
        ),
        ("./table/tr/td[2]", "table tr > td:nth-of-type(2)"),
        ("./tr[./td[3]/a]", ""),
        ("./tr[.//h2]", ""),
        (".//p[position() mod 2 = 1]", "p:nth-of-type(2n+1)"),
        (".", ""),
    ],
)
def test_expressions_are_translated_to_css(expression, css):
    assert rivals.css_of(expression) == css


@pytest.mark.slow
def test_apply_cost_prints_its_tables(gold, capsys):
    assert apply_cost.main(["--rounds", "1", "--filter", "listing"]) == 0
    output = capsys.readouterr().out
    rows = [line.split(" | ")[:3] for line in output.splitlines() if line[0:1] == "|"]
    assert [apply_cost.BARE, "3", "1.00"] in [[a[2:], b, c] for a, b, c in rows[2:]]
    assert f"Python {python_version()}, lxml " in output


def test_figures_of_a_part_of_the_corpus_are_not_written(gold, capsys):
    with pytest.raises(SystemExit):
        apply_cost.main(["--filter", "listing", "--write"])
    assert "a part of the corpus" in capsys.readouterr().err


def test_a_missing_corpus_is_reported_in_one_line(monkeypatch, capsys):
    monkeypatch.setenv("AMBER_CORPUS", "nowhere")
    with pytest.raises(SystemExit) as ended:
        apply_cost.main([])
    assert ended.value.code == 1
    assert capsys.readouterr().err.endswith("nowhere/gold, nothing is measured\n")


def test_the_document_has_a_place_for_each_table():
    page = tables.PERFORMANCE.read_text("utf-8")
    tables.inserted(page, {"apply-cost": "", "apply-machine": ""})
