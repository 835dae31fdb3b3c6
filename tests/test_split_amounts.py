"""Test that cents in elements of their own are joined to their amounts."""

# ruff: noqa: F811  Tests take imported fixtures.

from __future__ import annotations

import json

import pytest
from lxml.html import fragment_fromstring, tostring
from parsel import Selector
from test_cli import run  # noqa: F401

from amber_wrap.dom.displayed_texts import text_of
from amber_wrap.dom.split_amounts import has_other_numbers, join_cents
from amber_wrap.export.plain_xpath import selection
from amber_wrap.export.target import export_subject
from amber_wrap.lowering.helpers import helpers

JOINED = {
    "<p>$34<sup>50</sup></p>": "$34.50",
    "<p><sup>$</sup>34<sup>50</sup></p>": "$34.50",
    "<p>from $34<sup>50</sup> a piece</p>": "from $34.50 a piece",
    "<p><span>$</span><span>1,234</span><span>50</span></p>": "$1,234.50",
    "<p><b>1.234</b> <sup>50</sup> €</p>": "1.234,50 €",
    "<p><b>1 234</b><sup>50</sup> zł</p>": "1 234.50 zł",
    "<p>$<b><i>34</i><i>50</i></b>/kg</p>": "$34.50/kg",
    "<p>13<sup>€99</sup></p>": "13.99€",
    "<p>13€<sup>99</sup></p>": "13.99€",
    "<p><b>13</b><i>€</i><b>99</b></p>": "13.99€",
    "<div><div>$</div><div>\n21 </div>\n<div> 99\n</div></div>": "$ 21.99",
}
KEPT = (
    "<p>$34.10<sup>50</sup></p>",
    "<p>$34<sup>5</sup></p>",
    "<p>34<sup>50</sup></p>",
    "<p>Under $10 <span>22</span></p>",
    "<p><b>$10</b> <span>25</span> bids</p>",
    "<p><s>$40</s><b>$30</b></p>",
    "<p><b>$</b><b>40</b><b>$</b><b>30</b></p>",
    "<p><b>12</b><b>34</b></p>",
    "<p>$34, 12 left<sup>50</sup></p>",
    "<p>$34<b>50<i></i></b></p>",
    "<p><!-- --><b>50</b></p>",
)


def both(html: str) -> str:
    """Join the cents as the analysis does, and as generated files do."""
    root = fragment_fromstring(html)
    copy = helpers().with_cents(root)
    assert tostring(root, encoding="unicode") == html, "the page itself was changed"
    join_cents(root)
    assert tostring(copy) == tostring(root)
    assert not join_cents(root), "a second time"
    return text_of(root)


@pytest.mark.parametrize("html", JOINED)
def test_cents_are_joined_to_their_amount(html):
    assert both(html) == JOINED[html]


@pytest.mark.parametrize("html", KEPT)
def test_other_numbers_are_kept_apart(html):
    assert both(html) == text_of(fragment_fromstring(html))


OTHER_NUMBERS = (
    "<p><b>$15</b><b>12</b></p>",
    "<p><b class='price'>$15</b> <i class='quantity'>24</i></p>",
    "<table><tr><td>$15</td><td>50</td></tr></table>",
)


@pytest.mark.parametrize("html", OTHER_NUMBERS)
def test_numbers_behind_whole_amounts_are_no_cents(html):
    assert has_other_numbers(fragment_fromstring(html))


@pytest.mark.parametrize(
    "html",
    [*JOINED, "<p><b>$15</b><b>99</b></p>", "<p><b>$15</b><b class=cents>12</b></p>"],
)
def test_cents_are_no_other_numbers(html):
    assert not has_other_numbers(fragment_fromstring(html))


def test_prices_with_cents_of_their_own_are_read_everywhere(run, tmp_path):
    cards = "".join(
        f'<li><a href="/p/{name}">{name.title()}</a><p class="price">$<b>{whole}</b>'
        f"<i>{cents}</i></p></li>"
        for name, whole, cents in (
            ("desk", "130", "50"),
            ("lamp", "17", "95"),
            ("sofa", "899", "00"),
            ("shelf", "45", "25"),
        )
    )
    page = tmp_path / "shop.html"
    page.write_text(f"<html><body><h1>Shop</h1><ul>{cards}</ul></body></html>")
    assert run("induce", page)[0] == 0
    wrapper = tmp_path / "wrappers" / "shop.py"
    _, out, _ = run("apply", wrapper, page)
    prices = [json.loads(line)["price"] for line in out.splitlines()]
    assert prices == [130.5, 17.95, 899, 45.25]
    namespace = {}
    exec(wrapper.read_text("utf-8"), namespace)
    selector = Selector(text=page.read_text("utf-8"))
    for _ in range(2):
        records = namespace["extract"](selector)
        assert [record["price"] for record in records] == prices
    _, losses = selection(export_subject(str(wrapper)).program)
    assert any("cents" in str(loss) for loss in losses)
