"""Test columns: texts and links that vary over records and have no type."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from column_pages import ITEM, PAGE, TALKS, compiled, page_of, read_list, rows

from amber_wrap.columns.assembly import with_columns
from amber_wrap.dom.parse import parse
from amber_wrap.domain.loader import load_domain
from amber_wrap.engine.output_rows import to_rows
from amber_wrap.errors import SelectionError
from amber_wrap.generalise.pruning import without_misread_columns
from amber_wrap.pipeline import compile_wrapper
from amber_wrap.selectors.area_groups import TypedPage
from amber_wrap.settings import Options, Source
from amber_wrap.values.dates import without_dates
from amber_wrap.wrapper.ir import RecordLocator
from amber_wrap.wrapper.xpath_parser import parse_path


def test_each_text_that_varies_over_records_is_a_column():
    assert rows(compiled())[1] == {
        "details_page": "/talks/1",
        "title": "Small compilers",
        "date": "13 May 2024",
        "speaker": "Ben Roe",
        "text_1": "From pages to programs.",
        "comments": "12",
    }


def test_the_link_that_differs_in_each_record_is_the_details_page():
    html = "".join(
        f"<li><img src='{i}.jpg'><p><a href='/shelves/{i % 3}'>Shelf number {i % 3}, "
        f"of many</a></p><div><a href='/books/{i}'>The {i}th book of them</a></div>"
        for i in range(9)
    )
    html = f"<main><ul>{html}</ul></main>"
    records = rows(compiled(html=html), html)
    assert records[4]["details_page"] == "/books/4"
    assert records[4]["title"] == "The 4th book of them"


def test_the_link_to_a_seller_is_not_the_details_page_of_a_record_without_one():
    html = "".join(
        f"<li><h3>{f'<a href=/lots/{i}>Lot number {i}</a>' if i != 2 else 'Lot 2'}</h3>"
        f"<p>£{i}9 by <a href='/sellers/{i}'>Seller {i}</a></p></li>"
        for i in range(6)
    )
    html = f"<main><ul>{html}</ul></main>"
    pages = [row["details_page"] for row in rows(compiled(html=html), html)]
    assert pages == ["/lots/0", "/lots/1", None, "/lots/3", "/lots/4", "/lots/5"]


def test_a_name_that_only_some_records_link_is_one_column():
    names = [f"Choir {name}" for name in "Ann Ben Cai Dov Eve Fay Gil Hal".split()]
    html = "".join(
        f"<li><h3>Song number {i} of them</h3><p class='singers'>"
        + (f"<a href='/choirs/{i}'>{name}</a>" if i % 3 else name)
        + f"</p><i>{i} May 2024</i></li>"
        for i, name in enumerate(names)
    )
    html = f"<main><ul>{html}</ul></main>"
    records = rows(compiled(html=html), html)
    assert [row.get("singers") for row in records] == names


def test_texts_with_the_same_class_are_told_apart_by_their_parents():
    fields = {
        "climb": ["easy", "hard", "", "steep", "hard", "easy", "", "hard"],
        "view": ["sea", "", "hills", "", "town", "sea", "hills", "sea"],
        "pub": ["Crown", "Ship", "Ship", "Crown", "Mill", "Ship", "Mill", "Crown"],
    }
    html = "".join(
        f"<li><h3><a href='/walks/{i}'>Walk number {i} of them</a></h3>"
        + "".join(
            f"<p class='{name}'><b class='value'>{values[i]}</b></p>"
            for name, values in fields.items()
            if values[i]
        )
        + "</li>"
        for i in range(8)
    )
    html = f"<main><ul>{html}</ul></main>"
    records = rows(compiled(html=html), html)
    for name, values in fields.items():
        assert [row.get(name) or "" for row in records] == values


def walks_with(part):
    html = "".join(
        f"<li><h3><a href='/walks/{i}'>Walk number {i} of them</a></h3>{part(i)}</li>"
        for i in range(8)
    )
    html = f"<main><ul>{html}</ul></main>"
    return rows(compiled(html=html), html)


def test_words_for_screen_readers_are_no_column_but_numbers_are():
    records = walks_with(
        lambda i: (
            f"<p><b class='sr-only'>{'Posted on' if i % 3 else 'Seen by'}</b> "
            f"<i class='guide'>Ann {i}</i></p><u class='sr-only'>{i % 3 + 1} of 5</u>"
        )
    )
    assert [row["guide"] for row in records] == [f"Ann {i}" for i in range(8)]
    texts = [str(value) for row in records for value in row.values()]
    assert not {"Posted on", "Seen by"}.intersection(texts)
    assert "1 of 5" in texts


def test_a_label_that_runs_on_into_each_text_is_no_part_of_the_column():
    records = walks_with(lambda i: f"<p class='guide'><b>Guided by</b>Ann {i}</p>")
    assert [row["guide"] for row in records] == [f"Ann {i}" for i in range(8)]


@pytest.mark.parametrize(
    "link",
    [
        "<a href='/c/{0}'>Old {1} coin <div class='sign'>{2}</div></a>",
        "<a href='/c/{0}'><i></i><div>Old {1} coin<p class='sign'>{2}</p></div></a>",
    ],
)
def test_a_title_ends_before_the_lines_behind_it(link: str) -> None:
    names = "Ann Ben Cai Dov Eve Fay Gil Hal".split()
    html = "".join(
        f"<tr><td>{link.format(i, name, 2 * name.upper())}</td><td>{i + 7} g</td></tr>"
        for i, name in enumerate(names)
    )
    html = f"<main><table>{html}</table></main>"
    records = rows(compiled(html=html), html)
    assert [row["title"] for row in records] == [f"Old {name} coin" for name in names]
    assert [row["sign"] for row in records] == [2 * name.upper() for name in names]


@pytest.mark.parametrize(
    ("link", "title"),
    [
        ("The <div>{name} Mill</div>", "The Ann Mill"),
        ("{i}. <div>{name} Mill</div>", "7. Ann Mill"),
        ("Old <search-hit>{name}</search-hit>", "Old Ann"),
        ("Coin of {name} <hit>{name}</hit>", "Coin of Ann Ann"),
    ],
)
def test_words_before_a_part_of_a_title_are_no_title(link: str, title: str) -> None:
    names = "Ann Ben Cai Dov Eve Fay Gil Hal".split()
    html = "".join(
        f"<tr><td><h3><a href='/c/{i}'>{link.format(i=i, name=name)}</a></h3></td>"
        f"<td>{i} g</td></tr>"
        for i, name in enumerate(names, 7)
    )
    html = f"<main><table>{html}</table></main>"
    assert rows(compiled(html=html), html)[0]["title"] == title


def test_counts_in_buttons_are_columns():
    records = walks_with(
        lambda i: f"<button class='likes'>{i % 3}</button><button>Like</button>"
    )
    assert [row["likes"] for row in records] == [str(i % 3) for i in range(8)]


def test_texts_with_different_state_classes_are_one_column():
    states = ("Open", "Full", "Open", "Cancelled", "Full", "Open", "Waiting list")
    html = "".join(
        f"<li><h3><a href='/talks/{i}'>Talk number {i} of them</a></h3>"
        f"<b class='status status--{state.split()[0].lower()}'>{state}</b></li>"
        for i, state in enumerate(states)
    )
    html = f"<main><ul>{html}</ul></main>"
    records = rows(compiled(html=html), html)
    assert [row["status"] for row in records] == list(states)


def test_state_classes_that_several_cells_share_divide_no_column():
    changes = [(3, -1), (-2, -4), (5, 6), (-7, 8), (9, -10), (-11, 12)]
    cell = "<td><span class='{}'><i class='icon-{}'></i>{}%</span></td>"
    html = "".join(
        f"<tr><td><a href='/coins/{i}'>The coin number {i}</a></td>"
        + "".join(
            cell.format(*(("up", "rise") if n > 0 else ("down", "fall")), abs(n))
            for n in row
        )
        for i, row in enumerate(changes)
    )
    head = "<tr><th>Name<th>Week<th>Month</tr>"
    html = f"<main><table>{head}{html}</table></main>"
    records = rows(compiled(html=html), html)
    found = [(row["week"], row["month"]) for row in records]
    assert found == [tuple(f"{abs(n)}%" for n in row) for row in changes]


def test_the_class_of_the_winner_divides_no_column():
    teams = "Elche Lugo Soria Jaén Lorca Ceuta Teruel Cuenca".split()
    side = "<div class='match__{}'><span class='name{}'>{}</span></div>"
    html = "".join(
        f"<li><a href='/match/{i}'></a>"
        + side.format("home", " bold" if i % 3 else "", home)
        + side.format("away", "" if i % 3 else " bold", away)
        for i, (home, away) in enumerate(zip(teams, reversed(teams), strict=True))
    )
    html = f"<main><ul>{html}</ul></main>"
    records = rows(compiled(html=html), html)
    assert [row["home"] for row in records] == teams
    assert [row["away"] for row in records] == teams[::-1]


def test_a_percentage_behind_a_price_is_a_column():
    changes = (-2, 3, -4, 5, -6, 7, -8, 9)
    html = "".join(
        f"<li><a href='/funds/{i}'>The fund number {i}</a> <p><b>€ {i + 40}.50</b> "
        f"<span class='change {'up' if n > 0 else 'down'}'>{n:+}.5%</span></p></li>"
        for i, n in enumerate(changes)
    )
    html = f"<main><ul>{html}</ul></main>"
    records = rows(compiled(html=html), html)
    assert [row["change"] for row in records] == [f"{n:+}.5%" for n in changes]


def test_a_number_in_an_attribute_that_has_a_type_is_no_further_column():
    html = "".join(
        f"<li><h3><a href='/funds/{i}'>The fund number {i}</a></h3><p>{i + 40},50 €</p>"
        f"<b class='rating' title='{i % 4 + 1} von 5 Sternen'><i></i></b></li>"
        for i in range(8)
    )
    source = Source("funds.html", f"<main><ul>{html}</ul></main>".encode())
    domain, options = load_domain("products"), Options(fields="all")
    wrapper = compile_wrapper([source], [domain], options).wrapper
    assert "rating" in wrapper.keys
    assert "rating_2" not in wrapper.keys


def test_a_relative_date_is_read_as_none_beside_its_text():
    html = PAGE.replace("13 May 2024", "3 hours ago")
    wrapper = compiled(html=html)
    dates = [(row["date"], row["date_text"]) for row in to_rows(wrapper, page_of(html))]
    assert dates[:2] == [("2024-05-12", "12 May 2024"), (None, "3 hours ago")]
    assert "date_text" not in to_rows(compiled(), page_of(PAGE))[0]


@pytest.mark.parametrize("zone", ["", "Z", "+0900", "-05:00", " UTC"])
def test_a_date_is_read_with_its_time_and_time_zone(zone):
    html = re.sub(r"(1\d) May 2024", rf"<b>2024-05-\1 12:30:00{zone}</b>", PAGE)
    (first, *_) = to_rows(compiled(html=html), page_of(html))
    assert first["date"][11:] == "12:30:00" + zone.strip(" UTC")
    assert "date_2" not in first


@pytest.mark.parametrize(
    ("attribute", "time"),
    [
        ("datetime='2024-05-{0}T{0}:30:00Z'", "T{}:30:00Z"),
        ("datetime='2024-05-{0}T{0}:30:00.000+09:00'", "T{}:30:00.000+09:00"),
        ("title='2024-05-{0} {0}:30:00'", "T{}:30:00"),
        ("title='{0}:30, 2024-05-{0}'", ""),
        ("datetime='2024-05-{}T00:00:00Z'", ""),
    ],
)
def test_a_date_in_an_attribute_is_read_with_its_time(attribute, time):
    """Midnight is the time that programs write if they know only the date."""
    html, days = PAGE, range(12, 16)
    for day in days:
        stamp = f"<time {attribute.format(day)}>{17 - day} days ago</time>"
        html = html.replace(f"{day} May 2024", stamp)
    dates = [row["date"] for row in to_rows(compiled(html=html), page_of(html))]
    assert dates == [f"2024-05-{day}{time.format(day)}" for day in days]


def test_a_date_has_the_time_of_a_title_that_is_a_date_and_a_time():
    html = re.sub(
        r"<h3>(.*)>[^<]+</a></h3>", r"<h3>\1>12 May 2024 14:30</a></h3>", PAGE
    )
    html = re.sub(r"<p>(1\d) May 2024</p>", "", html)
    (first, *_) = to_rows(compiled(html=html), page_of(html))
    assert first["title"] == "12 May 2024 14:30"
    assert first["date"] == "2024-05-12T14:30"


@pytest.mark.parametrize("label", ["Posted: ", "Posted on ", "by Ann on "])
def test_a_date_with_its_time_behind_a_label_is_one_column(label):
    items = [f"<p>{label}{day} May 2024 at 14:{day}</p>" for day in range(12, 18)]
    assert [record["date"] for record in read_list(items)] == [
        f"{day} May 2024 at 14:{day}" for day in range(12, 18)
    ]
    assert {*read_list(items)[0]} == {"details_page", "title", "date"}


UP, DOWN = "<span class=up>{}</span>", "<span class=down>{}</span>"
CHANGES = (UP.format(1.3), DOWN.format(0.4), "", UP.format(2.1), DOWN.format(3.5))


@pytest.mark.parametrize("cell", ["<td>{}</td>", "<td><p class=change>{}</p></td>"])
def test_texts_that_fill_the_same_cell_are_one_column(cell):
    row = '<tr><td><a href="/shares/{0}">Share {0}</a></td>{1}<td>{0}0</td></tr>'
    cells = enumerate(map(cell.format, CHANGES), 1)
    headers = "<tr><th>Share</th><th>Change</th><th>Close</th></tr>"
    html = f"<table>{headers}{''.join(row.format(*pair) for pair in cells)}</table>"
    records = rows(compiled(html=html), html)
    assert [row["change"] for row in records] == ["1.3", "0.4", None, "2.1", "3.5"]
    assert "change_2" not in records[0]


def test_texts_that_fill_one_of_several_like_elements_are_separate_columns():
    cells = ("<span class=author>{1}</span>", "<span class=room>Hall {4}</span>") * 2
    items = "".join(
        f"<li><a href='/{talk[0]}'>{talk[0]}</a><p class=cell>{cell.format(*talk)}</p>"
        f"<p class=cell>{talk[3]}</p></li>"
        for talk, cell in zip(TALKS, cells, strict=True)
    )
    html = f"<ul>{items}</ul>"
    records = rows(compiled(html=html), html)
    assert records[0]["author"] == "Ann Poe"
    assert records[1]["room"] == "Hall 12"


def test_names_of_folders_are_a_column_beside_equal_links():
    row = '<tr><td><a href="{0}/">{0}/</a></td><td>{1} May 2024</td></tr>'
    folders = "".join(map(row.format, ("1.9", "1.10", "2.0", "2.1"), range(1, 5)))
    html = f"<table><tr><th>Folder</th><th>Date</th></tr>{folders}</table>"
    samples = [Source("index.html", html.encode())]
    domains = [load_domain("products")]
    wrapper = compile_wrapper(samples, domains, Options(fields="all")).wrapper
    first = rows(wrapper, html)[0]
    assert first["details_page"] == first["folder"] == "1.9/"


def test_a_date_behind_a_record_is_named_like_the_type_that_has_no_values():
    files = "".join(
        f'<a href="/{word}">{word}</a> 1{at} May 2024\n'
        for at, word in enumerate(("readme", "sources", "manual", "examples"))
    )
    html = f"<pre>{files}</pre>"
    assert rows(compiled(html=html), html)[0]["date"] == "10 May 2024"


@pytest.mark.parametrize(
    ("day", "month", "date"),
    [
        ("{}", "Lug", "{:02} luglio 2026"),
        ("", "{} mag", "{} maggio 2026"),
        ("{:02}", "Nov", "2026-11-{:02}"),
    ],
)
def test_parts_of_a_date_are_no_columns_beside_the_date(day, month, date):
    html = "".join(
        f"<li><p>{date.format(i)}</p><h3><a href='/{i}'>The news of {i}</a></h3>"
        f"<p class='day'>{day.format(i)}</p><p class='month'>{month.format(i)}</p></li>"
        for i in range(8, 14)
    )
    html = f"<html lang='it'><main><ul>{html}</ul></main>"
    assert sorted(rows(compiled(html=html), html)[0]) == [
        "date",
        "details_page",
        "title",
    ]


def test_a_date_with_its_weekday_is_dropped_beside_the_date():
    html = re.sub(r"<p>((1\d) May 2024)</p>", r"<i>\1</i> <p>Mon, \1</p>", PAGE)
    records = rows(compiled(html=html), html)
    assert records[0]["date"] == "12 May 2024"
    assert "date_2" not in records[0]


@pytest.mark.parametrize(
    ("votes", "mark"),
    [("416 06", 8.814), ("41", 8814), ("2.41", 8814), ("612 345 67", 8814)],
)
def test_a_full_stop_is_a_decimal_point_where_blanks_separate_thousands(votes, mark):
    html = with_lines(*(f"8.81{i}<small>{votes}{i}</small>" for i in range(4, 8)))
    assert mark in to_rows(compiled(html=html), page_of(html))[0].values()


def test_fields_typed_reads_the_types_of_the_domain_only():
    names = [name for name, _ in compiled("typed").fields]
    assert names == [kind.name for kind in load_domain("listing").schema.types]


def test_named_fields_come_in_the_order_of_types_and_columns():
    wrapper = compiled("speaker, title")
    assert [name for name, _ in wrapper.fields] == ["title", "speaker"]
    assert rows(wrapper)[0] == {"title": "Fast parsers", "speaker": "Ann Poe"}


def test_an_unknown_field_name_is_refused_with_the_known_ones():
    with pytest.raises(SelectionError) as caught:
        compiled("speakers")
    assert str(caught.value) == (
        "no field 'speakers' was found: the fields are details_page, title, date, "
        "speaker, text_1, comments"
    )


def test_texts_for_screen_readers_do_not_add_columns():
    spoken = '<i class="sr-only"> opens a tab</i>'
    html = re.sub('(?<=/talks/.">)[^<]+', rf"\g<0>{spoken}", PAGE)
    assert spoken in html
    assert rows(compiled(html=html), html) == rows(compiled())


def test_emphasised_words_beside_other_elements_are_a_column():
    venues = ("VLDB", "Journal of the ACM", "TODS", "PODS", "ICDE", "EDBT")
    html = "".join(
        f"<li><span class='t'><a href='/papers/{i}'>Paper number {i} on wrappers that "
        f"are long lived</a></span><span class='a'>A. Moreno, K. Osei, P. {venue} and "
        f"S. Iyer</span>. <i>{venue}</i>, {i + 3}({i}), pp. {i}0</li>"
        for i, venue in enumerate(venues)
    )
    html = f"<main><ol>{html}</ol></main>"
    records = rows(compiled(html=html), html)
    assert list(venues) in [[row[name] for row in records] for name in records[0]]


def test_columns_are_read_where_domains_compete():
    source = Source("talks.html", PAGE.encode())
    domains = [load_domain("listing"), load_domain("products")]
    wrapper = compile_wrapper([source], domains).wrapper
    assert "speaker" in dict(wrapper.fields)


def test_a_text_that_only_some_records_show_is_a_column():
    html = PAGE.replace('">Small', '">Small', 1).replace(
        '<p class="talk__speaker">Ben',
        '<b class="badge">New</b><p class="talk__speaker">Ben',
    )
    html = html.replace(
        '<p class="talk__speaker">Cat',
        '<b class="badge">New</b><p class="talk__speaker">Cat',
    )
    badges = [row["badge"] for row in rows(compiled(html=html), html)]
    assert badges == [None, "New", "New", None]


def with_more(more, but=()):
    """Return the page with further HTML in each record but some."""
    items = (
        ITEM.replace("</li>", "{more}</li>").format(
            *talk, number=i, more="" if i in but else more.format(*talk, number=i)
        )
        for i, talk in enumerate(TALKS)
    )
    return f"<main><h1>Talks</h1><ul>{''.join(items)}</ul></main>"


@pytest.mark.parametrize(
    "html",
    [
        with_more("<i class='sign'>|</i>", but=[1]),
        with_more("<i class='sign'>£</i>", but=[1]),
        with_more("<i class='copy'>{1}</i>", but=[1]),
        with_more("<i class='advice'>Bring a pen</i>"),
        with_more("<button class='act'>Book</button>", but=[1]),
        with_more("<a class='all' href='/talks/{number}#all'>more</a>", but=[1]),
        with_more("<i class='lead'>by</i>", but=[1]),
        with_more("<b class='left'>Left:</b><u class='seats'>{4} seats</u>", but=[1]),
        with_more(
            "<a href='/{number}?p=2'>2</a> <a href='/{number}?p=3'>3</a>", but=[1]
        ),
        with_more("<table><tr><th>For<th>Notes<tr><td>All<td>Left: {4}</table>"),
        with_more("<select><option>1<option>2 of {4}</select>", but=[1]),
        with_more("<i class='face' role='img'>{1[0]}{4}</i>", but=[1]),
    ],
    ids=[
        *("signs", "a currency", "repeated", "in all"),
        *("button", "more", "a preposition", "label of a value"),
        *("page numbers", "headers of a table within"),
        *("choices of a control", "a picture made of text"),
    ],
)
def test_elements_without_information_are_not_columns(html):
    columns = set(dict(compiled(html=html).fields)) - {"seats", "left"}
    assert columns == set(dict(compiled().fields))


def test_price_levels_and_ratings_in_signs_are_read_as_texts():
    levels = ["£££", "£", "££ - £££", "£"]
    marks = ["★★", "★", "★★", "★★★"]
    html = "".join(
        f"<li><h3><a href='/places/{i}'>Place number {i} of them</a></h3>"
        f"<i class='mark'>{mark}</i><i class='level'>{level}</i></li>"
        for i, (mark, level) in enumerate(zip(marks, levels, strict=True))
    )
    html = f"<main><ul>{html}</ul></main>"
    records = rows(compiled(html=html), html)
    assert [(row["mark"], row["level"]) for row in records] == [
        *zip(marks, levels, strict=True)
    ]


def test_invalid_urls_in_links_raise_no_error():
    html = with_more("<a href='http://[x/y'>{1}!</a><a href='http://[x/y'>more</a>")
    html = html.replace('href="/talks/2"', 'href="http://[x/2"')
    assert len(rows(compiled(html=html), html)) == len(TALKS)


SHOES = (("Trail", 80, "79", "60", "5"), ("Road", 95, "90", "45", "9"))
SHOE = """<li><h3><a href="/shoes/{number}">{0} shoe of {1} grams</a></h3>
  <p class="now price"><span>£</span><span>{3}</span>.<sup>{4}0</sup></p>
  {was} <p><b>{number}2</b> <small>size{s}</small></p>
  <p class="rated">{1} <dfn>review{s}</dfn></p>
</li>"""
FORMER = {
    "struck out": "<p><del>£{2}.99</del></p>",
    "in a class": '<p class="price price--old">£{2}.99</p>',
    "by a utility": '<p class="mt-2 line-through">£{2}.99</p>',
    "in parts": "<s><b>£</b><span>{2}</span><span>.</span><span>99</span></s>",
}


@pytest.mark.parametrize("was", FORMER.values(), ids=FORMER)
def test_price_and_former_price_are_read_as_two_columns(was):
    items = (
        SHOE.format(*shoe, was=was.format(*shoe), number=i, s="s" if i else "")
        for i, shoe in enumerate(SHOES * 3)
    )
    html = f"<ul>{''.join(items)}</ul>"
    source = Source("shoes.html", html.encode())
    domains, fields = [load_domain("products")], Options(fields="all")
    wrapper = compile_wrapper([source], domains, fields).wrapper
    row = to_rows(wrapper, parse(html.encode()))[1]
    row.pop("title"), row.pop("details_page")
    assert row == {
        "price": 45.9,
        "price_currency": "GBP",
        "old_price": 90.99,
        "old_price_currency": "GBP",
        "sizes": "12",
        "rated": 95,
    }


def test_a_town_is_a_column_although_a_description_mentions_it():
    towns = iter(("Hamburg", "Leipzig", "Dresden", "Rostock"))
    html = re.sub(
        r'<p class="css-1a2b3c">(.*?)\.</p>',
        lambda match: (
            f"<p>{match[1]} in {(town := next(towns))}.</p><ul><li>{town}</li></ul>"
        ),
        PAGE,
    )
    assert "Hamburg" in rows(compiled(html=html), html)[0].values()


def with_lines(*lines):
    """Return the page of talks with a further line of text in each record."""
    remaining = iter(lines)
    return re.sub("</h3>", lambda _: f"</h3><p>{next(remaining)}</p>", PAGE)


def test_a_long_text_with_a_date_is_a_description():
    about = "People came from all over the country to hear about it and to talk."
    html = with_lines(*(f"{day} May 2024 — {about} No. {day}" for day in range(1, 5)))
    assert rows(compiled(html=html), html)[0]["description"].startswith("1 May")


@pytest.mark.parametrize("sign", ["|", "·", "•"])
def test_a_line_with_a_date_and_other_parts_is_read_as_a_text(sign):
    html = with_lines(
        *(f"{name}{sign}{day} May 2024" for day, name in enumerate("ABCD", 1))
    )
    html = html.replace(">A", ">Ann Poe")
    record = to_rows(compiled(html=html), page_of(html))[0]
    assert f"Ann Poe{sign}1 May 2024" in record.values()


def test_the_price_after_a_discount_is_the_price():
    html = with_more(
        "<p class='price-discount'><b>£</b> <i class='price-part'>1{number}</i></p>"
    )
    domains = [load_domain("products")]
    wrapper = compile_wrapper([Source("shop.html", html.encode())], domains).wrapper
    row = to_rows(wrapper, parse(html.encode()))[2]
    assert (row["price"], row["price_currency"]) == (12, "GBP")


def test_a_line_with_a_date_and_other_numbers_is_read_as_a_text():
    html = with_lines(
        *(f"{day}2 KB (5{day} words), {day} May 2024" for day in (1, 2, 3, 4))
    )
    record = to_rows(compiled(html=html), page_of(html))[0]
    assert "12 KB (51 words), 1 May 2024" in record.values()


def test_the_amount_saved_is_not_read_as_the_former_price():
    saved = '<p class="price-was__save">Save £{2}</p>'
    items = (
        SHOE.format(*shoe, was=saved.format(*shoe), number=i, s="")
        for i, shoe in enumerate(SHOES * 3)
    )
    html = f"<ul>{''.join(items)}</ul>"
    assert rows(compiled(html=html), html)[1]["save"] == "Save £90"


def test_of_two_columns_that_repeat_each_other_one_is_kept() -> None:
    item = (
        "<meta itemprop='isbn' content='97831800{0}'><p class='codes'>"
        "<a class='code' href='/codes/{0}'><i>ISBN 10: 31800{0}</i></a> / "
        "<a class='code' href='/codes/{0}'><i>ISBN 13: 97831800{0}</i></a></p>"
    )
    records = read_list([item.format(17 * i + 12) for i in range(1, 7)])
    assert {"3180029", "9783180029"} <= set(records[0].values())


def test_a_constant_value_with_itemprop_is_a_column():
    html = with_more("<i itemprop='location'>Hall 2</i>")
    assert {row["location"] for row in rows(compiled(html=html), html)} == {"Hall 2"}


def test_a_constant_text_below_a_table_header_is_a_column():
    row = """<tr><td><a href="/talks/{number}">{0}</a><td>{1}<td><p>Hall 2</p><td>-
    <td><a href="#">Book</a><td><label>Select<input></label></tr>"""
    items = (row.format(*talk, number=i) for i, talk in enumerate(TALKS))
    headers = "<tr><th>Title<th>Speaker<th>Room<th>Seats<th>Action<th>Choice</tr>"
    html = f"<table>{headers}{''.join(items)}</table>"
    first = rows(compiled(html=html), html)[0]
    assert list(first) == ["details_page", "title", "speaker", "room"]
    assert first["room"] == "Hall 2"


def test_misread_columns_and_areas_without_records_are_left_out():
    compilation = compile_wrapper(
        [Source("talks.html", PAGE.encode())],
        [load_domain("listing")],
        Options(fields="all"),
    )
    typed = with_columns(
        tuple(map(TypedPage, compilation.pages, compilation.analysis.typings)),
        compilation.analysis.domain.schema.types,
    ).typed_pages
    (area,) = compilation.wrapper.areas
    read = {rule.name: rule for rule in area.fields}
    wrong = replace(read["speaker"], readings=read["text_1"].readings)
    never = replace(
        area,
        name="never",
        places=(RecordLocator("class", parse_path("//nav"), parse_path("./li")),),
    )
    fields = (wrong, *(rule for rule in area.fields if rule.name != "speaker"))
    wrapper = replace(compilation.wrapper, areas=(replace(area, fields=fields), never))
    pruned, (one,), findings = without_misread_columns(
        wrapper, typed, ["speaker", "text_1", "comments"]
    )
    assert [area.name for area in pruned.areas] == ["results"]
    assert dict(pruned.fields).keys() == dict(compilation.wrapper.fields).keys() - {
        "speaker"
    }
    types = {one.type for area in one.typing.areas for one in area.attributes[0]}
    assert types == read.keys() - {"speaker"}
    message = (
        "1 column left out (speaker): no expression gives the displayed "
        "text, or another column has the same values; a second sample may "
        "help"
    )
    assert [finding.message for finding in findings] == [message]


@pytest.mark.parametrize("address", ["/tags/{}", "?view=tag&name={}"])
@pytest.mark.parametrize(
    "link",
    ["<a class='tag' href='{}'>{}</a>", "<a href='{}'><span class='tag'>{}</span></a>"],
)
def test_links_to_pages_of_one_kind_are_a_list_at_any_depth(address, link):
    tags = (["News"], ["Bread", "Flour"], ["News", "Ovens", "Mills"], ["Mills", "Oats"])
    html = "".join(
        f"<li><h3><a href='/talks/{i}'>Talk number {i} of them</a></h3><div>Filed in "
        + "".join(
            f"<p>{link.format(address.format(tag), tag)}</p>" for tag in tags_of_record
        )
        + "<p>and nowhere else</p></div></li>"
        for i, tags_of_record in enumerate(tags)
    )
    html = f"<main><ul>{html}</ul></main>"
    assert [row["tag"] for row in rows(compiled(html=html), html)] == list(tags)


@pytest.mark.parametrize(
    "icon",
    [
        "<svg class='icon'><use href='/all.svg#{0}'></use></svg>",
        "<svg class='icon'><use xlink:href='#{0}'></use></svg>",
        "<span class='icon'><svg><path d='M0 0h24v24H0z'></path>"
        "<path d='M{1} 4h12v8a4 4 0 0 1-8 0z'></path></svg></span>",
        "<img class='icon' src='/icons/{0}.svg'>",
    ],
)
def test_texts_beside_different_drawings_are_different_columns(icon: str) -> None:
    drawings = {"plot": 3, "garage": 8, "energy": 12}

    def facts(i: int) -> dict[str, str]:
        values = {
            "plot": f"{i + 3} rods",
            "garage": f"{i % 3 + 1}",
            "energy": "ABC"[i % 3],
        }
        absent = "plot garage energy no".split()[i % 4]
        return {name: value for name, value in values.items() if name != absent}

    records = walks_with(
        lambda i: (
            "<ul>"
            + "".join(
                f"<li class='fact'>{icon.format(name, start)}<span>{facts(i)[name]}"
                for name, start in drawings.items()
                if name in facts(i)
            )
            + "</ul>"
        )
    )
    for name in drawings:
        values = [facts(i).get(name) for i in range(8)]
        assert values in [
            [record.get(column) for record in records] for column in records[0]
        ]


@pytest.mark.parametrize(
    "icon",
    [
        "<svg><use href='/all.svg#{0}'></use></svg>",
        "<svg><path d='M{1} 4h12v8a4 4 0 0 1-8 0z'></path></svg>",
        "<img src='/icons/{0}.svg'>",
    ],
)
def test_texts_beside_drawings_that_stand_for_each_other_are_one_column(
    icon: str,
) -> None:
    drawings = {"open": 3, "closed": 8, "seats": 12, "road": 15}

    def fact(drawing: str, text: str) -> str:
        return f"<li>{icon.format(drawing, drawings[drawing])}<span>{text}</span></li>"

    states = ["closed" if i % 3 == 1 else "open" for i in range(8)]
    records = walks_with(
        lambda i: (
            f"<ul>{fact(states[i], states[i].title())}"
            f"{fact('seats', f'{i + 2} seats') * (i % 4 > 0)}"
            f"{fact('road', f'Mill Road {i}')}</ul>"
        )
    )
    values = [[record.get(name) for record in records] for name in records[0]]
    assert [state.title() for state in states] in values
    assert [f"Mill Road {i}" for i in range(8)] in values


def test_a_picture_behind_a_value_is_a_badge() -> None:
    badge = "<img src='/icons/step-free.gif' alt='Step-free'>"
    records = walks_with(
        lambda i: (
            "<h4>at "
            + "<span itemprop='name'>Old Mill, Wood Lane</span>" * (i == 0)
            + f"<span itemprop='name'>Gate {i}, Wood Lane {badge * (i != 5)}</span>"
        )
    )
    gates = [f"Gate {i}, Wood Lane" if i else "Old Mill, Wood Lane" for i in range(8)]
    assert gates in [[record[name] for record in records] for name in records[0]]


def test_a_value_without_the_icon_of_others_is_in_their_column():
    shelves = ("News > Bread", "News", "News > Ovens", "Essays", "Essays > Mills")
    html = "".join(
        f"<li><h3><a href='/talks/{i}'>Talk number {i} of them</a></h3>"
        f"<div class='shelf'>{shelf.replace('>', '<i class=arrow></i>')}</div></li>"
        for i, shelf in enumerate(shelves)
    )
    html = f"<main><ul>{html}</ul></main>"
    values = [row["shelf"] for row in rows(compiled(html=html), html)]
    assert values == [shelf.replace(" > ", " ") for shelf in shelves]


def test_values_that_one_expression_reads_in_all_records_are_one_column():
    """Vary the genre, so that the author is another link in some records."""
    genres = ["Novel", "Novel", "Novel", "Poetry", "Essays", "Novel", "Novel"]
    titles = [
        "The Mill above the Town",
        "What Rivers Remember",
        "A Winter of Small Hours",
        "Salt and Other Poems",
        "On Walking Backwards",
        "Nobody Keeps the Lighthouse",
        "The Glassblower's Debt",
    ]
    authors = [
        "Ann Poe",
        "Ben Roe",
        "Cat Sole",
        "Dan Cole",
        "Eve Noe",
        "Flo Moe",
        "Gil",
    ]
    html = "".join(
        f"<li><h3><a href='/books/{i}'>{title}</a></h3>"
        f"<p class='genre'><a class='go' href='/g/{genre}' title='{genre}'>{genre}</a>"
        f"</p><p class='author'><a class='go' href='/by/{i}'>{author}</a></p></li>"
        for i, (title, genre, author) in enumerate(
            zip(titles, genres, authors, strict=True)
        )
    )
    html = f"<main><ul>{html}</ul></main>"
    records = rows(compiled(html=html), html)
    assert [row["author"] for row in records] == authors


def test_a_place_that_two_samples_share_is_one_column():
    other = PAGE.replace("Ann Poe", "Eve Noe").replace("/talks/", "/talks/5")
    sources = [Source("1.html", PAGE.encode()), Source("2.html", other.encode())]
    options = Options(fields="speaker")
    wrapper = compile_wrapper(sources, [load_domain("listing")], options).wrapper
    assert rows(wrapper, other)[0] == {"speaker": "Eve Noe"}


def test_a_number_is_read_from_its_own_cell():
    """Show a film of another page whose title is a number, too."""
    films = [
        ("Ran", "Akira Poe", 162),
        ("Playtime", "Jacques Roe", 124),
        ("Stalker", "Andrei Sole", 161),
        ("Metropolis", "Fritz Cole", 153),
    ]
    row = "<tr><td><a href='/films/{0}'>{0}</a><td>{1}<td>{2}</tr>"
    head = "<tr><th>Title<th>Director<th>Minutes</tr>"
    html = f"<table>{head}{''.join(row.format(*film) for film in films)}</table>"
    other = html.replace("Ran", "1917")
    record = rows(compiled(html=html), other)[0]
    assert (record["title"], record["minutes"]) == ("1917", "162")


def test_a_text_is_read_without_a_badge_that_the_record_shows_elsewhere():
    badge = "<span class=badge>{}</span>"
    item = (
        "<li><div class=flag>{2}</div><h3><a href='/homes/{0}'>{0} house</a></h3>"
        "<p class=summary>{3}{1}</p></li>"
    )
    homes = (
        ("Alder", "Sunny, near the river", "NEW"),
        ("Birch", "Quiet, with a garden", ""),
        ("Cedar", "Close to the station", "SOLD"),
        ("Hazel", "A barn to convert", "NEW"),
    )
    html = "".join(
        item.format(name, summary, flag, badge.format(flag) if flag else "")
        for name, summary, flag in homes
    )
    html = f"<ul>{html}</ul>"
    records = rows(compiled(html=html), html)
    assert [row["summary"] for row in records] == [summary for _, summary, _ in homes]
    assert records[0]["flag"] == "NEW"


def test_a_text_is_read_without_a_badge_that_few_records_have():
    badges = ("beta", "", "", "", "beta", "", "", "")
    html = "".join(
        f"<li><h3><a href='/{i}'>Package number {i}</a></h3><p class=version>{i}.2.{i}"
        + (f" <span class=badge>{badge}</span>" if badge else "")
        + f"</p><p class=size>{i + 3} MB</p></li>"
        for i, badge in enumerate(badges)
    )
    html = f"<ul>{html}</ul>"
    records = rows(compiled(html=html), html)
    assert [row["version"] for row in records] == [f"{i}.2.{i}" for i in range(8)]
    assert [row["badge"] for row in records] == [it or None for it in badges]


def test_a_price_with_the_mark_of_a_footnote_is_no_further_column():
    html = "".join(
        f"<li><h3><a href='/cars/{i}'>Car number {i} of them</a></h3>"
        f"<p class='label'>{i + 4}.900 €<sup>¹</sup></p></li>"
        for i in range(8)
    )
    html = f"<main><ul>{html}</ul></main>"
    source, domains = Source("cars.html", html.encode()), [load_domain("used-cars")]
    wrapper = compile_wrapper([source], domains, Options(fields="all")).wrapper
    record = to_rows(wrapper, page_of(html))[0]
    assert record["price"] == 4900
    assert not {"label", "text_1"} & record.keys()


def test_texts_of_amounts_and_the_words_that_patterns_read_are_no_columns():
    """Show rents with their period, and rooms beside bedrooms in one text."""
    home = (
        "<li><a href='/homes/{0}'>{0} High Street, Oxford</a><b class=rent>£{0}50 pcm"
        "</b><p class=size>{1} bedrooms, {2} bathrooms</p><i class=state>{3}</i></li>"
    )
    homes = [(9, 2, 1, "new"), (12, 3, 2, "let"), (7, 1, 1, "new"), (15, 4, 2, "old")]
    html = f"<ul>{''.join(home.format(*values) for values in homes)}</ul>"
    source = Source("homes.html", html.encode())
    options = Options(fields="all")
    wrapper = compile_wrapper([source], [load_domain("real-estate")], options).wrapper
    record = to_rows(wrapper, page_of(html))[0]
    assert (record["price"], record["price_period"]) == (950, "month")
    assert record["state"] == "new"
    assert not {"rent", "size"} & record.keys()


@pytest.mark.parametrize(
    "mark", ["data-testid='{1}-name-{0}'", "data-testid='walk-{0}-{1}-name'"]
)
def test_attributes_with_the_number_of_a_record_are_read_without_it(mark: str) -> None:
    guides = ["Ann", "", "Cai", "Dov", "", "Fay", "Gil", "Hal"]
    towns = ["Ulm", "Ely", "", "Bari", "Graz", "Lund", "", "Bonn"]
    records = walks_with(
        lambda i: "".join(
            f"<p {mark.format(48211 + 17 * i, name)}>{value}</p>"
            for name, value in (("guide", guides[i]), ("town", towns[i]))
            if value
        )
    )
    assert [row.get("guide_name") or "" for row in records] == guides
    assert [row.get("town_name") or "" for row in records] == towns


def test_headings_that_nothing_else_names_are_titles():
    html = "".join(
        f"<li><a href='/homes/{i}'><img src='/{i}.jpg'><h3>{name} above the town</h3>"
        f"<b>£{i}50,000</b><i>{i} bedrooms</i></a></li>"
        for i, name in enumerate("Cottage Mill Loft Tower Barn Farm".split(), 1)
    )
    html = f"<ul>{html}</ul>"
    source = Source("homes.html", html.encode())
    wrapper = compile_wrapper(
        [source], [load_domain("real-estate")], Options(fields="all")
    ).wrapper
    titles = [record.get("title") for record in to_rows(wrapper, page_of(html))]
    assert titles[:2] == ["Cottage above the town", "Mill above the town"]


def test_a_number_is_read_with_its_unit_in_an_element_of_its_own():
    sizes = ("3.6 GB", "600.5 MB", "13.3 GB", "1.1 GB")
    row = "<tr><td><a href='/files/{0}'>File no. {0}</a><td>{1} <span>{2}</span></tr>"
    cells = (row.format(i, *size.split()) for i, size in enumerate(sizes, 1))
    html = f"<table><tr><th>File<th>Size</tr>{''.join(cells)}</table>"
    records = rows(compiled(html=html), html)
    assert [record["size"] for record in records] == list(sizes)
    assert list(records[0]) == ["details_page", "title", "size"]


def test_a_price_is_read_from_its_own_cell():
    """Show a tea of another page that has a deposit, but no price yet."""
    teas = [
        ("Assam", 12, 3),
        ("Darjeeling", 15, 4),
        ("Keemun", 18, 5),
        ("Sencha", 9, 2),
    ]
    row = "<tr><td><a href='/teas/{0}'>{0} tea</a><td>{1}.50 €<td>{2}.00 €</tr>"
    html = f"<table>{''.join(row.format(*tea) for tea in teas)}</table>"
    other = html.replace("12.50 €", "")
    source = Source("teas.html", html.encode())
    options = Options(fields="title,price")
    wrapper = compile_wrapper([source], [load_domain("products")], options).wrapper
    assert rows(wrapper, html)[0]["price"] == "12.50 €"
    assert rows(wrapper, other)[0] == {"title": "Assam tea", "price": None}


def test_a_link_that_is_the_same_in_all_records_is_no_details_page():
    item = "<li><h3>{} meeting</h3><a href='/company/acme'>Acme Ltd</a></li>"
    names = ("Alder", "Birch", "Cedar", "Hazel", "Maple")
    html = f"<main><ul>{''.join(map(item.format, names))}</ul></main>"
    source = Source("meetings.html", html.encode())
    domains = [load_domain("products")]
    wrapper = compile_wrapper([source], domains, Options(fields="all")).wrapper
    assert rows(wrapper, html)[0] == {"title": "Alder meeting"}


NOTE = "<tr><td colspan=3>A note on the bird above</td></tr>"


@pytest.mark.parametrize("places", [{1, 3, 4}, {1, 3, 5}])
def test_notes_below_rows_of_a_table_are_no_headings(places):
    birds = ("Red Kite", "Blue Heron", "Grey Owl", "Green Finch", "Wren", "Robin")
    row = "<tr><td><a href='/b/{0}'>{1}</a></td><td>£{0}.50</td><td>Hall {0}</td></tr>"
    body = "".join(
        row.format(number + 10, bird) + (NOTE if number in places else "")
        for number, bird in enumerate(birds)
    )
    html = f"<table>{body}</table>"
    titles = [record.get("title") for record in rows(compiled(html=html), html)]
    assert [title for title in titles if title in birds] == list(birds)


def test_addresses_of_documents_are_not_named_by_their_scheme():
    row = "<li><h3><a href='/r/{0}'>{1}</a></h3><a href='https://x.org/{0}.pdf'>PDF</a>"
    reports = ("Winter", "Spring", "Summer", "Autumn")
    html = "".join(row.format(number, name) for number, name in enumerate(reports))
    record = rows(compiled(html=f"<ul>{html}</ul>"), f"<ul>{html}</ul>")[0]
    assert record["pdf"] == "https://x.org/0.pdf"


@pytest.mark.parametrize(
    ("icon", "name"),
    [
        ("<i class='bi bi-geo-alt'></i>", "location"),
        ("<i class='fas fa-map-marker-alt'></i>", "location"),
        ("<i class='fa fa-user'></i>", "author"),
        ("<i class='icon icon-folder'></i>", "category"),
        ("<i class='icon icon-pin'></i>", "location"),
        ("<i class='material-icons'>place</i>", "location"),
        ("<span class='material-symbols-outlined'>folder</span>", "category"),
        ("<i class='fa fa-user'>&#xF007;</i>", "author"),
    ],
)
def test_an_icon_before_a_text_names_its_column(icon: str, name: str) -> None:
    words = ("Red house", "Blue barn", "Old mill", "New hall", "Long room")
    records = read_list([f"<p>{icon} {word}</p>" for word in words])
    assert [record[name] for record in records] == list(words)


def test_the_glyph_of_an_icon_font_is_no_text() -> None:
    words = ("Red house", "Blue barn", "Old mill", "New hall", "Long room")
    place = "<i class='material-icons'>place</i>"
    video = "<b class='video material-icons'>play_arrow</b>"
    items = [f"<p>{place}{word}</p>{video * (i % 2)}" for i, word in enumerate(words)]
    records = read_list(items)
    assert [record["location"] for record in records] == list(words)
    assert "play_arrow" not in records[1].values()


def test_a_glyph_that_fills_a_table_cell_is_a_value() -> None:
    head = "<tr><th>Model</th><th>Radio</th><th></th></tr>"
    cell = "<td><i class='material-icons'>{}</i></td>"
    radios = ["check", "close", "check", "check", "close"]
    rows_of_table = "".join(
        f"<tr><td>Model {i}{i}</td>{cell.format(radio)}{cell.format('more_vert')}</tr>"
        for i, radio in enumerate(radios)
    )
    html = f"<table>{head}{rows_of_table}</table>"
    records = rows(compiled(html=html), html)
    assert [record["radio"] for record in records] == radios
    assert "more_vert" not in records[0].values()


def test_the_tooltip_of_an_icon_names_no_column() -> None:
    words = ("Red house", "Blue barn", "Old mill", "New hall", "Long room")
    icon = "<i class='sprite' title='iPhone'></i>"
    records = read_list([f"<p>{icon} {word}</p>" for word in words])
    assert "phone" not in records[0]


def test_ranges_of_prices_are_read_as_displayed() -> None:
    items = [f"<p>Pay</p><b>£{30 + i},000 - £{42 + i},000</b>" for i in range(6)]
    records = read_list(items, "products")
    assert records[1]["price_text"] == "£31,000 - £43,000"


def test_amounts_in_different_large_units_are_read_as_displayed() -> None:
    amounts = ("92.5 Lac", "1.45 Cr", "48 Lac", "6.2 Cr", "67 Lac", "39.9 Lac")
    items = [f"<p>Flat</p><b>₹{amount}</b>" for amount in amounts]
    records = read_list(items, "products")
    assert [record["price_text"] for record in records] == [f"₹{a}" for a in amounts]


def test_the_link_to_more_is_no_part_of_a_description() -> None:
    words = ("Red house", "Blue barn", "Old mill", "New hall", "Long room")
    items = [
        f"<p class=intro>{w} by a lake <a href='/t/{w}'>More</a></p>" for w in words
    ]
    records = read_list(items)
    assert [record["intro"] for record in records] == [f"{w} by a lake" for w in words]


@pytest.mark.parametrize(
    "picture",
    [
        "<img class='agent-logo' src='/{0}.png' alt='{1}'>",
        "<p class='agentLogo'><a href='/a/{0}'><img src='/{0}.png' alt='{1}'></a></p>",
        "<img src='/logos/{0}.png' alt='{1}'>",
    ],
)
def test_a_logo_stands_for_a_name(picture: str) -> None:
    names = ("Ann Poe", "Ben & Roe", "Cat Sole", "Dan Fox", "Eve Lamb")
    records = read_list([picture.format(i, name) for i, name in enumerate(names)])
    assert any([row[key] for row in records] == list(names) for key in records[0])


def test_the_description_of_a_picture_is_no_column() -> None:
    names = ("Red house", "Blue barn", "Old mill", "New hall", "Long room")
    pictures = [f"<img src='/{i}.png' alt='{name}'>" for i, name in enumerate(names)]
    records = read_list(pictures)
    assert all(set(row.values()).isdisjoint(names) for row in records)


def test_a_label_beside_its_value_is_no_column() -> None:
    counts = (13, 1, 0, 24, 5, 0)
    items = [
        f"<p><a href='/talks/{i}#r'>{n} <span>Review{'s' * (n > 1)}</span></a></p>"
        if n
        else ""
        for i, n in enumerate(counts)
    ]
    records = read_list(items)
    assert set(records[0]) == {"details_page", "title", "reviews"}
    assert records[0]["reviews"] == "13 Reviews"


@pytest.mark.parametrize(
    "texts",
    [
        ["Add to cart"] * 7 + ["Read more"],
        ["Add to cart", "Select options", "Read more", "Add to cart"] * 2,
    ],
)
def test_links_in_the_form_of_buttons_are_no_column(texts: list[str]) -> None:
    items = [
        f"<a class='button add' href='?add={i}'>{text}</a>"
        for i, text in enumerate(texts)
    ]
    assert set(read_list(items)[0]) == {"details_page", "title"}


def test_an_amount_that_equals_the_price_is_no_column() -> None:
    item = (
        "<p><span>Regular price</span> <span class='regular'>${0}.50 USD</span></p>"
        "<p><s>{1}</s><span>Sale price</span> <span class='sale'>${0}.50 USD</span></p>"
    )
    items = [item.format(9 + i, f"${20 + i}.00 USD" * (i % 3 == 2)) for i in range(9)]
    records = read_list(items, "products")
    columns = {"price", "title", "details_page", "old_price", "sale"}
    assert set(records[0]) == columns
    assert records[2]["old_price"] == "$22.00 USD"


@pytest.mark.parametrize(
    ("items", "name", "first"),
    [
        (
            [
                f"<a class='btn' href='/category/{w}'>{w}</a>"
                for w in ["News"] * 6 + ["Art"]
            ],
            "category",
            "News",
        ),
        (
            [f"<p><em class='badge'>Top</em> <b>agent {i}</b></p>" for i in range(5)]
            + [""],
            "badge",
            "Top",
        ),
        (
            [
                f"<p class='rent'>£{i}00</p><p class='deposit'>£{i}00 deposit</p>"
                for i in range(1, 7)
            ],
            "deposit",
            "£100 deposit",
        ),
        (
            [
                f"<p><i>{mark}</i> <b class='score'>{i}1</b></p>"
                for i, mark in enumerate(("A", "A+", "AA", "A", "A+"))
            ],
            "text_1",
            "A",
        ),
    ],
    ids=["category in a button", "badge", "deposit", "grade"],
)
def test_data_that_look_like_buttons_labels_or_copies_are_columns(
    items: list[str], name: str, first: str
) -> None:
    assert read_list(items)[0][name] == first


@pytest.mark.parametrize(
    "item",
    [
        "<p>{} <i class='bi bi-heart'></i></p>",
        "<p><i class='event-card__icon'></i> {}</p>",
    ],
    ids=["behind the text", "in an element of a block"],
)
def test_other_icons_name_no_column(item: str) -> None:
    words = ("Red house", "Blue barn", "Old mill", "New hall", "Long room")
    records = read_list([item.format(word) for word in words])
    assert set(records[0]) == {"details_page", "title", "text_1"}


@pytest.mark.parametrize("text", ["2024年5月9日 10時30分", "9. maj 2024 kl. 10"])
def test_a_time_in_words_behind_a_date_is_no_other_number(text: str) -> None:
    assert not re.search(r"\d", without_dates(text))


def test_a_sentence_that_begins_with_another_value_is_read_whole() -> None:
    firms = ("Ash Mill", "Birch Ltd", "Cedar Co", "Elm Works", "Fir House")
    item = "<p class='firm'>{0}</p><p class='summary'><b>{0}</b> is looking for {1}</p>"
    records = read_list(
        [item.format(firm, f"{i} cooks") for i, firm in enumerate(firms)]
    )
    assert records[1]["summary"] == "Birch Ltd is looking for 1 cooks"


def test_an_address_is_the_title_beside_links_with_equal_texts() -> None:
    items = "".join(
        f"<li><h2><a href='https://shop{i}.com/'>shop{i}.com</a></h2><p>Text {i}</p>"
        f"<p><a href='https://shop{i}.com/'>Visit site</a></p></li>"
        for i in range(6)
    )
    html = f"<main><ul>{items}</ul></main>"
    assert rows(compiled(html=html), html)[2]["title"] == "shop2.com"


def test_the_digits_behind_a_decimal_point_are_no_column() -> None:
    fee = "<p class='fee'>from <b>{0}</b>.<sup class='cents'>{1}</sup> a month</p>"
    records = read_list([fee.format(3 * i, 17 + 9 * i) for i in range(1, 7)])
    assert {"fee", "cents"} & set(records[0]) == {"fee"}


def test_a_text_beside_a_link_is_a_column_even_if_few_texts_differ() -> None:
    item = "<p class='seller'><a href='/dealers/{0}'>{0} Ltd</a><br>{1}</p>"
    towns = ("York", "Leeds", "York", "Hull", "Leeds", "York", "York", "Hull")
    records = read_list(
        [item.format("ABC"[i % 3], town) for i, town in enumerate(towns)]
    )
    assert [record["seller"] for record in records] == list(towns)


def test_a_date_with_the_same_words_in_all_records_is_no_second_column() -> None:
    item = "<p class='since'>Online since {0} May 2026</p>"
    records = read_list([item.format(9 + i) for i in range(7)])
    assert set(records[0]) == {"details_page", "title", "date"}


def test_a_link_at_the_end_of_all_texts_is_not_read() -> None:
    item = "<p class='summary'>{0} was built of stone. <a href='/{0}'>Read more</a></p>"
    words = ("House", "Barn", "Mill", "Hall", "Bridge")
    records = read_list([item.format(word) for word in words])
    assert [record["summary"] for record in records] == [
        f"{word} was built of stone." for word in words
    ]


def test_items_of_a_list_without_texts_are_no_columns() -> None:
    names = ("black", "navy", "sand", "moss")
    items = [
        "<p>{}</p>".format(
            "".join(
                f"<a class='swatch' href='?colour={name}' title='{name}'></a>"
                for name in names[i % 3 :][: 1 + i % 4]
            )
        )
        for i in range(9)
    ]
    assert set(read_list(items, "products")[0]) == {"title", "details_page"}


SPOKEN_LABELS = [
    f"<p><s><span class='sr-only'>Down from</span> £{i + 3}.00</s> <b>£{i}.00</b></p>"
    f"<p class='rating'><span class='sr-only'>{i % 5}.5 out of 5</span> ({i} votes)</p>"
    if i % 3
    else f"<p><b>£{i}.00</b></p>"
    for i in range(1, 13)
]


def test_the_same_text_for_screen_readers_beside_values_is_no_column() -> None:
    records = read_list(SPOKEN_LABELS, "products")
    values = {value for record in records for value in record.values()}
    assert "Down from" not in values
    assert str(records[1]["old_price"]).endswith("£5.00")
    assert [record["rating"] for record in records[:3]] == ["1.5", "2.5", None]


def test_a_text_whose_class_calls_it_a_label_is_no_column_beside_its_value() -> None:
    items = [
        f"<p><span class='price-label'>Special</span> <b class='price'>£{i}.00</b></p>"
        f"<p class='old'><span class='price-label'>Normal</span> <b>£{i + 2}.00</b></p>"
        if i % 3
        else f"<p><b class='price'>£{i}.00</b></p>"
        for i in range(1, 13)
    ]
    records = read_list(items, "products")
    assert set(records[0]) == {"price", "title", "details_page", "old_price"}


def test_a_link_to_no_page_in_the_form_of_a_button_is_no_column() -> None:
    items = [
        f"<a class='btn' data-toggle='cart'>{'Buy' if i % 3 else 'See more'}</a>"
        for i in range(9)
    ]
    assert set(read_list(items)[0]) == {"title", "details_page"}


def test_the_same_words_around_a_known_value_are_no_column() -> None:
    items = [
        f"<div class='stars' role='img'><span>Rated <b class='rating'>{i % 4}.25</b>"
        " out of 5 stars</span></div>"
        for i in range(1, 9)
    ]
    records = read_list(items, "products")
    assert set(records[0]) == {"title", "details_page", "rating"}
    assert [record["rating"] for record in records[:3]] == ["1.25", "2.25", "3.25"]


@pytest.mark.parametrize(
    "item",
    [
        "<button><span class='visually-hidden'>Add item {0} to basket</span></button>",
        "<button><b>Add</b><span class='sr-only'>Add item {0}, 5{0} kg</span></button>",
    ],
)
def test_a_text_that_is_spoken_for_a_button_is_no_column(item: str) -> None:
    records = read_list([item.format(i) for i in range(1, 9)])
    assert set(records[0]) == {"title", "details_page"}


def test_a_text_that_is_spoken_for_displayed_amounts_is_no_column() -> None:
    former = "<s>£2{0}0</s><b>£1{0}0</b><i class='sr-only'>From £2{0}0 to £1{0}0</i>"
    plain = "<b>£1{0}0</b><i class='sr-only'>Now £1{0}0</i>"
    items = [(plain if i % 3 else former).format(i) for i in range(9)]
    records = read_list(items, "products")
    assert set(records[0]) == {"title", "details_page", "price", "old_price"}
    assert (records[0]["price"], records[0]["old_price"]) == ("£100", "£200")


@pytest.mark.parametrize(
    ("item", "names"),
    [
        (
            "<p class='full'>{1}. <a href='/talks/{0}'>Talk number {0} of them</a></p>",
            "",
        ),
        (
            "<p class='full'>Was: <span>£2{0}.50</span> <span>-1{0}%</span></p>",
            "old_price percent",
        ),
        (
            "<p class='full'><b class='grade'>4.{0}</b> <u class='of'>/ 5</u></p>",
            "grade",
        ),
    ],
    ids=["rank and title", "label and two values", "scale of a rating"],
)
def test_a_text_that_only_joins_values_is_no_column(item: str, names: str) -> None:
    items = [item.format(i, i + 1) for i in range(8)]
    records = read_list([*items, "", ""])
    assert set(records[0]) == {"details_page", "title", *names.split()}


def test_a_text_in_place_of_a_button_is_a_column_without_the_button() -> None:
    items = [
        "<div class='actions'><div class='main'><form><button><b>Add to cart</b>"
        "</button></form></div></div>"
        if i % 4
        else "<div class='actions'><div class='main'><p class='stock'>Sold out</p>"
        "</div></div>"
        for i in range(12)
    ]
    records = read_list(items, "products")
    assert set(records[0]) == {"title", "details_page", "stock"}
    assert [record["stock"] for record in records[:2]] == ["Sold out", None]


CARD = (
    "<tr class='job'><td><a href='/jobs/{0}'><p class='big'>{1}</p>"
    "<p class='small'>{2}</p></a></td></tr>"
)
JOBS = (
    ("Cook", "Leeds, West Yorkshire"),
    ("Night nurse", "York and remote, United Kingdom"),
    ("Gardener", "Leeds, West Yorkshire"),
    ("Legal counsel", "Hull"),
)


def test_the_title_of_a_card_within_a_link_is_its_first_block():
    body = "".join(CARD.format(number, *job) for number, job in enumerate(JOBS))
    html = f"<main><table><tbody>{body}</tbody></table></main>"
    records = [tuple(record.values()) for record in rows(compiled(html=html), html)]
    assert [record[1:] for record in records] == list(JOBS)


def test_linked_scores_and_ranks_are_no_page_numbers() -> None:
    item = "<p><a class='rank' href='/now/{0}'>{0}</a> <a href='/past/{1}'>{1}</a></p>"
    records = read_list([item.format(i, i + 1 if i % 2 else i + 4) for i in range(9)])
    assert [record["rank"] for record in records] == [str(i) for i in range(9)]


@pytest.mark.parametrize(
    "item",
    [
        "<p class='state'><i class='icon'></i><span class='sr-only'>{0}</span></p>",
        "<p><b class='state'><u class='visually-hidden'>{0}</u></b> Ann</p>",
    ],
)
def test_words_for_screen_readers_instead_of_an_icon_are_a_column(item: str) -> None:
    states = [("Free", "Sold out")[i % 3 == 1] for i in range(9)]
    records = read_list([item.format(state) for state in states])
    assert [record["state"] for record in records] == states


def test_pictures_of_which_some_records_lack_one_are_columns() -> None:
    flag = "<img class='flag' src='/{0}.svg' alt='{0}'>"
    lands = ("Peru", "Chile", "Kenya", "Ghana")
    items = [
        flag.format(lands[i % 4]) + (flag.format(lands[i % 3]) if i != 4 else "")
        for i in range(9)
    ]
    records = read_list(items)
    assert [record["flag"] for record in records] == [lands[i % 4] for i in range(9)]


def test_counts_stay_with_three_forms_of_their_noun() -> None:
    item = "<p class='far'><b>{0}</b> {1} away</p>"
    units = ("km", "m", "km", "mi", "m", "km", "m", "km", "mi")
    records = read_list([item.format(3 * i + 1, it) for i, it in enumerate(units)])
    assert [record["far"] for record in records] == [
        f"{3 * i + 1} {unit} away" for i, unit in enumerate(units)
    ]


def test_numbers_with_the_role_of_a_picture_are_a_column() -> None:
    item = "<p class='app'><b role='img'><i>4.{0} - {1}K Ratings</i></b></p>"
    records = read_list([item.format(i, 13 * i + 7) for i in range(9)])
    assert [record["app"] for record in records] == [
        f"4.{i} - {13 * i + 7}K Ratings" for i in range(9)
    ]


def test_a_text_behind_a_link_loses_the_comma_before_it() -> None:
    towns = ("Cambridge", "Ely", "Bury St Edmunds")
    item = "<p class='where'><a href='/venues/{0}'>Hall {0}</a>, {1}</p>"
    records = read_list([item.format(i % 4, towns[i % 3]) for i in range(9)])
    assert [record["where"] for record in records] == [towns[i % 3] for i in range(9)]


@pytest.mark.parametrize("gap", ["", " "])
def test_words_for_screen_readers_behind_a_number_are_no_column(gap: str) -> None:
    items = [
        f"<p>{i % 4}.5{gap}<span class='sr-only'>out of 5 stars</span></p>"
        f"<p><b aria-hidden='true'>({i},204)</b>"
        f"<span class='sr-only'>{i}204 reviews in total</span></p>"
        if i % 3
        else "<p>New</p>"
        for i in range(1, 13)
    ]
    texts = set(map(str, read_list(items)[0].values()))
    assert {"out of 5 stars", "1204 reviews in total"}.isdisjoint(texts)
    assert {"(1,204)", f"1.5{gap}out of 5 stars" if gap else "1.5"} <= texts


def test_a_rating_in_two_attributes_is_one_column() -> None:
    items = [
        f"<p data-rating='{i % 4}.5' aria-label='{i % 4},5 von 5 Sternen'></p>"
        for i in range(1, 9)
    ]
    assert len(read_list(items)[0]) == 3


def test_a_date_at_the_start_of_a_text_is_read_before_one_in_a_sentence() -> None:
    item = (
        "<p>Send tenders for roof {0} before 1{0} June 2026 by letter.</p>"
        "<div>{0} May 2026 | Town of Marlow | open to all bidders | lot no. {0}</div>"
    )
    records = read_list([item.format(number) for number in range(1, 7)])
    assert [record["date"] for record in records][:2] == ["1 May 2026", "2 May 2026"]


NAMES = ("Ann", "Ben", "Cleo", "Dov", "Ann", "Eve", "Ben", "Cleo")


@pytest.mark.parametrize(
    "form", ["{}, {} May 2024", "{1} May 2024 | {0}", "Posted by {} on {} May 2024"]
)
def test_the_author_beside_a_date_is_kept(form):
    items = [f"<p>{form.format(name, 10 + i)}</p>" for i, name in enumerate(NAMES)]
    for name, record in zip(NAMES, read_list(items), strict=True):
        assert any(name in value for value in record.values())


@pytest.mark.parametrize("form", ["{}, {} May 2024", "{1} May 2024 ({0})"])
def test_the_weekday_beside_a_date_is_no_value(form):
    weekdays = ("Fri", "Sat", "Sun", "Mon", "Tue", "Wed", "Thu", "Fri")
    items = [f"<p>{form.format(day, 10 + i)}</p>" for i, day in enumerate(weekdays)]
    (first, *_) = read_list(items)
    assert {*first} == {"details_page", "title", "date"}
