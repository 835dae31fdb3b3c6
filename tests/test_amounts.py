"""Test which of several amounts of money is read as the price."""

from __future__ import annotations

from itertools import product

import pytest
from column_pages import read_list

from amber_wrap.dom.parse import parse
from amber_wrap.domain.loader import load_domain
from amber_wrap.engine.output_rows import to_rows
from amber_wrap.pipeline import compile_wrapper
from amber_wrap.settings import Options, Source
from amber_wrap.values.numbers_and_prices import money

ITEM = "<li><h3><a href='/item/{0}'>The item number {0} of all</a></h3>{1}</li>"
PRICES = {
    "struck out": "<del>£2{0}0</del> <b>£1{0}0</b>",
    "struck out by a style": (
        "<i style='text-decoration: line-through'>£2{0}0</i> <b>£1{0}0</b>"
    ),
    "called former": "<i class='price-was'>£2{0}0</i> <b class='price'>£1{0}0</b>",
    "called former with a label": (
        "<p class='old-price'><i>Price:</i> <b>£2{0}0</b></p>"
        "<p class='special-price'><i>Today:</i> <b>£1{0}0</b></p>"
    ),
    "the lower of two": "<p><b>£2{0}0</b> <b>£1{0}0</b></p>",
    "said to be former": "<i>Was £2{0}0</i> <b>£1{0}0</b>",
    "what is saved": "<i class='discount-amount'>£2{0}</i> <b>£1{0}0</b>",
    "a discount in a price": (
        "<i class='price-discount'>£2{0}</i> <b class='price-now'>£1{0}0</b>"
    ),
    "a discounted price": (
        "<i class='regular'>£2{0}0</i> <b class='discount'>£1{0}0</b>"
    ),
    "what a discounted price saves": (
        "<p><s>£2{0}0</s> <i class='discount'>£9{0}</i></p> <p>£1{0}0</p>"
    ),
    "a deposit": "<i class='deposit'>£2{0}0</i> <b>£1{0}0</b>",
    "about as much": "<i>approx. $2{0}0</i> <b>£1{0}0</b>",
    "for a part": "<p class='price'><i class='price-m'>£2{0}/m²</i> <b>£1{0}0</b></p>",
    "by the month": "<p>from <b>£2{0} per month</b></p><p>at £1{0}00 in all</p>",
    "a label in an element of its own": "<p><i>RRP:</i> <b>£2{0}0</b></p><b>£1{0}0</b>",
}


@pytest.mark.parametrize("html", PRICES.values(), ids=PRICES)
def test_other_amounts_of_a_record_are_not_read_as_its_price(html: str) -> None:
    items = "".join(ITEM.format(i, html.format(i)) for i in range(1, 6))
    page = f"<html lang=en><main><ul>{items}</ul></main>".encode()
    wrapper = compile_wrapper([Source("a", page)], [load_domain("products")]).wrapper
    prices = [row["price"] for row in to_rows(wrapper, parse(page), raw=True)]
    whole = "00" if "by the month" in html or "in all" in html else "0"
    assert prices == [f"£1{i}{whole}" for i in range(1, 6)]


def test_the_amount_that_every_record_has_is_the_price() -> None:
    regular = "<p class='regular-price'><b class='price'>£9{0}</b></p>"
    reduced = (
        "<p class='old-price'><i>Was</i> <b class='price'>£9{0}</b></p>"
        "<p class='special-price'><i>Now</i> <b class='price'>£6{0}</b></p>"
    )
    items = "".join(
        ITEM.format(i, (regular, regular, reduced)[i % 3].format(i)) for i in range(9)
    )
    page = f"<html lang=en><main><ul>{items}</ul></main>".encode()
    domains = [load_domain("products")]
    options = Options(fields="all")
    wrapper = compile_wrapper([Source("a", page)], domains, options).wrapper
    rows = to_rows(wrapper, parse(page), raw=True)
    assert [row["price"] for row in rows] == [
        f"£{(9, 9, 6)[i % 3]}{i}" for i in range(9)
    ]
    assert [row["old_price"] for row in rows] == [
        (None, None, f"£9{i}")[i % 3] for i in range(9)
    ]


def test_a_price_behind_the_label_of_a_former_price_is_not_read() -> None:
    regular = "<p><b class='price price--tax'>£9{0}.50</b></p>"
    reduced = (
        "<p class='price-section'><i>Was:</i>"
        " <b class='price price--non-sale'>£9{0}.50</b></p>"
        "<p><i>Now:</i> <b class='price price--tax price--main'>£6{0}.50</b></p>"
    )
    items = "".join(
        ITEM.format(i, (regular, regular, reduced)[i % 3].format(i)) for i in range(9)
    )
    page = f"<html lang=en><main><ul>{items}</ul></main>".encode()
    domains, options = [load_domain("products")], Options(fields="all")
    rows = to_rows(
        compile_wrapper([Source("a", page)], domains, options).wrapper, parse(page)
    )
    assert [row["price"] for row in rows] == [
        (90, 90, 60)[i % 3] + i + 0.5 for i in range(9)
    ]
    assert [row["old_price"] for row in rows] == [
        (None, None, 90.5 + i)[i % 3] for i in range(9)
    ]


@pytest.mark.parametrize(
    ("price", "number"), [("1{0},000円", "1{0}000"), ("US$ 1,{0}74.30", "1{0}74.30")]
)
@pytest.mark.parametrize(
    "copy",
    [
        "<a data-item-price='NUMBER' href='/item/{0}'><img src='/{0}.jpg'></a>",
        "<meta itemprop='amount' content='NUMBER'>",
    ],
)
def test_the_number_of_a_price_in_an_attribute_is_no_second_price(
    price: str, number: str, copy: str
) -> None:
    item = f"{copy.replace('NUMBER', number)}<b>{price}</b>"
    records = read_all("".join(ITEM.format(i, item.format(i)) for i in range(1, 7)))
    amounts = [value for value in records[0].values() if isinstance(value, int | float)]
    assert amounts == [records[0]["price"]]


def test_a_sentence_that_ends_with_before_calls_no_price_former() -> None:
    prices = "<p>Book before <b>£6{0}.50</b></p><p>Pay later <b>£9{0}.50</b></p>"
    records = read_all("".join(ITEM.format(i, prices.format(i)) for i in range(9)))
    assert [record["price"] for record in records] == [60.5 + i for i in range(9)]


def test_a_label_behind_a_price_says_nothing_of_the_next_price() -> None:
    prices = "<p><span class='k4'>£9{0}.50 RRP</span><span class='q7'>£6{0}.50</span>"
    records = read_all("".join(ITEM.format(i, prices.format(i)) for i in range(9)))
    assert [record["price"] for record in records] == [60.5 + i for i in range(9)]


@pytest.mark.parametrize(
    "label", ["Prix initial : ", "Ursprünglicher Preis: ", "Original price: "]
)
def test_a_price_behind_a_text_that_calls_it_former_is_not_read(label: str) -> None:
    regular = "<p class='t1 k4'>9{0},50 €</p>"
    reduced = (
        "<p class='s2 k4'>6{0},50 €</p>"
        f"<p class='t1 q7'>{label}<span class='t1 r3'>9{{0}},50 €</span>"
        " <b>-30%</b></p>"
    )
    items = "".join(
        ITEM.format(i, (regular, regular, reduced)[i % 3].format(i)) for i in range(9)
    )
    records = read_all(items)
    assert [record["price"] for record in records] == [
        (90, 90, 60)[i % 3] + i + 0.5 for i in range(9)
    ]
    assert [record["old_price"] for record in records] == [
        (None, None, 90.5 + i)[i % 3] for i in range(9)
    ]


def test_a_price_after_a_struck_price_of_the_same_class_is_read() -> None:
    amount = "<span class='shop-price-amount amount'><bdi>£{0}</bdi></span>"
    regular = amount.format("9{0}")
    reduced = f"<del>{regular}</del> <ins>{amount.format('6{0}')}</ins>"
    items = "".join(
        "<li class='product'><a class='item-link loop-item__link'"
        f" href='/item/{i}'><h2 class='loop-item__title'>Item number {i}</h2>"
        f"<span class='price'>{(regular, regular, reduced)[i % 3].format(i)}</span>"
        "</a></li>"
        for i in range(12)
    )
    page = f"<html lang=en><main><ul class=products>{items}</ul></main>".encode()
    domains, options = [load_domain("products")], Options(fields="all")
    wrapper = compile_wrapper([Source("a", page)], domains, options).wrapper
    rows = to_rows(wrapper, parse(page), raw=True)
    assert [row["price"] for row in rows] == [
        f"£{(9, 9, 6)[i % 3]}{i}" for i in range(12)
    ]
    assert [row["old_price"] for row in rows] == [
        (None, None, f"£9{i}")[i % 3] for i in range(12)
    ]


def test_a_second_amount_that_may_be_the_price_is_reported() -> None:
    html = "<p><b>£{0}00</b></p><p>is what you pay here</p><p><i>£{0}20</i></p>"
    items = "".join(ITEM.format(i, html.format(i)) for i in range(1, 6))
    page = f"<html lang=en><main><ul>{items}</ul></main>".encode()
    domains, options = [load_domain("products")], Options(fields="all")
    findings = compile_wrapper([Source("a", page)], domains, options).diagnostics
    messages = [finding.message for finding in findings if finding.code == "two-prices"]
    assert messages[0].endswith("use --example price='£120'")


DOLLARS = {
    "of nobody else": ("<html lang=en>", "USD"),
    "of the country": ("<html lang=en-AU>", "AUD"),
    "of the host": (
        "<html lang=es><link rel=canonical href='http://a.cl/'>",
        "CLP",
    ),
    "of a country without": ("<html lang=de-DE>", "USD"),
    "of a language": ("<html lang=es><p>los de la el que con</p>", None),
    "as data say": (
        '<html lang=es><script>{"priceCurrency": "MXN"}</script>',
        "MXN",
    ),
}


@pytest.mark.parametrize("price", ["${}00", "{}00 dollars"])
@pytest.mark.parametrize(("head", "currency"), DOLLARS.values(), ids=DOLLARS)
def test_the_currency_of_a_dollar_sign_is_taken_from_the_page(
    head: str, currency: str | None, price: str
) -> None:
    prices = [price.format(i) for i in range(1, 6)]
    items = "".join(ITEM.format(i, f"<b>{it}</b>") for i, it in enumerate(prices, 1))
    page = f"{head}<body><main><ul>{items}</ul></main>".encode()
    compilation = compile_wrapper([Source("a", page)], [load_domain("products")])
    (row, *_) = to_rows(compilation.wrapper, parse(page))
    assert (row["price"], row.get("price_currency")) == (100, currency)


def test_the_price_with_taxes_is_read_beside_one_without() -> None:
    items = "".join(
        ITEM.format(i, f"<p><b>£{i * 120}</b> <b>£{i * 100}</b></p>")
        for i in range(1, 6)
    )
    page = f"<html lang=en><main><ul>{items}</ul></main>".encode()
    wrapper = compile_wrapper([Source("a", page)], [load_domain("products")]).wrapper
    prices = [row["price"] for row in to_rows(wrapper, parse(page), raw=True)]
    assert prices == [f"£{i * 120}" for i in range(1, 6)]


def test_a_monthly_rent_is_the_price_beside_a_deposit() -> None:
    html = "<b>£9{0}0 pcm</b> <i>deposit £9{0}5</i>"
    items = "".join(ITEM.format(i, html.format(i)) for i in range(1, 6))
    page = f"<html lang=en><main><ul>{items}</ul></main>".encode()
    wrapper = compile_wrapper([Source("a", page)], [load_domain("real-estate")]).wrapper
    prices = [row["price"] for row in to_rows(wrapper, parse(page), raw=True)]
    assert prices == [f"£9{i}0" for i in range(1, 6)]


def test_a_list_price_that_only_some_records_have_is_not_the_price() -> None:
    regular = "<p class='amount'>£{0}.50</p>"
    reduced = (
        "<p class='amount with-list-price'>£{0}.50 <span class='list-price'>"
        "<i class='list-price-value'>£{1}.25</i> <i>({0}% off)</i></span></p>"
    )
    rows = read_all(
        "".join(
            ITEM.format(i, (regular, reduced)[i % 2].format(i, 2 * i))
            for i in range(10, 19)
        )
    )
    assert [row["price"] for row in rows] == [i + 0.5 for i in range(10, 19)]


def test_a_list_price_beside_a_mere_fee_is_the_price() -> None:
    priced = "<p class='list-price'>£{0}00</p><p class='fee'>Deposit £{0}.50</p>"
    unpriced = "<p class='on-request'>Ask</p><p class='fee'>Deposit £{0}.50</p>"
    rows = read_all(
        "".join(
            ITEM.format(i, (unpriced, priced, priced)[i % 3].format(i))
            for i in range(10, 19)
        )
    )
    prices = [row["price"] for i, row in enumerate(rows, 10) if i % 3]
    assert prices == [i * 100 for i in range(10, 19) if i % 3]


def test_a_price_of_a_list_is_the_price_of_all_records() -> None:
    item = "<p class='list-price'>£{0}.50</p><p><i>£{1}.25</i></p>"
    rows = read_all(
        "".join(ITEM.format(i, item.format(i, 2 * i)) for i in range(10, 19))
    )
    assert [row["price"] for row in rows] == [i + 0.5 for i in range(10, 19)]


def test_an_amount_in_several_elements_is_one_column() -> None:
    parts = "<i>R$</i><i>&nbsp;</i><i class=digits>{0}</i><i>,</i><i>{1}0</i>"
    price = f"<p class='price'>{parts}</p>"
    was = f"<p class='list strike'><span class='value'>{parts}</span></p>"
    items = "".join(
        ITEM.format(i, price.format(i, 5) + was.format(i + 20, i % 7) * (i % 2))
        for i in range(1, 9)
    )
    rows = read_all(items)
    assert [row["price"] for row in rows] == [i + 0.5 for i in range(1, 9)]
    assert [row["old_price"] for row in rows] == [
        round(i + 20 + i % 7 / 10, 2) if i % 2 else None for i in range(1, 9)
    ]
    assert not {key for key in rows[0] if "digits" in key or key.startswith("text")}


def test_cents_without_a_decimal_point_are_hundredths_of_an_amount() -> None:
    item = "<p class='price'>£{0}.50</p><p><i>£</i><i>2{0}</i><sup>{1}9</sup></p>"
    rows = read_all("".join(ITEM.format(i, item.format(i, i % 5)) for i in range(1, 9)))
    amounts = [20 + i + (i % 5) / 10 + 0.09 for i in range(1, 9)]
    assert [round(amount, 2) for amount in amounts] in [
        [row[name] for row in rows] for name in rows[0]
    ]


def read_all(items: str) -> list[dict[str, object]]:
    """Return the rows of a list of products, with all columns."""
    page = f"<html lang=en><main><ul>{items}</ul></main>".encode()
    domains, options = [load_domain("products")], Options(fields="all")
    wrapper = compile_wrapper([Source("a", page)], domains, options).wrapper
    return to_rows(wrapper, parse(page))


def test_a_regular_price_that_is_the_price_is_no_former_price() -> None:
    item = (
        "<p><i>Regular price</i> <b class='amount regular'>{1}</b></p>"
        "<p><s class='amount'>{2}</s><i>Sale price</i> <b class='amount sale'>{0}</b>"
    )
    rows = []
    for i in range(1, 13):
        price, former = f"£{i}.50", f"£{i + 4}.00"
        regular, struck = (former, former) if i % 3 == 0 else (price, "")
        rows.append(ITEM.format(i, item.format(price, regular, struck)))
    records = read_all("".join(rows))
    assert [record["price"] for record in records] == [i + 0.5 for i in range(1, 13)]
    assert [record["old_price"] for record in records] == [
        None if i % 3 else i + 4 for i in range(1, 13)
    ]


def test_a_text_in_place_of_a_price_makes_no_second_column() -> None:
    prices = ["POA", "£450,000", "£1,200", "Price on request", "£300", "POA", "£9"]
    for domain, label in product(("listing", "products"), ("", "Price: ")):
        items = [f"<p class='price'>{label}{price}</p>" for price in prices]
        records = read_list(items, domain)
        assert {frozenset(record) for record in records} == {
            frozenset({"details_page", "title", "price"})
        }


def test_a_wage_with_words_around_it_is_one_column() -> None:
    wages = ("From £11.20 an hour", "£2,400 a month", "From £31,000 a year") * 2
    items = [f"<p><span class='label'>{wage}</span></p>" for wage in wages]
    records = read_list(items, domain="products")
    assert records[1].keys() == {"title", "details_page", "price"}
    assert records[0]["price"] == "£11.20"


def test_the_upper_end_of_a_wage_stays_in_a_column() -> None:
    items = [
        f"<p class='pay'><b>£{i}.20</b> to £{i + 4}.50 an hour</p>"
        for i in range(11, 17)
    ]
    (first, *_) = read_list(items, domain="products")
    assert "£15.50" in str(first["pay"])


def test_a_cent_sign_behind_an_amount_is_no_currency() -> None:
    assert money("171.9¢") == (171.9, None, None)
    assert money("¢1,500") == (1500, "CRC", None)
