"""Test that printed XPath is parsed again, and selects the nodes of real XPath."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_paths import EXPRESSIONS

from amber_wrap.dom.parse import parse
from amber_wrap.engine import locators
from amber_wrap.engine.evaluator import selector
from amber_wrap.engine.locators import record_starts_on_page
from amber_wrap.wrapper.ir import RecordLocator
from amber_wrap.wrapper.xpath import (
    FIRST_CHILD,
    PREVIOUS,
    Contains,
    Equals,
    HasText,
    HasToken,
    Heading,
    Path,
    PreviousMatches,
    Step,
)
from amber_wrap.wrapper.xpath_parser import parse_expression, parse_path

TEXTS = st.text(alphabet="ab \"',)[]@/.", max_size=6)
PAGE = b"""<body><ul><li class="a"><b>1</b></li><li hidden><b>2</b></li>
<li><i>x</i><b>3</b></li></ul><div style="display: none"><li><b>4</b></li></div>
<ul><li><b>5</b><b>6</b></li></ul><p>Not binary data at all.</p></body>"""


@given(EXPRESSIONS)
def test_a_printed_path_is_parsed_to_the_same_path(path: Path) -> None:
    assert str(parse_path(str(path))) == str(path)


@pytest.mark.parametrize("tag", ["h2", "tr"])
def test_a_printed_way_to_a_heading_is_parsed_to_the_same_way(tag: str) -> None:
    assert parse_expression(str(Heading(tag))) == Heading(tag)


@given(TEXTS, st.sampled_from((Equals, Contains, HasToken)), st.booleans())
def test_any_text_in_a_printed_path_is_parsed_to_the_same_text(
    text: str, test: type[Equals], deep: bool
) -> None:
    before = PreviousMatches(Step("li", (test("title", text),)))
    tests = (
        test("title", text),
        HasText(text, PREVIOUS),
        HasText(text, FIRST_CHILD),
        HasText(text),
        before,
    )
    path = Path((Step("a", tests, deep), Step("b")))
    assert parse_path(str(path)) == path


@pytest.mark.parametrize(
    "expression",
    [
        *("", "count(//a)", "./preceding::h2[2]", "./preceding-sibling::tr[1]"),
        *("//a | //b", "./a[", "./a[b]", "//a[1", '@id="', './b["\x01"]'),
        *('./a[@.b="x"]', './a[contains(@-b, "x")]', './a[@x:b="x"]', "./1a"),
        *("./a[position() mod 0 = 1]", './a[@id="\x01"]', "./a[@id='x']"),
    ],
)
def test_other_xpath_is_refused(expression: str) -> None:
    with pytest.raises(ValueError, match=r"^not a path of a wrapper: "):
        parse_expression(expression)


@pytest.mark.parametrize("expression", ["./preceding::b[1]", "./b", ".//li[./i]", "."])
def test_a_parsed_expression_selects_the_nodes_that_xpath_selects(
    expression: str,
) -> None:
    page = parse(PAGE)
    select = selector(page, parse_expression(expression))
    for node in page.elements():
        assert list(select(node)) == page.select(expression, node)


@pytest.mark.parametrize(
    ("root", "record", "climb", "tag"),
    [
        ("//ul", "./li", 0, "*"),
        ("//body", ".//li", 0, "*"),
        ("//body", ".//li[.//i]", 0, "*"),
        ("//body", ".//b", 1, "*"),
        ("//ul", ".//b", 2, "*"),
        ("//body", ".//i", 1, "li"),
        ("//body", ".//i", 9, "*"),
    ],
)
def test_records_start_where_generated_files_find_them(
    root: str, record: str, climb: int, tag: str
) -> None:
    page = parse(PAGE)
    place = RecordLocator("class", parse_path(root), parse_path(record), climb, tag)
    rows = locators.record_rows(place, 1, page.root)
    starts = record_starts_on_page(page, place)
    assert starts == {page.node_of(start) for start, *_ in rows}
