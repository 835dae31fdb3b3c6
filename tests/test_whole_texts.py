"""Test values that are whole texts after a cut, on a sample and on another page.

A case of cases/whole-texts has a domain of its own, a `sample`, an `other` page of its
template, and the values, as displayed, that the wrapper of the sample gives on both.
Where the generated file reads the other page differently, `file` gives the reason.
"""

from __future__ import annotations

import types
from typing import Any

import pytest
from case_pages import Case, cases
from typed_pages import case_domain

from amber_wrap.codegen.build import build_file
from amber_wrap.dom.parse import parse
from amber_wrap.engine.output_rows import to_rows
from amber_wrap.generalise.doubts import SPARSE
from amber_wrap.pipeline import compile_wrapper
from amber_wrap.settings import Source
from amber_wrap.wrapper.ir import Wrapper


@pytest.mark.parametrize("page", ["sample", "other"])
@pytest.mark.parametrize("case", cases("whole-texts"))
def test_wrapper_and_file_read_the_expected_values(case: Case, page: str) -> None:
    wrapper = wrapper_of(case)
    body = case[page].encode()
    wanted = case[f"on_{page}"]
    assert list(map(displayed, to_rows(wrapper, parse(body), raw=True))) == wanted
    source = build_file(wrapper, [case["sample"].encode()], "amber-wrap induce").source
    module = types.ModuleType("generated")
    exec(source, module.__dict__)
    typed = to_rows(wrapper, parse(body))
    is_same = list(map(displayed, module.extract(body))) == list(map(displayed, typed))
    assert is_same == (page == "sample" or "file" not in case)


@pytest.mark.parametrize("case", cases("whole-texts"))
def test_the_wrapper_reads_the_values_of_the_analysis(case: Case) -> None:
    sources = [Source("sample.html", case["sample"].encode())]
    diagnostics = compile_wrapper(sources, [case_domain(case)]).diagnostics
    assert {finding.code for finding in diagnostics} <= {SPARSE}


def wrapper_of(case: Case) -> Wrapper:
    sources = [Source("sample.html", case["sample"].encode())]
    return compile_wrapper(sources, [case_domain(case)]).wrapper


def displayed(row: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in row.items() if value is not None}
