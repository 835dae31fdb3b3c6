"""Test that no text of a page, however hostile, becomes code in a wrapper."""

from __future__ import annotations

import ast
import builtins
import types
from pathlib import Path

import black
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from jinja2 import DictLoader, Environment

from amber_wrap.codegen import build
from amber_wrap.codegen import render as renderer
from amber_wrap.codegen.build import are_alike, check_literals_only, render_program
from amber_wrap.codegen.python_source import (
    Call,
    Code,
    assign,
    assign_joined,
    identifier,
    is_printable,
    python_literal,
)
from amber_wrap.codegen.statements import pattern_parts
from amber_wrap.domain.schema import ValueKind
from amber_wrap.errors import WrapperError
from amber_wrap.lowering.date_patterns import Calendar
from amber_wrap.lowering.program import Column, Derived, List, Program, Read

ROOT = Path(__file__).resolve().parent.parent
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
def test_a_literal_is_printable_and_evaluates_to_its_value(value):
    source = assign("NAME: Final", value)
    assert all(map(is_printable, source.split("\n")))
    (statement,) = ast.parse(source).body
    back = ast.literal_eval(statement.value)
    assert repr(back) == repr(value)


@settings(deadline=None)
@given(VALUES)
def test_literals_are_formatted_like_black(value):
    source = assign("NAME: Final", value) + "\n"
    assert black.format_str(source, mode=black.Mode()) == source


@pytest.mark.parametrize("value", ["", "x", [], {}, None, "\\" * 99])
def test_a_long_key_does_not_change_its_value(value):
    source = assign("NAME", {"key " * 30: value})
    assert list(ast.literal_eval(ast.parse(source).body[0].value).values()) == [value]


def test_an_xpath_expression_is_not_broken_into_lines():
    text = "//div[contains(@class, 'a b')]/following-sibling::p | " * 9
    assert text in assign("NAME", {"key": [[text, "text"]]})


@settings(deadline=None)
@given(TEXTS)
def test_a_long_pattern_is_broken_into_lines_of_the_same_value(text):
    source = assign_joined("NAME", text)
    (statement,) = ast.parse(source).body
    assert ast.literal_eval(statement.value) == text
    assert black.format_str(source + "\n", mode=black.Mode()) == source + "\n"
    words = assign_joined("NAME", "house|" * 90)
    assert max(map(len, words.split("\n"))) <= 160


@settings(deadline=None)
@given(st.lists(TEXTS.filter(bool), min_size=2, max_size=3), st.integers(0, 99))
@example(["house " * 26 + "flat", "0"], 0)  # The last part and the sum fit in a line.
@example(["house " * 26 + "flat", "0", "house " * 26 + "flat", "1"], 0)
@example(["house " * 26 + "flat" * 15, "0"], 0)
def test_a_pattern_of_several_parts_is_formatted_like_black(texts, length):
    source = assign_joined("N" * (length + 1), texts[0], Code("MAKE_TERMS"), *texts[1:])
    assert eval(source.partition(" = ")[2], {"MAKE_TERMS": "-"}) == (
        f"{texts[0]}-{''.join(texts[1:])}"
    )
    assert black.format_str(source + "\n", mode=black.Mode()) == source + "\n"


def test_terms_that_two_patterns_share_become_a_constant():
    terms = "|".join(f"{letter}(?i:lfa|ravo)" for letter in "abcdefghijklmnopqrstu")
    names = {f"x(?:{terms})": "MAKE_RE", f"(?:{terms}) (?:{terms})y": "MODEL_RE"}
    assert pattern_parts(names) == {
        "MAKE_TERMS": (terms,),
        "MAKE_RE": ("x(?:", "MAKE_TERMS", ")"),
        "MODEL_RE": ("(?:", "MAKE_TERMS", ") (?:", "MAKE_TERMS", ")y"),
    }
    assert pattern_parts({terms: "MAKE_RE", f"(?:{terms}) x": "MODEL_RE"}) == {
        "MAKE_RE": (terms,),
        "MODEL_RE": ("(?:", "MAKE_RE", ") x"),
    }
    assert pattern_parts({terms: "MAKE_RE"}) == {"MAKE_RE": (terms,)}


@settings(deadline=None)
@given(st.lists(TEXTS, min_size=1, max_size=3), st.integers(0, 40))
def test_calls_are_formatted_like_black(texts, before):
    call = Call(Code("number"), (Call(Code("find"), (Code("row"), *texts)),))
    source = f"{'x' * (before + 1)} = {python_literal(call, '', before + 4)}\n"
    assert black.format_str(source, mode=black.Mode()) == source


@pytest.mark.parametrize("value", [object(), b"bytes", {1, 2}, float("nan"), [1j]])
def test_values_without_a_literal_are_refused(value):
    with pytest.raises(WrapperError, match="has no literal"):
        python_literal(value)


@pytest.mark.parametrize("name", ["", "Price", "a b", "class", "x\n", "É", "_a", "1a"])
def test_invalid_names_are_refused_as_identifiers(name):
    with pytest.raises(WrapperError, match="can't be a name"):
        identifier(name)


def test_names_in_other_scripts_get_different_identifiers():
    names = ("é", "e", "цена", "цены", "価格")
    identifiers = [identifier(name) for name in names]
    assert len(set(identifiers)) == len(names)
    assert all(
        name_in_ascii.isascii() and name_in_ascii.isidentifier()
        for name_in_ascii in identifiers
    )


# --- data stay data ---------------------------------------------------------------


@settings(max_examples=50, deadline=None)
@given(TEXTS, TEXTS)
def test_texts_do_not_change_the_functions_of_a_generated_file(text, command):
    source = render(text, command)
    assert functions(source) == functions(render("harmless", "harmless"))
    assert all(map(is_printable, source.split("\n")))


PLACE = '{{ assign("COMMAND", command) }}\n'
WAYS = {
    "docstring": ('"""{{ command }}"""', '"""\nprint()\n"""'),
    "comment, line feed": ("# {{ command }}", "x\nprint()"),
    "comment, carriage return": ("# {{ command }}", "x\rprint()"),
    "quotes": ('X = "{{ command }}"', '" + str(print()) + "'),
    "raw string": ('X = r"{{ command }}"', '" + str(print()) + r"'),
    "f-string": ('X = f"{{ command }}"', "{print()}"),
    "identifier": ("{{ command }} = 1", "x = print(); y"),
    "import": ("import {{ command }}", "os; print()"),
    "double render": ("{{ again(command) }}", "{{ ask() }}"),
}
"""Careless lines of a template, each with a text that runs as code there."""


@pytest.fixture(params=WAYS.items(), ids=WAYS)
def way(request):
    return request.param[1]


def test_texts_that_a_careless_template_runs_stay_data(way, printed):
    module = execute(render(way[1], way[1]))
    assert module.COMMAND == module.RECORDS_2 == way[1]
    assert printed == []


def test_a_template_that_prints_data_is_refused(way, monkeypatch):
    use_careless_template(monkeypatch, way[0])
    with pytest.raises(WrapperError, match="which is data, not code"):
        render(way[1], way[1])


def test_the_injection_check_refuses_files_of_careless_templates(way, monkeypatch):
    """Open the first gate (`finalize`): the second one must stop the text."""
    use_careless_template(monkeypatch, way[0], finalize=None)
    with pytest.raises(WrapperError, match=r"would run data as code|be invalid Python"):
        render(way[1], way[1])


def test_careless_templates_run_texts_as_code(way, monkeypatch, printed):
    """Open both gates: the text must run, so that the tests above can fail."""
    use_careless_template(monkeypatch, way[0], finalize=None)
    monkeypatch.setattr(build, "check_literals_only", lambda source, reference: None)
    execute(render(way[1], way[1]))
    assert printed


def test_the_injection_check_refuses_invisible_characters():
    source = EXPECTED.read_text("utf-8")
    check_literals_only(source, source)
    with pytest.raises(WrapperError, match="unprintable character"):
        check_literals_only(f"{source}# \u202e\n", source)


def test_the_injection_check_refuses_a_name_that_is_defined_twice():
    source = EXPECTED.read_text("utf-8") + "EXPECTED = []\n"
    with pytest.raises(WrapperError, match="'EXPECTED' twice"):
        check_literals_only(source, source)


# --- helpers ----------------------------------------------------------------------


def execute(source):
    module = types.ModuleType("generated")
    exec(source, module.__dict__)
    return module


def functions(source):
    """Return the code of each function of a file, except those that read records."""
    tree = ast.parse(source)
    return {
        statement.name: ast.dump(statement)
        for statement in tree.body
        if isinstance(statement, ast.FunctionDef)
        and not statement.name.startswith("record")
    }


def render(text, command):
    """Render the file of a program with the text in every place that takes one."""
    derived = (
        Derived("price_currency", ((text, text), (f"{text}2", text)), text or "x"),
        Derived("price_period", (("", text),)),
    )
    calendar = Calendar((text, f"{text}2"), (text, text))
    columns = (
        Column(
            *("price", ValueKind.MONEY, (Read(text, text), Read(text)), "number"),
            derived=derived,
        ),
        Column("link", ValueKind.URL, (Read(text),), "link"),
        Column("date", ValueKind.DATE, (Read(text),), "date", calendar=calendar),
        Column("tags", ValueKind.TEXTS, (Read(text), Read(text)), "texts"),
    )
    lists = (List(text, (text, text), columns, 2), List(f"{text}2", (text,), columns))
    keys = ("price", "price_currency", "price_period", "link", "date", "tags")
    program = Program(lists, keys, expected={"price": (0.5, text)}, most=9)
    return render_program(program, command)


def use_careless_template(monkeypatch, line, **gate):
    """Insert a careless line into the template, and let templates print any text."""
    sources = {
        renderer.TEMPLATE: (ROOT / "templates" / renderer.TEMPLATE).read_text("utf-8")
    }
    careful = sources[renderer.TEMPLATE]
    sources[renderer.TEMPLATE] = careful.replace(PLACE, f"{PLACE}{line}\n")
    assert sources[renderer.TEMPLATE] != careful
    jinja = renderer.environment().overlay(loader=DictLoader(sources), **gate)
    jinja.globals = {**jinja.globals, "again": render_again}
    monkeypatch.setattr(renderer, "environment", lambda: jinja)


def render_again(text):
    return Environment().from_string(text).render(ask=lambda: print() or 0)


@pytest.fixture
def printed(monkeypatch):
    """Return a list that grows with each call of `print`."""
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
def test_sources_that_differ_in_literals_only_are_alike(
    source: str, expected: bool
) -> None:
    assert are_alike(ast.parse(source), ast.parse("x = 1")) == expected
