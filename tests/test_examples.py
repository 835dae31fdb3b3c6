"""Fields by example: one value of a record names what others show at its place."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from amber_wrap.annotate.examples import Example, Fit, sightings
from amber_wrap.cli.options import examples as given
from amber_wrap.dom.parse import parse
from amber_wrap.domain.loader import load_domain
from amber_wrap.engine.interpret import to_rows
from amber_wrap.errors import SelectionError
from amber_wrap.generalise.examples import with_examples
from amber_wrap.generalise.pruning import check_examples
from amber_wrap.pipeline import compile_wrapper
from amber_wrap.selectors.area_groups import Typed
from amber_wrap.settings import Options, Source

TALKS = (
    (
        "Fast parsers",
        "Ann Poe",
        "Oxford, Hall 2",
        "Paperback",
        "£12.00",
        "1 seat",
        "basic",
    ),
    (
        "Small compilers",
        "Ben Roe",
        "Bath, Hall 1",
        "Hardcover",
        "£9.50",
        "12 seats",
        "advanced",
    ),
    (
        "Old gazetteers",
        "Cat Sole",
        "Ely, Yard",
        "Paperback",
        "£12.00",
        "7 seats",
        "for all",
    ),
    (
        "New tables",
        "Dan Cole",
        "York, Hall 2",
        "Softcover",
        "£3.00",
        "41 seats",
        "basic",
    ),
    (
        "Long proofs",
        "Eve Hill",
        "Bath, Hall 2",
        "Hardcover",
        "£8.00",
        "3 seats",
        "basic",
    ),
    (
        "Short lists",
        "Flo Dale",
        "Ely, Hall 3",
        "Softcover",
        "£9.50",
        "8 seats",
        "advanced",
    ),
)
ITEM = """<li class="talk">
  <div><a href="/talks/{number}"><b>{0}</b></a> {badge}<br>{1}</div>
  <dl>{isbn}<dt>Binding:</dt><dd>{3}</dd><dt>Place</dt><dd>{2}</dd></dl>
  <p class="fee"><em>Fee {4}</em></p> <p class="was">£{number}0.00</p>
  {folio}<div><b>Series:</b> Set {letter}</div>
  <p class="left">{state}Level {6} • {5}</p>
</li>"""


def page(items=TALKS):
    shown = (
        ITEM.format(
            *one,
            number=i + 1,
            letter="ABCDEF"[TALKS.index(one)],
            folio=f"<div><b>Folio:</b> {i}r</div>" * (i % 2),
            state="New • " * (i % 2),
            badge="<i>First Edition</i>" * (i % 3 == 0),
            isbn=f"<dt>ISBN</dt><dd>97800000000{i}</dd>" * (i % 2),
        )
        for i, one in enumerate(items)
    )
    menu = "<ul><li>Hardcover</li><li>Paperback</li></ul>"
    return f"<main>{menu}<h1>Talks</h1><ol>{''.join(shown)}</ol></main>"


def induced(*examples, html=None, domains=("listing",), fields="typed"):
    source = Source("talks.html", (html or page()).encode())
    options = Options(
        fields=fields, examples=tuple(Example(*one.split("=")) for one in examples)
    )
    return compile_wrapper([source], [load_domain(one) for one in domains], options)


def values(wrapper, name, html=None, raw=True):
    rows = to_rows(wrapper, parse((html or page()).encode()), raw=raw)
    return [row[name] for row in rows]


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
def test_an_example_names_what_others_show_there(example, expected):
    wrapper = induced(example).wrapper
    name = example.partition("=")[0]
    assert values(wrapper, name) == expected
    # In another order other records lack something.
    turned = page(TALKS[1:] + TALKS[:1])
    others = values(wrapper, name, turned)
    if None not in expected:
        assert others == expected[1:] + expected[:1]


def test_an_example_is_read_as_the_domain_reads_its_type():
    wrapper = induced("price=£12.00", domains=["products"]).wrapper
    rows = to_rows(wrapper, parse(page().encode()))
    assert [row["price"] for row in rows] == [12, 9.5, 12, 3, 8, 9.5]
    assert {row["price_currency"] for row in rows} == {"GBP"}


def test_an_example_does_not_change_the_domain():
    domains = ("used-cars", "products", "listing")
    plain = induced(domains=domains).analysis
    pointed = induced("price=£12.00", "chair=Ann Poe", domains=domains).analysis
    assert (pointed.domain.name, pointed.pivot) == (plain.domain.name, plain.pivot)


def test_an_example_is_read_beside_the_fields_that_are_named():
    wrapper = induced("chair=Ann Poe", fields="title").wrapper
    assert [name for name, _ in wrapper.fields] == ["title", "chair"]


def test_an_example_decides_between_lists():
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
            "seats=4",  # Of 41 it is a digit, and no word.
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
def test_what_an_example_cannot_be(example, domain, message):
    with pytest.raises(SelectionError, match=f"^{re.escape(message)}$"):
        induced(example, domains=[domain])


@pytest.mark.parametrize("name", ["class", "from"])
def test_no_key_is_a_word_of_python(name):
    with pytest.raises(SelectionError) as caught:
        given([f"{name}=Ann Poe"])
    assert str(caught.value) == (
        f"--example '{name}=Ann Poe': {name} is a Python keyword, and cannot be the "
        f"name of a column: use another name, such as {name}_text"
    )


BOOKS = {
    "plain": "<td>{0}</td><td><a href='/book/{0}'>Book {0} of all</a></td>"
    "<td>Writer {1}</td><td>{2} pages</td>",
    "marked": "<td>{0}</td><td><a href='/book/{0}'>Book {0} of all</a></td>"
    "<td>{3}</td><td>Writer {1}</td><td>{2} pages</td>",
    "turned": "<td><a href='/book/{0}'>Book {0} of all</a></td><td>Writer {1}</td>"
    "<td>{2} pages</td><td>{0}</td>",
}


def books(first, second, wraps=("{}", "<tbody>{}</tbody>")):
    """A list in two tables of seven and nine books."""
    rows = [
        f"<tr>{BOOKS[first if i < 7 else second]}</tr>".format(
            i, f"{chr(65 + i)}{i}", 7 * i % 50, ("new", "old")[i % 2]
        )
        for i in range(16)
    ]
    parts = zip(("New", "Old"), wraps, (rows[:7], rows[7:]), strict=True)
    shown = (
        f"<h2>{name}</h2><table>{wrap.format(''.join(part))}</table>"
        for name, wrap, part in parts
    )
    return f"<h1>Books</h1>{''.join(shown)}"


@pytest.mark.parametrize("value", ["Writer C2", "Writer J9"])
def test_a_list_in_two_tables_stays_one(value):
    html = books("plain", "plain")
    wrapper = induced(f"writer={value}", html=html).wrapper
    assert values(wrapper, "writer", html) == [
        f"Writer {chr(65 + i)}{i}" for i in range(16)
    ]


@pytest.mark.parametrize(
    ("second", "value", "found"),
    [
        ("marked", "C2", "0 of 7 values would be right, and 0 values would be wrong"),
        (
            "marked",
            "J9",
            "9 of 9 values would be right, and 7 values would be wrong "
            "(such as '0 pages')",
        ),
        (
            "turned",
            "J9",
            "9 of 9 values would be right, and 7 values would be wrong "
            "(such as 'Book 0 of all')",
        ),
    ],
)
def test_an_example_reads_no_other_column(second, value, found):
    with pytest.raises(SelectionError) as caught:
        induced(f"writer=Writer {value}", html=books("plain", second))
    assert str(caught.value) == (
        f"the example writer='Writer {value}': no expression selects only the "
        f"values of this column: {found}; a second sample may help, or --within to "
        "search only a part of the page"
    )


def test_an_example_loses_no_records():
    rows = [
        f'<p class="talk"><a href="/talks/{i}">{name} in {i}</a> <i>Hall {i % 3}</i>'
        f" <b>{9 + i % 8}:{i % 4}0</b></p>"
        for i, name in enumerate(("Parsers", "Compilers", "Gazetteers", "Tables") * 3)
    ]
    days = zip(("Monday", "Friday", "Sunday"), (0, 4, 8), strict=True)
    shown = (
        f"<section><h3>{day}</h3>{''.join(rows[at : at + 4])}</section>"
        for day, at in days
    )
    html = f"<h1>Talks</h1><div>{''.join(shown)}</div>"
    with pytest.raises(SelectionError) as caught:
        induced("day=Friday", html=html)
    assert str(caught.value) == (
        "the example day='Friday' leads to 3 records instead of 12: of the "
        "records found without the example, none shows such a value; give "
        "an example from these, or select the list with --within"
    )


@pytest.mark.parametrize(
    ("example", "shown", "code"),
    [
        pytest.param(
            "state=Sold",
            lambda i: "<s>Sold</s>" if i == 1 else "",
            "example-alone",
            id="one record",
        ),
        pytest.param(
            "kind=Novel",
            lambda i: "<q>New</q> " * (i % 2) + f"<q>{'Novel' * (i == 2) or i}</q>",
            "example-unsure",
            id="one of several alike",
        ),
        pytest.param(
            "kind=Novel",
            lambda i: f"<q>{'New - ' * (i % 2)}{'Novel' * (i == 2) or i} - Old</q>",
            "example-unsure",
            id="one of several parts",
        ),
    ],
)
def test_what_is_doubtful_is_told(example, shown, code):
    html = page()
    for i in range(len(TALKS)):
        html = html.replace(f'<p class="was">£{i + 1}0.00</p>', shown(i))
    found = induced(example, html=html).diagnostics
    assert code in [one.code for one in found]


def test_nothing_is_doubted_where_records_are_alike():
    found = induced("chair=Ann Poe", "city=Bath", "binding=Hardcover").diagnostics
    assert [one for one in found if one.code.startswith("example")] == []


def test_what_comes_out_wrong_is_refused():
    chair = Example("chair", "Ann Poe")
    compilation = induced("chair=Ann Poe")
    wrapper = compilation.wrapper
    typed, _, _ = with_examples(
        [Typed(compilation.pages[0], compilation.analysis.typings[0])],
        compilation.analysis.domain,
        [chair],
    )
    check_examples(wrapper, typed, [chair])
    [area] = wrapper.areas
    [title] = [one for one in area.fields if one.name == "title"]
    fields = [
        replace(title, name="chair") if one.name == "chair" else one
        for one in area.fields
    ]
    wrong = replace(wrapper, areas=(replace(area, fields=tuple(fields)),))
    with pytest.raises(SelectionError) as caught:
        check_examples(wrong, typed, [chair])
    assert str(caught.value) == (
        "the example chair='Ann Poe': no expression selects only the "
        "values of this column: 0 of 6 values would be right, and 6 values "
        "would be wrong (in its own record: 'Fast parsers'); a second sample "
        "may help, or --within to search only a part of the page"
    )


def test_sightings_are_of_the_inner_element_that_says_it():
    found = parse(
        b"<div><p><b>Ann</b></p><p>by Ann<br>and Ben</p><p>Annex</p><p>Ann Poe</p>"
    )
    seen = sorted(sightings(Example("chair", "Ann"), found))
    assert [(found.tag[one.node], one.fit, one.source) for one in seen] == [
        ("b", Fit.WHOLE, "text"),
        ("p", Fit.PART, "own-text"),
        ("p", Fit.PART, "own-text"),
    ]
