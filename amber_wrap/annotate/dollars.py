"""Whose dollar a "$" is: the page says so, its country, or its language."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from amber_wrap.annotate.locale import locale_of
from amber_wrap.dom.page import ITEM_PROPERTY, Page
from amber_wrap.memo import remembered

_USUAL: Final = "USD"
_CURRENCIES: Final = {
    **{"AR": "ARS", "AU": "AUD", "BB": "BBD", "BS": "BSD", "BZ": "BZD", "CA": "CAD"},
    **{"CL": "CLP", "CO": "COP", "CU": "CUP", "DO": "DOP", "FJ": "FJD", "GY": "GYD"},
    **{"HK": "HKD", "JM": "JMD", "MX": "MXN", "NA": "NAD", "NZ": "NZD", "SG": "SGD"},
    **{"SR": "SRD", "TT": "TTD", "TW": "TWD", "UY": "UYU"},
}
"""By country what is written with a "$" there, but for the United States."""
_SHARED: Final = frozenset({"es", "fr", "zh"})
"""Languages of several of these countries: without one, nobody knows."""
GENERIC: Final = frozenset({"co"})
"""Countries' domains that others use as well, unless there is a second level."""
_CODE: Final = re.compile(r"[A-Z]{3}")
IN_SCRIPT: Final = re.compile(r'"priceCurrency"\s*:\s*"([A-Z]{3})"')
HOST: Final = re.compile(
    r" *(?:https?:)?//[^/?#:]*?(\.(?:com?|net|org))?\.([a-z]{2})(?![^/?#:])", re.I
)


def dollar_of(pages: Sequence[Page]) -> str:
    """Return the ISO code of what "$" stands for, "" where that isn't told."""
    found = {_dollar_of(page) for page in pages}
    return found.pop() if len(found) == 1 else ""


@remembered
def _dollar_of(page: Page) -> str:
    known = {_USUAL, *_CURRENCIES.values()}
    said = {one for one in _said(page) if _CODE.fullmatch(one)} & known
    if said:
        return said.pop() if len(said) == 1 else ""
    locale = locale_of(page)
    countries = [locale.country, *_hosts(page)]
    if country := next(filter(None, countries), ""):
        return _CURRENCIES.get(country, _USUAL)
    return "" if locale.language in _SHARED else _USUAL


def _said(page: Page) -> Iterator[str]:
    """Yield the currencies of prices that microdata, a social network's card, or a
    script's data name.
    """
    for node in page.elements():
        given = page.attributes[node]
        if given.get(ITEM_PROPERTY) == "priceCurrency":
            yield given.get("content", "") or page.string(node)
        elif given.get("property", "").endswith("price:currency"):
            yield given.get("content", "")
    for script in page.root.iter("script"):
        yield from IN_SCRIPT.findall(script.text or "")


def _hosts(page: Page) -> Iterator[str]:
    """Yield the countries of the hosts that a page says to be from."""
    addresses = [page.url]
    for node in page.elements():
        given = page.attributes[node]
        is_own = page.tag[node] == "base" or given.get("rel") == "canonical"
        if is_own:
            addresses.append(given.get("href", ""))
        elif given.get("property") == "og:url":
            addresses.append(given.get("content", ""))
    for found in filter(None, map(HOST.match, addresses)):
        if found[1] or found[2].lower() not in GENERIC:
            yield found[2].upper()
