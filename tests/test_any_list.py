"""Test lists of any kind, without naming a domain.

A case is a page and the cells of its rows.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from gold_corpus import GOLDEN

from amber_wrap.dom.expressions import select, selector_of
from amber_wrap.dom.parse import parse
from amber_wrap.domain.loader import built_in_domains, load_domain
from amber_wrap.engine.output_rows import to_rows
from amber_wrap.errors import NothingFoundError
from amber_wrap.pipeline import compile_wrapper
from amber_wrap.settings import Options, Source

CASES = sorted((Path(__file__).parent / "cases" / "any-list").glob("*.toml"))


KNOWN = {
    "a-paragraph-each": "the address below the list is one more paragraph",
    "menu-of-alternating-items": "items of two classes are taken for odd and even ones",
}
"""Cases that fail, and the reasons."""


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)
def test_records_have_the_cells_of_the_case(case):
    if case.stem in KNOWN:
        with pytest.raises((AssertionError, NothingFoundError)):
            check_rows(case)  # If the case passes now, take it off the list.
    else:
        check_rows(case)


def check_rows(case):
    body = case.with_suffix(".html").read_bytes()
    domains = [load_domain(name) for name in built_in_domains()]
    wrapper = compile_wrapper([Source(case.stem, body)], domains).wrapper
    records = [
        [value for name, value in row.items() if value and name != "_area"]
        for row in to_rows(wrapper, parse(body), raw=True)
    ]
    rows = tomllib.loads(case.read_text("utf-8"))["rows"]
    assert len(records) == len(rows)
    for record, row in zip(records, rows, strict=True):
        assert [cell for cell in row if not any(cell in text for text in record)] == []


def test_names_of_places_alone_make_no_page_one_of_homes():
    departures = "".join(
        f"<tr class='bus'><td>{line}</td><td>{place}</td><td>{minutes} min</td></tr>"
        for line, place, minutes in (
            ("X3", "Biggleswade", 4),
            ("7", "Cherry Hinton", 6),
            ("X75", "Huntingdon", 11),
            ("12", "Newmarket", 15),
        )
    )
    html = f"<main><h1>Departures</h1><table>{departures}</table></main>"
    domains = [load_domain(name) for name in built_in_domains()]
    wrapper = compile_wrapper([Source("bus.html", html.encode())], domains).wrapper
    assert wrapper.domain == "listing"
    assert len(to_rows(wrapper, parse(html.encode()))) == 4


def test_another_list_of_the_page_is_reported_and_can_be_selected():
    path = CASES[0].with_name("articles-then-videos.html")
    body = path.read_bytes()
    domains = [load_domain(name) for name in built_in_domains()]
    messages = [
        finding.message
        for finding in compile_wrapper([Source("page", body)], domains).diagnostics
        if finding.code == "another-list"
    ]
    place = "#videos > ul"
    assert messages == [
        f"a list of 5 other records is left out: select it with --within '{place}'"
    ]
    other = compile_wrapper([Source("page", body)], domains, Options(within=place))
    assert len(to_rows(other.wrapper, parse(body), raw=True)) == 5


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)
def test_every_element_has_a_selector_that_selects_only_this_element(case):
    page = parse(case.with_suffix(".html").read_bytes())
    for node in page.elements():
        assert select(page, selector_of(page, node)) == [node]


def test_a_word_that_all_records_share_does_not_decide_the_domain():
    items = "".join(
        f"<li class='item'><a href='/p/{i}'><img src='{i}.jpg'>Jeans no {i}</a>"
        f"<b>${i}9.99</b><button>Shop</button><i class='state'>sold</i></li>"
        for i in range(1, 13)
    )
    body = f"<main><ul>{items}</ul></main>".encode()
    domains = [load_domain(name) for name in built_in_domains()]
    compilation = compile_wrapper([Source("jeans.html", body)], domains)
    assert compilation.wrapper.domain == "products"


def chosen_domain(html: str) -> str:
    """Return the domain that is chosen for a page, of all built-in domains."""
    domains = [load_domain(name) for name in built_in_domains()]
    return compile_wrapper([Source("page.html", html.encode())], domains).wrapper.domain


def test_living_areas_make_homes_of_offers_whose_places_only_a_class_names():
    places = ("Oude Gracht", "Zuiderpark West", "Langestraat", "Havenkade")
    items = "".join(
        f"<li><h2><a href='/o/{i}'>{place}</a></h2><i class='location'>{place}</i>"
        f"<b>€ {i}50,00 p/mnd</b><i>{i}5 m²</i></li>"
        for i, place in enumerate(places, 5)
    )
    assert (
        chosen_domain(f"<html lang=nl><main><ul>{items}</ul></main>") == "real-estate"
    )


def test_brand_and_colour_do_not_make_the_products_of_a_shop_cars():
    brands = ("Tutto Bikes", "Ruta", "Norco Sport", "Alba")
    colors = ("white", "black", "pink", "red")
    items = "".join(
        f"<li><h2><a href='/p/{i}'>Bicycle of {i}0 inches</a></h2><b>${i}49.00</b>"
        f"<i class='brand'>by {brand}</i><p>Color: <i>{color}</i></p></li>"
        for i, (brand, color) in enumerate(zip(brands, colors, strict=True), 1)
    )
    assert chosen_domain(f"<main><ul>{items}</ul></main>") == "products"


def test_filters_of_a_page_are_not_reported_as_another_list():
    body = (GOLDEN / "property-list" / "sample.html").read_bytes()
    domains = [load_domain(name) for name in built_in_domains()]
    compilation = compile_wrapper([Source("page", body)], domains)
    assert "another-list" not in {finding.code for finding in compilation.diagnostics}
