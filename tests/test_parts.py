"""Test postcodes in addresses, where less evidence is enough than elsewhere."""

from __future__ import annotations

import pytest

from amber_wrap.analysis.extraction_typing import Attribute
from amber_wrap.analysis.values_within_values import (
    containing_type,
    containing_types_first,
    part_within,
)
from amber_wrap.annotate.annotate_page import readers
from amber_wrap.annotate.locale import Locale, for_locale
from amber_wrap.dom.parse import parse
from amber_wrap.domain.loader import load_domain

DOMAIN = load_domain("real-estate")
ADDRESSES = {
    "Old Street, London EC1V 9HX": ("en", "EC1V 9HX"),
    "Old Street, London EC1V": ("en", "EC1V"),
    "Old Street, Shoreditch, London, N1": ("en", "N1"),
    "Flat B1, Old Street, London": ("en", None),
    "Old Street (A40), Headington OX3": ("en", "OX3"),
    "100 Congress Ave, Austin, TX 78701": ("en", "78701"),
    "100 Congress Ave, Austin 78701-1234": ("en", "78701-1234"),
    "12345 Congress Ave, Austin": ("en", None),
    "Austin, 12345 Congress Ave": ("en", None),
    "10115 Berlin": ("de", "10115"),
    "Lindenweg 3, Berlin, 10115": ("de", "10115"),
    "Berlin (10115)": ("de", "10115"),
    "Lindenweg 115, Berlin": ("de", None),
    "10115 / Berlin": ("de", "10115"),
    "Rue de la Gare 3, 1003 Lausanne": ("en", "1003"),
    "Storgatan 3, 111 22 Stockholm": ("en", "111 22"),
    "Damrak 3, 1012 AB Amsterdam": ("en", "1012 AB"),
    "Rua Augusta 3, 1100-053 Lisboa": ("en", "1100-053"),
    "Austin, 1004 Congress Ave": ("en", None),
    "Austin 1004": ("en", None),
    "Rue de la Paix 3, Paris 75002": ("fr", "75002"),
    "Mill Lane, Oxford": ("en", None),
}


@pytest.mark.parametrize("address", ADDRESSES)
def test_the_postcode_of_an_address_is_found_in_its_language(address: str) -> None:
    language, wanted = ADDRESSES[address]
    domain = for_locale(DOMAIN, Locale(language, ""))
    page = parse(f"<p>{address}</p>".encode())
    (node,) = page.select("//p")
    whole = Attribute("location", node, "text", address, address, None, 1, "annotated")
    kind = domain.schema["postcode"]
    part = part_within(page, kind, whole, readers(domain))
    assert (part and part.text) == wanted


def test_no_part_is_read_from_text_that_a_value_leaves_out() -> None:
    page = parse(b"<p>Mill Lane, Oxford - agents of London EC1V 9HX</p>")
    (node,) = page.select("//p")
    whole = Attribute("location", node, "text", "Mill Lane", "", None, 1, "annotated")
    kind = DOMAIN.schema["postcode"]
    assert part_within(page, kind, whole, readers(DOMAIN)) is None
    assert part_within(page, kind, None, readers(DOMAIN)) is None


def test_a_postcode_is_part_of_a_location() -> None:
    schema = DOMAIN.schema
    parts = {
        one.name: of for one in schema.types if (of := containing_type(one, schema))
    }
    assert parts == {"postcode": "location"}
    order = [one.name for one in containing_types_first(schema)]
    assert sorted(order) == sorted(one.name for one in schema.types)
    assert order[-1] == "postcode"
