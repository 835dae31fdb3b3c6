"""The code generator: what comes out, that it works, and that it can be read back.

A case is a folder: `wrapper.json`, the `expected.py` that must come of it on
`page.html`, byte for byte, with the `expected.json` beside it, and the records that
both give.  AMBER_UPDATE=1 writes the expected files anew; read the difference before
you commit it.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import types
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st
from parsel import Selector

from amber_wrap.codegen.build import build_file, prove
from amber_wrap.codegen.helper_library import global_names, helper_library
from amber_wrap.codegen.render import render_program
from amber_wrap.dom.markup import decode
from amber_wrap.dom.page import ITEMS, LAST_LINE, OWN_TEXT, TEXT
from amber_wrap.dom.parse import parse
from amber_wrap.domain.schema import ValueKind
from amber_wrap.engine.interpret import to_rows
from amber_wrap.errors import WrapperError
from amber_wrap.files import is_changed, read_rules
from amber_wrap.lowering import helpers
from amber_wrap.lowering.program import Column, List, Program, Read
from amber_wrap.wrapper.ir import (
    AreaRule,
    FieldReading,
    FieldRule,
    Locator,
    RecordLocator,
    Sample,
    Wrapper,
)
from amber_wrap.wrapper.json_values import wrapper_from_data
from amber_wrap.wrapper.stored_wrapper import from_text, to_text
from amber_wrap.wrapper.xpath_parser import parse_path

ROOT = Path(__file__).resolve().parent.parent
CASES = sorted((Path(__file__).parent / "cases" / "codegen").iterdir())
UPDATE = os.environ.get("AMBER_UPDATE") == "1"
COMMAND = "amber-wrap induce page.html"
URL = "https://www.example.com/search?page=2"


@pytest.fixture(params=CASES, ids=lambda path: path.name)
def case(request):
    return request.param


# --- the file ---------------------------------------------------------------------


def test_the_file_is_the_expected_one(case):
    built = build_file(wrapper_of(case), [page_of(case)], COMMAND)
    assert built.findings == ()
    stored = to_text(built.stored)
    if UPDATE:
        records = execute(built.source).extract(page_of(case), URL)
        lines = (json.dumps(one, ensure_ascii=False) + "\n" for one in records)
        (case / "records.jsonl").write_text("".join(lines), "utf-8", newline="\n")
        (case / "expected.py").write_text(built.source, "utf-8", newline="\n")
        (case / "expected.json").write_text(stored, "utf-8", newline="\n")
    assert built.source == (case / "expected.py").read_text("utf-8")
    assert stored == (case / "expected.json").read_text("utf-8")


def test_the_wrapper_is_read_back(case):
    for name in ("expected.py", "expected.json"):
        assert read_rules(str(case / name)) == wrapper_of(case)
    assert not is_changed(case / "expected.py")


def test_the_hash_seed_changes_no_byte():
    program = (
        "import sys, json, pathlib; from amber_wrap.codegen.build import build_file; "
        "from amber_wrap.wrapper.json_values import wrapper_from_data; "
        "case = pathlib.Path(sys.argv[1]); "
        "wrapper = wrapper_from_data(json.loads((case / 'wrapper.json').read_text())); "
        "page = (case / 'page.html').read_bytes(); "
        f"made = build_file(wrapper, [page], {COMMAND!r}); "
        "sys.stdout.buffer.write(made.source.encode())"
    )
    case = CASES[0]
    for seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", program, case],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            cwd=ROOT,
        )
        assert done.stdout == (case / "expected.py").read_bytes()


@pytest.mark.parametrize(
    "command",
    [
        ["ruff", "check", "--isolated", "--no-cache"],
        ["black", "--check", "--config", os.devnull],
        ["mypy", "--strict", "--config-file=", "--cache-dir", os.devnull],
    ],
    ids=lambda command: command[0],
)
def test_the_tools_find_nothing(command, tmp_path):
    path = Path(sys.executable).parent
    tool = shutil.which(command[0], path=f"{path}{os.pathsep}{os.environ['PATH']}")
    if tool is None and os.environ.get("CI") != "1":
        pytest.skip(f"{command[0]} is not installed")
    for case in CASES:
        name = case.name.replace("-", "_") + ".py"
        shutil.copy(case / "expected.py", tmp_path / name)
    done = subprocess.run(
        [tool or command[0], *command[1:], "."],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_it_holds_only_the_code_that_its_fields_need():
    smallest, largest = (
        global_names((ROOT / "tests/cases/codegen" / name / "expected.py").read_text())
        for name in ("one-field", "every-kind")
    )
    some = {"number", "count", "urljoin", "texts"}
    assert some.isdisjoint(smallest)
    assert some <= largest


def test_the_templates_of_the_package_go_before_those_of_the_checkout(
    monkeypatch, tmp_path
):
    assert helpers.template_folder() == ROOT / "templates"
    monkeypatch.setattr(helpers.resources, "files", lambda package: tmp_path / package)
    packaged = tmp_path / "amber_wrap" / "_templates"
    packaged.mkdir(parents=True)
    assert helpers.template_folder() == packaged


# --- the file at work -------------------------------------------------------------


def test_it_extracts_from_bytes_text_and_selectors(case):
    extract = expected(case.name).extract
    body = page_of(case)
    records = read_rows(case / "records.jsonl")
    for page in (body, decode(body), Selector(text=decode(body))):
        assert extract(page, URL) == records
        assert [list(row) for row in extract(page, URL)] == [list(r) for r in records]


def test_it_gives_what_the_interpreter_gives(case):
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
def test_links_are_absolute_where_a_base_is_known(base, url, link):
    page = f"{base}<div class=search-results__list><article><h2><a href=1.html>A</a>"
    (record,) = expected("every-kind").extract(page, url)
    assert record["details_page"] == link


def test_it_says_what_is_wrong_with_a_page(case):
    module = expected(case.name)
    assert module.check(page_of(case)) == []
    (told,) = module.check("<p>nothing")
    assert told.startswith("0 records, 1 to ")


def test_importing_it_does_nothing(case):
    program = (
        "import sys; sys.path.insert(0, sys.argv[1]); sys.dont_write_bytecode = True; "
        "import expected; assert 'amber_wrap' not in sys.modules"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program, case],
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_page_that_is_missing_is_told_in_a_line():
    status, printed, told = run("one-field", "missing.html")
    assert (status, printed) == (2, "")
    assert told == "missing.html: No such file or directory\n"


def test_a_reader_that_goes_away_is_told_in_a_line():
    reader, writer = os.pipe()
    os.close(reader)
    case = CASES[0]
    done = subprocess.run(
        [sys.executable, case / "expected.py", case / "page.html"],
        stdout=writer,
        stderr=subprocess.PIPE,
    )
    os.close(writer)
    assert (done.returncode, done.stderr.count(b"\n")) == (2, 1)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize("stdout", [">/dev/full", ">&-"])
def test_a_full_or_closed_output_is_told_in_a_line(stdout):
    case = CASES[0]
    command = f'exec "$0" "$1" "$2" {stdout}'
    words = ["sh", "-c", command, sys.executable, case / "expected.py"]
    done = subprocess.run([*words, case / "page.html"], capture_output=True)
    assert (done.returncode, done.stderr.count(b"\n")) == (2, 1)


def test_json_lines_are_utf_8_whatever_the_console_is():
    case = next(one for one in CASES if not page_of(one).isascii())
    done = subprocess.run(
        [sys.executable, case / "expected.py", case / "page.html"],
        env=os.environ | {"PYTHONIOENCODING": "ascii", "LC_ALL": "C"},
        capture_output=True,
    )
    assert not done.stderr
    assert done.stdout.decode() == run(case.name, case / "page.html")[1]


def test_a_page_comes_by_the_standard_input(case):
    done = subprocess.run(
        [sys.executable, case / "expected.py", "-"],
        input=page_of(case),
        capture_output=True,
    )
    assert done.stdout.decode() == run(case.name, case / "page.html")[1]


@pytest.mark.parametrize("kind", [ValueKind.TEXT, ValueKind.COUNT])
def test_each_way_has_its_pattern(kind):
    reads = (Read("./b", r"(\d+) beds"), Read("./i", r"beds: (\d+)"))
    convert = "count" if kind is ValueKind.COUNT else ""
    column = Column("beds", kind, reads, convert)
    lists = (List("results", ("//li",), (column,)),)
    program = Program(lists, ("beds",), expected={"beds": (0.5, ".+")}, most=9)
    page = "<ul><li><b>2 beds</b><li><i>beds: 3</i><b>new</b><li><b>beds: 4</b></ul>"
    found = execute(render_program(program, COMMAND)).extract(page)
    assert [str(one["beds"]) for one in found] == ["2", "3"]


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
"""Pages with records that most wrappers find; of PAGES they read hardly any."""
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
    st.lists(AREAS, min_size=1, max_size=3, unique_by=lambda one: one.name),
    SAMPLES,
    st.lists(PAGES, min_size=2, max_size=5),
)
def test_it_does_what_the_interpreter_does_or_is_refused(areas, page, others):
    """On its sample; on other pages it may be asked for more than it was made for, and
    gives what it can.  Hypothesis fails where nearly all wrappers are refused."""
    sample = page.encode()
    names = (Sample("sample.html", "00"),)
    wrapper = Wrapper("listing", names, FIELDS, PATTERNS, tuple(areas))
    try:
        module = execute(build_file(wrapper, [sample], COMMAND, URL).source)
    except WrapperError:
        reject()
    rows = to_rows(wrapper, parse(sample, URL))
    found = module.extract(sample, URL)
    assert found == [
        {key: row[key] for key in one} for row, one in zip(rows, found, strict=True)
    ]
    for other in others:
        module.extract(other, URL)
        module.check(other)


@settings(deadline=None)
@given(st.binary() | PAGES.map(str.encode))
def test_no_page_makes_it_fail(body):
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
def test_a_file_that_fails_its_own_sample_is_refused(found, wanted, message):
    with pytest.raises(WrapperError, match=rf"^page\.html: the \w+ ?\w* {message}"):
        prove(found, wanted, ["title", "price"], "page.html")


# --- its command line -------------------------------------------------------------


def test_it_prints_json_lines(case):
    page = case / "page.html"
    status, out, err = run(case.name, page)
    records = expected(case.name).extract(page.read_bytes())
    assert (status, err) == (0, "")
    assert [json.loads(line) for line in out.splitlines()] == records


def test_a_page_without_records_is_exit_code_1(tmp_path):
    (tmp_path / "none.html").write_text("<p>x")
    assert run("one-field", tmp_path / "none.html") == (1, "", "")


def test_it_checks_pages(tmp_path):
    page = CASES[0].parent / "one-field" / "page.html"
    (tmp_path / "none.html").write_text("<p>x")
    assert run("one-field", "--check", page) == (0, "", "")
    status, out, err = run("one-field", "--check", tmp_path / "none.html", page)
    assert (status, err) == (1, "")
    assert out == f"{tmp_path / 'none.html'}: 0 records, 1 to 8 expected\n"


# --- what is stored ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"format": 4', '"format": 99', "format 99, this version reads 4: induce it"),
        ('"format": 4,', "", "not a wrapper: data must contain"),
        ('"listing"', "[]", "not a wrapper: data.domain must be string"),
        ('"listing"', '"listing', "not a wrapper: "),
        ('"text"', '"textual"', "not a wrapper: data.fields"),
        ('"least": 1', '"least": "1; import os"', "not a wrapper: data.areas"),
        ('"places": {', '"places": {}, "more": {', "not a wrapper: data.areas"),
        (
            '"record": "',
            '"record": "count(',
            "not a wrapper: not a path of a wrapper: 'count",
        ),
    ],
)
def test_a_wrapper_that_is_none_is_refused(old, new, message):
    text = (CASES[0].parent / "one-field" / "expected.json").read_text("utf-8")
    assert old in text
    with pytest.raises(WrapperError, match=message):
        from_text(text.replace(old, new).encode())


def test_a_large_or_deep_file_is_refused():
    with pytest.raises(WrapperError, match="more than 8,000,000 bytes"):
        from_text(b" " * 8_000_001)
    with pytest.raises(WrapperError, match="not a wrapper"):
        from_text(b"[" * 100_000)


def test_other_line_ends_are_no_change(tmp_path):
    for name in ("expected.py", "expected.json"):
        text = (CASES[0] / name).read_text("utf-8")
        (tmp_path / name).write_bytes(text.replace("\n", "\r\n").encode())
    assert not is_changed(tmp_path / "expected.py")
    with (tmp_path / "expected.py").open("a") as file:
        file.write("# mine\n")
    assert is_changed(tmp_path / "expected.py")


# --- helpers of generated files ---------------------------------------------------


def test_a_helper_comes_with_all_that_it_uses():
    found = helper_library().needed_by("def record():\n    return find\n")
    names = {name for one in found.definitions for name in one.names}
    assert names == {"regex", "find", "text", "xpath"}


def test_a_parameter_is_no_use_of_the_function_of_its_name():
    source = "def f(text: int) -> int:\n    return [year for year in [text + base]]\n"
    assert global_names(source) == {"int", "base"}


@pytest.mark.parametrize(
    ("shown", "value"),
    [
        ("1,250", 1250),
        ("1.250", 1250),
        ("1 250,50", 1250.5),
        ("1,250,000", 1250000),
        ("1.5", 1.5),
        ("0.125", 0.125),
        ("1250.125", 1250.125),
        ("12,", 12),
        ("", None),
        (None, None),
        (".", None),
        ("100-200", None),
        ("100 to 200", None),
    ],
)
def test_numbers_are_read_without_knowing_the_country(shown, value):
    assert helpers.helpers().number(shown) == value


# --- support ----------------------------------------------------------------------


def wrapper_of(case):
    return wrapper_from_data(json.loads((case / "wrapper.json").read_text("utf-8")))


def page_of(case):
    return (case / "page.html").read_bytes()


def read_rows(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def execute(source):
    module = types.ModuleType("generated")
    exec(source, module.__dict__)
    return module


@cache
def expected(name):
    return execute((CASES[0].parent / name / "expected.py").read_text("utf-8"))


def run(case, *arguments):
    done = subprocess.run(
        [sys.executable, CASES[0].parent / case / "expected.py", *arguments],
        capture_output=True,
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()
