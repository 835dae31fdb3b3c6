"""Test the lowering of texts to the simplest regular expression and conversion.

A case has, for each record, the `texts` that an expression selects, the value that is
`shown` there ("" for none), and the `values`.  `lowered` is the expected pattern, and
`convert` the expected helper with its factor.  AMBER_UPDATE=1 writes these two again.
"""

from __future__ import annotations

import os
import re
import tomllib
from itertools import chain
from pathlib import Path

import pytest

from amber_wrap.dom.displayed_texts import text_of
from amber_wrap.dom.parse import parse
from amber_wrap.domain.schema import ValueKind
from amber_wrap.engine.output_rows import normal_form_of
from amber_wrap.lowering.conversions import CONVERSIONS
from amber_wrap.lowering.date_patterns import calendar_of, has_english_months
from amber_wrap.lowering.field_lowering import lower_field
from amber_wrap.lowering.helpers import FULL_TEXT, LAYERS, helpers
from amber_wrap.lowering.lower import lower_wrapper
from amber_wrap.lowering.number_patterns import number_patterns
from amber_wrap.lowering.sample_cases import Case, LocatorCase
from amber_wrap.lowering.terms_in_scripts import in_scripts
from amber_wrap.lowering.xpath_simplification import (
    by_likeness,
    expression_names,
    short,
    value_paths,
)
from amber_wrap.values.dates import date
from amber_wrap.wrapper.ir import (
    AreaRule,
    FieldReading,
    FieldRule,
    Locator,
    RecordLocator,
    Wrapper,
)
from amber_wrap.wrapper.stored_wrapper import schema
from amber_wrap.wrapper.xpath_parser import parse_path

CASES = sorted((Path(__file__).parent / "cases" / "lowering").glob("*.toml"))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_a_case_is_lowered_to_the_expected_pattern_and_conversion(path):
    case = tomllib.loads(path.read_text("utf-8"))
    kind = ValueKind(case["kind"])
    form, read = normal_form_of(kind), helpers().text
    text_cases = tuple(
        Case((read(text),), shown, shown, form(shown, shown, "") if shown else ())
        for text, shown in zip(case["texts"], case["shown"], strict=True)
    )
    values = [one.form[0] if one.form else None for one in text_cases]
    assert ["none" if one is None else one for one in values] == case["values"]
    pattern = case.get("pattern", "" if case["kind"] == "text" else "x" * 9000)
    locator_case = LocatorCase(
        ((".//b", text_cases),), ((".//b", text_cases),), pattern
    )
    column = lower_field("field", kind, [locator_case])
    (read,) = column.reads
    lowered = {"lowered": read.pattern, "convert": f"{column.convert} {column.scale}"}
    if os.environ.get("AMBER_UPDATE") == "1":
        lines = [f"{key} = '''{value}'''\n" for key, value in lowered.items()]
        text = path.read_text("utf-8").partition("lowered = ")[0]
        path.write_text(text + "".join(lines), "utf-8", newline="\n")
        case |= lowered
    assert lowered == {key: case[key] for key in lowered}


def test_a_pattern_for_whole_texts_is_lowered_to_one_for_whole_texts():
    form = normal_form_of(ValueKind.COUNT)
    cases = tuple(Case((text,), text, text, form(text, text, "")) for text in "379")
    locator_case = LocatorCase(((".//b", cases),), ((".//b", cases),), r"^(?:\d+)$")
    (read,) = lower_field("field", ValueKind.COUNT, [locator_case]).reads
    assert re.search(read.pattern, "12")
    assert not re.search(read.pattern, "P12")


@pytest.mark.parametrize(
    "text",
    [
        *("12. listopada 2024.", "12 listopada 2024", "12 Αύγ 2024", "12 Agustus 2024"),
        *("12 tháng 3, 2024", "١٢ مارس ٢٠٢٤", "12 مارس، 2024", "12 באוגוסט 2024"),
    ],
)
def test_a_file_reads_the_same_date_as_the_wrapper(text):
    day = date(text)
    assert day is not None
    assert calendar_of([Case((text,), text, text, (day,))]).read(text) == day


@pytest.mark.parametrize(
    ("text", "day"), [("13/05/24", "2024-05-13"), ("5/3/09", "2009-05-03")]
)
def test_a_file_reads_years_of_two_digits(text, day):
    assert calendar_of([Case((text,), text, text, (day,))]).read(text) == day


CLASS = 'contains(concat(" ", normalize-space(@class), " "), " {} ")'


def test_a_class_token_is_written_as_in_css():
    path = f'.//a[{CLASS.format("hl")}][@rel="x"]/b'
    assert short(path) == './/a[@class~="hl"][@rel="x"]/b'


def test_a_number_of_whole_texts_is_not_read_without_its_sign():
    texts = ("7°", "24°", "13°")
    cases = [Case((text,), text, text, (int(text[:-1]),)) for text in texts]
    pattern = next(number_patterns(cases, ValueKind.COUNT, is_whole=True))
    assert [re.search(pattern, text)[1] for text in texts] == ["7", "24", "13"]
    assert re.search(pattern, "-3°") is None
    assert re.search(pattern, "up to 9°")[1] == "9"


@pytest.mark.parametrize(
    ("locator", "expected"),
    [
        (Locator(parse_path("./b")), ["./b"]),
        (Locator(parse_path("./a"), "@href"), ["./a/@href"]),
        (Locator(parse_path("."), "text", None, 1), ["following-sibling::*[1]"]),
        (
            Locator(parse_path(".//i"), "tail"),
            [".//i/following-sibling::node()[1][self::text()]"],
        ),
    ],
)
def test_paths_of_a_locator_come_in_the_expected_order(locator, expected):
    assert list(value_paths(locator))[: len(expected)] == expected


def test_expressions_with_the_fewest_common_names_come_first():
    expressions = ['.//a[@class="card-title"]', './/*[@data-id="headline"]', ".//h3/a"]
    names = expression_names([parse_path('.//h3[@class="card"]/a')])
    assert names == {"h3 ", "card", "a "}
    ordered = by_likeness(
        names,
        expressions,
        lambda expression: expression_names([parse_path(expression)]),
    )
    assert ordered == [expressions[1], expressions[2], expressions[0]]


def test_terms_in_scripts_that_a_page_lacks_are_left_out():
    terms = "(?i:audi|дизель)|(?i:honda)|ВАЗ|(?i:ホンダ|スズキ)"
    assert in_scripts(terms, "An Audi") == "(?i:audi)|(?i:honda)"
    assert in_scripts(terms, "Лада") == "(?i:audi|дизель)|(?i:honda)|ВАЗ"
    assert in_scripts(terms, "Лада, ホンダ") == terms


@pytest.mark.parametrize(
    ("record", "helper"),
    [
        ("<h3>Oak</h3>", "spaced"),
        ("<h3>An <b>oa</b>k</h3>", "helpers"),
        ("<h3><div>An</div><div>oak</div></h3>", "spaced"),
        ("<h3><div>An</div><div><b>oa</b>k</div></h3>", "blocks"),
        ("<h3>Oak<div hidden>sold</div></h3>", "displayed"),
    ],
)
def test_texts_are_read_by_the_simplest_correct_helper(record, helper):
    page = parse(f"<ul>{'<li>' + record + '</li>' * 3}</ul>".encode())
    title = FieldRule("title", (FieldReading("tag", (Locator(parse_path("./h3")),)),))
    place = RecordLocator("tag", parse_path("//ul"), parse_path("./li"))
    area = AreaRule("results", (place,), 1, 1, (title,))
    fields = (("title", ValueKind.TEXT),)
    wrapper = Wrapper("case", (), fields, (), (area,))
    assert lower_wrapper(wrapper, [page.root]).program.text == helper


@pytest.mark.parametrize(
    "html",
    [
        "Oak<div hidden>sold</div>table",
        "Oak<!-- a --> <b>t<?a b?>able</b><script>x</script> <i hidden>x</i>round",
        "<p>Oak</p>table<span style='DISPLAY: none'>sold</span><p>round</p>",
        "<b>" * 1500 + "deep",
        "<div>" * 1500 + "deep",
    ],
)
def test_the_full_helper_reads_the_texts_of_the_interpreter(html):
    node = parse(f"<h3>{html}</h3>".encode()).root.find(".//h3")
    assert helpers(FULL_TEXT).text(node) == text_of(node)


@pytest.mark.parametrize(
    ("text", "is_english"),
    [
        ("3 hours ago", True),  # "ago" is August in Italian.
        ("5th of June 2020", True),
        ("May 5, 2024", True),
        ("15-ago-2024", False),
        ("Ago 5, 2024", False),
        ("12 de mayo de 2024", False),
        ("1er mars 2020", False),
        ("3. Mai 2024", False),
    ],
)
def test_english_months_are_recognised_only_beside_numbers(
    text: str, is_english: bool
) -> None:
    assert has_english_months([text]) == is_english


def test_the_schema_allows_exactly_the_helpers_of_generated_files():
    program = schema()["properties"]["program"]["properties"]
    column = program["lists"]["items"]["properties"]["columns"]["items"]["properties"]
    known = {"own", *chain.from_iterable(CONVERSIONS.values())}
    assert set(column["convert"]["enum"]) == known
    assert set(program["text"]["enum"]) == set(LAYERS)
