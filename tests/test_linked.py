"""Test columns named by JSON-LD: a case is a page and the `names` of its columns.

Records have a headline and its link besides.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from amber_wrap.columns.naming.json_ld import property_names
from amber_wrap.domain.loader import load_domain
from amber_wrap.pipeline import compile_wrapper
from amber_wrap.settings import Options, Source

CASES = sorted((Path(__file__).parent / "cases" / "linked").glob("*.toml"))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_columns_have_the_names_of_json_ld_properties(path: Path) -> None:
    case = tomllib.loads(path.read_text("utf-8"))
    source = Source(path.name, case["html"].encode())
    options = Options(fields="all")
    wrapper = compile_wrapper([source], [load_domain("listing")], options).wrapper
    names = [name for name, _ in wrapper.fields]
    assert names == ["details_page", "title", *case["names"]]
    kinds = {name: kind.value for name, kind in wrapper.fields}
    assert kinds | case.get("kinds", {}) == kinds


@pytest.mark.parametrize(
    ("text", "value", "names"),
    [
        ("Moor  Ltd", "Moor Ltd", ["brand"]),
        ("MOOR LTD.", "Moor Ltd", ["brand"]),
        ("£1,250", 1250, ["brand"]),
        ("£1,250", "1250.00", ["brand"]),
        ("12 comments", 12, ["brand"]),
        ("12 May 2025", "2025-05-12", ["brand"]),
        ("12 May 2025, 18:30", "2025-05-12T10:00:00Z", ["brand"]),
        ("12 May 2025", "2025-05-13", []),
        ("12 May 2025", "2025", []),
        ("Moor Ltd of York", "Moor Ltd", []),
        ("?", "!", []),
        ("", "", []),
    ],
)
def test_a_displayed_value_is_matched_to_the_value_of_a_property(
    text: str, value: object, names: list[str]
) -> None:
    assert list(property_names([("brand", value)], text)) == names


@pytest.mark.parametrize(
    ("path", "names"),
    [
        ("datePosted", ["datePosted"]),
        ("offers.price", ["price"]),
        ("item.offers.price", ["price"]),
        ("brand.name", ["brand"]),
        ("item.author.name", ["author"]),
        ("item.name", ["name"]),
        ("size.value.@value", ["size"]),
        ("@type", []),
    ],
)
def test_the_last_specific_part_of_a_property_path_is_the_name(
    path: str, names: list[str]
) -> None:
    assert list(property_names([(path, "x")], "x")) == names
