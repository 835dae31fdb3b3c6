"""Test values that no text shows: of attributes, links of icons, and pictures."""

from __future__ import annotations

import pytest

from amber_wrap.dom.parse import parse
from amber_wrap.domain.loader import load_domain
from amber_wrap.engine.output_rows import Row, to_rows
from amber_wrap.pipeline import compile_wrapper
from amber_wrap.settings import Options, Source

ITEM = "<li><h3><a href='/t/{0}'>The item number {0} of all</a></h3>{1}</li>"
COUNTRIES = ("Norway", "Chad", "Norway", "Chad", "Norway", "Chad")


def rows_of(html: str) -> list[Row]:
    """Read a list of items with `html` in each: {0} is the number, {1} the country."""
    items = "".join(
        ITEM.format(i, html.format(i, country)) for i, country in enumerate(COUNTRIES)
    )
    page = f"<html lang=en><main><ul>{items}</ul></main>".encode()
    options = Options(fields="all")
    source = Source("a", page)
    wrapper = compile_wrapper([source], [load_domain("listing")], options).wrapper
    return to_rows(wrapper, parse(page))


UNSEEN = {
    "stars": ("<i class='rating' title='4.{0} out of 5'></i>", "rating", 4.3),
    "flags": ("<img class='country' src='f/{1}.gif' alt='{1}'>", "country", "Chad"),
    "microdata": (
        "<meta itemprop='startDate' content='2024-05-1{0}T18:30'>",
        "date",
        "2024-05-13T18:30",
    ),
    "data of the page's own": ("<b data-rating='3.{0}'></b>", "text_1", 3.3),
    "a link without text": (
        "<a class='x' href='magnet:?xt={0}'><i></i></a>",
        "magnet",
        "magnet:?xt=3",
    ),
    "a link around a picture": (
        "<a href='magnet:?xt={0}'><img src='/icon.png' alt='Magnet'></a>",
        "magnet",
        "magnet:?xt=3",
    ),
    "a link that hides an address": (
        "<a href='mailto:{1}@a.example'>Write to us</a>",
        "email",
        "mailto:Chad@a.example",
    ),
    "a link to a document": ("<a href='/f/{0}.pdf'>PDF</a>", "pdf", "/f/3.pdf"),
    "a link to download a file": (
        "<a href='/f/{0}' download>Download</a>",
        "download",
        "/f/3",
    ),
    "a link that shows its target": (
        "<p class='website'><a href='/out?{0}'>http://a{0}.example</a></p>",
        "website",
        "/out?3",
    ),
}


@pytest.mark.parametrize(("html", "name", "value"), UNSEEN.values(), ids=UNSEEN)
def test_values_of_attributes_become_columns(
    html: str, name: str, value: object
) -> None:
    assert rows_of(html)[3][name] == value


NOTHING = {
    "a button for all": "<i class='more' title='More'></i>",
    "a share button": "<a href='//x.example/?u=http://h.example/{0}'><i></i></a>",
    "a link to send by mail": "<a href='mailto:?body={0}'>Send</a>",
    "links to one address": "<a href='mailto:a@a.example?subject={0}'>Write</a>",
    "links with the same text": "<a href='/files/{0}'>Open</a>",
    "links to documents by their names": "<a href='/x{0}.pdf'>The item number {0}</a>",
    "a link that does something": "<a href='/cart?add={0}'><i></i></a>",
    "a link to where the record leads": "<a href='/t/{0}'><i></i></a>",
    "what is said already": "<i class='x' title='The item number {0} of all'></i>",
    "what holds what is said": "<i class='x' title='View number {0}'></i>",
    "a picture in full": "<a class='zoom' href='/big/{0}.jpg'><i></i></a>",
    "an image for all": "<img src='/share.png'>",
    "one of a few images": "<img src='/icons/{0}.png'>" * 5,
}


@pytest.mark.parametrize("html", NOTHING.values(), ids=NOTHING)
def test_attributes_without_information_become_no_columns(html: str) -> None:
    assert rows_of(html)[3].keys() == {"details_page", "title"}


def test_the_image_of_a_record_is_its_photo_and_no_icon() -> None:
    html = "<img src='/img/new.png'><img src='/photos/{0}.jpg'>"
    assert rows_of(html)[3]["image"] == "/photos/3.jpg"


def test_two_icons_in_three_records_are_a_state() -> None:
    items = "".join(
        ITEM.format(i, f"<p class='medium'><img src='/x.svg' alt='{name}'></p>")
        for i, name in enumerate(("Book", "Film", "Book"))
    )
    page = f"<main><ul>{items}</ul></main>".encode()
    domains, options = [load_domain("listing")], Options(fields="all")
    wrapper = compile_wrapper([Source("a", page)], domains, options).wrapper
    rows = to_rows(wrapper, parse(page))
    states = [row["medium"] for row in rows]
    assert states == ["Book", "Film", "Book"]
