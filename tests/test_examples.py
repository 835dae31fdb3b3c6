"""Test fields by example: one value adds the values at its place in all records."""

from __future__ import annotations

import re

import pytest
from example_pages import TALKS, induced, page, values

from amber_wrap.cli.common import parse_examples as given
from amber_wrap.dom.parse import parse
from amber_wrap.engine.output_rows import to_rows
from amber_wrap.errors import SelectionError


@pytest.mark.parametrize(
    ("example", "expected"),
    [
        pytest.param(
            "chair=Ann Poe", [one[1] for one in TALKS], id="a line after a break"
        ),
        pytest.param(
            "binding=Hardcover", [one[3] for one in TALKS], id="told by its label"
        ),
        pytest.param("place=Bath, Hall 1", [one[2] for one in TALKS], id="all"),
        pytest.param(
            "city=Bath",
            [one[2].split(", ")[0] for one in TALKS],
            id="up to a delimiter",
        ),
        pytest.param(
            "room=Hall 1",
            [one[2].split(", ")[1] for one in TALKS],
            id="behind a delimiter",
        ),
        pytest.param(
            "seats=12", [one[5].split()[0] for one in TALKS], id="words that change"
        ),
        pytest.param(
            "isbn=978000000003",
            [f"97800000000{i}" if i % 2 else None for i in range(len(TALKS))],
            id="what some lack",
        ),
        pytest.param(
            "badge=First Edition",
            ["First Edition" if i % 3 == 0 else None for i in range(len(TALKS))],
            id="a flag",
        ),
        pytest.param(
            "level=advanced",
            [one[6] for one in TALKS],
            id="words before it",
        ),
        pytest.param(
            "series=Set A",
            [f"Set {one}" for one in "ABCDEF"],
            id="a label in the element",
        ),
        pytest.param("title=Ann Poe", [one[1] for one in TALKS], id="another title"),
    ],
)
def test_an_example_adds_the_values_of_all_records_at_its_place(example, expected):
    wrapper = induced(example).wrapper
    name = example.partition("=")[0]
    assert values(wrapper, name) == expected
    # In another order other records lack something.
    turned = page(TALKS[1:] + TALKS[:1])
    others = values(wrapper, name, turned)
    if None not in expected:
        assert others == expected[1:] + expected[:1]


def test_an_example_named_like_a_type_is_read_as_this_type():
    wrapper = induced("price=£12.00", domains=["products"]).wrapper
    rows = to_rows(wrapper, parse(page().encode()))
    assert [row["price"] for row in rows] == [12, 9.5, 12, 3, 8, 9.5]
    assert {row["price_currency"] for row in rows} == {"GBP"}


def test_an_example_does_not_change_the_domain():
    domains = ("used-cars", "products", "listing")
    plain = induced(domains=domains).analysis
    pointed = induced("price=£12.00", "chair=Ann Poe", domains=domains).analysis
    assert (pointed.domain.name, pointed.pivot) == (plain.domain.name, plain.pivot)


def test_an_example_is_added_to_the_fields_that_are_named():
    wrapper = induced("chair=Ann Poe", fields="title").wrapper
    assert [name for name, _ in wrapper.fields] == ["title", "chair"]


def test_an_example_selects_the_list_that_it_is_in():
    rooms = "".join(f"<p><u>{word}</u></p>" for word in ("Rooms", "Halls", "Yards"))
    html = page().replace("</main>", f"</main><div class='side'>{rooms}</div>")
    wrapper = induced("area=Halls", html=html).wrapper
    assert values(wrapper, "area", html) == ["Rooms", "Halls", "Yards"]


@pytest.mark.parametrize(
    ("example", "domain", "message"),
    [
        (
            "chair=Zoe",
            "listing",
            "the example chair='Zoe' is on no sample: copy the text as the page "
            "displays it",
        ),
        (
            "seats=4",  # In "41" it is a digit, and no word of its own.
            "listing",
            "the example seats='4' is on no sample: copy the text as the page displays "
            "it",
        ),
        (
            "name=Talks",
            "listing",
            "the example name='Talks' is in none of the 6 records that were "
            "found: give an example from these, or select the list with "
            "--within",
        ),
        (
            "price=Ann Poe",
            "products",
            "the example price='Ann Poe' is not of the kind money, as price is "
            "in the domain products: use another name",
        ),
        (
            "price_currency=Ann Poe",
            "products",
            "the example price_currency='Ann Poe': price_currency is a part of "
            "price in the domain products: use another name",
        ),
        (
            "image=Ann Poe",
            "listing",
            "the example image='Ann Poe' is not of the kind url, as image is "
            "in the domain listing: use another name",
        ),
    ],
)
def test_an_impossible_example_is_refused_with_a_reason(example, domain, message):
    with pytest.raises(SelectionError, match=f"^{re.escape(message)}$"):
        induced(example, domains=[domain])


@pytest.mark.parametrize("name", ["class", "from"])
def test_an_example_named_like_a_python_keyword_is_refused(name):
    with pytest.raises(SelectionError) as caught:
        given([f"{name}=Ann Poe"])
    assert str(caught.value) == (
        f"--example '{name}=Ann Poe': {name} is a Python keyword, and cannot be the "
        f"name of a column: use another name, such as {name}_text"
    )
