"""Test that images are read whose addresses stand where scripts look for them."""

from __future__ import annotations

import time

import pytest

from amber_wrap.annotate.images import pictures
from amber_wrap.codegen.build import build_file, import_file
from amber_wrap.dom.parse import parse
from amber_wrap.domain.loader import load_domain
from amber_wrap.engine.output_rows import to_rows
from amber_wrap.pipeline import compile_wrapper
from amber_wrap.settings import Options, Source

GIF = "data:image/gif;base64,R0lGODlhAQABAAAAACw="
HOUSES = ("Alder Brook", "Cedar Hill", "Elm Street", "Fir Lane", "Hazel Way")
RECORD = "<li>{}<a href='/homes/{}-x'>{}</a> <b>£{}00,000</b></li>"


def page_with(image):
    """Return a list of houses, each with `image`, in which NO is a number."""
    records = (
        RECORD.format(image.replace("NO", str(number)), number, house, number + 2)
        for number, house in enumerate(HOUSES)
    )
    return f"<body><ul>{''.join(records)}</ul></body>".encode()


@pytest.mark.parametrize(
    "image",
    [
        "<img src='/NO.jpg'>",
        "<img src='/blank.gif' data-echo='/NO.jpg'>",
        "<img src='/NO.jpg' data-zoom='/NO-large.jpg'>",
        f"<img src='{GIF}' data-srcset='/NO.jpg 1x, /NO-2.jpg 2x'>",
        "<img srcset='/NO.jpg'>",
        f"<picture><source srcset='/NO.jpg 1x'><img src='{GIF}'></picture>",
        "<picture><source srcset='/NO.webp'><img src='/NO.jpg'></picture>",
        "<div class='photo' data-lazy-back='/NO.jpg'></div>",
        "<div class='photo' style='background-image: url(/NO.jpg)'></div>",
        "<div style=\"background:#fff url('/NO.jpg') no-repeat\"></div>",
    ],
)
def test_the_address_of_an_image_is_read(image):
    body = page_with(image)
    options = Options(fields="title,image")
    domains = [load_domain("real-estate"), load_domain("products")]
    wrapper = compile_wrapper([Source("homes.html", body)], domains, options).wrapper
    expected = [f"/{number}.jpg" for number in range(len(HOUSES))]
    assert [row["image"] for row in to_rows(wrapper, parse(body))] == expected
    source = build_file(wrapper, [body], "amber-wrap induce").source
    assert [row["image"] for row in import_file(source).extract(body)] == expected


@pytest.mark.parametrize(
    "element",
    [
        "<div data-template='/a b.jpg'></div>",
        "<div data-image='/NO.jpg'>A text</div>",
        "<div style='background: url(data:image/gif;base64,R0lG)'></div>",
        "<noscript><img src='/NO.jpg'></noscript>",
        "<a data-zoom='/NO-large.jpg'><i class='icon'></i><b>Zoom</b></a>",
    ],
)
def test_other_elements_are_no_images(element):
    source = Source("homes.html", page_with(element))
    options = Options(fields="all")
    wrapper = compile_wrapper([source], [load_domain("products")], options).wrapper
    assert "image" not in dict(wrapper.fields)


def test_styles_of_any_length_are_searched_fast():
    style = "background:" * 5000
    page = parse(f"<body><div style='{style}'></div></body>".encode())
    start = time.perf_counter()
    assert list(pictures(page)) == []
    assert time.perf_counter() - start < 1


def test_a_portrait_beside_photos_is_not_the_image_of_a_record_without_a_photo():
    photos = ("/1.jpg", None, "/3.jpg", "/4.jpg", "/5.jpg")
    posts = (
        f"<article>{f'<p><img src={photo!r}></p>' if photo else ''}"
        f"<h2><a href='/posts/{number}'>{house}</a></h2> {number} May 2024"
        f"<address><img src='/people/{number % 2}.png'></address></article>"
        for number, (photo, house) in enumerate(zip(photos, HOUSES, strict=True), 1)
    )
    body = f"<main>{''.join(posts)}</main>".encode()
    source = Source("posts.html", body)
    wrapper = compile_wrapper([source], [load_domain("listing")]).wrapper
    assert tuple(row["image"] for row in to_rows(wrapper, parse(body))) == photos


@pytest.mark.parametrize(("photo", "source"), [("", "icon"), ("/hall.jpg", "photo")])
def test_icons_are_the_images_of_records_without_others(photo, source):
    image = "<img class='app-icon' src='/icon-NO.png'>"
    body = page_with(image + (photo and "<img src='/photo-NO.jpg'>"))
    wrapper = compile_wrapper(
        [Source("apps.html", body)], [load_domain("listing")], Options(fields="all")
    ).wrapper
    assert all(source in row["image"] for row in to_rows(wrapper, parse(body)))
