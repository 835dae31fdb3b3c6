"""Test currencies that an element beside a price declares, and signs of prices."""

from __future__ import annotations

import pytest

from amber_wrap.codegen.build import build_file
from amber_wrap.dom.parse import parse
from amber_wrap.domain.loader import load_domain
from amber_wrap.engine.output_rows import to_rows
from amber_wrap.generalise.user_decisions import ColumnDecision, Decisions
from amber_wrap.pipeline import compile_wrapper
from amber_wrap.report.text_report import column_reasons
from amber_wrap.settings import Options, Source

DECLARED = {
    "beside the price": (
        '<meta itemprop="priceCurrency" content="{code}"><b>{price}</b>'
    ),
    "said by the price, too": (
        '<b>{sign}{price}</b> <i class="price-currency">{code}</i>'
    ),
    "in the price": '<b><i itemprop="priceCurrency">{code}</i> {price}</b>',
    "behind the sign": (
        '<i itemprop="priceCurrency" content="{code}">{sign}</i><b>{price}</b>'
    ),
    "in a cell of its own": (
        '<p><b>{price}</b></p><p>in stock</p><p class="currency">{code}</p>'
    ),
    "by a sign in a cell of its own": (
        '<p><b>{price}</b></p><p>in stock</p><p class="price-currency">{sign}</p>'
    ),
}
OFFER = """<li><h3><a href="/shoes/{number}">{0}</a></h3><p>of {1}</p>
  <div itemprop="offers" class="{2}" itemscope>{3}</div></li>"""


def offers(declared, codes=("GBP", "EUR", "EUR", "GBP", "EUR", "GBP")):
    """Return a page of shoes whose prices have these currencies, and its wrapper."""
    prices = [
        declared.format(
            code=code,
            sign={"GBP": "£", "EUR": "€"}[code],
            price=f"{37 * i % 90 + 10}.50",
        ).replace("<b>", '<b itemprop="price">')
        for i, code in enumerate(codes)
    ]
    items = (
        OFFER.format(f"Shoe of model {i}", f"size {30 + i}", "offer", price, number=i)
        for i, price in enumerate(prices)
    )
    html = f"<main><h1>Shoes</h1><ul>{''.join(items)}</ul></main>".encode()
    options = Options(fields="all")
    return html, compile_wrapper(
        [Source("shoes.html", html)], [load_domain("products")], options
    ).wrapper


@pytest.mark.parametrize("declared", DECLARED.values(), ids=DECLARED)
def test_a_declared_currency_is_the_currency_of_the_price(declared):
    html, wrapper = offers(declared)
    records = to_rows(wrapper, parse(html))
    assert [(row["price"], row["price_currency"]) for row in records] == [
        (10.5, "GBP"),
        (47.5, "EUR"),
        (84.5, "EUR"),
        (31.5, "GBP"),
        (68.5, "EUR"),
        (15.5, "GBP"),
    ]
    assert [key for key in records[0] if "currency" in key] == ["price_currency"]
    built = build_file(wrapper, [html], "amber-wrap induce shoes.html")
    module = {"__name__": "shoes"}
    exec(built.source, module)
    assert module["extract"](html) == records


def test_a_constant_declared_currency_is_read_on_other_pages():
    _, wrapper = offers(DECLARED["beside the price"], ["EUR"] * 6)
    html, _ = offers(DECLARED["beside the price"], ["GBP", "EUR"] * 3)
    codes = [row["price_currency"] for row in to_rows(wrapper, parse(html))]
    assert codes == ["GBP", "EUR"] * 3


def test_a_declared_currency_is_renamed_and_dropped_with_its_price():
    html, _ = offers(DECLARED["beside the price"])
    source, domains = Source("shoes.html", html), [load_domain("products")]

    def keys(*columns, **decided):
        decisions = Decisions(tuple(columns), **decided)
        options = Options(fields="all", decisions=decisions)
        wrapper = compile_wrapper([source], domains, options).wrapper
        return [key for key in wrapper.keys if key not in ("title", "details_page")]

    cost = ColumnDecision("cost", "price")
    assert keys(cost)[:2] == ["cost", "cost_currency"]
    assert keys(cost, closed=True) == ["cost", "cost_currency"]
    assert not any("price" in key for key in keys(dropped=frozenset({"price"})))
    own = ColumnDecision("money", "price_currency")
    assert {"price", "money"} < {*keys(own)}
    assert "price_currency" not in keys(own)


def test_explain_shows_where_a_currency_is_declared():
    html, _ = offers(DECLARED["beside the price"])
    source, domains = Source("shoes.html", html), [load_domain("products")]
    reasons = column_reasons(compile_wrapper([source], domains, Options(fields="all")))
    assert reasons["price_currency"] == "declared by an element beside price"


def test_the_file_reads_prices_whose_sign_names_no_country():
    prices = ["USD 2.200", "USD 3.250", "$ 2.000.000", "USD 2.300"]
    items = (
        OFFER.format(f"Casa de {i} pisos", f"{30 + i} m²", "price", price, number=i)
        for i, price in enumerate(prices, 3)
    )
    html = f"<html lang=es><ul>{''.join(items)}</ul></html>".encode()
    source, domains = Source("homes.html", html), [load_domain("real-estate")]
    wrapper = compile_wrapper([source], domains).wrapper
    built = build_file(wrapper, [html], "amber-wrap induce homes.html")
    module = {"__name__": "homes"}
    exec(built.source, module)
    assert [
        (row["price"], row["price_currency"]) for row in module["extract"](html)
    ] == [
        (2200, "USD"),
        (3250, "USD"),
        (2000000, None),
        (2300, "USD"),
    ]
