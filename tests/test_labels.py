"""Test that labels assign values to columns, also where a record lacks values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from amber_wrap.codegen.build import build_file, import_file
from amber_wrap.dom.parse import parse
from amber_wrap.domain.loader import load_domain
from amber_wrap.engine.output_rows import to_rows
from amber_wrap.pipeline import compile_wrapper
from amber_wrap.settings import Options, Source

Workshops = Sequence[tuple[str, Mapping[str, str]]]
"""Titles of workshops, each with its values by their labels."""
WORKSHOPS: Workshops = (
    ("Clay bowls at dusk", {"Venue": "Guild Hall", "Seats": "12 left"}),
    ("Weaving on frames", {"Venue": "Mill", "Fax": "0113 496", "Seats": "4 left"}),
    ("Carving of spoons", {"Venue": "Barn", "Fax": "0114 218", "Seats": "9 left"}),
    ("Baking with rye", {"Venue": "Old Kitchen", "Seats": "3 left"}),
    ("Drawing of trees", {"Fax": "0117 503", "Seats": "20 left"}),
    ("Bookbinding basics", {"Venue": "Library", "Seats": "1 left"}),
    ("Gilding of frames", {"Seats": "7 left"}),
)
LISTS = {
    "terms": ("<dl>{}</dl>", "<dt>{}</dt><dd>{}</dd>"),
    "terms with links": ("<dl>{}</dl>", '<dt>{}</dt><dd><a href="/f">{}</a></dd>'),
    "rows of spans": (
        "<div>{}</div>",
        '<div class="row"><span class="k">{}</span> <span class="v">{}</span></div>',
    ),
    "each with a class of its own": (
        "<div>{}</div>",
        '<span><span class="key {0}">{0}</span><span class="val {0}">{1}</span></span>',
    ),
    "pairs of the same look": (
        "<ul>{}</ul>",
        "<li><span>{}</span><span>{}</span></li>",
    ),
    "one after the other": ("<p>{}</p>", "<em>{}</em> <span>{}</span> "),
    "within": ("<div>{}</div>", "<p><b>{}:</b> {}</p>"),
    "within, no colon": ("<div>{}</div>", "<p><b>{}</b> {}</p>"),
    "in one paragraph": ("<p>{}</p>", "<b>{}:</b> {}<br>"),
    "in one paragraph, colon apart": ("<p>{}</p>", "<b>{}</b>: {}<br>"),
    "in one element, without line breaks": ("<div>{}</div>", "<em>{}:</em> {} "),
    "in their own text": ("<ul>{}</ul>", "<li>{}: {}</li>"),
    "in their own text, set off": ("<ul>{}</ul>", "<li>{}: <b>{}</b></li>"),
    "heads of rows": ("<table>{}</table>", "<tr><th>{}</th><td>{}</td></tr>"),
}


def page_of(labels: tuple[str, str], workshops: Workshops = WORKSHOPS) -> str:
    list_template, label_template = labels
    items = (
        f'<li class="card"><h3><a href="/w/{i}">{title}</a></h3>'
        + list_template.format(
            "".join(label_template.format(*pair) for pair in values.items())
        )
        + "</li>"
        for i, (title, values) in enumerate(workshops)
    )
    return f"<main><h1>Workshops</h1><ul>{''.join(items)}</ul></main>"


def rows_of(html: str) -> list[dict[str, object]]:
    domains = [load_domain("listing")]
    source = Source("workshops.html", html.encode())
    wrapper = compile_wrapper([source], domains, Options(fields="all")).wrapper
    return to_rows(wrapper, parse(html.encode()), raw=True)


@pytest.mark.parametrize("labels", LISTS.values(), ids=LISTS)
def test_a_missing_value_leaves_other_values_at_their_labels(
    labels: tuple[str, str],
) -> None:
    names = ("venue", "fax", "seats")
    assert rows_of(page_of(labels)) == [
        {"details_page": f"/w/{i}", "title": title}
        | {name: values.get(name.capitalize()) for name in names}
        for i, (title, values) in enumerate(WORKSHOPS)
    ]


@pytest.mark.parametrize("name", ["terms", "in one paragraph"])
def test_a_generated_file_reads_no_value_of_another_label(name: str) -> None:
    """Each label is at the same place in all records of the sample."""
    values = [
        {"Venue": f"Hall {letter}", "Host": f"{letter}. Poe"} for letter in "ABCDE"
    ]
    sample = page_of(
        LISTS[name],
        [(f"Talk {i}", facts) for i, facts in enumerate(values)],
    )
    source = Source("workshops.html", sample.encode())
    options = Options(fields="all")
    wrapper = compile_wrapper([source], [load_domain("listing")], options).wrapper
    file = import_file(build_file(wrapper, [sample.encode()], "test").source)
    assert file.extract(sample)[0]["host"] == "A. Poe"
    other = page_of(LISTS[name], [("Talk 6", {"Host": "Zoe", "Fax": "0113"})])
    assert [(row["venue"], row["host"]) for row in file.extract(other)] == [
        (None, "Zoe")
    ]


def test_columns_behind_labels_have_kinds() -> None:
    facts = (
        {"Fee": "£12.00", "Date": "5 May 2019", "Hall": "North"},
        {"Fee": "£9.50", "Hall": "South"},
        {"Date": "12 June 2019", "Hall": "North"},
        {"Fee": "£7.00", "Date": "1 July 2019"},
        {"Fee": "£8.00", "Date": "21 July 2019", "Hall": "South"},
    )
    items = (
        f'<li class="card"><h3><a href="/w/{i}">Workshop number {i}</a></h3>'
        + "".join(f"<p>{name}: {value}</p>" for name, value in record_facts.items())
        + "</li>"
        for i, record_facts in enumerate(facts)
    )
    html = f"<ul>{''.join(items)}</ul>".encode()
    wrapper = compile_wrapper(
        [Source("", html)], [load_domain("listing")], Options(fields="all")
    ).wrapper
    rows = to_rows(wrapper, parse(html))
    assert [row["fee"] for row in rows] == [12, 9.5, None, 7, 8]
    assert [row["hall"] for row in rows] == ["North", "South", "North", None, "South"]
    dates = ["2019-05-05", None, "2019-06-12", "2019-07-01", "2019-07-21"]
    assert [row["date"] for row in rows] == dates


def test_a_label_with_a_place_of_its_own_is_no_column() -> None:
    sizes = ("3 m", None, "4 m", "7 m", None)
    items = (
        f'<li class="card"><h3><a href="/w/{i}">Loom number {i}</a></h3>'
        + (f'<p class="size"><span>Größe</span>{size}</p>' if size else "")
        + (f'<p class="kind"><i>Art</i> <b>Art {i}</b></p>' if size else "")
        + "</li>"
        for i, size in enumerate(sizes)
    )
    rows = rows_of(f"<ul>{''.join(items)}</ul>")
    assert [list(row.values())[2:] for row in rows] == [
        [size, f"Art {i}" if size else None] for i, size in enumerate(sizes)
    ]


def test_a_text_with_a_class_of_its_own_is_no_label() -> None:
    """All records of another page may be of another kind."""
    kinds = ("News", "", "News", "")
    items = (
        f'<li class="card"><h3><a href="/w/{i}">Loom number {i}</a></h3>'
        + (f'<p class="kind">{kind}</p><div>Loom {i} is new</div>' if kind else "")
        + "</li>"
        for i, kind in enumerate(kinds)
    )
    rows = rows_of(f"<ul>{''.join(items)}</ul>")
    assert [row["kind"] for row in rows] == ["News", None, "News", None]


def test_values_of_the_same_look_are_no_labels() -> None:
    """The text before a tag in a list of tags is another tag."""
    tags = (["New", "Wool"], ["Wool", "Large"], ["New"], ["New", "Large"], ["Large"])
    items = (
        f'<li class="card"><h3><a href="/w/{i}">Workshop number {i}</a></h3>'
        + "".join(f'<span class="tag">{tag}</span>' for tag in tags_of_record)
        + "</li>"
        for i, tags_of_record in enumerate(tags)
    )
    rows = rows_of(f"<ul>{''.join(items)}</ul>")
    assert all(row.keys().isdisjoint({"new", "wool", "large"}) for row in rows)
    assert [row["tag"] for row in rows] == [
        tags_of_record[0] for tags_of_record in tags
    ]


def test_a_word_that_is_always_first_is_a_value() -> None:
    """A brand stands before models, too: one per record, and never at another rank."""
    brands = ("Alba", "Bora", "Alba", "Cima", "Bora", "Alba", "Cima", "Bora")
    items = (
        f'<li class="card"><h3><a href="/w/{i}">Bicycle number {i}</a></h3>'
        f'<span class="brand">{brand}</span><span class="line">Line {i}</span></li>'
        for i, brand in enumerate(brands)
    )
    rows = rows_of(f"<ul>{''.join(items)}</ul>")
    assert [row["brand"] for row in rows] == list(brands)
    assert [row["line"] for row in rows] == [f"Line {i}" for i in range(len(brands))]


HEADS = {
    "one over two": "<tr><th colspan=2>Team</th><th>City</th><th>Points</th></tr>",
    "two rows": "<tr><th rowspan=2>Rank</th><th rowspan=2>Team</th>"
    "<th colspan=2>More</th></tr><tr><th>City</th><th>Points</th></tr>",
    "a caption above": "<tr><th colspan=4>Season</th></tr>"
    "<tr><th>Rank</th><th>Team</th><th>City</th><th>Points</th></tr>",
}


@pytest.mark.parametrize("head", HEADS.values(), ids=HEADS)
def test_headers_over_several_columns_name_the_columns_below(head: str) -> None:
    cities = ("Ulm", "Halle", "Jena", "Kiel", "Bonn")
    body = "".join(
        f'<tr><td>{i}</td><td><a href="/t/{i}">Rovers of {city}</a></td>'
        f"<td>{city}</td><td>{40 - 3 * i}</td></tr>"
        for i, city in enumerate(cities, 1)
    )
    rows = rows_of(f"<table>{head}{body}</table>")
    assert [row["city"] for row in rows] == list(cities)
    assert [row["points"] for row in rows] == ["37", "34", "31", "28", "25"]


def test_too_few_headers_name_no_column() -> None:
    head = "<tr><th>Team</th><th>City</th></tr>"
    body = "".join(
        f'<tr><td><a href="/t/{i}">Rovers of {city}</a></td><td>{i}</td><td>{city}</td>'
        "</tr>"
        for i, city in enumerate(("Ulm", "Halle", "Jena", "Kiel", "Bonn"), 1)
    )
    assert all("city" not in row for row in rows_of(f"<table>{head}{body}</table>"))


UNCALLED_HEAD = "<p class=bold><i>Lot</i><i>Seller</i><i>Ends</i></p>"


@pytest.mark.parametrize(
    ("head", "is_header"),
    [
        (UNCALLED_HEAD, True),
        (UNCALLED_HEAD.replace(" class=bold", ""), False),
        (UNCALLED_HEAD.replace("<i>Lot</i>", "<i><a href=/>Lot</a></i>"), False),
    ],
)
def test_a_first_row_of_names_that_no_other_row_is_like_is_a_header(
    head: str, is_header: bool
) -> None:
    towns = ("Ulm", "Halle", "Jena", "Kiel", "Bonn")
    rows = "".join(
        f'<p><i><a href="/lot/{i}">Globe of {town}</a></i><i>{town} Ltd</i>'
        f"<i>in {i + 3} days</i></p>"
        for i, town in enumerate(towns)
    )
    names = [*rows_of(f"<main>{head}{rows}</main>")[-1]]
    assert ("seller" in names) == is_header


def test_a_first_record_like_the_others_is_no_header() -> None:
    people = ("Ann Poe", "Ben Roe", "Cat Sole", "Eve Noe", "Fay Hunt", "Gus Webb")
    rows = "".join(
        f"<p class={'a' if i else 'first'}><b>{name}</b><i>{name[:2]} club</i></p>"
        for i, name in enumerate(people)
    )
    assert len(rows_of(f"<main>{rows}</main>")) == len(people)


def test_links_of_one_class_below_different_headers_are_different_columns() -> None:
    people = [("Ann Poe", "Ben Roe"), ("Cat Sole", ""), ("Ben Roe", "Ann Poe")] * 2
    link = '<a class="user" href="/u/{0[0]}">{0}</a>'
    cells = [[link.format(name) if name else "" for name in pair] for pair in people]
    body = "".join(
        f'<tr><td><a href="/i/{i}">Issue {i} of many</a><td>{author}<td>{owner}'
        for i, (author, owner) in enumerate(cells)
    )
    head = "<tr><th>Issue<th>Author<th>Owner"
    rows = rows_of(f"<table>{head}{body}</table>")
    assert [(row["author"], row["owner"] or "") for row in rows] == people


def test_links_of_one_class_in_different_boxes_are_different_columns() -> None:
    people = [("Ann Poe", "Cat Sole"), (None, "Ann Poe"), ("Eve Noe", "Ben Roe")] * 3
    link = '<a class="user" href="/u/{0}">{0}</a>'
    items = "".join(
        f'<li><a href="/t/{i}">Topic {i} of many</a>'
        f'<p class="author">{link.format(author) if author else ""}</p>'
        f'<p class="reader">{link.format(reader)}</p></li>'
        for i, (author, reader) in enumerate(people)
    )
    rows = rows_of(f"<ul>{items}</ul>")
    (reader_name,) = rows[0].keys() - {"details_page", "title", "author"}
    assert [(row["author"], row[reader_name]) for row in rows] == people


def test_teams_beside_their_scores_are_no_labels() -> None:
    teams = ("Leeds", "York", "Hull", "Bath", "Derby", "Kent")
    items = (
        f'<li class="card"><h3><a href="/w/{i}">Match number {i}</a></h3>'
        + "".join(
            f"<p><span>{teams[team % 6]}</span><span>{goals}</span></p>"
            for team, goals in ((i, i % 4), (i * 3 + 1 + i // 2, i % 3))
        )
        + "</li>"
        for i in range(9)
    )
    rows = rows_of(f"<ul>{''.join(items)}</ul>")
    assert all(row.keys().isdisjoint(map(str.lower, teams)) for row in rows)


def test_places_with_a_colon_before_publishers_are_no_labels() -> None:
    imprints = (
        ("London", "Faber"),
        ("Oxford", "Clarendon"),
        ("London", "Heron"),
        ("Leeds", "Mill Press"),
        ("Oxford", "Bodley"),
        ("Leeds", "Quill"),
    )
    items = "".join(
        f'<li><h3><a href="/b/{i}">Book number {i} of them</a></h3>'
        f'<p><span class="place">{place} :</span> '
        f'<span class="publisher">{publisher}</span></p></li>'
        for i, (place, publisher) in enumerate(imprints)
    )
    rows = rows_of(f"<ul>{items}</ul>")
    assert [(row["place"], row["publisher"]) for row in rows] == list(imprints)


def test_a_term_of_many_words_is_no_value() -> None:
    term = "Highest number of seats"
    halls = [("Mill", "Oak hall, 120"), ("Barn", "Elm, 95"), ("Guild Hall", "")] * 2
    items = "".join(
        f'<li><h3><a href="/b/{i}">Booking number {i} of them</a></h3>'
        f"<dl><div><dt>Venue</dt><dd>{venue}</dd></div>"
        + (f"<div><dt>{term}</dt><dd>{seats}</dd></div>" if seats else "")
        + "</dl></li>"
        for i, (venue, seats) in enumerate(halls)
    )
    rows = rows_of(f"<ul>{items}</ul>")
    assert rows[1]["highest_number_of_seats"] == "Elm, 95"
    assert all(term not in row.values() for row in rows)


def test_names_of_fields_with_a_colon_are_labels_even_if_each_record_has_one() -> None:
    roles = ("Author", "Translator", "Publisher")
    names = ("Ann Poe", "Bob Ray", "Cy Lund", "Dee Marr", "Ed Nash", "Flo Orr")
    items = "".join(
        f'<li><h3><a href="/b/{i}">Book number {i} of them</a></h3>'
        f"<p><b>{roles[i % 3]}:</b> <span>{name}</span></p></li>"
        for i, name in enumerate(names)
    )
    rows = rows_of(f"<ul>{items}</ul>")
    for i, (row, name) in enumerate(zip(rows, names, strict=True)):
        assert row[roles[i % 3].lower()] == name
