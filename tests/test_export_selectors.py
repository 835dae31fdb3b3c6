"""Test that targets with selectors select the values of the wrapper."""

# ruff: noqa: F811  Tests take imported fixtures.

from __future__ import annotations

import json
import os
import sys
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import pytest
from selector_targets import (  # noqa: F401
    FRSS,
    GOLDEN,
    ROOT,
    URL,
    bridge_expressions,
    golden,
    pages,
)
from test_cli import run  # noqa: F401

from amber_wrap.codegen.other_languages import xml
from amber_wrap.dom.parse import parse
from amber_wrap.errors import SelectionError, WrapperError
from amber_wrap.export.crawl4ai import crawl4ai
from amber_wrap.export.css_selectors import css_of
from amber_wrap.export.feed_expressions import joined_texts
from amber_wrap.export.freshrss import freshrss
from amber_wrap.export.html2rss import html2rss
from amber_wrap.export.plain_xpath import selection
from amber_wrap.export.rss_bridge import rss_bridge
from amber_wrap.export.selectorlib import selectorlib
from amber_wrap.export.selectors_and_patterns import loose_pattern
from amber_wrap.export.target import LOST, export_subject
from amber_wrap.export.target_list import TARGETS, target_called
from amber_wrap.lowering.program import Column, List, Program, Read

sys.path.insert(0, str(ROOT / "benchmarks"))
HOSTILE = "' \" \\ ?> <?php exit; ]]> <!-- {{ 7*7 }} {% x %} \n # : - &amp; $x"


def needed(*names: str):
    """Import modules, or skip the test; in CI they must be installed."""
    if os.environ.get("AMBER_CI"):
        return [__import__(name) for name in names]
    return [pytest.importorskip(name) for name in names]


LEAST = {"crawl4ai": 0.5, "selectorlib": 0.5, "html2rss": 0}
"""The least share of the fields that a target must carry."""


def compared(case: Path, name: str):
    """Compare a target with the wrapper on each page of a case.

    Yields the rows that the target selects, the expected rows, and the fields that the
    target carries.
    """
    from exports import PATTERNS, READERS, changed_fields, expected

    subject = replace(export_subject(str(case / "wrapper.json")), url=URL)
    exported = TARGETS[name].make(subject)
    chosen, _ = selection(subject.program)
    changed = changed_fields(exported.findings)
    fields = [field.name for field in chosen.fields if field.name not in changed]
    for page in pages(case):
        body = page.read_bytes()
        rows = READERS[name](exported, chosen, body)
        yield (
            rows,
            expected(subject.program, parse(body).root, name in PATTERNS),
            fields,
        )


@pytest.mark.parametrize("name", ["crawl4ai", "selectorlib", "html2rss"])
def test_a_schema_selects_the_values_of_the_wrapper(golden, name):
    needed({"html2rss": "yaml"}.get(name, name))
    from exports import same

    for rows, expected_rows, fields in compared(golden, name):
        if name == "html2rss" and golden.name == "forum-table":
            continue  # Rows that scripts copy are records there; a finding says so.
        assert len(rows) == len(expected_rows) > 0
        assert len(fields) >= LEAST[name] * len(expected_rows[0])
        for row, expected_row in zip(rows, expected_rows, strict=True):
            # Without patterns "on request" is a price.
            carried = [
                field for field in fields if name == "crawl4ai" or expected_row[field]
            ]
            assert [
                field
                for field in carried
                if not same(row.get(field), expected_row[field])
            ] == []


# --- what can't be said ---------------------------------------------------------


def program(*columns: Column, records: str = "//li", **more) -> Program:
    one = List("results", (records, "//*[@x]"), tuple(columns), least=2)
    return Program((one,), tuple(one.name for one in columns), **more)


def column(name: str, path: str, pattern: str = "", kind: str = "text", **more):
    from amber_wrap.domain.schema import ValueKind

    read = Read(path, pattern, **({"first": path, "is_exact": True} | more))
    return Column(name, ValueKind(kind), (read,))


def made_of(make, *columns: Column, **more):
    known = replace(SUBJECT, program=program(*columns, **more), url=URL)
    return make(known)


SUBJECT = export_subject(str(GOLDEN[0] / "wrapper.json"))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (freshrss, "date: reads the whole text: FreshRSS has no patterns"),
        (rss_bridge, "date: reads the whole text: RSS-Bridge has no patterns"),
        (selectorlib, "date: reads the whole text: selectorlib has no patterns"),
        (html2rss, "date: reads the whole text: html2rss has no patterns"),
    ],
)
def test_the_loss_of_a_field_in_a_target_is_reported(make, message):
    findings = made_of(make, column("date", ".//i", r"\d+", kind="date")).findings
    assert message in [f"{finding.where}: {finding.message}" for finding in findings]
    assert {finding.code for finding in findings} == {LOST}


@pytest.mark.parametrize("name", sorted(TARGETS))
def test_a_field_that_no_expression_selects_is_left_out_and_reported(name):
    if name not in ("crawl4ai", "freshrss", "html2rss", "rss-bridge", "selectorlib"):
        return
    lost = column("size", ".//i", r"\d+", first="")
    exported = made_of(TARGETS[name].make, lost, column("title", ".//b"))
    findings = [finding for finding in exported.findings if finding.where == "size"]
    assert "left out" in findings[0].message
    assert not any("size" in text for text in exported.files.values())


def test_a_second_expression_is_used_where_the_first_selects_nothing():
    first = column("title", ".//b")
    with_second = replace(first, reads=(*first.reads, *column("title", ".//h2").reads))
    chosen, _ = selection(program(with_second))
    rows = parse(b"<ul><li><b>x</b><h2>no</h2></li><li><h2>y</h2></li></ul>")
    (field,) = chosen.fields
    texts = [row.xpath(field.text) for row in rows.root.xpath("//li")]
    assert texts == ["x", "y"]


def test_a_feed_without_a_url_is_refused():
    for make in (freshrss, rss_bridge, html2rss):
        with pytest.raises(WrapperError, match="give it with --url"):
            make(replace(SUBJECT, url=""))


def test_an_unknown_target_is_refused_with_the_known_ones():
    with pytest.raises(SelectionError, match=r"targets are .*crawl4ai, .*freshrss"):
        target_called("rss")


# --- nothing of a page gets out of its quotes -----------------------------------


@pytest.mark.parametrize("make", [freshrss, rss_bridge, crawl4ai, selectorlib])
def test_hostile_expressions_stay_in_their_quotes(make, tmp_path):
    path = f'.//b[@x={json.dumps("a")} or @y="{HOSTILE.replace(chr(34), "")}"]'
    subject = replace(
        SUBJECT,
        program=program(
            column("title", path), column("x", ".//i"), records="//" + "li"
        ),
        url=f"https://example.com/{HOSTILE}",
        name="page",
    )
    exported = make(subject)
    text = next(iter(exported.files.values()))
    if make is freshrss:
        (outline,) = ET.fromstring(text.encode()).iter("outline")
        assert outline.get(f"{FRSS}xPathItemTitle") == path
        assert outline.get("xmlUrl") == subject.url
    elif make is rss_bridge:
        constants = bridge_expressions(exported, tmp_path)
        assert constants["XPATH_EXPRESSION_ITEM_TITLE"] == path
        assert constants["URI"] == subject.url
    elif make is crawl4ai:
        assert json.loads(text)["fields"][0]["selector"] == path
    else:
        (yaml,) = needed("yaml")
        children = yaml.safe_load(text)["records"]["children"]
        assert children["title"]["xpath"] == path


def test_texts_that_xml_cannot_represent_are_refused():
    with pytest.raises(WrapperError, match="XML can't represent"):
        xml("a\x00b")


def test_the_content_of_a_feed_lists_all_other_fields():
    chosen, _ = selection(program(column("size_m2", ".//b"), column("x", "./i")))
    row = parse(b"<ul><li><b> 7\n </b></li></ul>").root.xpath("//li")[0]
    assert row.xpath(joined_texts(chosen.fields)) == "size m2: 7; x: "


# --- the parts ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("xpath", "css"),
    [
        ("//ul/li", "ul > li"),
        (".//a", "a"),
        ("./a/b", "> a > b"),
        ('//*[contains(concat(" ", normalize-space(@class), " "), " x ")]', ".x"),
        ('//*[contains(concat(" ", normalize-space(@rel), " "), " x ")]', '[rel~="x"]'),
        ('.//p[@id="a\'b"]', 'p[id="a\'b"]'),
        ('.//p[contains(@href, "/x/")]//b', 'p[href*="/x/"] b'),
        (".//li[2]", "li:nth-of-type(2)"),
        (".//*[2]", ":nth-child(2)"),
        (".//td[position() mod 2 = 1]", "td:nth-of-type(2n+1)"),
        (".//li[.//a]", "li:has(a)"),
        (".//li[./a]", "li:has(> a)"),
        ('.//dd[preceding-sibling::*[1]/self::dt[@id="x"]]', 'dt[id="x"] + dd'),
    ],
)
def test_css_of_translates_xpath_expressions(xpath, css):
    assert css_of(xpath) == css


@pytest.mark.parametrize(
    "xpath",
    [
        ".",
        './/b[normalize-space()="x"]',
        './/b[@x="y"][2]',
        "following-sibling::*[1]",
        './/dd[preceding-sibling::*[1][normalize-space()="x"]]',
    ],
)
def test_css_of_refuses_expressions_without_a_css_form(xpath):
    with pytest.raises(ValueError, match=r"CSS can't|not a path of a wrapper"):
        css_of(xpath)


@pytest.mark.parametrize(
    ("pattern", "other"),
    [
        ("a b", r"a\s+b"),
        (r"\d ?m²", r"\d\s?m²"),
        ("(?<=in )x", r"(?<=in\s)x"),
        ("(?<=in (?:x y) )x", r"(?<=in\s(?:x\sy)\s)x"),
        ("(?<=a)b c", r"(?<=a)b\s+c"),
        ("[ ']", r"[\s']"),
        (r"(\d) ?(?i:mi)(?![.\w])", r"(\d)\s?(?i:mi)"),
        (r"\( (?P<v>a b)", r"\(\s+(?P<v>a\s+b)"),
    ],
)
def test_loose_pattern_allows_any_white_space(pattern, other):
    assert loose_pattern(pattern) == other


# --- the command ----------------------------------------------------------------


def test_the_export_command_writes_one_or_several_files(run, tmp_path):
    wrapper = str(GOLDEN[0] / "wrapper.json")
    code, out, err = run("export", wrapper, "--to", "crawl4ai")
    assert code == 0
    assert json.loads(out)["baseSelector"].startswith("//")
    assert "[not-carried]" in err
    code, _, err = run("export", wrapper, "--to", "crawl4ai", "-o", "a/b.json")
    assert (code, (tmp_path / "a" / "b.json").read_text("utf-8")) == (0, out)
    code, _, err = run("export", wrapper, "--to", "rss-bridge", "--url", URL)
    assert (code, err.splitlines()[-1]) == (
        2,
        "amber-wrap: rss-bridge needs 2 files: name a folder for them with -o",
    )
    code, _, _ = run("export", wrapper, "--to", "rss-bridge", "--url", URL, "-o", "c")
    assert (code, len(list((tmp_path / "c").iterdir()))) == (0, 2)


def test_a_wrapper_without_a_program_is_refused_with_advice(run, tmp_path):
    data = json.loads((GOLDEN[0] / "wrapper.json").read_text("utf-8"))
    del data["program"]
    (tmp_path / "old.json").write_text(json.dumps(data), "utf-8")
    code, _, err = run("export", "old.json", "--to", "crawl4ai")
    assert (code, err) == (
        2,
        "amber-wrap: old.json was created by an older version, or isn't compiled: "
        "create it again with amber-wrap build or induce\n",
    )
