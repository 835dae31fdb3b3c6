"""Test the interpreter and the generated file of a wrapper on the same cases.

A case has a page, a wrapper, and the expected `rows`, which leave out fields without a
value.  `raw`, if present, has the values as displayed.  If the generated file can't do
the same, `file` is part of its message.
"""

from __future__ import annotations

import tomllib
import types
from pathlib import Path

import pytest

from amber_wrap.codegen.build import build_file
from amber_wrap.dom.parse import parse
from amber_wrap.engine.output_rows import to_rows
from amber_wrap.errors import WrapperError
from amber_wrap.wrapper.ir import FORMAT
from amber_wrap.wrapper.json_values import wrapper_from_data
from amber_wrap.wrapper.stored_wrapper import StoredWrapper, from_text, to_text

SAMPLE = {"name": "x.html", "sha256": "00"}
CASES = sorted((Path(__file__).parent / "cases" / "interpret").glob("*.toml"))


@pytest.fixture(params=CASES, ids=lambda path: path.stem)
def case(request):
    return tomllib.loads(request.param.read_text("utf-8"))


def test_the_interpreter_reads_the_expected_rows(case):
    for raw, expected in expectations(case):
        rows = to_rows(wrapper_of(case), parse(*page_of(case)), raw)
        assert [without_none(row) for row in rows] == expected


def test_the_generated_file_reads_the_expected_rows_or_is_refused(case):
    body, url = page_of(case)
    try:
        built = build_file(wrapper_of(case), [body], "amber-wrap induce x.html", url)
    except WrapperError as error:
        message = str(error)
    else:
        message = "; ".join(map(str, built.findings))
    assert case.get("file", "") in message
    if message:
        assert "file" in case
        return
    module = types.ModuleType("generated")
    exec(built.source, module.__dict__)
    rows = module.extract(body, url)
    assert [without_none(row) for row in rows] == case["rows"]


def test_rows_have_all_fields_in_order_with_none_for_missing_values(case):
    wrapper = wrapper_of(case)
    for row in to_rows(wrapper, parse(*page_of(case)), raw=True):
        assert [key for key in row if key != "_area"] == [n for n, _ in wrapper.fields]


def test_a_wrapper_is_the_same_after_storing(case):
    stored = StoredWrapper(wrapper_of(case), "amber-wrap induce x.html", "0" * 64)
    assert from_text(to_text(stored).encode()) == stored


def wrapper_of(case):
    defaults = {
        **{"format": FORMAT, "domain": "case", "samples": [SAMPLE], "patterns": {}},
        **{"contract": {}, "frame": [], "keys": [], "firsts": {}},
    }
    return wrapper_from_data(defaults | case["wrapper"])


def page_of(case):
    return case["html"].encode(), case.get("url", "")


def expectations(case):
    yield False, case["rows"]
    if "raw" in case:
        yield True, case["raw"]


def without_none(row):
    return {key: value for key, value in row.items() if value is not None}
