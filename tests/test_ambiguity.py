"""Test that `is_exponential` finds the patterns that take exponential time."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from amber_wrap.domain.loader import load_domain
from amber_wrap.values.exponential_patterns import is_exponential
from amber_wrap.values.regular_expressions import compose
from amber_wrap.wrapper.pattern_check import check_patterns
from amber_wrap.wrapper.stored_wrapper import from_text, line_at

ROOT = Path(__file__).parents[1]
WRAPPERS = sorted(
    path
    for folder in ("wrappers", "tests/golden", "examples")
    for path in (ROOT / folder).rglob("*.json")
    if b'"patterns"' in path.read_bytes()
)
EXPONENTIAL = {  # Each with a text of which each repetition doubles the time.
    r"(a+)+$": "a",
    r"(?:a|a)*b": "a",
    r"(?:ab|ab)*c": "ab",
    r"(a*)*b": "a",
    r"(?:\w+\s?)*$": "a",
    r"(?:[a-z]+|\w+)+$": "a",
    r"((a+)b?)+$": "a",
    r"(?:\d+\.?\d+)+$": "1",
    r"(?:a?){40}$": "a",
    r"(?:a+){2,40}$": "a",
    r"(?:b(?:|))+c": "b",
    r"(?>(?:a+)+b)c": "a",
    r"(?:(?:ab)?(?:ab)?c)+d": "abc",
    r"x(?i:[a-f]+|[A-F]+)+y": "a",
    r"(?:(?=a)a+)+b": "a",
}
HARMLESS = [
    r"(?:\w+ )+$",
    r"\d{1,3}(?:[.,]\d{3})*",
    r"(?:[A-Z][a-z]+ ?)+x",
    r"(?:a++ ?)+b",
    r"(?:\d{10})+x",
    r"(?:[/к-]\d{1,3})*",
    r"(?:[^<>]|<[^>]*>)*!",
    r'"(?:[^"\\]|\\.)*"',
    r"(?:.*\n)*end",
    r"(?:(?:mon|tues?|wed)(?:day)?,? )+",
    r"a*a*a*b",
    r"(?:a+){1,5}b",
    r"\(a+\)+",
]


@pytest.mark.parametrize("pattern", EXPONENTIAL)
def test_patterns_that_match_a_text_in_two_ways_are_exponential(pattern: str) -> None:
    assert is_exponential(pattern)


@pytest.mark.slow
@pytest.mark.parametrize(("pattern", "text"), EXPONENTIAL.items())
def test_exponential_patterns_do_not_end_within_3_seconds(
    pattern: str, text: str
) -> None:
    start = "x" * pattern.startswith("x")
    command = f"import re; re.match({pattern!r}, {start!r} + {text!r} * 40 + '!')"
    with pytest.raises(subprocess.TimeoutExpired):
        subprocess.run([sys.executable, "-c", command], timeout=3, check=True)


@pytest.mark.parametrize("pattern", HARMLESS)
def test_patterns_that_match_a_text_in_one_way_are_harmless(pattern: str) -> None:
    assert not is_exponential(pattern)


def test_a_pattern_too_large_to_judge_counts_as_exponential() -> None:
    words = "|".join(f"{word}{n}x?" for n in range(300) for word in ("ab", "cd"))
    assert is_exponential(f"(?:{words})+")
    assert not is_exponential(f"(?:{words})")


@pytest.mark.parametrize("path", WRAPPERS, ids=lambda path: f"{path.parent.name}")
def test_no_wrapper_of_this_repository_has_an_exponential_pattern(path: Path) -> None:
    stored = from_text(path.read_bytes())
    check_patterns(stored.wrapper)
    data = json.loads(path.read_text("utf-8"))["program"]
    reads = [
        read
        for area in data["lists"]
        for column in area["columns"]
        for read in (*column["reads"], *column["derived"])
    ]
    assert reads
    assert not any(is_exponential(read["pattern"]) for read in reads)
    assert not any(is_exponential(form) for _, form in data["expected"].values())


@pytest.mark.parametrize("name", ["real-estate", "used-cars", "products", "listing"])
def test_no_built_in_domain_has_an_exponential_pattern(name: str) -> None:
    patterns = load_domain(name).patterns
    composed = {pattern: compose(pattern, patterns) for pattern in patterns}
    assert [pattern for pattern, text in composed.items() if is_exponential(text)] == []


def test_line_at_returns_the_line_where_a_json_value_begins() -> None:
    text = '{\n "a": [1,\n  {"b]": "}",\n   "c": 2}],\n "d": "\\"["}'
    lines = {(): 1, ("a",): 2, ("a", 1): 3, ("a", "1", "c"): 4, ("d",): 5}
    assert {path: line_at(text, path) for path in lines} == lines
    assert line_at(text, ("a", 1, "none")) == 3
    assert line_at(text, ("d", "none")) == 5
    assert line_at("[]", (0,)) == 1
