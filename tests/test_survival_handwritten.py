"""Test handwritten CSS wrappers: the rows that they read, and their types."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from gold_corpus import ROOT

from amber_wrap.domain.loader import load_domain

sys.path.insert(0, str(ROOT / "benchmarks"))
sys.path.insert(0, str(ROOT / "benchmarks" / "survival"))

import handwritten
from handwritten import CSS, load

PAGE = """
<h1>Bicycles</h1>
<ul>
  <li class="offer top"><h2><a href="/1">Red  racer</a></h2>
    <b class="price">Now <i>€ 250</i> only</b> <p>21 gears</p> <p>12 kg</p></li>
  <li class="advert"><h2><a href="/ad">Helmets</a></h2></li>
</ul>
<table>
  <tr class="offer-row"><td><a href="/2">Blue tourer</a></td></tr>
  <!-- the second line -->
  <tr><td>€ 90, <span hidden>€ 1</span> 7 kg</td></tr>
  <tr class="offer-row"><td><a href="/3">Bell</a></td></tr>
  <tr><td>on request</td></tr>
</table>
<ul><li class="offer"><h2><a href="/4">Trike</a></h2><p class="was">€ 40</p></li></ul>
"""
WRAPPER = """
[[area]]
record = "tr.offer-row"
rows = 2
title = "a"
price = { css = "td", re = '€ \\d+' }
weight = { css = "td", re = '(\\d+) kg' }

[[area]]
record = ".offer"
title = "h2"
details_page = "h2 a::attr(href)"
price = [{ css = ".price", re = '€ \\d+' }, ".was"]
weight = { css = "p", re = '(\\d+) kg' }
"""


@pytest.fixture
def write(tmp_path: Path):
    (tmp_path / "bikes").mkdir()

    def write_and_load(text: str) -> handwritten.Handwritten:
        (tmp_path / "bikes" / "acme.toml").write_text(text, "utf-8")
        return load("bikes", "acme", tmp_path)

    return write_and_load


def test_handwritten_wrappers_read_rows_in_document_order(write):
    assert write(WRAPPER)(PAGE.encode()) == [
        {"title": "Red racer", "details_page": "/1", "price": "€ 250", "weight": "12"},
        {"title": "Blue tourer", "price": "€ 90", "weight": "7"},
        {"title": "Bell", "price": None, "weight": None},
        {"title": "Trike", "details_page": "/4", "price": "€ 40", "weight": None},
    ]


def test_a_single_list_needs_no_area(write):
    wrapper = write('record = "[href]"\nlink = ":scope::attr(href)"\nall = ":scope"')
    rows = wrapper(b'<p><a href="/5">Go<br>on</a> <a>nowhere</a>')
    assert rows == [{"link": "/5", "all": "Go on"}]


@pytest.mark.parametrize("domain", sorted(folder.name for folder in CSS.iterdir()))
def test_all_wrappers_read_types_of_their_domain(domain):
    known = {kind.name for kind in load_domain(domain).schema.types}
    for file in (CSS / domain).glob("*.toml"):
        for area in load(domain, file.stem).areas:
            assert area.rules, file.name
            assert area.rules.keys() <= known, file.name
