"""Determine the currency that "$" stands for, by the page's data, country and
language.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from amber_wrap.annotate.locale import locale_of
from amber_wrap.dom.page import ITEM_PROPERTY, Page

_USUAL: Final = "USD"
_CURRENCIES: Final = {
    **{"AR": "ARS", "AU": "AUD", "BB": "BBD", "BS": "BSD", "BZ": "BZD", "CA": "CAD"},
    **{"CL": "CLP", "CO": "COP", "CU": "CUP", "DO": "DOP", "FJ": "FJD", "GY": "GYD"},
    **{"HK": "HKD", "JM": "JMD", "MX": "MXN", "NA": "NAD", "NZ": "NZD", "SG": "SGD"},
    **{"SR": "SRD", "TT": "TTD", "TW": "TWD", "UY": "UYU"},
}
"""The currencies that are written with "$", by country, without the US dollar."""
_SHARED: Final = frozenset({"es", "fr", "zh"})
"""Languages of several countries whose currencies are written with "$"."""
GENERIC: Final = frozenset({"co"})
"""Top-level domains of countries that sites in other countries use, too.

A second level such as ".com.co" shows that the site is in the country."""
_CODE: Final = re.compile(r"[A-Z]{3}")
IN_SCRIPT: Final = re.compile(r'"priceCurrency"\s*:\s*"([A-Z]{3})"')
HOST: Final = re.compile(
    r" *(?:https?:)?//[^/?#:]*?(\.(?:com?|net|org))?\.([a-z]{2})(?![^/?#:])", re.I
)


def dollar_of(pages: Sequence[Page]) -> str:
    """Return the ISO 4217 code of the currency that "$" stands for on the given pages.

    Return "" if the currency is unknown or differs between the pages.
    """
    found = {_dollar_of(page) for page in pages}
    return found.pop() if len(found) == 1 else ""


def _dollar_of(page: Page) -> str:
    known = {_USUAL, *_CURRENCIES.values()}
    codes = {one for one in _currency_codes(page) if _CODE.fullmatch(one)} & known
    if codes:
        return codes.pop() if len(codes) == 1 else ""
    locale = locale_of(page)
    countries = [locale.country, *_hosts(page)]
    if country := next(filter(None, countries), ""):
        return _CURRENCIES.get(country, _USUAL)
    return "" if locale.language in _SHARED else _USUAL


def _currency_codes(page: Page) -> Iterator[str]:
    """Yield the currency codes in a page's microdata, Open Graph metadata and
    scripts.
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
    """Yield the country code of each host in a page's own addresses, for example "AU"
    for "example.com.au".

    The addresses are the URL, the base, the canonical link and the `og:url`.
    """
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
