"""Extract the records of a page; COMMAND made this: edit it, or the .toml beside it."""

import json
import re
import sys
from collections import Counter
from functools import cache, partial
from pathlib import Path
from typing import Any, TypedDict, cast
from urllib.parse import urljoin

from lxml.etree import HTMLParser, XPath, _Element, fromstring
from parsel import Selector
from w3lib.encoding import html_to_unicode

COMMAND = "amber-wrap induce sample.html --domain real-estate"
regex = cache(re.compile)
PRICE_RE = r"(?:[$£€¥₹₽₺]|\b[A-Z]{3}|\bkr\.?) ?(\d[\d.,]*(?: ?[-–]\D{,5}\d)?)"
POSTCODE_RE = r"(?<!\w)(?:[A-PR-UWYZ][A-HK-Y]?\d[A-Z\d]? ?\d[ABD-HJLNP-UW-Z]{2}(?!\w))"
POSTCODE_RE_ELSE = (
    " (?:(?<=[a-z], )|(?<=[a-z]{2} )(?=[A-Z]{2}))((?:(?:(?:A[BL]|B[ABDHLNRST]?|C[ABFHMORTVW]|D[ADEGHLNTY]|E[CHNX]?|F[KY]|G[LUY]?|H[ADGPRSUX]|I[GMPV]|JE|K[ATWY]"
    r"|L[ADELNSU]?|M[EKL]?|N[EGNPRW]?|O[LX]|P[AEHLOR]|R[GHM]|S[AEGKLMNOPRSTWY]?|T[ADFNQRSW]|UB|W[ACDFNRSV]?|YO|ZE))\d[\dA-Z]?))(?:$|(?= [-–|] ))"
)
BEDROOMS_RE = r"(\d[\d.,]*(?: ?[-–] ?\d[\d.,]*)?) ?(?i:bedroom)"
BATHROOMS_RE = r"(\d[\d.,]*(?: ?[-–] ?\d[\d.,]*)?) ?(?i:bath)"
RECEPTIONS_RE = r"(\d[\d.,]*(?: ?[-–] ?\d[\d.,]*)?) ?(?i:reception)"
LIVING_AREA_RE = r"(\d[\d.,]*(?: ?[-–] ?\d[\d.,]*)?) ?(?i:sq)"
PROPERTY_TYPE_RE = (
    r"(?<!\w)(?:[aA](?i:partments|partment)|[bB](?i:asement apartment|arn conversion|asement flat|uilding plot|ungalow)|[cC](?i:ommercial property|halet "
    "bungalow|luster house|ountry house|oach house|ondominium|ottage|halet|o-op|ondo)|[dD](?i:etached bungalow|etached cottage|ormer bungalow|etached house"
    "|etached villa|etached|uplex)|[eE](?i:nd of terraced house|nd-of-terraced house|nd of terrace house|nd-of-terrace house|nd terraced house|nd-terraced "
    "house|nd terrace house|nd-terrace house|nd of terrace|nd-of-terrace|nd terrace|nd-terrace)|[fF](?i:irst floor maisonette|irst floor apartment|irst floor "
    "flat|arm house|lat share|armhouse|lat)|[gG](?i:round floor maisonette|round floor apartment|round floor flat|arage)|[hH](?i:ouse share|ouseboat|ouse)"
    "|[iI](?i:ndustrial unit|ndustrial)|[lL](?i:ower ground floor maisonette|ower ground floor apartment|ower ground floor flat|ink detached bungalow"
    "|ink-detached bungalow|ink detached house|ink-detached house|and|oft)|[mM](?i:id terraced house|id-terraced house|anufactured home|id terrace house"
    "|id-terrace house|ulti-family home|ulti-family|anor house|id terrace|id-terrace|obile home|aisonette|ews house)|[oO](?i:ffices|ffice)|[pP](?i:arking space"
    "|ark home|enthouse|lot)|[rR](?i:etirement apartment|etirement bungalow|etirement property|etirement flat|etail unit|estaurant|anch)|[sS](?i:econd floor "
    "maisonette|econd floor apartment|emi detached bungalow|emi-detached bungalow|emi detached cottage|emi-detached cottage|emi detached house|emi detached "
    "villa|emi-detached house|emi-detached villa|erviced apartment|ingle family home|ingle-family home|econd floor flat|tudio apartment|emi detached"
    "|emi-detached|tudio flat|tudio|hop)|[tT](?i:hird floor maisonette|hird floor apartment|op floor maisonette|op floor apartment|erraced bungalow|erraced "
    r"cottage|hird floor flat|erraced house|op floor flat|errace house|own house|ownhouse|erraced|riplex)|[vV](?i:illa)|[wW](?i:arehouse))(?!\w)"
)
LEGAL_STATUS_RE = (
    r"(?<!\w)(?:[aA](?i:uction|ctive)|[cC](?i:oming soon|ontingent)|[fF](?i:or sale by auction|or sale by owner|or auction|oreclosure|or lease|or rent|or sale"
    "|reehold)|[jJ](?i:ust listed)|[lL](?i:et agreed|easehold|et stc)|[nN](?i:ew build)|[oO](?i:ffer accepted|ff market)|[pP](?i:re-foreclosure|ending)"
    r"|[rR](?i:eserved)|[sS](?i:old subject to contract|hare of freehold|hared ownership|ale agreed|old \(stc\)|old stc|old)|[tT](?i:o rent|o let)"
    r"|[uU](?i:nder contract|nder offer))(?!\w)"
)
RECORDS = '//ul[@id="list"]/li[contains(@id, "prop-")] | //a[contains(@href, "/agents/")]/../../../..'
PRICE_PATHS = [".//strong", './/*[@class~="card__price"]//strong']
NEXT_PAGE = '//a[@rel~="next"]/@href'
CURRENCIES = dict(re.findall(r"(\S+)=(\w+)", "$=USD £=GBP ¥=JPY €=EUR ₹=INR ₽=RUB"))
EXPECTED = {  # The least share of records with a value; its usual form.
    "price": (0.6, r"\d{2,10}(?:\.\d+)?"),
    "location": (0.6, ".{5,156}"),
    "postcode": (0.1, ".{1,32}"),
    "bedrooms": (0.2, r"\d{1,5}(?:\.\d+)?"),
    "bathrooms": (0.15, r"\d{1,5}(?:\.\d+)?"),
    "receptions": (0.1, r"\d{1,5}(?:\.\d+)?"),
    "living_area": (0.0, r"\d{1,8}(?:\.\d+)?"),
    "property_type": (0.6, ".{1,80}"),
    "legal_status": (0.0, ".{2,44}"),
    "details_page": (0.2, ".+"),
    "image": (0.2, ".+"),
}


class Record(TypedDict):  # A missing value is None.
    price: float | None
    price_currency: str | None
    location: str | None
    postcode: str | None
    bedrooms: int | None
    bathrooms: float | None
    receptions: int | None
    living_area: float | None
    living_area_unit: str | None
    property_type: str | None
    legal_status: str | None
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
    return [rec for rec in found if [*map(rec.get, EXPECTED)].count(None) <= 9]


def record(row: _Element, url: str) -> Record:
    get = partial(find, row, {})
    price = number(get(*PRICE_PATHS, pattern=PRICE_RE))
    currency = get(*PRICE_PATHS, pattern="[$£¥€₹₽]")
    postcode = get(".//address", pattern=POSTCODE_RE)
    if postcode is None:
        postcode = get(".//address", pattern=POSTCODE_RE_ELSE)
    bedrooms = get(
        './/a[contains(@href, "/property/")]',
        './/*[@class~="card__title"]',
        pattern=BEDROOMS_RE,
    )
    living_area = number(get('.//ul[@class~="facts"]', pattern=LIVING_AREA_RE))
    details_page = get('.//a[contains(@href, "/property/")]/@href', ".//h2//a/@href")
    image = get('.//img[@class~="thumb"]/@data-src', './/img[@class~="thumb"]/@src')
    return {
        "price": price,
        "price_currency": None if price is None else CURRENCIES.get(str(currency)),
        "location": own(row, ".//address", './/*[@class~="card__addr"]'),
        "postcode": postcode,
        "bedrooms": count(bedrooms),
        "bathrooms": number(get('.//ul[@class~="facts"]', pattern=BATHROOMS_RE)),
        "receptions": count(get('.//ul[@class~="facts"]', pattern=RECEPTIONS_RE)),
        "living_area": living_area,
        "living_area_unit": None if living_area is None else "sq ft",
        "property_type": get(
            './/a[contains(@href, "/property/")]',
            './/*[@class~="card__title"]',
            pattern=PROPERTY_TYPE_RE,
        ),
        "legal_status": get('.//span[@class~="flag"]', pattern=LEGAL_STATUS_RE),
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
    if not 0 < len(records) <= 52:
        return [f"{len(records)} records, 1 to 52 expected"]
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


def text(node: _Element | str) -> str:
    """Return the texts in an element, joined by blanks, or "" for a mere dash."""
    if not isinstance(node, str):
        node = " ".join(xpath(".//text()")(node)) if len(node) else node.text or ""
    line = " ".join(node.split())
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


def own(row: _Element, *paths: str) -> str | None:
    """Return the first text at the XPaths, without the text of child elements."""
    for path in paths:
        for node in xpath(path)(row):
            if line := text(" ".join([node.text or "", *(c.tail or "" for c in node)])):
                return line
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
