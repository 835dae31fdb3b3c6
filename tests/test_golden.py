"""Test induction and extraction: from a sample page to records of other pages.

A case is a folder.  It has `sample.html`, other pages, `case.toml`, and the hand-made
`truth/`.  `wrapper.py` and `wrapper.json` are the expected files, byte for byte.
`expected/` has the records that these extract.  AMBER_UPDATE=1 writes the files and the
records again; read the difference before you commit it.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import tomllib
from pathlib import Path

import pytest
from parsel import Selector

from amber_wrap.codegen.build import build_file
from amber_wrap.dom.decoding import decode
from amber_wrap.dom.parse import parse
from amber_wrap.domain.loader import load_domain
from amber_wrap.engine.output_rows import to_rows
from amber_wrap.files import read_wrapper
from amber_wrap.pipeline import compile_wrapper
from amber_wrap.settings import Options, Source
from amber_wrap.wrapper.stored_wrapper import to_text

GOLDEN = Path(__file__).parent / "golden"
CASES = sorted(path.parent for path in GOLDEN.glob("*/case.toml"))
UPDATE = os.environ.get("AMBER_UPDATE") == "1"


@pytest.fixture(params=CASES, ids=lambda path: path.name)
def case(request):
    return request.param


def test_induction_writes_the_golden_wrapper(case):
    built = induced(case)
    assert built.findings == ()
    texts = {"wrapper.py": built.source, "wrapper.json": to_text(built.stored)}
    for name, text in texts.items():
        if UPDATE:
            (case / name).write_text(text, "utf-8", newline="\n")
        assert text == (case / name).read_text("utf-8")


def test_another_value_in_the_sample_changes_no_line_of_the_file(case):
    """The file has no part of a value; the .json has the sample's hash."""
    body = (case / "sample.html").read_bytes()
    digit = re.search(rb"(?s)<body.*?>[^<>]*?\d([1-6])[^<>]*<", body).start(1)
    changed_body = body[:digit] + b"7" + body[digit + 1 :]
    pairs = zip(
        *(induced(case, html).source.splitlines() for html in (body, changed_body)),
        strict=True,
    )
    differing = [line for line, other_line in pairs if line != other_line]
    assert differing == []


def test_the_wrapper_extracts_the_expected_records(case):
    wrapper = read_wrapper(str(case / "wrapper.py"))
    for page in pages(case):
        rows = to_rows(wrapper, parse(page.read_bytes()), raw=True)
        golden = case / "expected" / f"{page.stem}.jsonl"
        if UPDATE:
            golden.parent.mkdir(exist_ok=True)
            lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
            golden.write_text("".join(lines), "utf-8", newline="\n")
        assert rows == read_rows(golden)


def test_the_generated_file_extracts_the_records_of_the_interpreter(case):
    module = load(case / "wrapper.py")
    wrapper = read_wrapper(str(case / "wrapper.py"))
    url = "https://www.example.com/search/?page=2"
    for page in pages(case):
        body = page.read_bytes()
        expected = to_rows(wrapper, parse(body, url))
        assert module.extract(body, url) == expected
        assert module.extract(decode(body), url) == expected
        assert module.extract(Selector(text=decode(body)), url) == expected
        assert module.check(body) == []


def test_precision_and_recall_stay_above_the_floor(case):
    """Compare values with the hand-made truth."""
    floor = tomllib.loads((case / "case.toml").read_text("utf-8"))["floor"]
    right_count = given_count = true_count = 0
    for page in pages(case):
        truth = read_rows(case / "truth" / f"{page.stem}.jsonl")
        rows = read_rows(case / "expected" / f"{page.stem}.jsonl")
        by_link = {row["details_page"]: row for row in rows}
        given_count += sum(value is not None for row in rows for value in named(row))
        true_count += sum(value is not None for row in truth for value in named(row))
        right_count += sum(
            value is not None
            and by_link.get(row["details_page"], {}).get(name) == value
            for row in truth
            for name, value in row.items()
        )
    assert right_count / given_count >= floor["precision"]
    assert right_count / true_count >= floor["recall"]


def induced(case, body=None):
    settings = tomllib.loads((case / "case.toml").read_text("utf-8"))
    domain = settings["domain"]
    source = Source("sample.html", body or (case / "sample.html").read_bytes())
    compilation = compile_wrapper([source], [load_domain(domain)], Options())
    command = f"amber-wrap induce sample.html --domain {domain}"
    return build_file(compilation.wrapper, [source.body], command)


def pages(case):
    return sorted(case.glob("*.html"))


def read_rows(path):
    return [json.loads(line) for line in path.read_text("utf-8").split("\n") if line]


def named(row):
    return (value for key, value in row.items() if not key.startswith("_"))


def load(path):
    spec = importlib.util.spec_from_file_location(f"golden_{path.parent.name}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
