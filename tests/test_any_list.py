"""Lists of any kind, without a domain named: a case is a page and its rows of cells."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from amber_wrap.dom.parse import parse
from amber_wrap.domain.loader import built_in_domains, load_domain
from amber_wrap.pipeline import Source, compile_wrapper
from amber_wrap.wrapper.interpret import to_rows

CASES = sorted((Path(__file__).parent / "cases" / "any-list").glob("*.toml"))


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)
def test_rows(case):
    body = case.with_suffix(".html").read_bytes()
    domains = [load_domain(name) for name in built_in_domains()]
    wrapper = compile_wrapper([Source(case.stem, body)], domains).wrapper
    records = [
        [value for name, value in row.items() if value and name != "_area"]
        for row in to_rows(wrapper, parse(body), raw=True)
    ]
    rows = tomllib.loads(case.read_text("utf-8"))["rows"]
    assert len(records) == len(rows)
    for record, row in zip(records, rows, strict=True):
        assert [cell for cell in row if not any(cell in one for one in record)] == []
