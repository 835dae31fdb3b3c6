"""Test that one walk gives the displayed texts of single elements."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from amber_wrap.dom.decoding import parse_html
from amber_wrap.dom.displayed_texts import text_of, texts_within

PIECES = (
    "<div>", "</div>", "<b>", "</b>", "<p hidden>", "</p>", "<br>", " a ", "b", "\n",
    "<!-- c -->", "<?d?>", "<script>e</script>", "<ul><li>f", "</ul>", " " * 5000,
)  # fmt: skip


@settings(deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=30))
def test_one_walk_finds_the_displayed_text_of_each_element(pieces: list[str]) -> None:
    root = parse_html("<html><body>" + "".join(pieces))
    texts = dict(texts_within(root))
    assert texts == {element: text_of(element) for element in root.iter("*")}


def test_the_text_of_an_excluded_element_stays_in_its_ancestors() -> None:
    root = parse_html("<p>a <b>b <i>c</i></b> d</p>")
    bold = root.find(".//b")
    texts = {element.tag: text for element, text in texts_within(root, {bold})}
    assert texts == dict.fromkeys(("p", "body", "html"), "a b c d")


@pytest.mark.parametrize(("length", "text_length"), [(4096, 4096), (4097, 0)])
def test_texts_beyond_the_limit_are_empty(length: int, text_length: int) -> None:
    root = parse_html(f"<div><p>{'a' * length}</p></div>")
    assert {len(text) for _, text in texts_within(root)} == {text_length}
