"""Test the comparison with other systems; autoscraper runs in its own process."""

# ruff: noqa: F811  Tests take imported fixtures.

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from gold_corpus import ROOT, write_gold
from gold_trees import ALL, HTML, gold, page  # noqa: F401

from amber_wrap.evaluation.gold import read_corpus

sys.path.insert(0, str(ROOT / "benchmarks"))
sys.path.insert(1, str(ROOT / "benchmarks" / "paper"))

import comparison
from baselines import label_scraper
from baselines.label_scraper import LabelScraperError, install, scrape
from runs import Runs

# autoscraper, without it: what it gives is up to a stand-in of the same interface

STAND_IN = """
class AutoScraper:
    def build(self, html, wanted_dict, url):
        if "broken" in html:
            raise ValueError("no page")
        self.stack_list = [
            {"alias": name, "stack_id": f"{name}-{n}"}
            for name in wanted_dict for n in range(2)
        ]
    def get_result_similar(self, html, url, grouped, keep_order):
        names = {"title-0": ["Oak", "Elm"], "title-1": ["Oak", "Elm", "Ash", ""]}
        return {**names, "price-1": ["£120"]}
"""


@pytest.fixture
def stand_in(tmp_path) -> Path:
    folder = tmp_path / "kept" / "autoscraper"
    (folder / "autoscraper").mkdir(parents=True)
    (folder / "autoscraper" / "__init__.py").write_text(STAND_IN, "utf-8")
    return folder


def test_autoscraper_runs_in_a_process_of_its_own(stand_in):
    assert scrape(stand_in, {"title": "Oak", "price": "£120"}, ["<p>", "<p>"]) == {
        "title": [[["Oak", "Elm"]] * 2, [["Oak", "Elm", "Ash"]] * 2],
        "price": [[[], []], [["£120"], ["£120"]]],
    }
    assert "autoscraper" not in sys.modules


def test_a_page_that_autoscraper_fails_on_is_reported(stand_in):
    with pytest.raises(LabelScraperError, match=r"^autoscraper: ValueError: no page$"):
        scrape(stand_in, {"title": "Oak"}, ["broken"])


def test_a_failed_installation_of_autoscraper_is_reported(tmp_path, monkeypatch):
    monkeypatch.setattr(label_scraper, "REQUIREMENTS", (str(tmp_path / "nothing"),))
    with pytest.raises(LabelScraperError, match=r"^autoscraper can't be installed: "):
        install(tmp_path / "autoscraper")


# The comparison


@pytest.fixture
def corpus(tmp_path):
    write_gold(tmp_path / "gold", "products/trees/1", gold(ALL), HTML.encode())
    more = HTML.replace("Oak", "Yew").replace("120", "119").replace("/1", "/4")
    truth = gold([(4, "Yew", "£119"), *ALL[1:]])
    truth["areas"][0]["records"][0]["nodes"] = ["//*[@id='list']/div[1]"]
    write_gold(tmp_path / "gold", "products/trees/2", truth, more.encode())
    write_gold(tmp_path / "gold", "products/wood/1", gold(ALL), HTML.encode())
    return read_corpus(tmp_path / "gold")


def test_the_comparison_measures_mdr_roadrunner_and_autoscraper(corpus, stand_in):
    tables, all_numbers = comparison.compare_all(
        corpus, Runs(stand_in.parent, 1), stand_in
    )
    numbers = {
        (name, *key[1:]): scores
        for name, numbers_of_system in all_numbers.items()
        for key, scores in numbers_of_system.items()
    }
    perfect = (1.0, 1.0, 1.0)
    assert numbers["mdr", "MDR", "areas"] == perfect
    assert numbers["mdr", "MDR", "records"] == perfect
    assert numbers["mdr", "amber-wrap", "records"] == perfect
    # Two pages of three cards: what differs are a title, a price, a link.
    assert numbers["roadrunner", "RoadRunner", "~"][:2] == (1.0, 6 / 18)
    assert numbers["roadrunner", "RoadRunner", "="][:2] == (4 / 6, 4 / 18)
    # Of both rules for titles the one that is better on the sample is kept.
    assert numbers["autoscraper", "autoscraper", "sample"][:2] == (1.0, 4 / 9)
    assert numbers["autoscraper", "autoscraper", "others"][:2] == (2 / 4, 2 / 9)
    assert "| products | 3 | MDR | 1.000 | 1.000 |" in tables["mdr"]
    assert "| products | 2 | RoadRunner |" in tables["roadrunner"]


def test_sites_that_autoscraper_fails_on_are_listed(corpus, stand_in):
    page = corpus.pages[0].path
    page.write_text(page.read_text("utf-8") + "<p>broken</p>", "utf-8")
    tables, all_numbers = comparison.compare_all(
        corpus, Runs(stand_in.parent, 1), stand_in
    )
    assert (
        "* products/trees: autoscraper: ValueError: no page\n"
        in (tables["autoscraper"])
    )
    key = "products", "autoscraper", "others"
    assert all_numbers["autoscraper"][key] == (0.0, 0.0, 0.0)


def test_the_comparison_omits_autoscraper_if_it_cannot_be_installed(
    corpus, tmp_path, monkeypatch
):
    monkeypatch.setattr(label_scraper, "REQUIREMENTS", (str(tmp_path / "nothing"),))
    tables, all_numbers = comparison.compare_all(
        corpus, Runs(tmp_path / "kept", 1), tmp_path / "scraper"
    )
    assert "Not measured: autoscraper can't be installed: " in tables["autoscraper"]
    assert set(all_numbers) == {"mdr", "roadrunner"}
