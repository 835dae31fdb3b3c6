"""Test records that only a script has: `list` is their place, "" where none are.

A case is a page in TOML.
"""

from __future__ import annotations

import time
import tomllib
from pathlib import Path
from typing import Any

import pytest

from amber_wrap.analysis.candidate_lists import undisplayed_list
from amber_wrap.dom.json_in_scripts import item_lists
from amber_wrap.dom.parse import parse

CASES = sorted((Path(__file__).parent / "cases" / "islands").glob("*.toml"))


@pytest.fixture(params=CASES, ids=lambda path: path.stem)
def case(request: pytest.FixtureRequest) -> dict[str, Any]:
    return tomllib.loads(request.param.read_text("utf-8"))


def test_the_list_that_only_a_script_has_is_found(case: dict[str, Any]) -> None:
    list_in_script = undisplayed_list(parse(f"<body>{case['html']}".encode()))
    assert str(list_in_script or "") == case.get("list", "")


@pytest.mark.parametrize(
    "script",
    [
        "[" * 200_000,
        '{"a":' * 200_000,
        "x={" * 200_000,
        'x="' + "y='" * 200_000,
        'x={"a' * 100_000,
        "[" + "[" * 400 + "]" * 400 + "]" + ',{"a":1,"b":2}' * 100_000 + "]",
        "[" + ",".join(['{"a":1,"b":[{"c":1,"d":2}]}'] * 100_000) + "]",
    ],
    ids=range(7),
)
@pytest.mark.parametrize("kind", ["application/json", "text/javascript"])
def test_reading_a_script_takes_time_in_proportion_to_its_length(
    script: str, kind: str
) -> None:
    page = parse(f'<body><script type="{kind}">x={script}</script>'.encode())
    started = time.perf_counter()
    item_lists(page)
    assert time.perf_counter() - started < 5
