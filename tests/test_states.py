"""Test that elements in different states are at one position of their records."""

from __future__ import annotations

from amber_wrap.dom.parse import parse
from amber_wrap.domain.loader import load_domain
from amber_wrap.engine.output_rows import to_rows
from amber_wrap.pipeline import compile_wrapper
from amber_wrap.settings import Source

NAMES = ("Oak desk", "Steel lamp", "Linen sofa", "Glass vase", "Wool rug", "Pine shelf")
STATES = ("name cut", "name", "name")


def test_titles_are_read_in_each_state():
    items = "".join(
        f'<li><a href="/p/{i}"><h2 class="{STATES[i % 3]}">{name}</h2></a>'
        f'<p class="price">£{i}9.50</p><a class="all" href="/c/{i}">'
        f"See all {i}0 items</a></li>"
        for i, name in enumerate(NAMES, 1)
    )
    page = f"<html lang=en><main><ul>{items}</ul></main>".encode()
    wrapper = compile_wrapper([Source("a", page)], [load_domain("products")]).wrapper
    rows = to_rows(wrapper, parse(page))
    assert [row["title"] for row in rows] == list(NAMES)
