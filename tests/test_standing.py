"""Test displayed values, and attributes that give the same value more clearly."""

from __future__ import annotations

import pytest

from amber_wrap.dom.parse import parse
from amber_wrap.domain.loader import load_domain
from amber_wrap.engine.output_rows import to_rows
from amber_wrap.pipeline import compile_wrapper
from amber_wrap.settings import Source

ITEM = "<li><h3><a href='/news/{0}'>Headline number {0} of them</a></h3>{1}</li>"
DATES = {
    "a vague date and its clear form": (
        "<time datetime='2024-05-0{0}T10:30:00Z'>{0} days ago</time>",
        "2024-05-0{0}",
    ),
    "of an element around it": (
        "<p title='2024-05-0{0}'><a href='/{0}'>{0} hours ago</a></p>",
        "2024-05-0{0}",
    ),
    "a date in one of two ways": (
        "<time datetime='2024-05-0{0}'>0{0}/05/2024</time>",
        "2024-05-0{0}",
    ),
    "a date that can be read": (
        "<time datetime='2024-05-0{0}'>{0} May 2024</time>",
        "{0} May 2024",
    ),
    "an attribute no clearer": (
        "<time title='{0} hours ago'>{0} days ago</time>",
        "{0} days ago",
    ),
    "another element's": (
        "<img alt='2024-05-0{0}' src='{0}.jpg'><p>{0} days ago</p>",
        "{0} days ago",
    ),
    "another one's around another date": (
        "<p title='2024-05-0{0}'>{0} April 2024</p><p>{0} days ago</p>",
        "{0} April 2024",
    ),
}


@pytest.mark.parametrize(("html", "date"), DATES.values(), ids=DATES)
def test_dates_are_read_from_the_clearest_source(html: str, date: str) -> None:
    items = "".join(ITEM.format(i, html.format(i)) for i in range(1, 6))
    page = f"<main><ul>{items}</ul></main>".encode()
    wrapper = compile_wrapper([Source("a", page)], [load_domain("listing")]).wrapper
    dates = [row["date"] for row in to_rows(wrapper, parse(page), raw=True)]
    assert dates == [date.format(i) for i in range(1, 6)]
