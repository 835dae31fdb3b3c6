"""Test which class tokens hide elements, on a page and in generated files."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amber_wrap.dom.hidden_elements import classes_hide, is_hidden
from amber_wrap.dom.parse import parse

CLASSES = {
    "d-none": True,
    "display-none": True,
    "card d-none": True,
    " d-none\n card ": True,
    "d-none d-md-block": False,
    "d-none d-sm-none d-md-flex": False,
    "display-none display-wide": False,
    "d-md-none": False,
    "d-block": False,
    "d-none-x": False,
    "and-none": False,
    "none": False,
    "D-NONE": False,
    "card": False,
    "": False,
}


@pytest.mark.parametrize(("classes", "hidden"), CLASSES.items())
def test_classes_hide_elements_as_expected(classes: str, hidden: bool) -> None:
    assert classes_hide(classes) == hidden


@pytest.mark.parametrize(("classes", "hidden"), CLASSES.items())
def test_a_page_has_no_text_of_elements_hidden_by_classes(
    classes: str, hidden: bool
) -> None:
    html = f'<div><p class="{classes}">a <b>b</b></p>c</div>'
    page = parse(html.encode())
    (node,) = page.select("//p")
    assert page.is_hidden(node) == hidden
    assert page.string(0) == ("c" if hidden else "a b c")
    assert [text for text in page.text if text] == (
        ["c"] if hidden else ["a", "b", "c"]
    )
    assert page.text_length(node) == (0 if hidden else 2)


@pytest.mark.parametrize(
    ("element", "hidden"),
    [
        ("<p hidden>a</p>", True),
        ("<p style='color: red; Display : None'>a</p>", True),
        ("<p style='display:block'>a</p>", False),
        ("<p class='x d-none'>a</p>", True),
        ("<p title='hidden'>a</p>", False),
        ("<noscript>a</noscript>", True),
        ("<template><b>a</b></template>", True),
        ("<p>a</p>", False),
    ],
)
def test_a_page_hides_the_elements_that_generated_files_hide(
    element: str, hidden: bool
) -> None:
    page = parse(f"<body>{element}<p>beside".encode())
    node = page.child_elements(page.select("//body")[0])[0]
    assert page.is_hidden(node) == is_hidden(page.element_of(node)) == hidden


TOKENS = st.sampled_from(
    ("d-none", "display-none", "d-md-block", "d-lg-none", "card", "none", "x-none")
)


@given(tokens=st.lists(TOKENS, max_size=5, unique=True), data=st.data())
def test_the_order_of_class_tokens_does_not_change_hiding(
    tokens: list[str], data: st.DataObject
) -> None:
    hidden = classes_hide(" ".join(tokens))
    assert classes_hide(" ".join(data.draw(st.permutations(tokens)))) == hidden
    display_tokens = {token for token in tokens if token.startswith("d")}
    assert hidden == (display_tokens in ({"d-none"}, {"display-none"}))
