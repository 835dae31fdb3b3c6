"""The code generator: what comes out, that it works, and that it can be read back.

A case is a folder: `wrapper.json`, the `expected.py` that must come of it, byte for
byte, and a `page.html` with the records that it then gives, typed and raw.
AMBER_UPDATE=1 writes `expected.py` anew; read the difference before you commit it.
"""

from __future__ import annotations

import itertools
import json
import os
import shutil
import subprocess
import sys
import types
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from parsel import Selector

from amber_wrap.codegen import render as renderer
from amber_wrap.codegen.blocks import embedded, global_names
from amber_wrap.codegen.read import is_generated, read_wrapper
from amber_wrap.codegen.render import render
from amber_wrap.dom.page import ITEMS, LAST_LINE, OWN_TEXT, TEXT
from amber_wrap.dom.parse import parse
from amber_wrap.domain.schema import ValueKind
from amber_wrap.embedded.markup import decode
from amber_wrap.errors import WrapperError
from amber_wrap.wrapper.interpret import to_rows
from amber_wrap.wrapper.ir import (
    AreaRule,
    FieldRule,
    Locator,
    Place,
    Reading,
    Wrapper,
    from_json,
)

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
    source = render(wrapper_of(case), COMMAND)
    if UPDATE:
        (case / "expected.py").write_text(source, "utf-8", newline="\n")
    assert source == (case / "expected.py").read_text("utf-8")


def test_the_wrapper_is_read_back(case):
    source = (case / "expected.py").read_text("utf-8")
    assert is_generated(source)
    assert read_wrapper(source) == wrapper_of(case)


def test_the_hash_seed_changes_no_byte():
    program = (
        "import sys, pathlib; from amber_wrap.codegen.render import render; "
        "from amber_wrap.wrapper.ir import from_json; "
        "wrapper = from_json(pathlib.Path(sys.argv[1]).read_text()); "
        f"sys.stdout.buffer.write(render(wrapper, {COMMAND!r}).encode())"
    )
    case = CASES[0]
    for seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", program, case / "wrapper.json"],
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
    some = {"money", "urljoin", "datetime", "DATES", "PRICE", "items"}
    assert some.isdisjoint(smallest)
    assert some <= largest


def test_the_templates_of_the_package_go_before_those_of_the_checkout(
    monkeypatch, tmp_path
):
    assert renderer.template_folder() == ROOT / "templates"
    monkeypatch.setattr(renderer.resources, "files", lambda package: tmp_path / package)
    packaged = tmp_path / "amber_wrap" / "_templates"
    packaged.mkdir(parents=True)
    assert renderer.template_folder() == packaged


# --- the file at work -------------------------------------------------------------


def test_it_extracts_from_bytes_text_and_selectors(case):
    extract = expected(case.name).extract
    body = (case / "page.html").read_bytes()
    records = read_rows(case / "records.jsonl")
    displayed = read_rows(case / "raw.jsonl")
    for page in (body, decode(body), Selector(text=decode(body))):
        assert extract(page, URL) == records
        assert extract(page, raw=True) == displayed
        assert list(map(list, extract(page, URL))) == list(map(list, records))


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
FIELDS = (
    *(("price", ValueKind.MONEY), ("title", ValueKind.TEXT), ("link", ValueKind.URL)),
    *(("beds", ValueKind.COUNT), ("area", ValueKind.QUANTITY)),
    ("tags", ValueKind.TEXTS),
)
PATTERNS = (("number", r"\d{1,3}"), ("price", "(?P<value>£{number})?(?:,| pcm)?"))
LOCATORS = st.builds(
    Locator,
    st.sampled_from([".", "./*", ".//a", ".//b|.//i", "./*[2]", "../li", "//p"]),
    st.sampled_from([TEXT, TEXT, OWN_TEXT, LAST_LINE, ITEMS, "@href", "@class"]),
    st.sampled_from([None, *dict(PATTERNS)]),
    st.integers(0, 1),
)
RULES = st.dictionaries(
    st.sampled_from([name for name, _ in FIELDS]),
    st.lists(LOCATORS, min_size=1, max_size=3),
    max_size=4,
).map(
    lambda found: tuple(
        FieldRule(name, (Reading("class", tuple(some)),))
        for name, some in found.items()
    )
)
PLACES = st.builds(
    Place,
    st.sampled_from(["class", "tag", "position"]),
    st.sampled_from(["//ul", "//*[@class]", "/html", "//li", "/html/body/*"]),
    st.sampled_from(["./li", "./*", ".//*", ".", "./*[position() mod 2 = 1]"]),
    st.booleans(),
)
AREAS = st.builds(
    AreaRule,
    st.sampled_from(["results", "others"]),
    st.lists(PLACES, min_size=1, max_size=2, unique_by=lambda one: one.family).map(
        tuple
    ),
    st.integers(2, 3),
    st.integers(1, 2),
    RULES,
    st.sampled_from(["", ".//a"]),
)


@settings(max_examples=30, deadline=None)
@given(
    st.lists(AREAS, min_size=1, max_size=3, unique_by=lambda one: one.name),
    st.lists(PAGES, min_size=6, max_size=9),
)
def test_it_does_what_the_interpreter_does(areas, pages):
    wrapper = Wrapper("listing", (), FIELDS, PATTERNS, tuple(areas))
    generated = execute(render(wrapper, COMMAND))
    for page, raw in itertools.product(pages, (True, False)):
        rows = to_rows(wrapper, parse(page.encode(), URL), raw)
        assert generated.extract(page.encode(), URL, raw) == rows


@settings(deadline=None)
@given(st.binary() | PAGES.map(str.encode))
def test_no_page_makes_it_fail(body):
    expected("every-kind").extract(body, "http://[")


# --- its command line -------------------------------------------------------------


def test_it_prints_json_lines(case):
    page = case / "page.html"
    status, out, err = run(case.name, "--url", URL, page)
    assert (status, err) == (0, "")
    assert out == (case / "records.jsonl").read_text("utf-8")


def test_it_reads_standard_input_and_prints_raw_values(case):
    page = (case / "page.html").read_bytes()
    status, out, err = run(case.name, "--raw", "-", stdin=page)
    assert (status, err) == (0, "")
    assert out == (case / "raw.jsonl").read_text("utf-8")


def test_a_page_without_records_is_exit_code_1():
    assert run("one-field", "-", stdin=b"<p>x") == (1, "", "-: no records\n")
    assert run("one-field", "-") == (1, "", "-: no records\n")


def test_several_pages_name_the_page(tmp_path):
    pages = [CASES[0].parent / "one-field" / "page.html", tmp_path / "b\udcff.html"]
    pages[1].write_bytes(b"<ul id=list><li>Third</ul>")
    status, out, err = run("one-field", *pages)
    rows = [json.loads(line) for line in out.splitlines()]
    assert (status, err) == (0, "")
    assert [row["title"] for row in rows][1:] == ["Second entry two lines", "Third"]
    assert [row["_page"] for row in rows] == [str(pages[i]) for i in (0, 0, 1)]


def test_a_missing_file_is_one_line_and_exit_code_2(tmp_path):
    page = CASES[0].parent / "one-field" / "page.html"
    status, out, err = run("one-field", tmp_path / "none.html", tmp_path, page)
    assert status == 2
    assert err.splitlines() == [
        f"{tmp_path / 'none.html'}: No such file or directory",
        f"{tmp_path}: Is a directory",
    ]
    assert len(out.splitlines()) == 2


def test_a_reader_that_leaves_early_is_no_error(tmp_path):
    page = tmp_path / "long.html"
    page.write_text("<ul id=list>" + "<li>" * 3 + "<li>word</li>" * 20_000)
    file = CASES[0].parent / "one-field" / "expected.py"
    with subprocess.Popen(
        [sys.executable, file, page], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


# --- reading ----------------------------------------------------------------------


def test_a_foreign_file_is_not_read():
    for source in ("", "print()", '"""Notes on files generated by amber-wrap."""\n'):
        assert not is_generated(source)
        with pytest.raises(WrapperError, match="not generated by amber-wrap"):
            read_wrapper(source)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("FORMAT: Final = 2", "FORMAT: Final = 99", "induce it again"),
        ("FORMAT: Final = 2", "", "no wrapper"),
        ('"listing"', "print()", "changed by hand"),
        ('"listing"', '"listing', "changed by hand"),
        ('"text"', '"textual"', "no wrapper"),
    ],
)
def test_a_file_changed_by_hand_is_refused_and_never_run(old, new, message, capsys):
    source = (CASES[0].parent / "one-field" / "expected.py").read_text("utf-8")
    with pytest.raises(WrapperError, match=message):
        read_wrapper(source.replace(old, new))
    assert capsys.readouterr() == ("", "")


def test_a_file_with_other_line_ends_is_read():
    source = (CASES[0] / "expected.py").read_text("utf-8").replace("\n", "\r\n")
    assert read_wrapper(source) == wrapper_of(CASES[0])


# --- copied code ------------------------------------------------------------------


def test_a_definition_comes_with_all_that_it_uses():
    names = {
        name
        for one in embedded().select({"is_blank"}).definitions
        for name in one.names
    }
    used = {"UNSEEN", "INLINE_TAGS", "INLINE", "collapse", "is_hidden", "hides"}
    used |= {"text_of", "is_blank"}
    assert names == used


def test_a_parameter_is_no_use_of_the_function_of_its_name():
    source = "def f(text: int) -> int:\n    return [year for year in [text + base]]\n"
    assert global_names(source) == {"int", "base"}


def test_every_definition_runs_on_its_own():
    for one in embedded().definitions:
        library = embedded().select(one.names)
        source = (
            f"from __future__ import annotations\n{library.imports}\n{library.code}"
        )
        module = execute(source)
        assert all(hasattr(module, name) for name in one.names)


# --- helpers ----------------------------------------------------------------------


def wrapper_of(case):
    return from_json((case / "wrapper.json").read_text("utf-8"))


def read_rows(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def execute(source):
    module = types.ModuleType("generated")
    exec(source, module.__dict__)
    return module


@cache
def expected(name):
    return execute((CASES[0].parent / name / "expected.py").read_text("utf-8"))


def run(case, *arguments, stdin=b""):
    done = subprocess.run(
        [sys.executable, CASES[0].parent / case / "expected.py", *arguments],
        input=stdin,
        capture_output=True,
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()
