"""Test that generated files are as expected, work, and can be read back.

A case is a folder with `wrapper.json` and `page.html`.  Generation must give
`expected.py` and `expected.json` byte for byte.  `records.jsonl` has the records that
the wrapper and the file read.  AMBER_UPDATE=1 writes the expected files anew; read the
difference before you commit it.
"""

# ruff: noqa: F811  Tests take imported fixtures.

from __future__ import annotations

import json
import os
import shutil
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
    page_of,
    wrapper_of,
)

from amber_wrap.codegen.build import build_file
from amber_wrap.codegen.helper_library import global_names, helper_library
from amber_wrap.errors import WrapperError
from amber_wrap.files import is_changed, read_wrapper
from amber_wrap.lowering import helpers
from amber_wrap.wrapper.stored_wrapper import from_text, to_text

ROOT = Path(__file__).resolve().parent.parent
UPDATE = os.environ.get("AMBER_UPDATE") == "1"


# --- the file ---------------------------------------------------------------------


def test_the_generated_file_is_the_expected_one_byte_for_byte(case):
    built = build_file(wrapper_of(case), [page_of(case)], COMMAND)
    assert built.findings == ()
    stored = to_text(built.stored)
    if UPDATE:
        records = execute(built.source).extract(page_of(case), URL)
        lines = (json.dumps(record, ensure_ascii=False) + "\n" for record in records)
        (case / "records.jsonl").write_text("".join(lines), "utf-8", newline="\n")
        (case / "expected.py").write_text(built.source, "utf-8", newline="\n")
        (case / "expected.json").write_text(stored, "utf-8", newline="\n")
    assert built.source == (case / "expected.py").read_text("utf-8")
    assert stored == (case / "expected.json").read_text("utf-8")


def test_the_wrapper_of_a_generated_file_can_be_read_back(case):
    for name in ("expected.py", "expected.json"):
        assert read_wrapper(str(case / name)) == wrapper_of(case)
    assert not is_changed(case / "expected.py")


def test_the_generated_file_does_not_depend_on_the_hash_seed():
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
        process = subprocess.run(
            [sys.executable, "-c", program, case],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            cwd=ROOT,
        )
        assert process.stdout == (case / "expected.py").read_bytes()


@pytest.mark.parametrize(
    "command",
    [
        ["ruff", "check", "--isolated", "--no-cache"],
        ["black", "--check", "--config", os.devnull],
        ["mypy", "--strict", "--config-file=", "--cache-dir", os.devnull],
    ],
    ids=lambda command: command[0],
)
def test_ruff_black_and_mypy_accept_generated_files(command, tmp_path):
    path = Path(sys.executable).parent
    tool = shutil.which(command[0], path=f"{path}{os.pathsep}{os.environ['PATH']}")
    if tool is None and os.environ.get("CI") != "1":
        pytest.skip(f"{command[0]} is not installed")
    for folder in CASES:
        name = folder.name.replace("-", "_") + ".py"
        shutil.copy(folder / "expected.py", tmp_path / name)
    process = subprocess.run(
        [tool or command[0], *command[1:], "."],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert process.returncode == 0, process.stdout + process.stderr


def test_a_generated_file_has_only_the_code_that_its_fields_need():
    smallest, largest = (
        global_names((ROOT / "tests/cases/codegen" / name / "expected.py").read_text())
        for name in ("one-field", "every-kind")
    )
    optional_helpers = {"number", "count", "urljoin", "texts"}
    assert optional_helpers.isdisjoint(smallest)
    assert optional_helpers <= largest


def test_templates_of_the_package_precede_those_of_the_checkout(monkeypatch, tmp_path):
    assert helpers.template_folder() == ROOT / "templates"
    monkeypatch.setattr(helpers.resources, "files", lambda package: tmp_path / package)
    packaged = tmp_path / "amber_wrap" / "_templates"
    packaged.mkdir(parents=True)
    assert helpers.template_folder() == packaged


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
def test_a_json_file_without_a_valid_wrapper_is_refused(old, new, message):
    text = (CASES[0].parent / "one-field" / "expected.json").read_text("utf-8")
    assert old in text
    with pytest.raises(WrapperError, match=message):
        from_text(text.replace(old, new).encode())


def test_a_too_large_or_too_deep_json_file_is_refused():
    with pytest.raises(WrapperError, match="more than 8,000,000 bytes"):
        from_text(b" " * 8_000_001)
    with pytest.raises(WrapperError, match="not a wrapper"):
        from_text(b"[" * 100_000)


def test_other_line_ends_do_not_count_as_a_change(tmp_path):
    for name in ("expected.py", "expected.json"):
        text = (CASES[0] / name).read_text("utf-8")
        (tmp_path / name).write_bytes(text.replace("\n", "\r\n").encode())
    assert not is_changed(tmp_path / "expected.py")
    with (tmp_path / "expected.py").open("a") as file:
        file.write("# mine\n")
    assert is_changed(tmp_path / "expected.py")


# --- helpers of generated files ---------------------------------------------------


def test_a_helper_comes_with_all_helpers_that_it_uses():
    source = helper_library().needed_by("def record():\n    return find\n")
    names = {name for definition in source.definitions for name in definition.names}
    assert names == {"regex", "find", "text", "xpath"}


def test_local_names_are_not_counted_as_global_names():
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
        ("2.50", 2.5),
        ("2.00", 2),
        ("12,345,678,901,234,567,890", 12345678901234567890),
        ("9" * 400 + ".5", float("inf")),
        ("9" * 5000, int("9" * 4096)),
        ("12,", 12),
        ("", None),
        (None, None),
        (".", None),
        ("100-200", None),
        ("100 to 200", None),
    ],
)
def test_helper_number_reads_decimals_of_any_country(shown, value):
    assert helpers.helpers().number(shown) == value


def test_helper_count_reads_no_more_digits_than_python_converts():
    assert helpers.helpers().count("9" * 5000) == int("9" * 4096)
