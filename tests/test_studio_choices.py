"""Test the meanings of a click on an element, on a forum and on a schedule."""

from __future__ import annotations

from functools import cache

import pytest

pytest.importorskip("starlette")

from amber_wrap.annotate.examples import Example
from amber_wrap.dom.parse import parse
from amber_wrap.domain.loader import load_domain
from amber_wrap.engine.output_rows import records_on, to_rows
from amber_wrap.errors import SelectionError
from amber_wrap.generalise.user_decisions import Decisions
from amber_wrap.pipeline import compile_wrapper
from amber_wrap.settings import Options, Source
from amber_wrap.studio.chosen_element import expression_for
from amber_wrap.studio.file_cache import OpenedPage
from amber_wrap.studio.predicted_values import (
    by_example,
    by_expression,
    by_renaming,
    columns_of,
    reads_whole_text,
)

THREADS = (
    ("House rules", "Ann Poe", "Ann Poe", "3 May 2024", 2),
    ("Which oil for a saw?", "Ben Roe", "Eve Hill", "4 May 2024", 12),
    ("Drying walnut", "Cat Sole", "Ann Poe", "4 May 2024", 7),
    ("Hand planes compared", "Dan Cole", "Ben Roe", "6 May 2024", 41),
    ("A bench without screws", "Eve Hill", "Flo Dale", "6 May 2024", 3),
    ("Sharpening a drawknife", "Flo Dale", "Dan Cole", "9 May 2024", 8),
)
THREAD = """<li class="thread">
  <h3>{pinned}<a class="title" href="/t/{number}">{0}</a></h3>
  <p class="by">begun by <a class="user" href="/u/{number}">{1}</a></p>
  <dl class="figures"><dt>Replies:</dt><dd>{4}</dd></dl>
  <p class="last"><a class="card" href="/u/l{number}"><strong>{2}</strong></a>
  <span class="day">{3}</span></p>
</li>"""


def forum(threads=THREADS):
    items = (
        THREAD.format(*thread, number=n, pinned="<b>Pinned:</b> " * (n == 1))
        for n, thread in enumerate(threads, 1)
    )
    return f"<main><h1>Threads</h1><ol>{''.join(items)}</ol></main>".encode()


@cache
def compiled(*examples):
    options = Options(
        fields="all", examples=tuple(Example(*example) for example in examples)
    )
    source = Source("threads.html", forum())
    return compile_wrapper([source], [load_domain("listing")], options).wrapper


@pytest.fixture
def look():
    page, wrapper = parse(forum()), compiled()
    return OpenedPage(page, wrapper, records_on(wrapper, page.root), None)


def node_of(look, xpath):
    return look.page.select(xpath)[0]


@pytest.mark.parametrize(
    ("name", "xpath", "expected"),
    [
        pytest.param("title", "//a[@class='title']", 0, id="behind a rare label"),
        pytest.param("author", "//a[@class='user']", 1, id="shown twice"),
        pytest.param("day", "//span[@class='day']", 3, id="of one class"),
        pytest.param("answers", "//dd", 4, id="labelled"),
    ],
)
def test_the_prediction_of_an_example_equals_its_compiled_values(
    look, name, xpath, expected
):
    node = node_of(look, xpath)
    predicted = by_example(look, name, node)
    texts = [str(thread[expected]) for thread in THREADS]
    assert [text for _, text in predicted.values.values()] == texts
    assert predicted.values[0][0] == node
    wrapper = compiled((name, predicted.change["value"]))
    rows = to_rows(wrapper, look.page, raw=True)
    assert [row[name] for row in rows] == texts


def test_a_text_that_other_elements_show_is_refused_as_an_example(look):
    node = node_of(look, "//strong")
    with pytest.raises(SelectionError, match="other elements show this text, too"):
        by_example(look, "last", node)
    other = look.page.select("//strong")[1]
    predicted = by_example(look, "last", other)
    assert len(predicted.values) == len(THREADS)


def test_a_click_in_a_value_gives_the_column_of_that_value(look):
    inner, link = node_of(look, "//strong"), node_of(look, "//a[@class='title']")
    (name,) = columns_of(look, inner, "text")
    assert [record.values[name].shown for record in look.records] == [
        thread[2] for thread in THREADS
    ]
    renamed = by_renaming(look, "last_by", inner, "text")
    assert renamed.change == {"do": "rename", "name": name, "to": "last_by"}
    assert columns_of(look, link, "@href") == ["details_page"]
    assert "details_page" not in columns_of(look, link, "text")
    address = by_renaming(look, "url", link, "@href")
    assert address.change == {"do": "rename", "name": "details_page", "to": "url"}
    assert by_renaming(look, "title", inner, "text") is None


def days(heading="<h3 class='day'>{}</h3>"):
    """Write a schedule of three days with several talks each."""
    html = []
    for day, talk_count in (("Monday", 3), ("Tuesday", 4), ("Friday", 2)):
        html.append(heading.format(day))
        html += (
            f"<p class='slot'><b>{hour}:00</b> <i>{day} talk {hour}</i></p>"
            for hour in range(9, 9 + talk_count)
        )
    return f"<main><h1>All talks</h1><div>{''.join(html)}</div></main>".encode()


SLOTS = ["Monday"] * 3 + ["Tuesday"] * 4 + ["Friday"] * 2


@pytest.mark.parametrize(
    ("heading", "chosen", "xpath"),
    [
        pytest.param(
            "<h3 class='day'>{}</h3>",
            "//h3",
            './preceding::h3[@class~="day"][1]',
            id="by its class",
        ),
        pytest.param("<h3>{}</h3>", "//h3", "./preceding::h3[1]", id="by its tag"),
        pytest.param(
            "<h3><i>{}</i></h3>", "//h3/i", "./preceding::h3[1]//i", id="in a heading"
        ),
        pytest.param("<h3>{}</h3>", "//h1", "//h1", id="one for all records"),
    ],
)
def test_a_heading_before_records_is_a_value_of_these_records(heading, chosen, xpath):
    source = Source("days.html", days(heading))
    decided = Decisions(records="//p[@class='slot']")
    options = Options(fields="all", decisions=decided)
    domain = load_domain("listing")
    wrapper = compile_wrapper([source], [domain], options).wrapper
    page = parse(days(heading))
    look = OpenedPage(page, wrapper, records_on(wrapper, page.root), None)
    node = page.select(chosen)[0]
    assert expression_for(look, node, "text") == xpath
    read = [text for _, text in by_expression(look, "day", xpath).values.values()]
    assert read == (SLOTS if chosen != "//h1" else ["All talks"] * len(SLOTS))


HOMES = "".join(
    f"<li class='home'><a href='/{n}'>{n} bedroom {kind}</a> <b>£{n}50,000</b>"
    f"<p class='hits'>Hits: {n}12</p></li>"
    for n, kind in enumerate(("house", "flat", "cottage", "bungalow", "studio"), 1)
)


def test_columns_of_a_part_of_a_text_are_not_offered_for_the_whole():
    body = f"<main><h1>Homes</h1><ul>{HOMES}</ul></main>".encode()
    options = Options(fields="all")
    domain = load_domain("real-estate")
    wrapper = compile_wrapper([Source("x", body)], [domain], options).wrapper
    page = parse(body)
    look = OpenedPage(page, wrapper, records_on(wrapper, page.root), None)
    heading, hits = page.select("//a")[0], page.select("//p")[0]
    parts = {
        name
        for name, value in look.records[0].values.items()
        if page.node_of(value.node) == heading and value.source == "text"
    }
    assert {"bedrooms", "property_type"} <= parts
    whole = [name for name in parts if reads_whole_text(look, heading, name)]
    assert columns_of(look, heading, "text") == whole
    assert columns_of(look, hits, "text") == ["hits"]
    assert not reads_whole_text(look, heading, "bedrooms")
