"""Test the functions of generated files, and their command line."""

# ruff: noqa: F811  Tests take imported fixtures.

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from generated import (  # noqa: F401
    CASES,
    COMMAND,
    URL,
    case,
    execute,
    expected,
    page_of,
    wrapper_of,
)
from parsel import Selector

from amber_wrap.codegen.build import render_program
from amber_wrap.dom.decoding import decode
from amber_wrap.dom.parse import parse
from amber_wrap.domain.schema import ValueKind
from amber_wrap.engine.output_rows import to_rows
from amber_wrap.lowering.program import Column, List, Program, Read

# --- the file at work -------------------------------------------------------------


def test_extract_reads_bytes_texts_and_selectors_alike(case):
    extract = expected(case.name).extract
    body = page_of(case)
    records = read_rows(case / "records.jsonl")
    for page in (body, decode(body), Selector(text=decode(body))):
        assert extract(page, URL) == records
        assert [list(row) for row in extract(page, URL)] == [list(r) for r in records]


def test_extract_gives_the_rows_of_the_interpreter(case):
    rows = to_rows(wrapper_of(case), parse(page_of(case), URL))
    assert expected(case.name).extract(page_of(case), URL) == [
        {key: row[key] for key in record}
        for row, record in zip(rows, read_rows(case / "records.jsonl"), strict=True)
    ]


@pytest.mark.parametrize(
    ("base", "url", "link"),
    [
        ("", "", "1.html"),
        ("", "http://x.org/a/b", "http://x.org/a/1.html"),
        ("<base href='/c/'>", "", "/c/1.html"),
        ("<base><base href=' /c/ '>", "http://x.org/a/b", "http://x.org/c/1.html"),
        ("<base href='//['>", "http://x.org/a/b", "http://x.org/a/1.html"),
    ],
)
def test_extract_makes_links_absolute_where_a_base_is_known(base, url, link):
    page = f"{base}<div class=search-results__list><article><h2><a href=1.html>A</a>"
    (record,) = expected("every-kind").extract(page, url)
    assert record["details_page"] == link


def test_check_returns_a_message_for_a_page_without_records(case):
    module = expected(case.name)
    assert module.check(page_of(case)) == []
    (message,) = module.check("<p>nothing")
    assert message.startswith("0 records, 1 to ")


def test_check_names_a_value_that_is_unlike_those_of_the_sample():
    page = f"<ul id=list><li>Oak<li>{'x' * 100}<li>{'y' * 100}</ul>"
    (message,) = expected("one-field").check(page)
    assert message == f"title: {'x' * 100!r} is unlike the samples"


def test_importing_a_generated_file_has_no_effect(case):
    program = (
        "import sys; sys.path.insert(0, sys.argv[1]); sys.dont_write_bytecode = True; "
        "import expected; assert 'amber_wrap' not in sys.modules"
    )
    process = subprocess.run(
        [sys.executable, "-W", "error", "-c", program, case],
        capture_output=True,
        text=True,
    )
    assert (process.returncode, process.stdout, process.stderr) == (0, "", "")


def test_a_missing_page_is_reported_in_one_line():
    status, printed, message = run("one-field", "missing.html")
    assert (status, printed) == (2, "")
    assert message == "missing.html: No such file or directory\n"


def test_a_closed_pipe_on_stdout_is_reported_in_one_line():
    reader, writer = os.pipe()
    os.close(reader)
    case = CASES[0]
    process = subprocess.run(
        [sys.executable, case / "expected.py", case / "page.html"],
        stdout=writer,
        stderr=subprocess.PIPE,
    )
    os.close(writer)
    assert (process.returncode, process.stderr.count(b"\n")) == (2, 1)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize("stdout", [">/dev/full", ">&-"])
def test_a_full_or_closed_output_is_reported_in_one_line(stdout):
    case = CASES[0]
    command = f'exec "$0" "$1" "$2" {stdout}'
    words = ["sh", "-c", command, sys.executable, case / "expected.py"]
    process = subprocess.run([*words, case / "page.html"], capture_output=True)
    assert (process.returncode, process.stderr.count(b"\n")) == (2, 1)


def test_json_lines_are_utf_8_on_any_console():
    case = next(one for one in CASES if not page_of(one).isascii())
    process = subprocess.run(
        [sys.executable, case / "expected.py", case / "page.html"],
        env=os.environ | {"PYTHONIOENCODING": "ascii", "LC_ALL": "C"},
        capture_output=True,
    )
    assert not process.stderr
    assert process.stdout.decode() == run(case.name, case / "page.html")[1]


def test_a_generated_file_reads_a_page_from_stdin(case):
    process = subprocess.run(
        [sys.executable, case / "expected.py", "-"],
        input=page_of(case),
        capture_output=True,
    )
    assert process.stdout.decode() == run(case.name, case / "page.html")[1]


@pytest.mark.parametrize("kind", [ValueKind.TEXT, ValueKind.COUNT])
def test_each_expression_of_a_column_is_used_with_its_own_pattern(kind):
    reads = (Read("./b", r"(\d+) beds"), Read("./i", r"beds: (\d+)"))
    convert = "count" if kind is ValueKind.COUNT else ""
    column = Column("beds", kind, reads, convert)
    lists = (List("results", ("//li",), (column,)),)
    program = Program(lists, ("beds",), expected={"beds": (0.5, ".+")}, most=9)
    page = "<ul><li><b>2 beds</b><li><i>beds: 3</i><b>new</b><li><b>beds: 4</b></ul>"
    records = execute(render_program(program, COMMAND)).extract(page)
    assert [str(record["beds"]) for record in records] == ["2", "3"]


# --- its command line -------------------------------------------------------------


def test_a_generated_file_prints_json_lines(case):
    page = case / "page.html"
    status, out, err = run(case.name, page)
    records = expected(case.name).extract(page.read_bytes())
    assert (status, err) == (0, "")
    assert [json.loads(line) for line in out.splitlines()] == records


def test_a_page_without_records_gives_exit_code_1(tmp_path):
    (tmp_path / "none.html").write_text("<p>x")
    assert run("one-field", tmp_path / "none.html") == (1, "", "")


def test_the_option_check_of_a_generated_file_reports_failures(tmp_path):
    page = CASES[0].parent / "one-field" / "page.html"
    (tmp_path / "none.html").write_text("<p>x")
    assert run("one-field", "--check", page) == (0, "", "")
    status, out, err = run("one-field", "--check", tmp_path / "none.html", page)
    assert (status, err) == (1, "")
    assert out == f"{tmp_path / 'none.html'}: 0 records, 1 to 8 expected\n"


def read_rows(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def run(case, *arguments):
    process = subprocess.run(
        [sys.executable, CASES[0].parent / case / "expected.py", *arguments],
        capture_output=True,
    )
    return process.returncode, process.stdout.decode(), process.stderr.decode()
