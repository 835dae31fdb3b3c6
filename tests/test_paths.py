"""Test that rewritten XPath expressions select the same elements."""

from __future__ import annotations

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from parsel import Selector

from amber_wrap.dom import expressions as paths
from amber_wrap.dom.decoding import decode, parse_html, to_utf8
from amber_wrap.wrapper.xpath import (
    Contains,
    Equals,
    EveryNth,
    HasStem,
    HasToken,
    Path,
    PathExists,
    Position,
    Step,
)

VALUES = (
    *("a", "ab", "b", " a", "a b", "b a", "b\ta", "a\nb", "b  a\r", "b\xa0a"),
    *("ba-1", "", " ", "x\u2003a", 'a"b'),
)
TAGS = ("a", "div", "span")
TESTS = st.one_of(
    st.builds(Equals, st.sampled_from(("id", "class")), st.sampled_from(VALUES)),
    st.builds(Contains, st.sampled_from(("id", "class")), st.sampled_from(VALUES)),
    st.builds(HasToken, st.just("class"), st.sampled_from(("a", "b", "ba", "a b"))),
    st.builds(HasStem, st.just("class"), st.sampled_from(("a", "b", "ba-"))),
    st.builds(Position, st.integers(1, 3)),
    st.builds(EveryNth, st.just(2), st.integers(0, 1)),
    st.sampled_from(
        (PathExists("./a"), PathExists('.//span[@id="a"]'), PathExists(".//div[1]"))
    ),
)
STEPS = st.builds(
    Step,
    st.sampled_from((*TAGS, "*", "o:p")),
    st.lists(TESTS, max_size=2).map(tuple),
    st.booleans(),
)
EXPRESSIONS = st.builds(Path, st.lists(STEPS, min_size=1, max_size=3), st.booleans())
TREES = st.recursive(
    st.tuples(st.sampled_from(TAGS), st.sampled_from(VALUES), st.just(())),
    lambda below: st.tuples(
        st.sampled_from(TAGS),
        st.sampled_from(VALUES),
        st.lists(below, max_size=4).map(tuple),
    ),
    max_leaves=24,
)


def built(tree):
    """Build an element from a tag, a value and the trees below."""
    tag, value, below = tree
    element = etree.Element(tag)
    if value:
        element.set("class", value)
        element.set("id", value)
    element.append(etree.Comment("a"))
    element.extend(map(built, below))
    return element


@given(tree=TREES, expression=EXPRESSIONS.map(str))
def test_a_path_selects_the_elements_that_lxml_selects(tree, expression):
    root = built(tree)
    selects = etree.XPath(expression)
    for node in root.iter("*"):
        assert paths.xpath(expression)(node) == selects(node)


@pytest.mark.parametrize(
    ("expression", "printed"),
    [
        ('.//div[@id="a"]/a', './descendant::div/@id[.="a"]/parent::*/a'),
        (
            '//ul[@id="a"]//li[./a]',
            '/descendant::ul/@id[.="a"]/parent::*/descendant::li[./a]',
        ),
        (
            './/a[contains(@href, "//b[@a]")]/b',
            './descendant::a/@href[contains(., "//b[@a]")]/parent::*/b',
        ),
        (
            './/a[contains(concat(" ", normalize-space(@class), " "), " b ")]',
            './descendant::a/@class[contains(., "b")]'
            '[contains(concat(" ", normalize-space(.), " "), " b ")]/parent::*',
        ),
        (
            './/a[contains(concat(" ", normalize-space(@class)), " b-")]',
            './descendant::a/@class[contains(., "b-")]'
            '[contains(concat(" ", normalize-space(.)), " b-")]/parent::*',
        ),
        ('.//a[contains(@href, "")]', './descendant::a[contains(@href, "")]'),
        ('.//*[name()="o:p"]', './descendant::*[name()="o:p"]'),
        (".//a[2]/b", None),
        (".//a[@id][2]/b", None),
        ('.//a[@id="a"][2]/b', None),
        (".//a[position() mod 2 = 1]/b", None),
        (".//a[last()]/b", None),
        (".//a/b", None),
    ],
)
def test_steps_to_any_depth_are_rewritten_where_no_position_is_counted(
    expression, printed
):
    assert paths.faster_xpath(expression) == (printed or expression)


def test_an_id_on_several_elements_selects_all_of_them():
    root = parse_html("<div id=x><p id=x>1</p></div><div id=x>2</div>")
    assert [element.tag for element in paths.xpath('//*[@id="x"]')(root)] == [
        "div",
        "p",
        "div",
    ]


def test_threads_do_not_share_compiled_expressions():
    expressions = []

    def look():
        expressions.append(paths.xpath("./a"))

    threads = [threading.Thread(target=look) for _ in range(2)]
    for thread in threads:
        thread.start()
        thread.join()
    assert expressions[0] is not expressions[1]
    assert paths.xpath("./a") is paths.xpath("./a")


@pytest.mark.parametrize(
    "page",
    [
        b"<p>\xc2\xa35</p>",
        b"\n <p>5</p>\n",
        b"<p>\x00\xc2\xa35</p>",
        b"\xef\xbb\xbf<p>\xc2\xa35</p>",
        b"<p>\xa35</p>",
        b'<meta charset="utf-8"><p>\xa35</p>',
        b'<meta charset="utf-8"><p>\xe2\x82\xac5</p>',
        b'<meta charset="latin-1"><p>\xc2\xa35</p>',
        b"\xc2\xa0<p>5</p>",
        b"<p>5</p>\xc2\xa0",
        b"\xff\xfe<\x00p\x00>\x005\x00",
        b"",
    ],
)
def test_bytes_are_parsed_into_the_tree_of_their_text(page):
    text = decode(page)
    assert to_utf8(page) == to_utf8(text)
    parsed = etree.tostring(parse_html(page))
    assert parsed == etree.tostring(Selector(text=text or "<html/>").root)
