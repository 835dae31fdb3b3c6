"""Test that PHP selects the values of a wrapper, for FreshRSS and RSS-Bridge."""

# ruff: noqa: F811  Tests take imported fixtures.

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from command_line import command_runner
from selector_targets import (  # noqa: F401
    FRSS,
    ROOT,
    URL,
    bridge_expressions,
    golden,
    pages,
)

from amber_wrap.dom.parse import parse
from amber_wrap.export.freshrss import freshrss
from amber_wrap.export.plain_xpath import selection
from amber_wrap.export.rss_bridge import rss_bridge
from amber_wrap.export.target import export_subject

sys.path.insert(0, str(ROOT / "benchmarks"))


PHP = r"""
<?php
[, $file, $mode] = $argv;
$given = json_decode(file_get_contents('php://stdin'), true);
$page = new DOMDocument();
libxml_use_internal_errors(true);
$page->loadHTML('<?xml encoding="UTF-8">' . file_get_contents($file));
$xpath = new DOMXPath($page);
$rows = [];
foreach ($xpath->query($given['item']) as $row) {
    $values = [];
    foreach ($given['fields'] as $name => $expression) {
        $found = $xpath->evaluate($expression, $row);
        if ($found === false) { fwrite(STDERR, "wrong: $expression"); exit(1); }
        if ($found instanceof DOMNodeList) {
            $texts = [];
            foreach ($found as $node) { $texts[] = $node->textContent; }
            $found = $texts;
        }
        $values[$name] = $found;
    }
    $rows[] = $values;
}
echo json_encode($rows);
"""


def php(page: Path, item: str, fields: dict[str, str], folder: Path) -> list[dict]:
    """Evaluate expressions by PHP's DOMXPath; nodes become a list of texts."""
    if shutil.which("php") is None and not os.environ.get("AMBER_CI"):
        pytest.skip("there is no PHP: install php-cli and php-xml")
    script = folder / "evaluate.php"
    script.write_text(PHP.lstrip(), "utf-8")
    process = subprocess.run(
        ["php", str(script), str(page), ""],
        input=json.dumps({"item": item, "fields": fields}),
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stderr
    return json.loads(process.stdout)


def freshrss_expressions(exported) -> dict[str, str]:
    """Read the expressions of an OPML file by their keys."""
    (text,) = exported.files.values()
    (outline,) = ET.fromstring(text.encode()).iter("outline")
    assert outline.get("type") == "HTML+XPath"
    assert outline.get("xmlUrl") == URL
    return {
        key.removeprefix(FRSS): value
        for key, value in outline.attrib.items()
        if key.startswith(FRSS)
    }


def test_php_selects_the_values_of_the_wrapper_by_freshrss_expressions(
    golden, tmp_path
):
    from exports import changed_fields, expected, same

    subject = replace(export_subject(str(golden / "wrapper.json")), url=URL)
    exported = freshrss(subject)
    changed = changed_fields(exported.findings)
    settings = freshrss_expressions(exported)
    item = settings.pop("xPathItem")
    settings.pop("xPathItemTimeFormat", "")
    chosen, _ = selection(subject.program)
    assert settings.get("xPathItemUri") in [one.nodes for one in chosen.fields]
    fields = {one.name: one for one in chosen.fields}
    # FreshRSS puts normalize-space() around all but the content and the categories.
    wrapped = {
        key: one if key in WHOLE else f"normalize-space({one})"
        for key, one in settings.items()
    }
    plain = {name: one.text for name, one in fields.items() if not one.several}
    plain |= {name: one.nodes for name, one in fields.items() if one.several}
    for page in pages(golden):
        rows = php(page, item, {**wrapped, **plain}, tmp_path)
        expected_rows = expected(subject.program, parse(page.read_bytes()).root, False)
        assert len(rows) == len(expected_rows) > 0
        for row, one in zip(rows, expected_rows, strict=True):
            carried = [
                field_name
                for field_name in fields
                if one[field_name] and field_name not in changed
            ]
            assert [
                field_name
                for field_name in carried
                if not same(row[field_name], one[field_name])
            ] == []
            by_expression = {fields[name].nodes: row[name] for name in fields}
            for key, expression in settings.items():
                if expression in by_expression:
                    assert same(row[key], by_expression[expression])


def test_freshrss_gets_the_format_of_dates_with_the_day_first(
    tmp_path, monkeypatch, capsys
):
    items = (
        f"<li><h2><a href=/{day}>Talk {day}</a></h2><time>{day}/05/2026</time>"
        for day in range(11, 19)
    )
    page = tmp_path / "talks.html"
    page.write_text(f"<ul>{''.join(items)}</ul>", "utf-8")
    run = command_runner(monkeypatch, capsys)
    run("induce", page, "--url", URL, "-o", tmp_path / "talks.py")
    subject = replace(export_subject(str(tmp_path / "talks.json")), url=URL)
    settings = freshrss_expressions(freshrss(subject))
    assert settings["xPathItemTimeFormat"] == "!d/m/Y+"


WHOLE = frozenset({"xPathItemContent", "xPathItemCategories"})


def test_the_bridge_of_rss_bridge_has_the_expressions_of_freshrss(golden, tmp_path):
    subject = replace(export_subject(str(golden / "wrapper.json")), url=URL)
    exported = rss_bridge(subject)
    constants = bridge_expressions(exported, tmp_path)
    settings = freshrss_expressions(freshrss(subject))
    assert constants["FEED_SOURCE_URL"] == constants["URI"] == URL
    names = {"Title": "TITLE", "Content": "CONTENT", "Uri": "URI"}
    names |= {"Timestamp": "TIMESTAMP", "Thumbnail": "ENCLOSURES", "": "ITEM"}
    for key, name in names.items():
        constant = f"XPATH_EXPRESSION_ITEM{f'_{name}' if key else ''}"
        assert constants.get(constant) == settings.get(f"xPathItem{key}")
    query = parse_qs(urlsplit(exported.files["XPathBridge.url"].strip()).query)
    assert query["bridge"] == ["XPathBridge"]
    assert query["url"] == [URL]
    assert query["item"] == [settings["xPathItem"]]
    assert query["title"] == [settings["xPathItemTitle"]]
