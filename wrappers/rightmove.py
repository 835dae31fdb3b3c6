"""Extract the records of a page; COMMAND made this: edit it, or the .toml beside it."""

import json
import re
import sys
from collections import Counter
from functools import cache, partial
from html import unescape
from pathlib import Path
from typing import Any, TypedDict, cast
from urllib.parse import urljoin

from lxml.etree import HTMLParser, XPath, _Element, fromstring, tostring
from parsel import Selector
from w3lib.encoding import html_to_unicode

COMMAND = "amber-wrap induce rent-cambridge-2026.html --domain real-estate"
regex = cache(re.compile)
PRICE_RE = r"(?:[$£€¥₹₽₺]|\b[A-Z]{3}|\bkr\.?) ?(\d[\d.,]*(?: ?[-–]\D{,5}\d)?)"
POSTCODE_RE = (
    " (?:(?<=[a-z], )|(?<=[a-z]{2} )(?=[A-Z]{2}))((?:(?:(?:A[BL]|B[ABDHLNRST]?|C[ABFHMORTVW]|D[ADEGHLNTY]|E[CHNX]?|F[KY]|G[LUY]?|H[ADGPRSUX]|I[GMPV]|JE|K[ATWY]"
    r"|L[ADELNSU]?|M[EKL]?|N[EGNPRW]?|O[LX]|P[AEHLOR]|R[GHM]|S[AEGKLMNOPRSTWY]?|T[ADFNQRSW]|UB|W[ACDFNRSV]?|YO|ZE))\d[\dA-Z]?))(?:$|(?= [-–|] ))"
)
RECORDS = '//div[@class~="propertyCard-details"] | //a[@data-test="property-details"]/../../../../..'
PRICE_PATHS = [
    './/a[@data-testid="property-price"]',
    './/*[contains(@class, "PropertyPrice_price")]',
]
NEXT_PAGE = '//link[@rel~="next"]/@href'
CURRENCIES = dict(re.findall(r"(\S+)=(\w+)", "$=USD £=GBP ¥=JPY €=EUR ₹=INR ₽=RUB"))
PERIODS = {"pcm": "month"}
EXPECTED = {  # The least share of records with a value; its usual form.
    "price": (0.65, r"\d{1,8}(?:\.\d+)?"),
    "location": (0.65, ".{4,224}"),
    "postcode": (0.05, ".{1,12}"),
    "bedrooms": (0.2, r"\d{1,5}(?:\.\d+)?"),
    "bathrooms": (0.15, r"\d{1,5}(?:\.\d+)?"),
    "property_type": (0.65, ".{1,44}"),
    "details_page": (0.25, ".+"),
    "image": (0.0, ".+"),
}


class Record(TypedDict):  # A missing value is None.
    price: float | None
    price_currency: str | None
    price_period: str | None
    location: str | None
    postcode: str | None
    bedrooms: int | None
    bathrooms: float | None
    property_type: str | None
    details_page: str | None
    image: str | None


def extract(page: str | bytes | Selector, url: str = "") -> list[Record]:
    """Return the records in document order; `url` makes their links absolute."""
    rows = xpath(RECORDS)(tree(page))
    if len({row.getparent() for row in rows}) > 1:
        held = Counter(node for row in rows for node in row.iterancestors())
        kept = {row for row in rows if held[row] < 2}  # Others hold several.
        rows = [it for it in rows if it in kept and kept.isdisjoint(it.iterancestors())]
    found = [record(row, url) for row in rows]
    return [rec for rec in found if [*map(rec.get, EXPECTED)].count(None) <= 6]


def record(row: _Element, url: str) -> Record:
    get = partial(find, row, {})
    price = number(get(*PRICE_PATHS, pattern=PRICE_RE))
    currency = get(*PRICE_PATHS, pattern="[$£¥€₹₽]")
    period = get(*PRICE_PATHS, pattern=r"\d ?(pcm)\b")
    bedrooms = get(
        './/span[contains(@class, "PropertyInformation_bedroomsCount")]',
        './/*[@data-testid="property-information"]//div//span',
        pattern=r"(\d[\d.,]*)",
    )
    bathrooms = get(
        './/div[contains(@class, "PropertyInformation_bathContainer")]',
        './/*[./svg[./path[contains(@d, "M8 5.0064c-1.1046 0-2 .8954-2 2V11h15v5c")]]]',
        pattern=r"(\d[\d.,]*)",
    )
    details_page = get(
        './/a[@data-test="property-details"]/@href',
        './/*[contains(@href, "/properties/")]/@href',
    )
    image = get(
        './/img[@data-testid="single-property-img"]/@src',
        './/*[@data-testid="multiple-images-container"]//*[contains(@class, "CDNImage_placeholder")]/@src',
    )
    return {
        "price": price,
        "price_currency": None if price is None else CURRENCIES.get(str(currency)),
        "price_period": None if price is None else PERIODS.get(str(period)),
        "location": get(
            ".//address", './/*[contains(@class, "PropertyAddress_address")]'
        ),
        "postcode": get(
            './/div[@data-testid="property-address"]',
            './/*[contains(@class, "PropertyAddress_address")]',
            pattern=POSTCODE_RE,
        ),
        "bedrooms": count(bedrooms),
        "bathrooms": number(bathrooms),
        "property_type": get(
            './/span[contains(@class, "PropertyInformation_propertyType")]'
        ),
        "details_page": link(details_page, url),
        "image": link(image, url),
    }


def next_page(page: str | bytes | Selector, url: str = "") -> str | None:
    """Return the address of the next page; None on the last page."""
    address = link(find(tree(page), {}, NEXT_PAGE, pattern="^(?!#|javascript:).+"), url)
    return None if address == url else address


def check(page: str | bytes | Selector) -> list[str]:
    """Return what is unexpected on a page."""
    records = [dict(rec) for rec in extract(page)]
    if not 0 < len(records) <= 100:
        return [f"{len(records)} records, 1 to 100 expected"]
    html = page.decode("latin-1") if isinstance(page, bytes) else page
    is_cut = isinstance(html, str) and not re.search(r"(?i)</(body|html)\s*>", html)
    wrong = [f"the page ends in the middle, after {len(records)} records"] * is_cut
    for name, (share, form) in EXPECTED.items():
        values = [str(rec[name]) for rec in records if rec[name] is not None]
        odd = [it for it in values if not re.fullmatch(form, it)]
        if len(values) < share * len(records):
            wrong.append(f"{name}: {len(values)} of {len(records)} records have one")
        elif 2 * len(odd) > len(values):
            wrong.append(f"{name}: {odd[0]!r} is unlike the samples")
    return wrong


UNSEEN = ("noscript", "script", "style")
MARKUP = (  # Markup that doesn't separate words.
    r"(?s)<!--.*?-->|<\?.*?>|<(script|style|noscript)\b(?:[^>]*/>|.*?</\1>)|</?(?:a|abbr"
    "|acronym|b|bdi|bdo|big|cite|code|data|del|dfn|em|font|i|ins|kbd|label|mark|nobr|q|s"
    r"|samp|small|span|strike|strong|sub|sup|time|tt|u|var|wbr)(?![\w:-])[^>]*>"
)


def text(node: _Element | str) -> str:
    """Return the displayed text of an element in one line, or "" for a mere dash."""
    if not isinstance(node, str) and (len(node) or node.tag in UNSEEN):
        html = tostring(node, encoding="unicode", with_tail=False)
        node = unescape(regex("<[^>]*>").sub(" ", regex(MARKUP).sub("", html)))
    line = " ".join((node if isinstance(node, str) else node.text or "").split())
    return line if line.strip("-./ \u2013\u2014") else ""


def tree(page: str | bytes | Selector) -> _Element:
    """Return the root element of a page."""
    if isinstance(page, Selector):
        return cast("_Element", page.root)
    if isinstance(page, bytes):
        try:
            enc, text = html_to_unicode(None, page, "utf-8")
        except (LookupError, ValueError):  # No codec of texts.
            enc = text = ""
        if enc != "utf-8" or "<" not in text or "\ufffd" in text:
            utf8, old = (page.decode(it, "replace") for it in ("utf-8-sig", "cp1252"))
            old = text if enc != "utf-8" and "<" in text else old
            enc, text = "", min(utf8, old, key=lambda it: len(it) + it.count("\ufffd"))
        page = page.strip()
        page = page if enc == "utf-8" and page[:1] + page[-1:] == b"<>" else text
    if isinstance(page, str):
        page = page.strip().encode("utf8", "replace")
    parser = HTMLParser(encoding="utf8", huge_tree=True, collect_ids=False)
    root = fromstring(page.replace(b"\0", b"") or "<html/>", parser)
    return fromstring("<html/>", parser) if root is None else root


@cache
def xpath(path: str) -> Any:
    """Return a compiled XPath, in which `@class~="x"` tests for a word, as in CSS."""
    step = r'//([\w*-]+)\[(contains\(|)@([\w-]+)((?:~?=|, )"[^"]*"\)?)\](?!\[)'
    path = re.sub(step, r"/descendant::\1/@\3[\2.\4]/parent::*", path)  # Faster.
    word = r'contains(\1,"\2") and contains(concat(" ",normalize-space(\1)," ")," \2 ")'
    path = re.sub(r'(@[\w-]+|\.)~="(.*?)"', word, path)
    return XPath(path, smart_strings=False, regexp=False)


def find(row: Any, seen: dict[Any, Any], *ways: str, pattern: str = "") -> str | None:
    """Return the first text at the XPaths `ways`, or the first match of `pattern`."""
    for path in map(xpath, ways):
        for it in seen[path] if path in seen else seen.setdefault(path, path(row)):
            line: str = seen[it] if it in seen else seen.setdefault(it, text(it))
            match = regex(pattern).search(line[:4096]) if line and pattern else None
            if match or (line and not pattern):
                return (match[match.lastindex or 0] or line).strip() if match else line
    return None


def number(text: str | None, factor: int = 1) -> float | None:
    """Return a number: 1250 for "1.250" or "1,250", and None for a range."""
    digits = regex(r"[ '\u2019\u066c]|\D+$").sub("", (text or "")[:4096])
    form = r"((?!0\D)\d{1,3}([.,])(?:\d\d\d?\2)*\d{3}|[\d.,]*?)(?:[.,\u066b](\d+))?"
    if not digits or not (match := regex(form).fullmatch(digits)):
        return None
    whole, part = match[1].replace(",", "").replace(".", ""), match[3]
    value = round(float(f"{whole}.{part}") * factor, 6) if part else int(whole) * factor
    return value if value % 1 else int(value)


def count(text: str | None) -> int | None:
    """Return a whole number: 3 for "3", and 0 for a word (bedrooms of a "studio")."""
    digits = regex(r"[ .,'\u2019\u066c]").sub("", (text or "")[:4096])
    return int(digits) if digits.isdecimal() else 0 if digits.isalpha() else None


def link(text: str | None, url: str) -> str | None:
    """Return the address of a link, absolute if the page has the address `url`."""
    try:
        return urljoin(url, text) if url and text and text[0] != "#" else text
    except ValueError:
        return text


if __name__ == "__main__":  # Print JSON Lines; with --check, messages.
    lines: list[str] = []
    try:
        for name in (arg for arg in sys.argv[1:] if arg != "--check"):
            page = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
            if "--check" in sys.argv:
                lines += [f"{name}: {message}" for message in check(page)]
            else:
                lines += [json.dumps(rec, ensure_ascii=False) for rec in extract(page)]
        with open(1, "w", encoding="utf-8", errors="surrogateescape") as out:
            out.writelines(f"{line}\n" for line in lines)
    except OSError as error:
        print(f"{error.filename or '-'}: {error.strerror}", file=sys.stderr)
        sys.exit(2)
    sys.exit(bool(lines) == ("--check" in sys.argv))
