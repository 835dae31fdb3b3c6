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
