"""Test which elements that look like records count as missed after a redesign."""

from __future__ import annotations

import pytest

from amber_wrap.dom.decoding import parse_html
from amber_wrap.dom.expressions import xpath
from amber_wrap.engine.missed_records import count_missed_records
from amber_wrap.engine.record_reading import FoundRecord

INNER = (
    '<div class="box"><div class="pictures"><a><img></a><a><img></a></div>'
    "<div><h3><a>House</a></h3><p><b>£9</b> <i>a month</i></p>"
    "<ul><li>1</li><li>2</li></ul></div></div>"
)
RECORD = f'<div class="home">{INNER}</div>'
ELSEWHERE = {
    "in one more element": (f'<div class="new"><section>{RECORD}</section></div>', 1),
    "without its outer element": (INNER, 1),
    "with more around its content": (
        f'<div class="other"><section><span>{INNER}</span></section></div>',
        1,
    ),
    "as an advert": (
        "<div><div><a><img></a></div><div><h3>Ad</h3><p><b>Buy</b> <span><i>now</i>"
        "</span></p><form><input><input></form></div></div>",
        0,
    ),
    "as a part of it": ("<div><h3><a>House</a></h3><p><b>£9</b></p></div>", 0),
    "as a short note": ("<div><p><b>Sorted</b></p></div>", 0),
}


@pytest.mark.parametrize(("other", "count"), ELSEWHERE.values(), ids=ELSEWHERE)
def test_a_missed_record_in_another_place_is_counted(other: str, count: int) -> None:
    root = parse_html(f"<main>{RECORD * 4}{other}{RECORD * 4}</main>")
    rows = xpath('//main/div[@class="home"]')(root)
    records = [FoundRecord("homes", [row], {}) for row in rows]
    assert count_missed_records(records, records, set(), []) == count


@pytest.mark.parametrize(
    ("cells", "count"),
    [(RECORD * 3, 8), ("<div><a>Photo</a></div><div><p>Text</p><i>1</i></div>", 0)],
)
def test_cells_of_records_count_as_missed_only_if_they_look_like_records(
    cells: str, count: int
) -> None:
    root = parse_html(f"<main>{f'<div class=row>{cells}</div>' * 4}</main>")
    records = [
        FoundRecord("homes", [row], {}) for row in xpath('//div[@class="row"]')(root)
    ]
    starts = set(xpath('//div[@class="row"]/div')(root))
    missed_count = count_missed_records(records, records, starts, [])
    assert missed_count == count


def test_cells_that_few_records_have_are_no_missed_records() -> None:
    several = f"<div class=row>{RECORD * 2}</div>"
    single = f"<div class=row>{RECORD}</div>"
    root = parse_html(f"<main>{several}{single * 4}</main>")
    records = [
        FoundRecord("homes", [row], {}) for row in xpath('//div[@class="row"]')(root)
    ]
    starts = set(xpath('//div[@class="row"]/div')(root))
    assert count_missed_records(records, records, starts, []) == 0
