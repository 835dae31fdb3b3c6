"""Test that generated files and the interpreter read any page alike."""

from __future__ import annotations

import pytest
from generated import COMMAND, URL, execute, expected
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from amber_wrap.codegen.build import build_file, prove
from amber_wrap.dom.page import ITEMS, LAST_LINE, OWN_TEXT, TEXT
from amber_wrap.dom.parse import parse
from amber_wrap.domain.loader import load_domain
from amber_wrap.domain.schema import ValueKind
from amber_wrap.engine.output_rows import to_rows
from amber_wrap.errors import WrapperError
from amber_wrap.pipeline import compile_wrapper
from amber_wrap.settings import Options, Source
from amber_wrap.wrapper.ir import (
    AreaRule,
    FieldReading,
    FieldRule,
    Locator,
    RecordLocator,
    Sample,
    Wrapper,
)
from amber_wrap.wrapper.xpath_parser import parse_path

SNIPPETS = (
    *("<ul>", "</ul>", "<li>", "<li class=a>", "</li>", "<p>", "<tr>", "<table>"),
    *(
        "<a href=x.html>",
        "<a href='http://['>",
        "</a>",
        "<b>",
        "</b>",
        "<br>",
        "<i></i>",
    ),
    *("one", "£1,200 pcm", " 3 beds ", "85 m²", "&nbsp;", "\n", "<!-- no -->"),
    *("<base href=/y/>", "<script>7</script>", "<div class='a  b'>", "</div>"),
)
PAGES = st.lists(st.sampled_from(SNIPPETS), max_size=40).map(
    lambda parts: "<ul class=a><li>" + "".join(parts)
)
CONTENTS = st.lists(st.sampled_from(SNIPPETS), max_size=5).map("".join)
RECORD = "<li class=a><a href=x.html>one £1,200 pcm</a><b>3 beds</b> 85 m²"
SAMPLES = st.lists(CONTENTS, min_size=3, max_size=6).map(
    lambda found: "<ul class=a>" + "".join(RECORD + one for one in found)
)
"""Pages with records that most wrappers find; they find hardly any in PAGES."""
FIELDS = (
    *(("price", ValueKind.MONEY), ("title", ValueKind.TEXT), ("link", ValueKind.URL)),
    *(("beds", ValueKind.COUNT), ("area", ValueKind.QUANTITY)),
    ("tags", ValueKind.TEXTS),
)
PATTERNS = (("number", r"\d{1,3}"), ("price", "(?P<value>£{number})?(?:,| pcm)?"))
LOCATORS = st.builds(
    Locator,
    st.sampled_from([".", "./*", ".//a", ".//i", "./*[2]", "//p"]).map(parse_path),
    st.sampled_from([TEXT, TEXT, OWN_TEXT, LAST_LINE, ITEMS, "@href", "@class"]),
    st.sampled_from([None, *dict(PATTERNS)]),
    st.sampled_from([0, 0, 0, 1]),
)
RULES = st.dictionaries(
    st.sampled_from([name for name, _ in FIELDS]),
    st.lists(LOCATORS, min_size=1, max_size=3),
    min_size=2,
    max_size=4,
).map(
    lambda found: tuple(
        FieldRule(name, (FieldReading("class", tuple(some)),))
        for name, some in found.items()
    )
)
PLACES = st.builds(
    RecordLocator,
    st.sampled_from(["class", "tag", "position"]),
    st.sampled_from(["//ul", "//body/*", "/html/body"]).map(parse_path),
    st.sampled_from(["./li", "./*", ".//li", "./*[position() mod 2 = 1]"]).map(
        parse_path
    ),
    st.booleans(),
)
AREAS = st.builds(
    AreaRule,
    st.sampled_from(["results", "others"]),
    st.lists(PLACES, min_size=1, max_size=2, unique_by=lambda one: one.family).map(
        tuple
    ),
    st.integers(2, 3),
    st.just(1),
    RULES,
    st.sampled_from([None, parse_path(".//a")]),
)


@settings(max_examples=30, deadline=None)
@given(
    st.lists(AREAS, min_size=1, max_size=3, unique_by=lambda area: area.name),
    SAMPLES,
    st.lists(PAGES, min_size=2, max_size=5),
)
def test_generated_files_read_the_sample_as_the_interpreter_does(areas, page, others):
    """Compare on the sample, and run the file on other pages without an error.

    Hypothesis fails if nearly all wrappers are refused.
    """
    sample = page.encode()
    names = (Sample("sample.html", "00"),)
    wrapper = Wrapper("listing", names, FIELDS, PATTERNS, tuple(areas))
    try:
        module = execute(build_file(wrapper, [sample], COMMAND, URL).source)
    except WrapperError:
        reject()
    rows = to_rows(wrapper, parse(sample, URL))
    records = module.extract(sample, URL)
    assert records == [
        {key: row[key] for key in record}
        for row, record in zip(rows, records, strict=True)
    ]
    for other in others:
        module.extract(other, URL)
        module.check(other)


@settings(deadline=None)
@given(st.binary() | PAGES.map(str.encode))
def test_generated_files_raise_no_error_on_any_page(body):
    expected("every-kind").extract(body, "http://[")


ROW = {"title": "A", "price": 2}


@pytest.mark.parametrize(
    ("found", "wanted", "message"),
    [
        ([], [], "reads no records from its own sample"),
        ([ROW], [ROW, ROW], "reads 1 records from its own sample, not 2"),
        ([ROW | {"price": 2.0}], [ROW], r"reads price 2\.0 from its own sample, not 2"),
        ([{"title": "A"}], [ROW], "reads price None from its own sample, not 2"),
    ],
)
def test_a_generated_file_that_misreads_its_own_sample_is_refused(
    found, wanted, message
):
    with pytest.raises(WrapperError, match=rf"^page\.html: the \w+ ?\w* {message}"):
        prove(found, wanted, ["title", "price"], "page.html")


def test_a_position_that_has_other_texts_is_no_second_way_to_a_field() -> None:
    place, phone = "<i class='place'>Hall {0}</i>", "<i class='phone'>0234 56{0}</i>"
    item = "<li><h3><a href='/t/{0}'>The item number {0} of all</a></h3><p>{1}</p></li>"
    page = "<html lang=en><main><ul>{}</ul></main>"

    def page_with(texts: str) -> bytes:
        rows = "".join(item.format(i, texts.format(i)) for i in range(10, 18))
        return page.format(rows).encode()

    sample = page_with(place + phone)
    domains, options = [load_domain("listing")], Options(fields="all")
    wrapper = compile_wrapper([Source("a", sample)], domains, options).wrapper
    file = execute(build_file(wrapper, [sample], COMMAND).source)
    assert [record["place"] for record in file.extract(sample)][:1] == ["Hall 10"]
    assert {record["place"] for record in file.extract(page_with(phone))} == {None}
