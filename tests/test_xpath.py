"""Test printing of XPath: all texts are quoted, whatever characters they have."""

from __future__ import annotations

from html import escape
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from amber_wrap.dom.parse import parse
from amber_wrap.engine.evaluator import DOCUMENT, select_nodes
from amber_wrap.selectors.node_tests import NodeTests
from amber_wrap.selectors.xpath_candidates import PathGenerator
from amber_wrap.wrapper.xpath import (
    FIRST_CHILD,
    PREVIOUS,
    Contains,
    Equals,
    EveryNth,
    HasStem,
    HasText,
    HasToken,
    Path,
    PathExists,
    Position,
    PreviousMatches,
    Step,
    Test,
    is_quotable,
    xpath_literal,
)

HOSTILE = "\"'[]@/\\(){}$:*<>&;=,.|!#- \t\n\x01\ufffe\x7fé"
WORDS = st.text(
    st.sampled_from(HOSTILE)
    | st.characters(exclude_categories=("Cc", "Cs", "Zs", "Zl", "Zp")),
    max_size=12,
)
TAGS = ("div", "a:b", 'p"x"', "a'b", "a\"'b", "x-é", "a$", "x.y", "div", "a\x01b")


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("plain", '"plain"'),
        ('12" disc', "'12\" disc'"),
        ("John's", '"John\'s"'),
        ("John's 12\" disc", """concat("John's 12", '"', " disc")"""),
        ('"', "'\"'"),
        ("'\"", """concat("'", '"', "")"""),
        ("", '""'),
    ],
)
def test_a_text_is_printed_as_the_expected_literal(text: str, printed: str) -> None:
    assert xpath_literal(text) == printed


@given(text=WORDS.filter(is_quotable))
def test_xpath_evaluates_a_literal_to_its_text(text: str) -> None:
    assert etree.XPath(xpath_literal(text))(etree.Element("a")) == text


@pytest.mark.parametrize(
    ("path", "printed"),
    [
        (Path(), "."),
        (Path((Step("li"), Step("b", deep=True))), "./li//b"),
        (Path((Step("ul", deep=True), Step("li")), absolute=True), "//ul/li"),
        (Path((Step("*", (Position(2),)),)), "./*[2]"),
        (
            Path((Step("use", (Contains("xlink:href", "#bed"),)),)),
            './use[contains(@*[name()="xlink:href"], "#bed")]',
        ),
        (Path((Step("a:b"),)), './*[name()="a:b"]'),
        (Path((Step('p"x"'),)), "./*[name()='p\"x\"']"),
        (Path((Step("a\x01b"),)), "./*"),
        (Path((Step("b", (Equals("id", "x"),)),)), './b[@id="x"]'),
        (Path((Step("tr", (EveryNth(2, 0),)),)), "./tr[position() mod 2 = 1]"),
        (Path((Step("tr", (EveryNth(3, 2),)),)), "./tr[position() mod 3 = 0]"),
        (
            Path(
                (
                    Step(
                        "li",
                        (PathExists(Path((Step("b", deep=True),))), Position(1)),
                    ),
                )
            ),
            "./li[.//b][1]",
        ),
    ],
    ids=str,
)
def test_a_path_is_printed_as_the_expected_expression(path: Path, printed: str) -> None:
    assert str(path) == printed


@settings(deadline=None)
@given(data=st.data())
def test_every_generated_expression_compiles_and_selects_its_target(
    data: st.DataObject,
) -> None:
    """Draw tags, ids, class tokens and attribute values that a page can have."""
    page = parse(data.draw(hostile_pages()).encode("utf-8", "replace"))
    nodes = list(page.elements())
    context = data.draw(st.sampled_from([DOCUMENT, *nodes]))
    below = [
        node for node in nodes if context == DOCUMENT or page.contains(context, node)
    ]
    target = data.draw(st.sampled_from(below))
    paths = PathGenerator(NodeTests(()))
    for candidate in paths.between(page, context, target):
        generated = paths.numbering.path(candidate.steps)
        for path in (generated, generated.loosened()):
            selected = page.select(str(path), max(context, 0))
            assert list(select_nodes(page, path, max(context, 0))) == selected
        selected = page.select(str(generated), max(context, 0))
        if all(is_quotable(tag) for tag in page.tag):
            assert target in selected


@pytest.mark.parametrize(
    ("html", "value", "is_quoted"),
    [
        ("<b>Fiat</b> Panda 4x4", "Fiat Panda 4x4", False),
        ("<b>Model</b> Panda 4x4", "Panda 4x4", True),
        ("<b>Model:</b> Panda 4x4", "Model: Panda 4x4", True),
    ],
)
def test_the_first_word_of_a_value_is_no_label_of_it(
    html: str, value: str, is_quoted: bool
) -> None:
    page = parse(f"<p>{html}</p>".encode())
    [node] = page.select("//p")
    tests = NodeTests([value]).label_tests(page, node)
    predicates = (test.predicate for test in tests)
    found = (
        it for it in predicates if isinstance(it, HasText) and it.of == FIRST_CHILD
    )
    assert any(found) == is_quoted


@st.composite
def hostile_pages(draw: st.DrawFn) -> str:
    """Draw a few nested elements with tags and marks from the lists above."""
    names = st.sets(st.sampled_from(("id", "class", "itemprop", "rel")))
    html = "<body>" + 100 * "Not binary data. "
    opened: list[str] = []
    for tag in draw(st.lists(st.sampled_from(TAGS), min_size=1, max_size=6)):
        marks = [f'{name}="{escape(draw(WORDS))}"' for name in sorted(draw(names))]
        html += f"<{' '.join([tag, *marks])}>"
        opened.append(tag)
        while opened and draw(st.booleans()):
            html += f"</{opened.pop()}>"
    return html


def test_a_class_token_matches_whole_tokens_only() -> None:
    marks = "card-x", " a\ncard b", "card"
    page = parse("".join(f"<p class='{mark}'></p>" for mark in marks).encode())
    card = Path((Step("p", (HasToken("class", "card"),), deep=True),))
    nodes = page.select(str(card))
    assert [page.attributes[node]["class"] for node in nodes] == list(marks[1:])


LIST = b"""<body><ul><li class="a b">1</li><li>2 <i class="bed"></i></li>
<li class="\xc2\xa0a"><b> Beds </b><b>3</b></li></ul><ul><li><a href="/p/1?x">x</a></li>
</ul><p title="t">Not binary <!-- c --> data.</p></body>"""


@pytest.mark.parametrize(
    "tests",
    [
        (),
        (Position(2),),
        (EveryNth(2, 0),),
        (EveryNth(3, 2), Position(1)),
        (HasToken("class", "a"),),
        (HasStem("class", "be"),),
        (HasToken("class", "a"), Position(1)),
        (Equals("title", "t"),),
        (Contains("href", "/p/"),),
        (PathExists(Path((Step("i", (HasToken("class", "bed"),)),))),),
        (PathExists(Path((Step("b", (Position(2),), deep=True),))),),
        (HasText("Beds", PREVIOUS),),
        (HasText("Beds", FIRST_CHILD),),
        (HasText("3", FIRST_CHILD),),
        (HasText("3"),),
        (PreviousMatches(Step("b")),),
        (PreviousMatches(Step("*", (HasToken("class", "b"),))),),
        (PreviousMatches(Step("li", (PathExists(Path((Step("i"),))),))), Position(1)),
    ],
    ids=lambda tests: "".join(f"[{test}]" for test in tests),
)
@pytest.mark.parametrize("tag", ["li", "b", "*"])
def test_paths_select_the_nodes_that_xpath_selects(
    tag: str, tests: tuple[Test, ...]
) -> None:
    page = parse(LIST)
    for deep, absolute in product((False, True), repeat=2):
        path = Path((Step("*", deep=True), Step(tag, tests, deep)), absolute)
        for node in page.elements():
            assert select_nodes(page, path, node) == page.select(str(path), node)
