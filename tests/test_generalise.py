"""Test the pass `generalise`: from typed samples to a wrapper that names no page.

A case's `samples` are pages with their typing written into them (see `typed_pages`).
`wrapper` lists the first reading of each field, and `ensemble` all readings.  In both,
`//ul.list` stands for the full test of a class token, `//ul.list*` for the test of the
beginning of a token.  `used` lists the patterns of the wrapper, `witness` the witnesses
of its areas.  `rows` are the values that it reads on `other`, a page that is no sample.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from case_pages import AnnotatedPage, Case, cases
from hypothesis import example, given
from hypothesis import strategies as st
from typed_pages import case_domain, typed_page

from amber_wrap.analysis.extraction_typing import Attribute, ExtractionTyping
from amber_wrap.contract.comparison_with_analysis import verify
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.dom.parse import parse
from amber_wrap.domain.schema import AttributeType, ValueKind
from amber_wrap.engine.evaluator import selector
from amber_wrap.engine.locators import PageValueReader, PatternCache, TreeValueReader
from amber_wrap.engine.output_rows import interpret
from amber_wrap.generalise.thresholds import RULE
from amber_wrap.generalise.wrapper_rules import generalise
from amber_wrap.report.text_report import locator_text
from amber_wrap.selectors.area_groups import TypedPage, TypedRecord
from amber_wrap.selectors.costs_and_limits import SEARCH
from amber_wrap.selectors.locator_search import LocatorPool
from amber_wrap.selectors.node_tests import NodeTests
from amber_wrap.selectors.xpath_candidates import PathGenerator
from amber_wrap.values.texts import squeeze
from amber_wrap.wrapper.ir import Locator, Sample, Wrapper
from amber_wrap.wrapper.json_values import wrapper_to_data
from amber_wrap.wrapper.xpath import Path as Steps
from amber_wrap.wrapper.xpath import Step

TOKEN = re.compile(
    r'\[contains\(concat\(" ", normalize-space\(@class\), " "\), " ([^" ]+) "\)\]'
)
STEM = re.compile(
    r'\[contains\(concat\(" ", normalize-space\(@class\)\), " ([^" ]+)"\)\]'
)


@pytest.mark.parametrize("case", cases("generalise"))
def test_samples_give_the_expected_wrapper(case: Case) -> None:
    assert outline(induced(case)).strip() == case["wrapper"].strip()


@pytest.mark.parametrize("case", cases("generalise"))
def test_a_wrapper_reads_the_values_of_the_typing_on_its_samples(case: Case) -> None:
    wrapper = induced(case)
    for tree, typing in typed_pages(case):
        codes = [
            finding.code for finding in verify(wrapper, tree.page, typing, "sample")
        ]
        assert codes == case.get("findings", [])
        assert (extracted(wrapper, tree.page) == said(typing)) == (not codes)


def with_key(key: str) -> list[Any]:
    return [case for case in cases("generalise") if key in case.values[0]]


@pytest.mark.parametrize("case", with_key("used"))
def test_a_wrapper_has_only_the_patterns_that_its_fields_use(case: Case) -> None:
    assert [name for name, _ in induced(case).patterns] == case["used"]


@pytest.mark.parametrize("case", with_key("ensemble"))
def test_samples_give_the_expected_locators_of_each_family(case: Case) -> None:
    """Write one line a reading: the field, the family, the expressions."""
    lines = []
    for area in induced(case).areas:
        lines += [
            f"{place.family}: {place.root} {place.record}" for place in area.places
        ]
        for rule in area.fields:
            for reading in rule.readings:
                expressions_text = " or ".join(map(locator_text, reading.locators))
                lines.append(f"{rule.name}, {reading.family}: {expressions_text}")
    assert shortened("\n".join(lines)) == case["ensemble"].strip()


@pytest.mark.parametrize("case", with_key("witness"))
def test_samples_give_the_expected_witnesses(case: Case) -> None:
    assert [shortened(str(area.witness or "")) for area in induced(case).areas] == case[
        "witness"
    ]


@pytest.mark.parametrize("case", with_key("other"))
def test_a_wrapper_reads_the_expected_values_on_another_page(case: Case) -> None:
    rows = extracted(induced(case), parse(case["other"].encode()))
    assert list(rows.values()) == case["rows"]


@pytest.mark.parametrize("case", cases("generalise"))
def test_the_order_of_samples_does_not_change_the_wrapper(case: Case) -> None:
    turned = case | {"samples": case["samples"][::-1]}
    lines = outline(induced(case)).splitlines()
    assert sorted(outline(induced(turned)).splitlines()) == sorted(lines)


def test_both_kinds_of_records_of_a_long_list_get_a_locator() -> None:
    """Draw candidates from a sample of the records that has every kind of record."""
    looks = (
        '<b class="price">[price £1]</b>',
        '<i>from</i> <i class="offer">[price £2]</i>',
    )
    rows = "".join(f'<li RECORD class="card">{looks[i % 2]}</li>' for i in range(120))
    case = {"samples": [f'<ul AREA class="list">{rows}</ul>']}
    (rule,) = induced(case).areas[0].fields
    assert len(rule.readings[0].locators) == 2


def test_a_wrapper_has_no_pattern_for_a_long_gazetteer() -> None:
    case = {
        "types": {"price": {}, "town": {"gazetteers": ["towns"]}},
        "gazetteers": {"towns": [f"Town {i:x}" for i in range(RULE.most_terms + 1)]},
        "samples": [
            "<ul AREA><li RECORD><b>[price £1]</b> <i>[town Town 1]</i></li></ul>"
        ],
    }
    wrapper = induced(case)
    assert wrapper.patterns == ()
    assert "  town: .//i" in outline(wrapper).splitlines()


def test_equal_samples_give_equal_bytes_in_every_process() -> None:
    script = (
        "from case_pages import cases\n"
        "from test_generalise import induced, wrapper_to_data\n"
        "for case in cases('generalise'):\n"
        "    print(wrapper_to_data(induced(case.values[0])))\n"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", script],
            cwd=Path(__file__).parent,
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": "."},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(outputs) == 1


# --- what always holds ------------------------------------------------------------

TOWNS = ("York", "Bath", "Milton Keynes", "Isle of Wight")
STATES = ("first", "last", "odd", "featured", "York", "bath", "milton-keynes", "n{n}")
TEMPLATES = (
    # the list, a record, what may stand before a record
    (
        '<ul AREA class="list {state}">{}</ul>',
        '<li RECORD class="{state} card" id="item-{n}"><p><a href="[link /{n}]">'
        '[title No. {n}]</a></p> <b class="price {state}">[price £{n}]</b> {town}</li>',
        ("", "<br>", '<li class="advert {state}"><b class="price">£99</b></li>'),
    ),
    (
        "<table><tbody AREA>{}</tbody></table>",
        '<tr RECORD class="head {state}"><td>{n}.</td> <td>[title No. {n}]</td></tr>'
        '<tr ROW class="{state}"><td>[price £{n}]</td> <td>{town}</td></tr>',
        ("", "<tr></tr>", "<tr><td></td></tr>"),
    ),
    (
        "<dl AREA>{}</dl>",
        "<dt RECORD>[title No. {n}]</dt><dd ROW>[price £{n}] <em>{town}</em></dd>",
        ("", "<br>"),
    ),
    (
        "<section AREA><h2>Homes</h2>{}</section>",
        '<div PARENT class="cell"><div RECORD>{town} <u>[price £{n}]</u></div></div>',
        ("", "<hr>", '<div class="advert"><div>£99</div></div>'),
    ),
)
PLACES = ("", '<i class="town {state}">[town {}]</i>', '<s class="in">[town {}]</s>')


@st.composite
def typed_samples(draw: st.DrawFn) -> list[str]:
    """Draw one or two pages of a template, with their typing written into them."""
    area, record, before = draw(st.sampled_from(TEMPLATES))
    numbers = iter(draw(st.lists(st.integers(100, 9999), min_size=8, unique=True)))
    state = st.sampled_from(STATES)

    def filled() -> str:
        n = next(numbers)
        town = draw(st.sampled_from(PLACES)).replace("{}", draw(st.sampled_from(TOWNS)))
        html = draw(st.sampled_from(before)) + record.replace("{town}", town)
        html = re.sub("{state}", lambda _: draw(state), html)
        return html.replace("{n}", str(n))

    def sample() -> str:
        html = "".join(filled() for _ in range(draw(st.integers(1, 4))))
        return f"<div>{area.replace('{}', html).replace('{state}', draw(state))}</div>"

    return [sample() for _ in range(draw(st.integers(1, 2)))]


@given(samples=typed_samples())
def test_a_wrapper_reads_the_values_of_the_typing_on_clean_pages(
    samples: list[str],
) -> None:
    case: Case = {"samples": samples}
    wrapper = induced(case)
    for tree, typing in typed_pages(case):
        assert extracted(wrapper, tree.page) == said(typing)
        assert list(verify(wrapper, tree.page, typing, "sample")) == []
    assert repr(wrapper_to_data(induced(case))) == repr(wrapper_to_data(wrapper))


_FLAGS = """<ul AREA><li RECORD>[title No. 1] <i class="town York">[town York]</i>
<li RECORD>[title No. 2]<li RECORD>[title No. 3] <i class="town York">[town York]</i>
<li RECORD>[title No. 4]</ul>"""


@given(samples=typed_samples())
@example([_FLAGS])
def test_no_expression_quotes_a_value_but_a_flag(samples: list[str]) -> None:
    case: Case = {"samples": samples}
    records = [
        values for _, typing in typed_pages(case) for values in said(typing).values()
    ]
    texts_of: dict[str, list[str]] = {}
    for name, value in chain.from_iterable(values.items() for values in records):
        texts_of.setdefault(name, []).extend(filter(None, [value]))
    values = {
        squeeze(text)
        for texts in texts_of.values()
        for text in texts
        # A text that recurs in half of the records or fewer is a flag, such as "Sale".
        if 2 * len(texts) > len(records) or 2 * len(set(texts)) > len(texts)
    }
    for xpath in expressions(induced(case)):
        for quoted in re.findall('"([^"]*)"', xpath):
            assert not any(value in squeeze(quoted) for value in values)


def expressions(wrapper: Wrapper) -> Iterator[str]:
    for area in wrapper.areas:
        for place in area.places:
            yield from map(str, (place.root, place.record))
        for reading in (reading for rule in area.fields for reading in rule.readings):
            assert 1 <= len(reading.locators) <= SEARCH.most_locators
            yield from (str(locator.xpath) for locator in reading.locators)


# --- from a case to a typing, and to what a wrapper says ---------------------------


def induced(case: Case) -> Wrapper:
    """Return the wrapper of a case's samples."""
    pages = typed_pages(case)
    return generalise(
        [TypedPage(tree.page, typing) for tree, typing in pages],
        [Sample(f"{i}.html", "0" * 64) for i in range(len(pages))],
        case_domain(case),
    )


def typed_pages(case: Case) -> list[tuple[AnnotatedPage, ExtractionTyping]]:
    kinds = case_domain(case).schema.types
    return [typed_page(sample, kinds) for sample in case["samples"]]


def said(typing: ExtractionTyping) -> dict[NodeId, dict[str, str | None]]:
    """Return the values of each record of a typing, by the start of the record."""
    return {
        record.start: {one.type: one.text for one in found}
        for area in typing.areas
        for record, found in zip(area.records, area.attributes, strict=True)
    }


def extracted(wrapper: Wrapper, page: Page) -> dict[NodeId, dict[str, str | None]]:
    """Return the values of each record that a wrapper finds, by the record's start."""
    return {
        record.rows[0]: {name: value.text for name, value in record.values.items()}
        for record in interpret(wrapper, page)
    }


def outline(wrapper: Wrapper) -> str:
    """Write a wrapper as the cases do."""
    lines = []
    for area in wrapper.areas:
        rows = "" if area.span == 1 else f", {area.span} rows"
        place = area.places[0]
        lines += [f"{area.name}: {place.root}", f"  record: {place.record}{rows}"]
        for rule in area.fields:
            for rank, locator in enumerate(rule.readings[0].locators):
                label = "or" if rank else rule.name
                lines.append(f"  {label}: {locator_text(locator)}")
    return shortened("\n".join(lines))


def shortened(text: str) -> str:
    return STEM.sub(r".\1*", TOKEN.sub(r".\1", text))


@pytest.mark.parametrize("source", ["text", "own-text", "@href", "first-line"])
@pytest.mark.parametrize("pattern", [None, "digits"])
def test_the_page_reader_reads_values_as_generated_files_do(
    source: str, pattern: str | None
) -> None:
    page = parse(
        b"<body><div><a href='/7'>-</a><a href='/8'>Not <b>binary</b> 12"
        b"<br>at all 5</a></div><div>none</div></body>"
    )
    rows = tuple(node for node in page.elements() if page.tag[node] == "div")
    patterns = PatternCache({"digits": r"no (?P<value>\d+)|\d+"})
    path = Steps((Step("a", deep=True),))
    readout = PageValueReader(patterns)
    for row in range(3):
        locator = Locator(path, source, pattern, row)
        nodes = [page.element_of(record_node) for record_node in rows]
        (wanted,) = TreeValueReader(patterns).column([locator], [nodes])
        start = rows[row] if row < len(rows) else None
        select = selector(page, path)
        (value,) = readout.column(page, select, source, pattern, [start])
        assert value == (wanted.shown if wanted else None)


@pytest.mark.parametrize(("length", "expected"), [(4000, "7"), (5000, None)])
def test_patterns_are_searched_up_to_a_bound_in_long_texts(
    length: int, expected: str | None
) -> None:
    page = parse(f"<body><p>{'x' * length} 7</p></body>".encode())
    patterns = PatternCache({"digit": r"\d"})
    locator = Locator(Steps((Step("p"),)), pattern="digit")
    (wanted,) = TreeValueReader(patterns).column([locator], [[page.element_of(1)]])
    select = selector(page, Steps((Step("p"),)))
    assert PageValueReader(patterns).column(page, select, "text", "digit", [1]) == [
        expected
    ]
    assert (wanted and wanted.shown) == expected


@pytest.mark.parametrize(
    ("patterns", "beyond"),
    [
        pytest.param(("rating",), 1, id="a list knows some values"),
        pytest.param((), 0, id="a column has no others"),
    ],
)
def test_values_beyond_the_typing_are_unknown_for_types_wrong_for_columns(
    patterns: tuple[str, ...], beyond: int
) -> None:
    """Records with a gap have the element without a mark, too."""
    page = parse(b"<ul><li><b>Fair</b><li><b>Good</b><li><b>from 540</b></ul>")
    rows = [node for node in page.elements() if page.tag[node] == "li"]
    records = []
    for row in rows:
        [node] = page.child_elements(row)
        text = page.string(node)
        attribute = Attribute("rating", node, "text", text, text, None, 1, "inferred")
        records.append(TypedRecord(page, (row,), None if "from" in text else attribute))
    kind = AttributeType("rating", ValueKind.TEXT, patterns=patterns, whole=True)
    pool = LocatorPool(
        kind, records, PageValueReader(PatternCache({})), PathGenerator(NodeTests([]))
    )
    pool.fill()
    outcomes = [
        pool.outcome(candidate)
        for candidate in pool.candidates
        if candidate.family == "tag"
    ]
    assert outcomes
    assert {(candidate.right, candidate.unknown >> 2) for candidate in outcomes} == {
        (0b11, beyond)
    }
    assert {candidate.wrong >> 2 for candidate in outcomes} == {1 - beyond}
