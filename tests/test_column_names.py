"""Test the cells of columns, and the names of columns."""

from __future__ import annotations

import pytest
from column_pages import PAGE, compiled, read_list, rows

from amber_wrap.analysis.extraction_typing import Record
from amber_wrap.annotate.name_annotator import RATERS
from amber_wrap.columns.cells import Cell
from amber_wrap.columns.elements_with_texts import leaf_elements
from amber_wrap.columns.naming.chosen_names import names_with_origins
from amber_wrap.columns.naming.distinct_names import distinct_names
from amber_wrap.columns.naming.forms_of_texts import are_ranks, name_by_form
from amber_wrap.columns.naming.names_in_attributes_and_classes import (
    class_name_counts,
    without_block,
)
from amber_wrap.columns.naming.spelling import snake_case_name
from amber_wrap.columns.naming.usual_fields import fields_by_word
from amber_wrap.dom.parse import parse
from amber_wrap.domain.loader import load_domain
from amber_wrap.maintenance.healing import heal_wrapper
from amber_wrap.settings import Source

LONG = "A text of its own, " * 6 + "and long"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>one <em>whole</em> text</p>", ["one whole text"]),
        ("<p><b>Name</b> <i>Ann</i></p>", ["Name", "Ann"]),
        ("<a><em>found</em></a>", ["found"]),
        ("<a><em>all</em> <em>found</em></a>", ["all found"]),
        ("<p>by <a>Ann Poe</a></p>", ["by Ann Poe", "Ann Poe"]),
        ("<p><a>Ann Poe</a>, <a>York</a></p>", ["Ann Poe", "York"]),
        ("<p>A {} <a>passage</a> of it</p>".format("long " * 30), None),
        ("<p hidden>no</p><p>yes</p>", ["yes"]),
        (f"<div>- <p>{LONG}</p><p>{LONG}!</p></div>", [LONG, LONG + "!"]),
    ],
)
def test_leaf_elements_have_the_texts_of_cells(html, expected):
    page = parse(f"<body><div>{html}</div></body>".encode())
    texts = [page.string(node) for node in leaf_elements(page, page.select("//div")[0])]
    assert texts == (expected or [page.string(page.select("//p")[0])])


def cell_of(page, node):
    return Cell(page, 0, node, page.string(node))


def test_a_text_beside_rarely_present_texts_is_a_column():
    table = "<main><table>{}</table></main>"
    row = """<tr><td><a href="/film/{0}">{1}</a> {2}{3}</td></tr>"""
    films = (
        ("Fine Arts", "(2009)", ""),
        ("The Kitchen", "(2011)", "<p>Season 1</p> <p>The whole first year</p>"),
        ("Old Towns", "(2015)", ""),
        ("New Rivers", "(2016)", "<p>Season 2</p> <p>A year on the water</p>"),
    )
    html = table.format("".join(row.format(i, *one) for i, one in enumerate(films)))
    records = rows(compiled(html=html), html)
    years = [[one for one in row.values() if str(one)[0] == "("] for row in records]
    assert years == [[year] for _, year, _ in films]


@pytest.mark.parametrize(
    ("html", "names"),
    [
        ('<i itemprop="datePublished" class="meta">x</i>', ["date_published", "meta"]),
        ('<i class="ResultCard__byline">x</i>', ["byline"]),
        ('<i class="css-1a2b3c">x</i>', ["text"]),
        ('<i class="mt-4 flex">x</i>', ["text"]),
        ('<i class="Teaser_readTime__x7Ym2">x</i>', ["read_time"]),
        ('<i class="MuiTypography-root MuiTypography-body2">x</i>', ["text"]),
        ('<i class="ant-card-meta-description">x</i>', ["description"]),
        ('<i class="chakra-text reporter">x</i>', ["reporter"]),
        ('<i class="v-list-item__subtitle el-tag--info">x</i>', ["text"]),
        ('<i class="styles_salary__1aB3x">x</i>', ["salary"]),
        ('<p class="venue"><i>x</i></p>', ["venue"]),
        (
            '<p>Built for</p><b class="body-value"><i>x</i></b>',
            ["built_for", "body_value"],
        ),
        (
            '<p class="panel-value"><b title="Cooking time"><i>x</i></b></p>',
            ["cooking_time", "panel_value"],
        ),
        (
            '<i class="panel-value"><b title="Cooking time">x</b></i>',
            ["cooking_time", "panel_value"],
        ),
        ('<a class="side" title="See more"><i>x</i></a>', ["side", "see_more"]),
        ("<p><i>5 members</i></p>", ["members"]),
        ("<p><i>1.2k members</i></p>", ["members"]),
        ("<p><i>12</i><b>Seats</b></p>", ["seats"]),
        ("<p><i class='mt-1'>Row 12</i><i class='mt-1'>Paid</i></p>", ["text"]),
        ("<p><i class='mt-1'>12</i><i class='mt-1'>forks</i></p>", ["forks"]),
        ("<p><i class='mt-1'>1.2k</i><i class='mt-1'>forks</i></p>", ["forks"]),
        ('<p>Built for</p><b class="price"><i>x</i></b>', ["price"]),
        ('<b>Sponsored</b> <i class="reporter">x</i>', ["reporter", "sponsored"]),
        ("<dl><dt>Docket no.</dt><dd><i>x</i></dd></dl>", ["docket_no"]),
        ('<b title="Forks"><i>x</i></b>', ["forks"]),
        ('<a href="/users/17/joel"><i>x</i></a>', ["author", "users"]),
        ('<a href="/shelves/17/joel"><i>x</i></a>', ["shelves"]),
        ('<a href="https://example.org/users"><i>x</i></a>', ["text"]),
        ('<i class="venue dark-text">x</i>', ["venue"]),
        ('<i class="name body-lead">x</i>', ["name", "body_lead"]),
        ('<b class="card__image"><i title="Bumps">x</i></b>', ["bumps"]),
        ('<i class="image-count">x</i>', ["image_count"]),
        ('<p itemscope><i itemprop="name">x</i></p>', ["name"]),
        (
            '<p itemprop="author" itemscope>By <i itemprop="name">x</i></p>',
            ["author", "name"],
        ),
        ('<i class="js-savings-price">x</i>', ["price"]),
    ],
)
def test_cells_get_names_from_their_markup(html, names):
    page = parse(f"<body>{html}</body>".encode())
    assert list(names_with_origins([cell_of(page, page.select("//i")[0])])) == names


def test_the_rarer_class_of_an_element_is_its_first_name():
    html = "<li><i class='lead venue'>x</i><i class='hall lead'>y</i></li>"
    page = parse(f"<body><ul>{html}</ul></body>".encode())
    (item,) = page.select("//li")
    usage = class_name_counts([(page, Record((item,)))])
    names = [
        list(names_with_origins([cell_of(page, one)], usage))
        for one in page.select("//i")
    ]
    assert names == [["venue"], ["hall", "lead"]]


def test_the_class_that_most_cells_of_a_column_have_is_its_first_name():
    html = (
        "<i class='flag tip'>x</i><i class='flag tip'>x</i><i class='flag sale'>y</i>"
    )
    page = parse(f"<ul><li>{html}</ul>".encode())
    usage = class_name_counts([(page, Record(tuple(page.select("//li"))))])
    names = names_with_origins(
        [cell_of(page, one) for one in page.select("//i")], usage
    )
    assert list(names) == ["flag", "tip"]


def test_table_headers_name_columns():
    html = "<table><tr><th>Case<th>Docket No.</tr><tr><td>A v. B<td>17-1</tr></table>"
    page = parse(html.encode())
    assert [
        next(iter(names_with_origins([cell_of(page, cell)])))
        for cell in page.select("//td")
    ] == [
        "case",
        "docket_no",
    ]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("resultTitle", "result_title"),
        ("s-item__price--sold", "price_sold"),
        ("Übersicht", "ubersicht"),
        ("42", ""),
        ("2 colours", "colours"),
        ("24h Volume", "volume_24h"),
        ("52wk-high", "high_52wk"),
        ("class", ""),
        ("a-very-long-name-of-an-element-that-goes-on", "of_an_element_that_goes_on"),
    ],
)
def test_snake_case_name_keeps_the_last_words_of_a_text(text, name):
    assert snake_case_name(text) == name


CARD = ("event-card-title", "event-card-venue", "event-card-fee", "event-card-seats")


@pytest.mark.parametrize(
    ("name", "others", "short"),
    [
        ("event_card_venue", CARD, "venue"),
        ("event_card_venue", [*CARD, "js_link", "btn_large"], "venue"),
        ("event_card_venue", [*CARD[:3], "venue"], "event_card_venue"),
        (
            "event_card_venue",
            [*CARD, *"a_b c_d e_f g_h i_j".split()],
            "event_card_venue",
        ),
        ("venue", CARD, "venue"),
        ("event_card_from", [*CARD, "event-card-from"], "event_card_from"),
        ("price_usd", "price_usd price_eur price_gbp price_jpy".split(), "price_usd"),
        ("job_salary", "job_title job_salary job_firm job_town".split(), "salary"),
    ],
)
def test_words_that_most_classes_begin_with_are_left_out(name, others, short):
    names = [other.replace("-", "_") for other in others]
    assert without_block(name, names) == short


def test_columns_with_the_same_name_get_distinct_names():
    proposed = [
        ["tip", "stars"],
        ["tip", "forks"],
        ["tip"],
        ["text"],
        ["text"],
        ["title"],
    ]
    assert distinct_names(proposed, {"title"}) == [
        *("stars", "forks", "tip", "text_1", "text_2", "title_2"),
    ]


def test_healing_keeps_columns():
    sample = Source("talks.html", PAGE.encode())
    old = compiled()
    moved = PAGE.replace("<ul>", "<div class='grid'>").replace("</ul>", "</div>")
    moved = moved.replace('<li class="talk">', '<div class="item">')
    moved = moved.replace("</li>", "</div>").replace("talk__speaker", "who-speaks")
    new = Source("new.html", moved.encode())
    healed = heal_wrapper(old, [sample], [new], [load_domain("listing")])
    assert healed.wrapper is not None
    assert {name for name, _ in healed.wrapper.fields} >= {"title", "comments"}


@pytest.mark.parametrize(
    ("texts", "name"),
    [
        (["10:30", "9:05", "23:59"], "time"),
        (["2h 43m", "1 h 05 min", "55 min"], "duration"),
        (["4:1", "2 : 0", "10:12"], "score"),
        (["4:10", "3:45", "2:31"], "time"),
        (["45%", "7.5 %", "-3%"], "percent"),
        (["+44 20 7946 0958", "+49 (0)30 901820"], "phone"),
        (["1.4 GB", "620 MB", "9 KiB"], "size"),
        (["4.5 / 5", "3 / 5"], "rating"),
        (["3 / 5", "1 / 5"], ""),
        (["★★★☆☆", "★★★★★"], "rating"),
        (["21 °C", "-4 °C"], "temperature"),
        (["Full-time", "Part time", "Contract"], "employment_type"),
        (["Vollzeit", "Teilzeit, befristet"], "employment_type"),
        (["150 hp", "90 cv", "136 PS"], "power"),
        (["85 kW (116 PS)", "110 kW / 150 PS", "77 kW"], "power"),
        (["150 km", "90 km"], ""),
        (["10.0.0.1", "192.168.0.14"], "ip_address"),
        (["10.1000/182", "doi:10.1234/x.5"], "doi"),
        (["978-3-16-148410-0", "9783161484100"], "isbn"),
        (["https://example.org/a", "http://example.org/b"], "url"),
        (["12", "7"], ""),
        (["2019-2020", "2020-2021"], ""),
    ],
)
def test_texts_of_one_form_name_their_column(texts, name):
    assert name_by_form(texts) == name


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["1.", "2.", "3."], True),
        (["#11", "#12", "#13", "#14"], True),
        (["1", "2"], False),
        (["1", "3", "4"], False),
        (["3", "2", "1"], False),
        (["1 km", "2 km", "3 km"], False),
        (["7", "8", "9"], False),
        (["2016", "2017", "2018"], False),
    ],
)
def test_numbers_that_count_the_records_are_ranks(texts, expected):
    items = "".join(f"<li><b>{text}</b></li>" for text in texts)
    page = parse(f"<body><ul>{items}</ul></body>".encode())
    records = page.select("//li")
    cells = [Cell(page, node, node + 1, page.string(node)) for node in records]
    assert are_ranks(cells) == expected


REVIEWED = ("Old Mill", "Blue Door", "Corner House", "Harbour Inn", "Red Barn")


@pytest.mark.parametrize(
    ("item", "name"),
    [
        ("<a class='btn icon-9' href='tel:0234{0}'>0234 8 57 5{0}</a>", "phone"),
        ("<a class='fax' href='tel:0234{0}'>0234 8 57 5{0}</a>", "fax"),
        ("<b data-test-id='house-keeper'>Ann {0}</b>", "house_keeper"),
        ("<b class='js-bind-ga js_author'>Ann {0}</b>", "author"),
        ("<i>{0} Bewertung{1}</i>", "reviews"),
        ("<i>({0} avaliações)</i>", "reviews"),
        ("<p class='open-now--tWT3_ck7eF8Iv5SpZ6WL'>Until {0} pm</p>", "open_now"),
    ],
)
def test_a_column_is_named_by_what_its_markup_or_text_says(item, name):
    items = "".join(
        f"<li><h3><a href='/houses/{number}'>{house}</a></h3>"
        + item.format(number, "" if number == 1 else "en")
        for number, house in enumerate(REVIEWED, 1)
    )
    html = f"<main><ul>{items}</ul></main>"
    assert list(rows(compiled(html=html), html)[0]) == ["details_page", "title", name]


def test_numbers_in_headings_are_no_titles() -> None:
    items = [f"<h4>{i}3,704</h4><p>people of the town</p>" for i in range(1, 6)]
    assert "title_2" not in read_list(items)[0]


def test_the_words_behind_a_rating_name_its_column() -> None:
    items = [f"<i class='i-stars' title='{i}.5 star rating'></i>" for i in range(1, 6)]
    assert read_list(items)[0]["star_rating"] == "1.5 star rating"


def test_numbers_before_the_names_of_reviews_are_no_ratings():
    words = [word for word, field in fields_by_word().items() if field == "reviews"]
    assert {word for word in words if " " not in word} <= RATERS
