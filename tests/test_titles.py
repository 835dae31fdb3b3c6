"""Test which text of a record is its title, and which part of the text."""

from __future__ import annotations

from column_pages import compiled, rows


def titles(records):
    html = f"<main><ul>{''.join(records)}</ul></main>"
    return [record.get("title") for record in rows(compiled(html=html), html)]


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


def test_a_title_and_a_subtitle_are_not_one_title():
    found = titles(
        f"<li><div><a href='/walks/{number}'>{walk}</a>"
        f"<a href='/walks/{number}'>An easy path of {number} miles and a half</a></div>"
        f"<i>{number} May 2024</i></li>"
        for number, walk in enumerate(WALKS)
    )
    assert found == WALKS


def test_a_heading_is_the_title_beside_a_name_that_its_image_has():
    found = titles(
        f"<li><img src='/{number}.jpg' alt='The Choir of Hall {number}'>"
        f"<div><h3>{walk}</h3><a href='/choirs/{number}'>The Choir of Hall {number}</a>"
        "</div></li>"
        for number, walk in enumerate(WALKS)
    )
    assert found == WALKS


def test_the_title_in_a_named_part_of_a_linked_record_is_read_without_the_rest():
    found = titles(
        f"<li><a href='/walks/{number}'><img src='/{number}.jpg'>"
        f"<div class='place_name'><span class='title'>{walk}</span>"
        f"<div>{number} May 2024</div></div></a></li>"
        for number, walk in enumerate(WALKS)
    )
    assert found == WALKS


def test_a_test_id_marks_the_title_in_a_link_with_a_further_text():
    found = titles(
        f"<li><h3><a href='/walks/{number}'><div data-testid='title'>{walk}</div>"
        "<div>Opens a new tab</div></a></h3></li>"
        for number, walk in enumerate(WALKS)
    )
    assert found == WALKS


def test_a_test_id_with_the_word_name_marks_no_title():
    items = "".join(
        f"<div data-testid='card'><a href='/walks/{number}'><i data-testid='walk-text'>"
        f"{walk}</i></a><p data-testid='guide-name'><a href='/guides/{number}'>Guide of"
        f" the group {number}</a></p><b>£{number + 5}</b></div>"
        for number, walk in enumerate(WALKS)
    )
    html = f"<main>{items}</main>"
    pages = [record.get("details_page") for record in rows(compiled(html=html), html)]
    assert pages == [f"/walks/{number}" for number in range(len(WALKS))]
