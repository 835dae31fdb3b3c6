"""The wrapper still reads what it read off the stored pages, field by field.

amber-wrap export --to pytest wrote this file, and writes the records anew after a
change that is meant."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from homes import extract, next_page

FOLDER = Path(__file__).parent / "test_homes"
# The addresses of the pages, as far as they are known.
PAGES = {"page-1": "http://127.0.0.1:8021/page-1.html"}
FIELDS = [
    "price",
    "price_currency",
    "location",
    "postcode",
    "bedrooms",
    "bathrooms",
    "receptions",
    "living_area",
    "living_area_unit",
    "property_type",
    "legal_status",
    "details_page",
    "image",
]


@cache
def found(name: str) -> list[dict[str, Any]]:
    """What the wrapper reads off a page now."""
    saved = (FOLDER / f"{name}.html").read_bytes()
    return [dict(one) for one in extract(saved, PAGES[name])]


@cache
def expected(name: str) -> dict[str, Any]:
    """What it read off the page when this file was written."""
    known: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    return known


@pytest.mark.parametrize("saved", PAGES)
def test_number_of_records(saved: str) -> None:
    """As many records as before."""
    assert len(found(saved)) == len(expected(saved)["records"])


@pytest.mark.parametrize("saved", PAGES)
def test_names_of_fields(saved: str) -> None:
    """The same fields as before, in the same order."""
    assert {tuple(one) for one in found(saved)} <= {tuple(FIELDS)}


@pytest.mark.parametrize("saved", PAGES)
@pytest.mark.parametrize("field", FIELDS)
def test_field(field: str, saved: str) -> None:
    """The same values of a field as before."""
    now = [one.get(field) for one in found(saved)]
    assert now == [one[field] for one in expected(saved)["records"]]


@pytest.mark.parametrize("saved", PAGES)
def test_next_page(saved: str) -> None:
    """The same link to the next page as before."""
    page = (FOLDER / f"{saved}.html").read_bytes()
    assert next_page(page, PAGES[saved]) == expected(saved)["next_page"]
