"""From a sample page to another one: values that are texts but for what is cut off.

A case of cases/whole-texts has a domain of its own, a `sample`, an `other` page of its
template, and the values, as displayed, that the wrapper of the sample gives on both.
"""

from __future__ import annotations

import types
from typing import Any

import pytest
from case_pages import Case, cases
from typed_pages import case_domain

from amber_wrap.codegen.render import render
from amber_wrap.dom.parse import parse
from amber_wrap.pipeline import compile_wrapper
from amber_wrap.settings import Source
from amber_wrap.wrapper.interpret import to_rows
from amber_wrap.wrapper.ir import Wrapper


@pytest.mark.parametrize("page", ["sample", "other"])
@pytest.mark.parametrize("case", cases("whole-texts"))
def test_values(case: Case, page: str) -> None:
    wrapper = wrapper_of(case)
    body = case[page].encode()
    wanted = case[f"on_{page}"]
    assert list(map(displayed, to_rows(wrapper, parse(body), raw=True))) == wanted
    module = types.ModuleType("generated")
    exec(render(wrapper, "amber-wrap induce sample.html"), module.__dict__)
    assert list(map(displayed, module.extract(body, raw=True))) == wanted


@pytest.mark.parametrize("case", cases("whole-texts"))
def test_the_wrapper_does_what_the_analysis_says(case: Case) -> None:
    sources = [Source("sample.html", case["sample"].encode())]
    assert compile_wrapper(sources, [case_domain(case)]).diagnostics == ()


def wrapper_of(case: Case) -> Wrapper:
    sources = [Source("sample.html", case["sample"].encode())]
    return compile_wrapper(sources, [case_domain(case)]).wrapper


def displayed(row: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in row.items() if value is not None}
