"""Test that schemas of other tools are read, checked and compiled as wrappers."""

from __future__ import annotations

import importlib.util
import json
import os
from dataclasses import replace
from pathlib import Path

import pytest
from test_cli import run  # noqa: F401

from amber_wrap.dom.parse import parse
from amber_wrap.domain.schema import ValueKind
from amber_wrap.engine.output_rows import to_rows
from amber_wrap.errors import WrapperError
from amber_wrap.export.foreign_schemas import read_foreign
from amber_wrap.export.foreign_wrapper import absolute_xpath, wrapper_of
from amber_wrap.export.plain_xpath import selection
from amber_wrap.export.target import export_subject
from amber_wrap.export.target_list import TARGETS
from amber_wrap.files import read_wrapper
from amber_wrap.wrapper.stored_wrapper import StoredWrapper, from_text, to_text

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*/wrapper.json"))
URL = "https://www.example.com/list"
PAGE = """
<html><body><h1>Talks</h1><ul id="talks">
<li class="talk"><a href="/t/1">On reading slowly</a> <i>12 comments</i>
 <b>£4.50</b> <u>x</u><u>y</u> <time datetime="2024-05-12">12 May 2024</time></li>
<li class="talk"><a href="/t/2">On mending</a> <i>3 comments</i>
 <b>£12.00</b> <u>z</u> <time datetime="2024-06-01">1 June 2024</time></li>
<li class="talk"><a href="/t/3">On walls</a> <i>7 comments</i>
 <b>£3.00</b> <time datetime="2024-06-02">2 June 2024</time></li>
</ul></body></html>
"""
CRAWL4AI = {
    "name": "talks",
    "baseSelector": "//li[@class='talk']",
    "fields": [
        {"name": "title", "selector": ".//a", "type": "text"},
        {
            "name": "link",
            "selector": ".//a",
            "type": "attribute",
            "attribute": "href",
        },
        {
            "name": "comments",
            "selector": "./i",
            "type": ["text", "regex"],
            "pattern": r"(\d+) comments",
            "group": 1,
        },
        {
            "name": "words",
            "selector": ".//u",
            "type": "list",
            "fields": [{"name": "value", "type": "text"}],
        },
    ],
}
SELECTORLIB = """
talks:
  css: ul#talks > li
  multiple: true
  type: Text
  children:
    title:
      css: a
      type: Text
    link:
      xpath: .//a
      type: Link
    words:
      css: u
      multiple: true
      type: Text
"""
FRESHRSS = """<?xml version="1.0"?>
<opml version="2.0" xmlns:frss="https://freshrss.org/opml"><body>
<outline type="HTML+XPath" text="talks" xmlUrl="https://example.com/"
 frss:xPathItem="//ul/li" frss:xPathItemTitle="descendant::a"
 frss:xPathItemUri="descendant::a/@href" frss:xPathItemTimestamp=".//time/@datetime"
 frss:xPathItemContent="concat('x', .)" frss:xPathItemCategories=".//u"/>
</body></opml>
"""
SCHEMAS = {
    "crawl4ai": json.dumps(CRAWL4AI),
    "selectorlib": SELECTORLIB,
    "freshrss": FRESHRSS,
}
FIRST = {
    "crawl4ai": {
        **{"title": "On reading slowly", "link": "/t/1", "comments": "12"},
        "words": ["x", "y"],
    },
    "selectorlib": {"title": "On reading slowly", "link": "/t/1", "words": ["x", "y"]},
    "freshrss": {
        **{"title": "On reading slowly", "link": "/t/1", "date": "2024-05-12"},
        "tags": ["x", "y"],
    },
}


@pytest.fixture
def folder(tmp_path, run):  # noqa: F811
    """Return a folder with a schema of each tool, and a page."""
    if not os.environ.get("AMBER_CI"):
        pytest.importorskip("yaml")
    (tmp_path / "page.html").write_text(PAGE, "utf-8")
    for tool, text in SCHEMAS.items():
        (tmp_path / f"{tool}.txt").write_text(text, "utf-8")
    return tmp_path


@pytest.mark.parametrize("tool", SCHEMAS)
def test_a_schema_is_read_by_apply(folder, run, tool):  # noqa: F811
    code, _, err = run("import", tool, f"{tool}.txt", "-o", "w.json")
    assert (code, err.splitlines()[-1]) == (0, "wrote w.json")
    code, out, _ = run("apply", "w.json", "page.html")
    rows = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert rows[0] == FIRST[tool]
    assert len(rows) == 3
    assert from_text(to_text(from_text(Path("w.json").read_bytes())).encode())


@pytest.mark.parametrize("tool", SCHEMAS)
def test_a_schema_with_a_sample_is_compiled_and_checked(folder, run, tool):  # noqa: F811
    words = ("import", tool, f"{tool}.txt", "--sample", "page.html", "-o", "w.py")
    code, _, err = run(*words)
    assert (code, err.splitlines()[-1]) == (0, "wrote w.py and w.json")
    assert run("check", "w.py", "page.html")[0] == 0
    (folder / "other.html").write_text(PAGE.replace("talk", "x"), "utf-8")
    assert run("check", "w.py", "other.html")[0] == (0 if tool == "freshrss" else 3)
    code, out, _ = run("test", "w.py")
    assert (code, "1 passed" in out) == (0, True)
    module_spec = importlib.util.spec_from_file_location("w", folder / "w.py")
    module = importlib.util.module_from_spec(module_spec)
    module_spec.loader.exec_module(module)
    assert module.extract(PAGE)[0]["title"] == "On reading slowly"


def test_import_takes_the_kinds_of_columns_from_the_sample(folder, run):  # noqa: F811
    schema = {
        "name": "talks",
        "baseSelector": "//li",
        "fields": [
            {"name": "comments", "selector": ".//i", "type": "text"},
            {"name": "price", "selector": ".//b", "type": "text"},
            {"name": "day", "selector": ".//time", "type": "text"},
        ],
    }
    (folder / "s.json").write_text(json.dumps(schema), "utf-8")
    words = ("import", "crawl4ai", "s.json", "--sample", "page.html", "-o", "w.py")
    assert run(*words)[0] == 0
    _, out, _ = run("apply", "w.json", "page.html")
    assert json.loads(out.splitlines()[0]) == {
        "comments": 12,
        "price": 4.5,
        "price_currency": "GBP",
        "day": "2024-05-12",
    }


@pytest.mark.parametrize("tool", ["crawl4ai", "selectorlib", "freshrss"])
@pytest.mark.parametrize("wrapper", GOLDEN, ids=lambda path: path.parent.name)
def test_an_exported_schema_reads_the_same_values_when_imported(wrapper, tool):
    if tool == "selectorlib" and not os.environ.get("AMBER_CI"):
        pytest.importorskip("yaml")
    subject = replace(export_subject(str(wrapper)), url=URL)
    exported = TARGETS[tool].make(subject)
    ((_, text),) = exported.files.items()
    imported = wrapper_of(read_foreign(tool, text.encode()))
    chosen, _ = selection(subject.program)
    page = parse((wrapper.parent / "sample.html").read_bytes())
    rows, rules = to_rows(imported, page, raw=True), read_wrapper(str(wrapper))
    expected_rows = to_rows(rules, page, raw=True)
    assert len(rows) == len(expected_rows)
    exact_fields = {
        one.name
        for one in chosen.fields
        if len(one.alternatives) == 1 and one.kind is not ValueKind.DATE
        if all(way.is_exact and not way.pattern for way in one.alternatives)
        if not one.several and not any(way.is_string for way in one.alternatives)
    }
    shared = sorted(exact_fields & set(rows[0]))
    for name in shared:
        assert [row[name] for row in rows] == [row[name] for row in expected_rows]


WRONG = [
    ("crawl4ai", "{", "the file is not JSON: "),
    ("crawl4ai", "[]", "the file is not a crawl4ai schema: it has no list of fields"),
    ("crawl4ai", '{"fields": []}', "baseSelector must be a text, not None"),
    (
        "crawl4ai",
        '{"baseSelector": "//li", "fields": []}',
        "the crawl4ai schema has no readable field",
    ),
    (
        "crawl4ai",
        '{"baseSelector": "//li[", "fields": [{"name": "a", "selector": "./b"}]}',
        "'//li[' is not an XPath 1.0 expression: Invalid expression",
    ),
    (
        "crawl4ai",
        '{"baseSelector": "./li", "fields": [{"name": "a b", "selector": "./b"}]}',
        "'a b' can't be the name of a column",
    ),
    (
        "crawl4ai",
        '{"baseSelector": "//li", "fields": [{"name": "a", "selector": "./b", '
        '"type": "regex", "pattern": "("}]}',
        "a: '(' is not a regular expression: ",
    ),
    ("selectorlib", "a: [", "the file is not YAML: "),
    ("selectorlib", "a: 1", "the file is not a selectorlib schema of one list: "),
    (
        "selectorlib",
        "a: {css: 'li[', children: {b: {css: i}}}",
        "'li[' is not a CSS selector: ",
    ),
    (
        "selectorlib",
        "a: {css: li, children: {b: {type: Text}}}",
        "b: xpath or css is missing",
    ),
    ("freshrss", "<opml>", "the file is not XML: "),
    ("freshrss", "<opml/>", "the OPML has no feed of type HTML+XPath"),
    (
        "freshrss",
        '<!DOCTYPE x [<!ENTITY a "b">]><opml/>',
        "the OPML declares entities: remove them",
    ),
    (
        "freshrss",
        '<opml><outline type="HTML+XPath"/></opml>',
        "the feed has no frss:xPathItem",
    ),
]


@pytest.mark.parametrize(("tool", "text", "message"), WRONG)
def test_a_wrong_schema_is_reported(folder, run, tool, text, message):  # noqa: F811
    (folder / "wrong.txt").write_text(text, "utf-8")
    code, _, err = run("import", tool, "wrong.txt")
    assert code == 2
    assert err.splitlines()[-1].startswith(f"amber-wrap: wrong.txt: {message}")
    assert not (folder / "wrappers").exists()


def test_a_sample_without_records_is_reported(folder, run):  # noqa: F811
    (folder / "no.html").write_text("<p>x</p>", "utf-8")
    words = ("import", "crawl4ai", "crawl4ai.txt", "--sample", "no.html")
    code, _, err = run(*words)
    assert (code, err) == (
        1,
        "amber-wrap: the schema reads no records from no.html: check that it is for "
        "these pages, and that they are saved as its tool fetches them\n",
    )


def test_an_existing_wrapper_is_overwritten_only_with_force(folder, run):  # noqa: F811
    assert run("import", "crawl4ai", "crawl4ai.txt", "-o", "w.json")[0] == 0
    code, _, err = run("import", "freshrss", "freshrss.txt", "-o", "w.json")
    assert (code, "w.json already exists" in err) == (2, True)
    words = ("import", "freshrss", "freshrss.txt", "-o", "w.json", "--force")
    assert run(*words)[0] == 0


def test_a_field_that_wrappers_do_not_support_is_reported(folder, run):  # noqa: F811
    nested = {"name": "more", "selector": "./x", "type": "nested", "fields": []}
    schema = CRAWL4AI | {"fields": [*CRAWL4AI["fields"], nested]}
    (folder / "s.json").write_text(json.dumps(schema), "utf-8")
    _, _, err = run("import", "crawl4ai", "s.json")
    assert "warning: more: left out: wrappers don't support nested [not-carried]" in err


def test_an_imported_wrapper_is_the_same_after_storing():
    wrapper = wrapper_of(read_foreign("freshrss", FRESHRSS.encode()))
    stored = StoredWrapper(wrapper, "amber-wrap import", "0" * 64)
    assert from_text(to_text(stored).encode()) == stored


@pytest.mark.parametrize(
    ("xpath", "found"),
    [
        ("//li", "//li"),
        (".//li", "//li"),
        ("//li | //dd", "//li | //dd"),
        ("(//ul)[1]/li", "(//ul)[1]/li"),
        (" //li[.=' | '] ", "//li[.=' | ']"),
    ],
)
def test_expressions_for_records_are_made_absolute(xpath, found):
    assert absolute_xpath(xpath) == found


def test_an_expression_for_records_without_a_start_is_reported():
    with pytest.raises(WrapperError, match="begin it with // or /"):
        absolute_xpath("li")
