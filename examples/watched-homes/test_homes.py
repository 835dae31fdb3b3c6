"""Test that the wrapper still reads the stored records from the stored pages.

amber-wrap export --to pytest wrote this file.  Run the command again after an intended
change, to store the new records."""

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
    """Return the records that the wrapper reads from a page now."""
    saved = (FOLDER / f"{name}.html").read_bytes()
    return [dict(one) for one in extract(saved, PAGES[name])]


@cache
def expected(name: str) -> dict[str, Any]:
    """Return what the wrapper read from the page when this file was written."""
    known: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    return known


@pytest.mark.parametrize("saved", PAGES)
def test_number_of_records(saved: str) -> None:
    """Test that the page has as many records as before."""
    assert len(found(saved)) == len(expected(saved)["records"])


@pytest.mark.parametrize("saved", PAGES)
def test_names_of_fields(saved: str) -> None:
    """Test that the records have the same fields as before, in the same order."""
    assert {tuple(one) for one in found(saved)} <= {tuple(FIELDS)}


@pytest.mark.parametrize("saved", PAGES)
@pytest.mark.parametrize("field", FIELDS)
def test_field(field: str, saved: str) -> None:
    """Test that a field has the same values as before."""
    now = [one.get(field) for one in found(saved)]
    assert now == [one[field] for one in expected(saved)["records"]]


@pytest.mark.parametrize("saved", PAGES)
def test_next_page(saved: str) -> None:
    """Test that the link to the next page is the same as before."""
    page = (FOLDER / f"{saved}.html").read_bytes()
    assert next_page(page, PAGES[saved]) == expected(saved)["next_page"]
