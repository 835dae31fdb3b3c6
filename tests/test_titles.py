"""Test which text of a record is its title, and which part of the text."""

from __future__ import annotations

import pytest
from column_pages import compiled, rows


def titles(records):
    html = f"<main><ul>{''.join(records)}</ul></main>"
    return [record.get("title") for record in rows(compiled(html=html), html)]


def targets(records):
    html = f"<main><ul>{''.join(records)}</ul></main>"
    return [record.get("details_page") for record in rows(compiled(html=html), html)]


def test_a_title_behind_a_label_is_not_cut_at_its_own_colon():
    names = ("ant", "bee", "elk", "emu", "gnat", "hare", "ibis", "lynx", "mole", "newt")
    books = [*(f"A guide to the {name}" for name in names), "Graphs: a survey"]
    found = titles(
        f"<li><a href='/books/{number}'>No. {number}</a>"
        f"<div class='title'><span>Title:</span> {book}</div>"
        f"<div class='by'><a href='/people/{number % 2}'>Ann Poe</a></div>"
        for number, book in enumerate(books)
    )
    assert found == books


def test_a_date_beside_titles_is_not_the_title_of_a_record_in_another_form():
    threads = [
        "How to clean a kettle",
        "My grinder makes noise",
        "Which scale do you use?",
        "A new roaster in town",
        "Sizes of pot gaskets",
        "Good decaf, is there any?",
    ]
    label = "<a href='/labels/1'><b class='label'>Tip</b></a><i class='gap'>&nbsp;</i>"
    found = titles(
        f"<li><div class='thread-title'>{label if number not in (2, 5) else ''}"
        f"<a href='/threads/{number}'>{thread}</a></div>"
        f"<ul><li><a href='/people/{number % 3}'>Ann {number % 3}</a></li>"
        f"<li><a href='/threads/{number}'>{number + 1} May 2024</a></li></ul></li>"
        for number, thread in enumerate(threads)
    )
    assert found == threads


WALKS = [
    "Along the old canal",
    "Two mills and a weir",
    "Over the moor to Thwaite",
    "Seven bridges in a day",
    "The quarry and the lake",
    "A short round from Ripley",
]


ITEMS = {
    "a title and a subtitle are not one title": (
        "<li><div><a href='/walks/{0}'>{1}</a><a href='/walks/{0}'>An easy path of {0} "
        "miles and a half</a></div><i>{0} May 2024</i></li>"
    ),
    "a heading is the title beside a name that its image has": (
        "<li><img src='/{0}.jpg' alt='The Choir of Hall {0}'><div><h3>{1}</h3>"
        "<a href='/choirs/{0}'>The Choir of Hall {0}</a></div></li>"
    ),
    "the title in a named part of a linked record is read without the rest": (
        "<li><a href='/walks/{0}'><img src='/{0}.jpg'><div class='place_name'>"
        "<span class='title'>{1}</span><div>{0} May 2024</div></div></a></li>"
    ),
    "a test id marks the title in a link with a further text": (
        "<li><h3><a href='/walks/{0}'><div data-testid='title'>{1}</div>"
        "<div>Opens a new tab</div></a></h3></li>"
    ),
}


@pytest.mark.parametrize("item", ITEMS.values(), ids=ITEMS)
def test_titles_are_read_without_the_texts_beside_them(item):
    assert titles(item.format(*pair) for pair in enumerate(WALKS)) == WALKS


def test_a_test_id_with_the_word_name_marks_no_title():
    found = targets(
        f"<li data-testid='card'><a href='/walks/{number}'><i data-testid='walk-text'>"
        f"{walk}</i></a><p data-testid='guide-name'><a href='/guides/{number}'>Guide of"
        f" the group {number}</a></p><b>£{number + 5}</b></li>"
        for number, walk in enumerate(WALKS)
    )
    assert found == [f"/walks/{number}" for number in range(len(WALKS))]


@pytest.mark.parametrize(
    "link",
    [
        "<a class='cover' href='/walks/{0}'></a>",
        "<a class='cover' href='/walks/{0}' aria-label='{1}'></a>",
        "<a href='/walks/{0}'><img src='/{0}.jpg' alt=''></a>",
    ],
)
def test_a_link_without_a_text_leads_to_the_record_rather_than_to_its_author(link):
    found = targets(
        f"<li>{link.format(number, walk)}<h3>{walk}</h3><a href='/guides/{number}'>"
        f"<img src='/g{number}.png'><b>Guide {number} of us</b></a></li>"
        for number, walk in enumerate(WALKS)
    )
    assert found == [f"/walks/{number}" for number in range(len(WALKS))]


def test_a_link_in_a_heading_is_the_title_rather_than_an_author_with_a_portrait():
    items = [
        f"<li><a href='/guides/{number}'><img src='/g{number}.png'></a>"
        f"<a href='/guides/{number}'>guide{number}</a>"
        f"<h3><a href='/walks/{number}'>{walk}</a></h3></li>"
        for number, walk in enumerate(WALKS)
    ]
    assert titles(items) == WALKS
    assert targets(items) == [f"/walks/{number}" for number in range(len(WALKS))]


@pytest.mark.parametrize(
    "part", ["<div class='text'>{}</div>", "<b class='text'>{}</b>"]
)
def test_a_badge_that_some_headings_have_is_no_part_of_the_title(part):
    badge = "<span class='badge'>New</span>"
    found = titles(
        f"<li><a href='/walks/{number}'><h3>{part.format(walk)}"
        f"{badge * (number % 3 == 1)}</h3><p>{number + 3} miles</p></a></li>"
        for number, walk in enumerate(WALKS)
    )
    assert found == WALKS
