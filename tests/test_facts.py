"""Test values in lists of facts, where labels distinguish values of one kind."""

from __future__ import annotations

import pytest
from column_pages import compiled, rows

from amber_wrap.annotate.element_labels import fact_label
from amber_wrap.dom.parse import parse

CALLS = (
    {"Stage": "Open", "Closing": "3 May 2024", "Posted": "2 April 2024"},
    {"Stage": "Awarded", "Posted": "11 April 2024", "Awarded": "19 June 2024"},
    {"Stage": "Open", "Closing": "8 May 2024", "Posted": "17 April 2024"},
    {"Stage": "Awarded", "Posted": "21 April 2024", "Awarded": "25 June 2024"},
    {"Stage": "Open", "Closing": "12 May 2024", "Posted": "5 April 2024"},
)
"""The facts of calls for tenders, some of which have a date before the date of
posting."""


@pytest.mark.parametrize(
    "fact",
    [
        "<p class='fact'><b>{}</b> {}</p>",
        "<p class='fact'><span class='fact-label'>{}</span><span class='v'>{}</span>",
    ],
)
def test_a_date_is_the_one_beside_the_same_label_in_all_records(fact):
    items = (
        f"<li><h3><a href='/calls/{number}'>Call number {number} for mowing</a></h3>"
        + "".join(fact.format(*item) for item in facts.items())
        for number, facts in enumerate(CALLS)
    )
    html = f"<main><ul>{'</li>'.join(items)}</li></ul></main>"
    records = rows(compiled(html=html), html)
    assert [record["date"] for record in records] == [call["Posted"] for call in CALLS]
    for name in ("Stage", "Closing"):
        values = [record[name.lower()] for record in records]
        assert values == [call.get(name) for call in CALLS]


@pytest.mark.parametrize(
    ("html", "label"),
    [
        ("<p><b>Opens</b> 2 May</p><p><b>Closes</b> 9 May</p>", "Opens"),
        ("<p><b>Opens</b> 2 May</p><p><b>Opens</b> 9 May</p>", ""),
        ("<p><b>Opens</b> 2 May</p><p class=x><b>Closes</b> 9 May</p>", ""),
        ("<p><b>Opens</b> 2 May</p>", ""),
        ("<p><b>Opens</b><i>2 May</i></p><p><b>Closes</b><i>9 May</i></p>", ""),
    ],
)
def test_a_fact_has_a_label_if_the_next_fact_has_another(html, label):
    page = parse(f"<div>{html}</div>".encode())
    [node, *_] = page.select("//p")
    assert fact_label(page, node) == label


def test_the_value_beside_a_label_has_the_label():
    html = "<p><b>Opens</b><i>2 May</i></p><p><b>Closes</b><i>9 May</i></p>"
    page = parse(f"<div>{html}</div>".encode())
    labels = [fact_label(page, node) for node in page.select("//i")]
    assert labels == ["Opens", "Closes"]
