"""Test what is read of records with a calendar leaf: a day and a month in elements."""

from __future__ import annotations

import pytest
from column_pages import read_list

MONTHS = "January February March April May June".split()
LEAF = "<b><i>{day}</i> <i>{month:.3}</i></b>"
WHOLE_DATES = {
    "behind the leaf": f"{LEAF}<p>{{day}} {{month}} 2024</p>",
    "before the leaf": f"<p>{{day}} {{month}} 2024</p>{LEAF}",
    "without blanks": f"{LEAF.replace(' <', '<')}<p>{{month}} {{day}}, 2024</p>",
    "with a weekday and a time": f"{LEAF}<p>Fri, {{month}} {{day}}, 2024 7:00 PM</p>",
    "in numbers": f"{LEAF}<p>0{{number}}/{{day}}/2024</p>",
    "in time": f"{LEAF}<time datetime=2024-0{{number}}-{{day}}>{{day}} {{month}} 2024",
    "around the leaf": f"<time datetime=2024-0{{number}}-{{day}}>{LEAF}</time>",
    "in the leaf, too": "<i>{day} {month:.3} 2024</i><p>{month} {day}, 2024</p>",
}


def records_of(item: str) -> list[dict[str, object]]:
    days = enumerate(MONTHS, 1)
    return read_list(
        [item.format(day=it + 11, month=name, number=it) for it, name in days]
    )


@pytest.mark.parametrize("item", WHOLE_DATES.values(), ids=WHOLE_DATES)
def test_the_date_with_the_year_is_the_only_date(item: str) -> None:
    for record in records_of(item):
        assert record.keys() == {"details_page", "title", "date"}
        assert "2024" in str(record["date"])


def test_a_leaf_beside_another_date_stays() -> None:
    item = LEAF + "<p class=posted>{number} days ago</p>"
    (first, *_) = records_of(item)
    assert (first["posted"], first["date_text"]) == ("1 days ago", "12 Jan")


def test_the_start_without_a_year_is_not_the_end() -> None:
    item = "<p>{month} {day}</p><p class=end>{month} 2{number}, 2024</p>"
    (first, *_) = records_of(item)
    assert (first["end"], first["date_text"]) == ("January 21, 2024", "January 12")


@pytest.mark.parametrize("label", ["Until ", "<b>Ends:</b> ", "<dl><dt>End<dd>"])
def test_a_labelled_date_that_equals_the_first_date_stays(label: str) -> None:
    item = f"<p>{{day}} {{month:.3}} 2024</p><p>{label}<i>{{month}} {{day}}, 2024</i>"
    (first, *_) = records_of(item)
    assert "January 12, 2024" in first.values()
