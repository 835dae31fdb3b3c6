"""Test columns whose values are lists, such as the tags of a record."""

from __future__ import annotations

import pytest
from column_pages import compiled, rows

from amber_wrap.domain.loader import load_domain
from amber_wrap.maintenance.healing import heal_wrapper
from amber_wrap.pipeline import compile_wrapper
from amber_wrap.report.text_report import induction_summary
from amber_wrap.settings import Options, Source

TAGGED = (
    ("wool", "red"),
    ("red",),
    ("linen", "wool", "red"),
    ("silk", "linen"),
    ("wool",),
)


def list_page(around, each, tagged=TAGGED):
    items = (
        f'<li><h3><a href="/c/{i}">A coat of number {i}</a></h3>'
        + around.format("".join(each.format(tag) for tag in tags))
        + "</li>"
        for i, tags in enumerate(tagged)
    )
    return f"<ul>{''.join(items)}</ul>"


def list_rows(around, each, tagged=TAGGED):
    html = list_page(around, each, tagged)
    return rows(compiled(html=html), html)


@pytest.mark.parametrize(
    ("around", "each"),
    [
        ('<p class="tags">{}</p>', '<i class="tag">{}</i> '),
        ('<ul class="tags">{}</ul>', '<li><a href="/tag/{0}">{0}</a></li>'),
        ('<p class="tags red">Of {}</p>', '<a href="/tag/{0}">{0}</a>, '),
        ('<div class="tags">{}</div>', "<span><b>{}</b></span>"),
    ],
)
def test_items_whose_number_varies_by_record_are_one_list(around, each):
    records = list_rows(around, each)
    assert [row["tags"] for row in records] == [list(tags) for tags in TAGGED]


@pytest.mark.parametrize(
    "tagged",
    [
        [("wool", "red"), ("linen", "blue"), ("silk", "green"), ("hemp", "grey")],
        [("wool", "red"), ("linen",), ("silk", "green"), ("wool", "blue"), ("hemp",)],
    ],
    ids=["as many in each", "always at one rank"],
)
def test_items_that_differ_by_their_rank_are_columns(tagged):
    records = list_rows('<p class="tags">{}</p>', '<i class="tag">{}</i> ', tagged)
    assert [row["tag"] for row in records] == [tags[0] for tags in tagged]


def test_items_that_all_records_begin_with_are_part_of_the_list():
    tagged = [("soft", "new", *tags) for tags in [("red",), (), ("wool", "red"), ()]]
    records = list_rows('<p class="tags">{}</p>', '<i class="tag">{}</i> ', tagged)
    assert [row["tags"] for row in records] == [list(tags) for tags in tagged]


def test_an_element_with_other_children_is_not_a_list_of_items():
    records = list_rows('<p class="tags">{}<b>more</b></p>', '<i class="tag">{}</i> ')
    assert [row["tag"] for row in records] == [tags[0] for tags in TAGGED]


TAGS = '<p class="tags">{}</p>', '<i class="tag">{}</i> '


def test_healing_keeps_columns_of_lists():
    old = list_page(*TAGS)
    new = old.replace("<ul>", "<main>").replace("</ul>", "</main>")
    new = new.replace("<li>", "<article>").replace("</li>", "</article>")
    healed = heal_wrapper(
        compiled(html=old),
        [Source("old.html", old.encode())],
        [Source("new.html", new.encode())],
        [load_domain("listing")],
    )
    assert healed.wrapper is not None
    records = rows(healed.wrapper, new)
    assert [row["tags"] for row in records] == [list(tags) for tags in TAGGED]


def test_the_summary_shows_the_items_of_a_list_with_semicolons():
    source = Source("coats.html", list_page(*TAGS).encode())
    options = Options(fields="all")
    summary = induction_summary(
        compile_wrapper([source], [load_domain("listing")], options)
    )
    (line,) = [one for one in summary.splitlines() if one.startswith("  tags   ")][1:]
    assert line.split(maxsplit=1)[1].split("  ")[0] == "wool; red"


def test_links_to_do_something_are_no_list():
    actions = (("log", "blame", "plain"), ("log", "plain"))
    html = "".join(
        f"<tr><td><a href='/tree/{i}'>The file number {i}</a></td><td>{7 * i + 3}</td>"
        "<td>"
        + "".join(f"<a class=button href='/{it}/{i}'>{it}</a>" for it in actions[i % 2])
        + "</td></tr>"
        for i in range(9)
    )
    html = f"<table><tr><th>Name<th>Size<th></tr>{html}</table>"
    assert list(rows(compiled(html=html), html)[1]) == ["details_page", "title", "size"]


def test_times_that_lead_to_bookings_are_a_list():
    times = (("18:00", "20:30", "22:45"), ("18:00", "20:30"))
    html = "".join(
        f"<li><h3><a href='/films/{i}'>Film number {i}</a></h3><p class='times'>"
        + " ".join(
            f"<a href='/book/{i}{k}'>{it}</a>" for k, it in enumerate(times[i % 2])
        )
        + "</p></li>"
        for i in range(9)
    )
    html = f"<main><ul>{html}</ul></main>"
    found = [row["times"] for row in rows(compiled(html=html), html)]
    assert found == [list(times[i % 2]) for i in range(9)]


@pytest.mark.parametrize("item", ["<span>{}</span>", "<a href='/size/{0}'>{0}</a>"])
def test_numbers_between_commas_are_items(item):
    sizes = [list(map(str, range(36 + i % 3, 39 + i % 5))) for i in range(9)]
    html = "".join(
        f"<li><h3><a href='/boots/{i}'>Boot number {i}</a></h3><p class='sizes'>"
        + ", ".join(map(item.format, sizes[i]))
        + "</p></li>"
        for i in range(9)
    )
    html = f"<main><ul>{html}</ul></main>"
    assert [row["sizes"] for row in rows(compiled(html=html), html)] == sizes


CAST = [("Ann Poe", "Bob Roe"), ("Cy Doe",), ("Di Low", "Ed Mo", "Flo Ox"), ("Gus Py",)]


@pytest.mark.parametrize(
    ("around", "between"),
    [
        ('<p class="cast">{}</p>', ", "),
        ('<p class="cast"><b>With</b> {}</p>', ", "),
        ('<p class="info"><i class="year">1999</i> | {}</p>', ", "),
        ('<p class="cast">{}</p>', "、"),
        ('<p class="cast">{}</p>', ", and "),
    ],
)
def test_items_between_commas_are_a_list(around, between):
    html = "".join(
        f"<li><h3><a href='/films/{i}'>Film number {i}</a></h3>"
        + around.format(between.join(f"<span class=who>{it}</span>" for it in names))
        + "</li>"
        for i, names in enumerate(CAST * 2)
    )
    html = f"<main><ul>{html}</ul></main>"
    found = [list(row.values())[-1] for row in rows(compiled(html=html), html)]
    assert found == [list(names) for names in CAST * 2]


@pytest.mark.parametrize("between", [" ", " | ", " in "])
def test_texts_without_commas_between_them_are_no_list(between):
    html = "".join(
        f"<li><h3><a href='/films/{i}'>Film number {i}</a></h3><p class='info'>"
        + between.join(f"<span class=who>{it}</span>" for it in names)
        + "</p></li>"
        for i, names in enumerate(CAST * 2)
    )
    html = f"<main><ul>{html}</ul></main>"
    assert not any(
        isinstance(value, list)
        for row in rows(compiled(html=html), html)
        for value in row.values()
    )


def test_times_of_day_in_one_element_are_a_list():
    times = [["14:00", "16:45"], ["19:30"], ["10:00", "11:30", "13:10"], ["20:45"]]
    html = "".join(
        f"<li><h3><a href='/films/{i}'>Film number {i}</a></h3><p class='hours'>"
        + "".join(f"<span class='hour'><b>{it}</b></span>" for it in hours)
        + "</p></li>"
        for i, hours in enumerate(times)
    )
    html = f"<main><ul>{html}</ul></main>"
    assert [row["hours"] for row in rows(compiled(html=html), html)] == times


def test_links_of_items_may_have_signs_and_addresses_that_end_in_a_slash():
    html = "".join(
        f"<li><h3><a href='/posts/{i}'>Post number {i}</a></h3><p class='hubs'>"
        + "".join(
            f"<span class=hub><a href='/hub/{it[:2]}/'><span>{it}</span>"
            "<span class=own>*</span></a></span>"
            for it in names
        )
        + "</p></li>"
        for i, names in enumerate(CAST * 2)
    )
    html = f"<main><ul>{html}</ul></main>"
    found = [list(row.values())[-1] for row in rows(compiled(html=html), html)]
    assert found == [list(names) for names in CAST * 2]


def test_commas_of_a_list_are_no_part_of_the_text_before_it():
    html = "".join(
        f"<li><h3><a href='/films/{i}'>Film number {i}</a></h3><p class='info'>{90 + i}"
        " min | " + ", ".join(f"<span class=who>{it}</span>" for it in names) + "</li>"
        for i, names in enumerate([*CAST, ("Hal Poe",), ("Ida Roe",)])
    )
    html = f"<main><ul>{html}</ul></main>"
    for row in rows(compiled(html=html), html):
        assert not any(str(value).endswith(",") for value in row.values())
