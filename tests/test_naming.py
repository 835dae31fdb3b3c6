"""Test the names of columns, and which columns are left out, on small pages."""

from __future__ import annotations

import re

import pytest

from amber_wrap.annotate.table_headers import header_above
from amber_wrap.columns.naming.distinct_names import is_numbered
from amber_wrap.columns.naming.spelling import in_ascii, name_of_label
from amber_wrap.columns.naming.usual_fields import is_english_field, usual_field
from amber_wrap.dom.parse import parse
from amber_wrap.domain.loader import built_in_domains, load_domain
from amber_wrap.engine.output_rows import to_rows
from amber_wrap.pipeline import compile_wrapper
from amber_wrap.settings import Options, Source

NAMES = ("Alder", "Birch", "Cedar", "Douglas fir", "Elm", "Fir tree", "Gingko", "Holly")


def rows_of(items):
    return rows_of_page(f"<main><h1>Trees</h1><ul>{''.join(items)}</ul></main>")


def rows_of_page(page):
    html = page.encode()
    wrapper = compile_wrapper(
        [Source("trees.html", html)], [load_domain("listing")], Options(fields="all")
    ).wrapper
    return to_rows(wrapper, parse(html), raw=True)


def cards(more):
    """List trees, each with more in its card: a function of its number and name."""
    return [
        f"<li><h3><a href='/trees/{i}'>The {name} and its leaves</a></h3>"
        f"{more(i, name)}</li>"
        for i, name in enumerate(NAMES)
    ]


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("Docket No.:", "docket_no"),
        ("Hits", "hits"),
        ("Antworten:", "replies"),
        ("Просмотры", "views"),
        ("返信\uff1a", "replies"),
        ("Разработчик", "разработчик"),
        ("#", "number"),
        ("v.", "defendant"),
        ("Opłacone", "opłacone"),
        ("Łódzka kwota", "łodzka_kwota"),
        ("PDF一覧", "pdf_一覧"),
        ("CD名", "cd_名"),
        ("FG%", "fg_percent"),
        ("% of votes", "percent_of_votes"),
        ("24h %", "percent_24h"),
        ("%", ""),
    ],
)
def test_a_label_gives_the_name_of_its_column(label, name):
    assert name_of_label(label) == name


def test_headers_of_one_letter_name_columns():
    items = "".join(
        f"<tr><td><a href='/trees/{i}'>The {name} and its leaves</a></td>"
        f"<td class=right>{i + 7}</td><td class=right>{40 - 3 * i}</td></tr>"
        for i, name in enumerate(NAMES)
    )
    head = "<tr><th>Tree<th>H<th>N%</tr>"
    row = rows_of_page(f"<main><h1>Trees</h1><table>{head}{items}</table></main>")[2]
    assert (row["h"], row["n_percent"]) == ("9", "34")


@pytest.mark.parametrize(
    ("name", "spelt"),
    [
        ("разработчик", "razrabotchik"),
        ("ще_їжак", "shche_yizhak"),
        ("συγγραφέας", "syggrafeas"),
        ("łódź_ß", "lodz_ss"),
        ("ис", ""),  # A word of Python's.
        ("著者", ""),
    ],
)
def test_names_are_spelt_in_ascii(name, spelt):
    assert in_ascii([name]) == [spelt or "text"]
    assert in_ascii([name, "venue"]) == [*filter(None, [spelt]), "venue"]


def test_the_option_ascii_names_gives_columns_ascii_names():
    items = (
        f"<li><h3><a href='/t/{i}'>The {name} and its leaves</a></h3><dl><dt>Высота"
        f"</dt><dd>{name} {i}</dd><dt>葉</dt><dd>{name} or {i}</dd></dl></li>"
        for i, name in enumerate(NAMES, 1)
    )
    source = Source("", f"<ul>{''.join(items)}</ul>".encode())
    listing = [load_domain("listing")]
    names = [
        [one for one, _ in compile_wrapper([source], listing, options).wrapper.fields]
        for options in (Options(fields="all"), Options(fields="all", ascii_names=True))
    ]
    common = ["details_page", "title"]
    assert names == [[*common, "высота", "葉"], [*common, "vysota", "text_1"]]


ROWS = "".join(
    f"<div class='tree'><div>{name} {i}</div><div>{i + 4}</div>"
    f"<div>Yard {name[:2]}</div></div>"
    for i, name in enumerate(NAMES)
)
LINKED_ROWS = ROWS.replace("'tree'>", "'tree'><a href='/trees'>").replace(
    "</div></div>", "</div></a></div>"
)
HEAD = "<div{}><div{}>Tree</div><div{}>Height</div><div{}>Grown at</div></div>"


@pytest.mark.parametrize(
    "html",
    [
        f"{HEAD.format('', '', '', '')}<div>{ROWS}</div>",
        f"<p>{NAMES}</p><div>{HEAD.format(' class=list-head', '', '', '')}{ROWS}</div>",
        f"<div>{HEAD.format('', *[' role=columnheader'] * 3)}{ROWS}</div>",
        f"<div>{HEAD.format(' class=listhead', '', '', '')}{LINKED_ROWS}</div>",
    ],
    ids=["before the list", "called so", "of that role", "above cells in links"],
)
def test_a_row_of_headers_names_the_columns_of_a_list(html):
    rows = rows_of_page(f"<main><h1>Trees</h1>{html}</main>")
    assert [(row["tree"], row["height"], row["grown_at"]) for row in rows] == [
        (f"{name} {i}", f"{i + 4}", f"Yard {name[:2]}") for i, name in enumerate(NAMES)
    ]


def test_headers_of_groups_of_columns_tell_equal_headers_and_years_apart():
    head = (
        "<tr><th rowspan=2>Tree<th colspan=2>Height<th colspan=2>Leaves<th rowspan=2>"
        "Place</tr><tr><th>2001<th>Total<th>2001<th>Total</tr>"
    )
    items = "".join(
        f"<tr><td><a href='/trees/{i}'>The {name} and its leaves</a></td><td>{i + 7}"
        f"<td>{i * i + 9}<td>{90 - 3 * i}<td>{70 - i}<td>Yard {name[:2]}</tr>"
        for i, name in enumerate(NAMES)
    )
    row = rows_of_page(f"<main><h1>Trees</h1><table>{head}{items}</table></main>")[2]
    names = "height_2001 height_total leaves_2001 leaves_total place".split()
    assert [row.get(name) for name in names] == ["9", "13", "84", "68", "Yard Ce"]


GRID_ROWS = "".join(
    f"<{{0}} role=row><{{1}} role=rowheader aria-colindex=2><a href='/trees/{i}'>"
    f"The {name} and its leaves</a></{{1}}>"
    f"<{{1}} role=gridcell aria-colindex=3>{i + 4}</{{1}}><{{1}} role=gridcell "
    f"aria-colindex=4>{f'Yard {name[:2]}' if i != 2 else ''}</{{1}}>"
    f"<{{1}} role=gridcell aria-colindex=5>Ms {name[-3:]}</{{1}}></{{0}}>"
    for i, name in enumerate(NAMES)
)
GRID_HEAD = "".join(
    f"<span role=columnheader aria-colindex={i}><b>{text}</b></span>"
    for i, text in enumerate(("No", "Tree", "Height", "Grown at", "Grower"), 1)
)


@pytest.mark.parametrize(("row", "cell"), [("div", "div"), ("tr", "td")])
def test_headers_anywhere_in_an_aria_table_name_its_columns(row, cell):
    body = GRID_ROWS.format(row, cell)
    body = f"<table>{body}</table>" if row == "tr" else body
    html = (
        f"<div role=grid><div><div role=row>{GRID_HEAD}</div></div>"
        f"<section><div role=rowgroup>{body}</div></section></div>"
    )
    rows = rows_of_page(f"<main><h1>Trees</h1>{html}</main>")
    yards = [f"Yard {name[:2]}" if i != 2 else None for i, name in enumerate(NAMES)]
    assert [row["height"] for row in rows] == [f"{i + 4}" for i in range(len(NAMES))]
    assert [row["grown_at"] for row in rows] == yards
    assert [row["grower"] for row in rows] == [f"Ms {name[-3:]}" for name in NAMES]


def test_cells_of_an_aria_table_without_numbers_have_the_headers_of_their_order():
    body = re.sub(" aria-colindex=.", "", GRID_ROWS).format("li", "p")
    head = re.sub(" aria-colindex=.", "", GRID_HEAD)
    first = "<span role=columnheader><b>No</b></span>"
    body = body.replace("<p role=gridcell>Yard El</p>", "")
    html = (
        f"<div role=table><header role=row>{head.removeprefix(first)}</header>"
        f"<ul role=rowgroup>{body}</ul></div>"
    )
    page = parse(f"<main>{html}</main>".encode())
    for text, header in (("4", "Height"), ("Ms der", "Grower"), ("Ms Elm", "")):
        cell = page.select(f"//p[text() = '{text}']")[0]
        assert header_above(page, cell) == header


def test_a_later_row_with_the_same_headers_is_no_record():
    first, later = (
        HEAD.format(f" class='{classes}'", "", "", "")
        for classes in ("tree-head", "tree-head sticky")
    )
    rows = rows_of_page(f"<main>{first}{ROWS}{later}{ROWS}</main>")
    heights = [f"{i + 4}" for i in range(len(NAMES))]
    assert [row["height"] for row in rows] == heights + heights


def test_a_menu_is_no_row_of_headers():
    links = "".join(
        f"<div><a href='/{label}'>{label}</a></div>" for label in ("All", "New", "Old")
    )
    rows = rows_of_page(f"<main><div>{links}</div><div>{ROWS}</div></main>")
    assert not {"all", "new", "old"} & rows[0].keys()


def test_columns_get_keys_that_no_other_column_has():
    items = (
        f"<h3><a href='/talks/{i}'>The {name} and its leaves</a></h3><dl><dt>Entry</dt>"
        f"<dd>£{i}2.00</dd><dt>Entry currency</dt><dd>{('any', 'own')[i % 2]}</dd></dl>"
        for i, name in enumerate(NAMES, 1)
    )
    html = "".join(f"<li>{item}</li>" for item in items)
    wrapper = compile_wrapper(
        [Source("", f"<ul>{html}</ul>".encode())],
        [load_domain("listing")],
        Options(fields="all"),
    ).wrapper
    assert wrapper.keys[2:] == ("entry", "entry_currency", "entry_currency_2")


def test_usual_fields_are_recognised_in_any_case_and_spacing():
    assert usual_field("  LETZTER   Beitrag ") == "last_date"
    assert usual_field("Baumhöhe") == ""
    assert is_english_field("Comments:")
    assert not is_english_field("Kommentare:")


@pytest.mark.parametrize(
    ("more", "name", "value"),
    [
        (lambda i, _: f"<small>Height : <b>{i}0 m</b></small>", "height", "30 m"),
        (lambda i, _: f"<p><b>{i} %</b> <i>APR</i></p>", "apr", "3 %"),
        (
            lambda i, _: f"<p>{i + 1} {'replies' if i else 'reply'}</p>",
            "replies",
            "4 replies",
        ),
        (lambda i, _: f"<p>{i + 2} comments</p>", "comments", "5 comments"),
        (lambda i, n: f"<a href='/members/{i}'>{n}</a>", "author", "Douglas fir"),
        (lambda i, _: f"<p>{i}:15 pm</p>", "time", "3:15 pm"),
        (lambda i, n: f"<p>{n}{' grows on hills' * 9} {i}</p>", "description", None),
        (lambda i, n: f"<p class='sm x2'>{n} x{i}</p>", "text_1", "Douglas fir x3"),
        (
            lambda i, _: (
                f"<h4 class=genus><a href='/trees/g{i % 2}'>G{i % 2}s</a></h4>"
            ),
            "genus",
            "G1s",
        ),
    ],
)
def test_columns_are_named_by_neighbouring_texts_or_their_values(more, name, value):
    row = rows_of(cards(more))[3]
    assert name in row
    assert value is None or row[name] == value


HEADERS = {
    "nested tables above": "<thead><tr><td colspan=2><table><tr><th>1</th></tr></table>"
    "</td></tr><tr><th>Tree</th><th>Trial Court Case Number</th></tr></thead>",
    "a line below": "<tr><th>Tree</th><th>Trial Court Case Number</th></tr>"
    "<tr><th colspan=2><hr></th></tr>",
    "bold cells": "<tr><td><b>Tree</b></td>"
    "<td><b>Trial Court Case Number</b></td></tr>",
    "headings in cells": "<tr><td><h4>Tree</h4></td>"
    "<td><h4>Trial Court Case Number</h4></td></tr>",
    "cells of a class": "<tr><td class=tcat>Tree</td>"
    "<td class=tcat>Trial Court Case Number</td></tr>",
    "texts for screen readers": "<tr><th>Tree</th><th><a>Trial Court Case Number"
    " <i class=visually-hidden>Sort ascending</i></a></th></tr>",
    "cells in no row": "<th>Tree</th><th>Trial Court Case Number</th>",
}


@pytest.mark.parametrize("head", HEADERS.values(), ids=HEADERS)
def test_header_above_reads_headers_of_all_kinds_of_tables(head):
    rows = "".join(f"<tr><td>{name}</td><td>x</td></tr>" for name in NAMES)
    page = parse(f"<table>{head}{rows}</table>".encode())
    cell = page.select("//td[text() = 'x']")[0]
    assert header_above(page, cell) == "Trial Court Case Number"


def test_a_row_like_the_others_is_no_header():
    rows = "".join(f"<tr><td><b>{name}</b></td><td>x</td></tr>" for name in NAMES)
    page = parse(f"<table>{rows}</table>".encode())
    assert header_above(page, page.select("//td")[4]) == ""


@pytest.mark.parametrize(
    ("more", "left"),
    [
        (lambda i, n: f"<p>Wood: <b>{n}{i} wood</b></p>", {"wood"}),
        (lambda i, n: f"<div class=day>{i + 10}</div><p>{i + 10} May 2024</p>", set()),
        (lambda i, n: f"<a href='/buy/{i}'>Add</a>", set()),
    ],
    ids=["a label and its value", "the day of a date", "what can be done"],
)
def test_no_column_repeats_the_values_of_another(more, left):
    names = set(rows_of(cards(more))[0])
    assert names - {"details_page", "title", "date", "_area"} == left


def test_a_named_part_of_a_text_of_which_only_the_date_is_read_is_a_column():
    def more(i, name):
        return (
            f"<p>by <a class=user href='/u/{i}'>Ann {name}</a></p>"
            f"<p class=last><a href='/trees/{i}#last'>»</a> by <a class=user "
            f"href='/u/1{i}'>Ben {name}</a><br>{i + 10} May 2024, 1{i}:05</p>"
        )

    row = rows_of(cards(more))[3]
    assert {"Ann Douglas fir", "Ben Douglas fir"} <= set(row.values())


def test_the_text_beside_a_named_part_is_a_column_without_that_part():
    def more(i, name):
        return f"<p class=who><a href='/user/{i}'>{name}</a> of group {i}</p>"

    row = rows_of(cards(more))[3]
    assert (row["author"], row["who"]) == ("Douglas fir", "of group 3")


def test_texts_of_one_headline_are_columns_of_their_own():
    items = (
        f"<li><h3><span>1{i}:30</span> <span>{name} and its leaves</span></h3></li>"
        for i, name in enumerate(NAMES)
    )
    row = rows_of(items)[1]
    assert (row["title"], row["time"]) == ("Birch and its leaves", "11:30")


def test_words_in_elements_of_their_own_are_one_text():
    items = (
        f"<li><a href='/t/{i}'><p>"
        + "".join(
            f"<span>{word} </span>"
            for word in f"{name} {'and more ' * (i % 3 + 2)}".split()
        )
        + "</p></a></li>"
        for i, name in enumerate(NAMES)
    )
    assert set(rows_of(items)[0]) - {"_area"} == {"details_page", "title"}


def test_columns_may_have_names_in_other_scripts():
    cells = "".join(
        f"<tr><td><a href='/g/{i}'>Игра номер {i} из них</a></td><td>{name}</td></tr>"
        for i, name in enumerate(NAMES)
    )
    html = f"<table><tr><th>Игра</th><th>Разработчик</th></tr>{cells}</table>"
    domains = [load_domain(name) for name in built_in_domains()]
    compilation = compile_wrapper([Source("games.html", html.encode())], domains)
    assert dict(compilation.wrapper.fields).keys() >= {"разработчик"}


def test_numbered_names_are_recognised_by_the_names_beside_them():
    names = {"date", "date_2", "text_1", "gtin_12"}
    assert [name for name in sorted(names) if is_numbered(name, names)] == [
        *("date_2", "text_1"),
    ]
