"""Test that file and interpreter select the link to the next page by one expression.

A case in cases/pagination/onward has a list of samples, and the `path` that selects
their links, as in generated files.  If there is no path, `told` is the expected remark.
"""

from __future__ import annotations

import importlib.util
import tomllib
from pathlib import Path

import pytest
from parsel import Selector

from amber_wrap.analysis.pagination.next_page_link import find_pagination
from amber_wrap.dom.decoding import decode
from amber_wrap.dom.parse import parse
from amber_wrap.engine.output_rows import next_page_address
from amber_wrap.files import read_wrapper
from amber_wrap.generalise.next_page_rule import find_next_page_rule
from amber_wrap.lowering.xpath_simplification import short
from amber_wrap.wrapper.xpath_parser import parse_path

TESTS = Path(__file__).parent
CASES = sorted((TESTS / "cases" / "pagination" / "onward").glob("*.toml"))
GOLDEN = sorted(path.parent for path in (TESTS / "golden").glob("*/case.toml"))
URL = "https://www.example.com/search/"
BASE = '<base href="https://www.example.com/other/">'


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_samples_give_the_expected_expression_of_the_next_page(path: Path) -> None:
    case = tomllib.loads(path.read_text("utf-8"))
    pages = [parse(html.encode()) for html in case["samples"]]
    rule = find_next_page_rule(pages, list(map(find_pagination, pages)))
    assert rule.remark == case.get("told", "")
    assert (short(str(rule.path)) if rule.path else None) == case.get("path")
    if rule.path:
        assert parse_path(str(rule.path)) == rule.path


@pytest.fixture(params=GOLDEN, ids=lambda path: path.name)
def generated(request):
    """Return a generated file as a module, its wrapper, and pages of its template."""
    path = request.param / "wrapper.py"
    spec = importlib.util.spec_from_file_location(request.param.name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    pages = [
        page_file.read_bytes() for page_file in sorted(request.param.glob("*.html"))
    ]
    return module, read_wrapper(str(path)), pages


@pytest.mark.parametrize("url", ["", URL])
def test_the_file_finds_the_next_page_of_the_interpreter(generated, url):
    module, wrapper, pages = generated
    for body in pages:
        expected = next_page_address(wrapper, parse(body, url))
        assert expected
        assert module.next_page(body, url) == expected
        assert module.next_page(decode(body), url) == expected
        assert module.next_page(Selector(text=decode(body)), url) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ('<a rel="next" href=" ?page=2 ">2</a>', f"{URL}?page=2"),
        ('<a rel="next" href="#">2</a> <a rel="next" href="b">2</a>', f"{URL}b"),
        ('<a rel="next" href="javascript:go(2)">2</a>', None),
        ('<a rel="next">2</a>', None),
        ('<a rel="next" href="">2</a>', None),
        ('<a rel="next" href="/search/">2</a>', None),
        ('<a rel="next" href="http://[">2</a>', "http://["),
        ('<a rel="prev" href="?page=2">1</a>', None),
        (f'{BASE}<a rel="next" href="b">2</a>', "https://www.example.com/other/b"),
    ],
)
def test_a_link_that_leads_nowhere_is_no_next_page(generated, html, expected):
    module, wrapper, pages = generated
    if BASE in html and b"<base" not in pages[0]:
        pytest.skip("the samples say nothing of a base, and so the file doesn't ask")
    body = f"<p>Boats and more boats</p> {html}".encode()
    assert next_page_address(wrapper, parse(body, URL)) == expected
    assert module.next_page(body, URL) == expected
