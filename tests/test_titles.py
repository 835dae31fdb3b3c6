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
