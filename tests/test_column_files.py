"""Test that generated files read numbers and dates in columns as the wrapper does."""

from __future__ import annotations

from amber_wrap.codegen.build import build_file, import_file
from amber_wrap.dom.parse import parse
from amber_wrap.domain.loader import load_domain
from amber_wrap.engine.output_rows import to_rows
from amber_wrap.pipeline import compile_wrapper
from amber_wrap.settings import Options, Source

ITEM = """<li><h3><a href='/t/{0}'>The item number {0} of all</a></h3>
<p class=posted>{1:02}/{2}/2019</p><p class=closes>{2}/{1:02}/2020</p>
<p class=views>{3} views</p></li>"""


def test_day_and_month_are_read_in_the_order_of_the_column() -> None:
    views = ("998", "1.2k", "14k", "1", "1,200")
    items = "".join(
        ITEM.format(i, i + 3, i + 14, count) for i, count in enumerate(views)
    )
    body = f"<html lang=en><body><main><ul>{items}</ul></main>".encode()
    options = Options(fields="all")
    source = Source("a", body)
    wrapper = compile_wrapper([source], [load_domain("listing")], options).wrapper
    built = build_file(wrapper, [body], "amber-wrap induce a")
    assert built.findings == ()
    rows = to_rows(wrapper, parse(body))
    assert [row["views"] for row in rows] == [998, 1200, 14000, 1, 1200]
    assert [row["closes"] for row in rows][:2] == ["2020-03-14", "2020-04-15"]
    assert import_file(built.source).extract(body) == rows


def test_dates_keep_their_time_of_day() -> None:
    dates = (
        *("4 April 2019, 18:30", "5 April 2019, 8:05", "12 May 2019"),
        *(
            "30 May 2019, 11:15 pm",
            "1 June 2019 at 9:30",
            "2 June 2019, 12:10 am",
        ),
    )
    items = "".join(
        f"<li><h3><a href='/t/{i}'>The item number {i} of all</a></h3>"
        f"<p>{date}</p></li>"
        for i, date in enumerate(dates)
    )
    body = f"<html lang=en><body><main><ul>{items}</ul></main>".encode()
    wrapper = compile_wrapper(
        [Source("a", body)], [load_domain("listing")], Options(fields="all")
    ).wrapper
    built = build_file(wrapper, [body], "amber-wrap induce a")
    assert built.findings == ()
    rows = to_rows(wrapper, parse(body))
    assert [row["date"] for row in rows] == [
        *("2019-04-04T18:30", "2019-04-05T08:05", "2019-05-12"),
        *("2019-05-30T23:15", "2019-06-01T09:30", "2019-06-02T00:10"),
    ]
    assert import_file(built.source).extract(body) == rows
