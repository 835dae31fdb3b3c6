"""Test names that no expression should rest on, and stems of generated names.

A line of a file in cases/vetoes has an attribute, a word, and the code of the veto or
"kept"; a line of stems.txt has a word and its stem, "-" for none.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from amber_wrap.dom.utility_classes import utility_kind
from amber_wrap.selectors.volatile_names import part_beside_number, stem, veto

CASES = Path(__file__).parent / "cases" / "vetoes"
KEPT, NONE = "kept", "-"
STEMS = CASES / "stems.txt"
REASONS = sorted(set(CASES.glob("*.txt")) - {STEMS})


def lines(path: Path) -> list[list[str]]:
    all_lines = path.read_text("utf-8").splitlines()
    return [
        [cell.strip() for cell in line.split(" | ")]
        for line in all_lines
        if line and not line.startswith("# ")
    ]


def verdict(word: str, attribute: str) -> str:
    veto_found = veto(word, attribute)
    return veto_found.code if veto_found else KEPT


@pytest.mark.parametrize("path", REASONS, ids=lambda path: path.stem)
def test_words_have_the_expected_vetoes(path: Path) -> None:
    wrong = [
        f"{attribute} {word}: {found}, not {wanted}"
        for attribute, word, wanted in lines(path)
        if (found := verdict(word, attribute)) != wanted
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("path", REASONS, ids=lambda path: path.stem)
def test_each_veto_has_enough_cases_for_and_against(path: Path) -> None:
    codes = [wanted for _, _, wanted in lines(path)]
    assert set(codes) == {path.stem, KEPT}
    assert min(codes.count(path.stem), codes.count(KEPT)) >= 30


def test_words_have_the_expected_stems() -> None:
    wrong = [
        f"{word}: {found}, not {wanted}"
        for word, wanted in lines(STEMS)
        if (found := stem(word) or NONE) != wanted
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("value", "part"),
    [
        ("price-48213", "price-"),
        ("prop-R48213", "prop-"),
        ("thread_title_48213", "thread_title_"),
        ("result-48213-title", "-title"),
        ("result-48213b-title", "-title"),
        ("result-48213-0", "result-"),
        ("48213", ""),
        ("p-48213", ""),
        ("price", ""),
    ],
)
def test_the_part_beside_the_number_of_an_item_has_words(value: str, part: str) -> None:
    assert part_beside_number(value) == part


@pytest.mark.parametrize(
    ("word", "attribute", "reason"),
    [
        ("css-1x2y3z", "class", "`css-1x2y3z` is a name that Emotion generates"),
        ("price-x7f3k", "class", "`price-x7f3k` contains `x7f3k`, which looks random"),
        ("mt-4", "class", "`mt-4` is a utility class (spacing)"),
        ("active", "class", "`active` is a state"),
        ("item-48213", "id", "`item-48213` contains `48213`"),
        ("b12", "id", "`b12` is a letter and a number"),
    ],
)
def test_reasons_of_vetoes_have_an_explanation(
    word: str, attribute: str, reason: str
) -> None:
    veto_found = veto(word, attribute)
    assert veto_found is not None
    assert veto_found.reason.startswith(reason)
    assert ":" in veto_found.reason


@pytest.mark.parametrize("token", ["text-onSurface", "bg-surfaceLow", "font-body"])
def test_a_long_class_is_compared_without_exponential_backtracking(token: str) -> None:
    assert utility_kind(token + 40 * "low" + "?") is None
