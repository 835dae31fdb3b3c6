"""Data stay data: no text of a page, however hostile, becomes code in a wrapper."""

from __future__ import annotations

import ast
import builtins
import types
from pathlib import Path

import black
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jinja2 import DictLoader, Environment

from amber_wrap.codegen import render as renderer
from amber_wrap.codegen.blocks import embedded, global_names
from amber_wrap.codegen.literals import assign, code_only, identifier, literal
from amber_wrap.codegen.read import read_wrapper
from amber_wrap.codegen.render import are_alike, check, render
from amber_wrap.domain.schema import ValueKind
from amber_wrap.errors import WrapperError
from amber_wrap.wrapper.ir import (
    AreaRule,
    Contract,
    FieldRule,
    Locator,
    Place,
    Reading,
    Sample,
    Wrapper,
)

ROOT = Path(__file__).resolve().parent.parent
COMMAND = "amber-wrap induce page.html"
EXPECTED = ROOT / "tests/cases/codegen/every-kind/expected.py"

# --- literals ---------------------------------------------------------------------

HOSTILE = (
    '"', "'", '"""', "'''", "\\", '\\"', "\n", "\r", "\0", "\x0c", "\x85", "\u2028",
    "\ud800", "\ud83d\ude00", "\U0001f600", "£", "\u202e", "{{ 7 * 7 }}", "{% raw %}",
    "{x!r}", "# ", " + ", "\\N{DASH}", "\\u0022", "coding: utf-7", "a/b", "é|", ", ",
)  # fmt: skip
TEXTS = st.text() | st.lists(st.sampled_from(HOSTILE), max_size=80).map("".join)
NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
KEYS = st.text("ab\"'\\£\n", max_size=6)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda some: (
        st.lists(some) | st.lists(some).map(tuple) | st.dictionaries(KEYS, some)
    ),
    max_leaves=8,
)


@settings(deadline=None)
@given(VALUES)
def test_a_literal_is_ascii_and_means_the_value(value):
    source = assign("NAME: Final", value)
    assert source.isascii()
    (statement,) = ast.parse(source).body
    back = ast.literal_eval(statement.value)
    assert repr(back) == repr(value)


@settings(deadline=None)
@given(VALUES)
def test_black_leaves_a_literal_as_it_is(value):
    source = assign("NAME: Final", value) + "\n"
    assert black.format_str(source, mode=black.Mode()) == source


@pytest.mark.parametrize("value", ["", "x", [], {}, None, "\\" * 99])
def test_a_long_key_changes_no_value(value):
    source = assign("NAME", {"key " * 30: value})
    assert list(ast.literal_eval(ast.parse(source).body[0].value).values()) == [value]


def test_a_long_literal_stays_within_the_line():
    text = "//div[contains(@class, 'a b')]/following-sibling::p | " * 9
    value = {"key": [{"xpath": text, "raw": r"\d+ \(m\)|" * 20}]}
    assert max(map(len, assign("NAME", value).split("\n"))) <= 88


@pytest.mark.parametrize("value", [object(), b"bytes", {1, 2}, float("nan"), [1j]])
def test_what_has_no_literal_is_refused(value):
    with pytest.raises(WrapperError, match="has no literal"):
        literal(value)


@pytest.mark.parametrize("name", ["", "Price", "a b", "class", "x\n", "é", "_a", "1a"])
def test_what_is_no_name_is_refused(name):
    with pytest.raises(WrapperError, match="can't be a name"):
        identifier(name)


# --- data stay data ---------------------------------------------------------------


@settings(max_examples=50, deadline=None)
@given(TEXTS, TEXTS)
def test_no_text_becomes_code(text, command):
    wrapper = wrapper_full_of(text)
    source = render(wrapper, command)
    assert read_wrapper(source) == wrapper
    harmless = render(wrapper_full_of("harmless"), "harmless")
    assert are_alike(ast.parse(source), ast.parse(harmless))
    code = source.replace(embedded().select(global_names(source)).code, "")
    assert code.isascii()


PLACE = '{{ assign("DOMAIN: Final", data.domain) }}\n'
WAYS = {
    "docstring": ('"""{{ data.domain }}"""', '"""\nprint()\n"""'),
    "comment, line feed": ("# {{ data.domain }}", "x\nprint()"),
    "comment, carriage return": ("# {{ data.domain }}", "x\rprint()"),
    "quotes": ('X = "{{ data.domain }}"', '" + str(print()) + "'),
    "raw string": ('X = r"{{ data.domain }}"', '" + str(print()) + r"'),
    "f-string": ('X = f"{{ data.domain }}"', "{print()}"),
    "identifier": ("{{ data.domain }} = 1", "x = print(); y"),
    "import": ("import {{ data.domain }}", "os; print()"),
    "double render": ("{{ again(data.domain) }}", "{{ ask() }}"),
}
"""Ways to put a text into Python: a line of a template, and a text that runs there."""


@pytest.fixture(params=WAYS.items(), ids=WAYS)
def way(request):
    return request.param[1]


def test_what_runs_in_a_careless_template_does_not_run_here(way, printed):
    module = execute(render(wrapper_full_of(way[1]), way[1]))
    assert module.DOMAIN == module.COMMAND == way[1]
    assert printed == []


def test_a_template_that_prints_data_is_stopped(way, monkeypatch):
    use_careless_template(monkeypatch, way[0])
    with pytest.raises(WrapperError, match="which is data, not code"):
        render(wrapper_full_of(way[1]), COMMAND)


def test_the_check_catches_what_a_careless_template_does(way, monkeypatch):
    """The negative control: without the first gate, the second one has to hold."""
    use_careless_template(monkeypatch, way[0], finalize=None)
    with pytest.raises(WrapperError, match=r"would run what is data|be no Python"):
        render(wrapper_full_of(way[1]), COMMAND)


def test_the_careless_templates_are_dangerous(way, monkeypatch, printed):
    """Else the negative control would prove nothing."""
    use_careless_template(monkeypatch, way[0], finalize=None)
    monkeypatch.setattr(renderer, "check", lambda source, reference: None)
    execute(render(wrapper_full_of(way[1]), COMMAND))
    assert printed


def test_the_check_wants_ascii_but_for_copied_code():
    source = EXPECTED.read_text("utf-8")
    check(source, source)
    with pytest.raises(WrapperError, match="beyond ASCII"):
        check(f"{source}# \u202e\n", source)


def test_the_check_wants_each_name_once():
    source = EXPECTED.read_text("utf-8") + "AREAS = []\n"
    with pytest.raises(WrapperError, match="'AREAS' twice"):
        check(source, source)


def test_two_fields_that_claim_one_key_are_refused():
    fields = (("price", ValueKind.MONEY), ("price_currency", ValueKind.TEXT))
    with pytest.raises(WrapperError, match="two fields claim"):
        render(Wrapper("x", (), fields, (), ()), COMMAND)


# --- helpers ----------------------------------------------------------------------


def execute(source):
    module = types.ModuleType("generated")
    exec(source, module.__dict__)
    return module


def wrapper_full_of(text):
    """A wrapper with the text in every place that takes one."""
    locators = (Locator(text, text, text), Locator(text), Locator(text, f"@{text}"))
    return Wrapper(
        domain=text,
        samples=(Sample(text, text), Sample(f"{text}.html", "00")),
        fields=(("price", ValueKind.MONEY), ("link", ValueKind.URL)),
        patterns=((text, text),),
        areas=(
            AreaRule(
                name=text,
                places=(Place(text, text, text),),
                span=1,
                least=1,
                fields=(FieldRule("price", (Reading(text, locators),)),),
                witness=text,
                contract=Contract(
                    shapes={"price": (text, text)},
                    order=("price",),
                    fill={"price": 1.0},
                ),
            ),
        ),
        frame=(text, text),
    )


def use_careless_template(monkeypatch, line, finalize=code_only):
    """Put a line behind that of the domain, and let templates print what they like."""
    sources = {
        path.name: path.read_text("utf-8") for path in ROOT.glob("templates/*.jinja")
    }
    careful = sources["wrapper.py.jinja"]
    sources["wrapper.py.jinja"] = careful.replace(PLACE, f"{PLACE}{line}\n")
    assert sources["wrapper.py.jinja"] != careful
    jinja = renderer.environment().overlay(
        loader=DictLoader(sources), finalize=finalize
    )
    jinja.globals = {**jinja.globals, "again": render_again}
    monkeypatch.setattr(renderer, "environment", lambda: jinja)


def render_again(text):
    return Environment().from_string(text).render(ask=lambda: print() or 0)


@pytest.fixture
def printed(monkeypatch):
    """A list that grows with each call of `print`."""
    calls = []
    monkeypatch.setattr(builtins, "print", lambda *_: calls.append("printed"))
    return calls


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("x = 'a'", True),
        ("x = b'a'", True),
        ("x = ['a', 2]", False),
        ("x = f'{a}'", False),
        ("x = a", False),
        ("y = 'a'", False),
        ("x = 'a'; z", False),
        ("x += 'a'", False),
        ("def f(): pass", False),
    ],
)
def test_what_differs_in_literals_is_alike(source: str, expected: bool) -> None:
    assert are_alike(ast.parse(source), ast.parse("x = 1")) == expected
