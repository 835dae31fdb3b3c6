"""Extract the records of one kind of page; COMMAND made this file: change it freely.

Your decisions belong in the .toml beside it; further expressions are in the .json."""

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
    r"(?<!\w)(?:(?=[aA])(?i:apartments|apartment)|(?=[bB])(?i:basement apartment|barn conversion|basement flat|building plot|bungalow)|(?=[cC])(?i:commercial "
    "property|chalet bungalow|cluster house|country house|coach house|condominium|cottage|chalet|co-op|condo)|(?=[dD])(?i:detached bungalow|detached cottage"
    "|dormer bungalow|detached house|detached villa|detached|duplex)|(?=[eE])(?i:end of terraced house|end-of-terraced house|end of terrace house"
    "|end-of-terrace house|end terraced house|end-terraced house|end terrace house|end-terrace house|end of terrace|end-of-terrace|end terrace|end-terrace)"
    "|(?=[fF])(?i:first floor maisonette|first floor apartment|first floor flat|farm house|flat share|farmhouse|flat)|(?=[gG])(?i:ground floor maisonette"
    "|ground floor apartment|ground floor flat|Garage)|(?=[hH])(?i:house share|houseboat|house)|(?=[iI])(?i:industrial unit|Industrial)|(?=[lL])(?i:lower "
    "ground floor maisonette|lower ground floor apartment|lower ground floor flat|link detached bungalow|link-detached bungalow|link detached house"
    "|link-detached house|Land|Loft)|(?=[mM])(?i:mid terraced house|mid-terraced house|manufactured home|mid terrace house|mid-terrace house|multi-family home"
    "|multi-family|manor house|mid terrace|mid-terrace|mobile home|maisonette|mews house)|(?=[oO])(?i:Offices|Office)|(?=[pP])(?i:parking space|park home"
    "|penthouse|Plot)|(?=[rR])(?i:retirement apartment|retirement bungalow|retirement property|retirement flat|retail unit|Restaurant|Ranch)"
    "|(?=[sS])(?i:second floor maisonette|second floor apartment|semi detached bungalow|semi-detached bungalow|semi detached cottage|semi-detached cottage"
    "|semi detached house|semi detached villa|semi-detached house|semi-detached villa|serviced apartment|single family home|single-family home|second floor "
    "flat|studio apartment|semi detached|semi-detached|studio flat|studio|Shop)|(?=[tT])(?i:third floor maisonette|third floor apartment|top floor maisonette"
    "|top floor apartment|terraced bungalow|terraced cottage|third floor flat|terraced house|top floor flat|terrace house|town house|townhouse|terraced"
    r"|triplex)|(?=[vV])(?i:villa)|(?=[wW])(?i:warehouse))(?!\w)"
)
LEGAL_STATUS_RE = (
    r"(?<!\w)(?:(?=[aA])(?i:Auction|Active)|(?=[cC])(?i:coming soon|Contingent)|(?=[fF])(?i:for sale by auction|for sale by owner|for auction|foreclosure|for "
    "lease|for rent|for sale|freehold)|(?=[jJ])(?i:just listed)|(?=[lL])(?i:let agreed|leasehold|let stc)|(?=[nN])(?i:new build)|(?=[oO])(?i:offer accepted"
    "|off market)|(?=[pP])(?i:pre-foreclosure|Pending)|(?=[rR])(?i:Reserved)|(?=[sS])(?i:sold subject to contract|share of freehold|shared ownership|sale "
    r"agreed|sold \(stc\)|sold stc|sold)|(?=[tT])(?i:to rent|to let)|(?=[uU])(?i:under contract|under offer))(?!\w)"
)
RECORDS = '//ul[@id="list"]/li[.//a[contains(@href, "/property/")]] | //a[contains(@href, "/agents/")]/../../../..'
PRICE_PATHS = [".//strong", './/*[@class~="card__price"]//strong']
NEXT_PAGE = '//a[@rel~="next"]/@href'
CURRENCIES = dict(re.findall(r"(\S+)=(\w+)", "$=USD £=GBP ¥=JPY €=EUR ₹=INR ₽=RUB"))
EXPECTED = {  # The least share of records with a value; a form of most values.
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


class Record(TypedDict):  # A value that a record lacks is None.
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
        held = Counter(up for row in rows for up in row.iterancestors())
        kept = {row for row in rows if held[row] < 2}  # Others contain several rows.
        rows = [it for it in rows if it in kept and kept.isdisjoint(it.iterancestors())]
    found = [record(row, url) for row in rows]
    return [one for one in found if sum(one.get(k) is not None for k in EXPECTED) >= 2]


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
    """Return messages on the records of a page; none if they are as expected."""
    records = [dict(one) for one in extract(page)]
    if not 0 < len(records) <= 52:
        return [f"{len(records)} records, 1 to 52 expected"]
    wrong = []
    html = page.decode("latin-1") if isinstance(page, bytes) else page
    if isinstance(html, str) and not re.search(r"(?i)</(body|html)\s*>", html):
        wrong.append(f"the page ends in the middle, after {len(records)} records")
    for name, (share, form) in EXPECTED.items():
        values = [str(one[name]) for one in records if one[name] is not None]
        if len(values) < share * len(records):
            wrong.append(f"{name}: {len(values)} of {len(records)} records have one")
        elif 2 * sum(bool(re.fullmatch(form, one)) for one in values) < len(values):
            wrong.append(f"{name}: unlike those of the samples, such as {values[0]!r}")
    return wrong


def text(node: _Element | str) -> str:
    """Return the text of an element, blanks between its parts; "" for dashes only."""
    if not isinstance(node, str):
        node = " ".join(xpath(".//text()")(node))
    shown = " ".join(node.split())
    return shown if shown.strip("-./ \u2013\u2014") else ""


def tree(page: str | bytes | Selector) -> _Element:
    """Return the root element of a page; bytes are decoded as in browsers."""
    if isinstance(page, Selector):
        return cast("_Element", page.root)
    if isinstance(page, bytes):
        try:
            enc, text = html_to_unicode(None, page, "utf-8")
        except (LookupError, ValueError):  # Python knows the codec, but not for text.
            enc, text = "cp1252", ""
        if enc == "cp1252" or "<" not in text or (enc == "utf-8" and "\ufffd" in text):
            both = (page.decode(one, "replace") for one in ("utf-8-sig", "cp1252"))
            enc, text = "", min(both, key=lambda it: len(it) + it.count("\ufffd"))
        body = page.strip().replace(b"\x00", b"")
        page = body if enc == "utf-8" and body[:1] + body[-1:] == b"<>" else text
    if isinstance(page, str):
        page = page.strip().replace("\x00", "").encode("utf8", "replace")
    parser = HTMLParser(encoding="utf8", huge_tree=True, collect_ids=False)
    root = fromstring(page or b"<html/>", parser)
    return fromstring(b"<html/>", parser) if root is None else root


@cache
def xpath(path: str) -> Any:
    """Return a compiled expression; `@class~="x"` tests for one word, as in CSS."""
    step = r'//([\w*-]+)\[(contains\(|)@([\w-]+)((?:~?=|, )"[^"]*"\)?)\](?!\[)'
    path = re.sub(step, r"/descendant::\1/@\3[\2.\4]/parent::*", path)  # It is faster.
    word = r'contains(\1,"\2") and contains(concat(" ",normalize-space(\1)," ")," \2 ")'
    path = re.sub(r'(@[\w-]+|\.)~="(.*?)"', word, path)
    return XPath(path, smart_strings=False, regexp=False)


def find(row: Any, seen: dict[Any, Any], *ways: str, pattern: str = "") -> str | None:
    """Return the first match in the texts at the paths (its group, if any), or None."""
    for path in map(xpath, ways):
        for node in seen[path] if path in seen else seen.setdefault(path, path(row)):
            one = seen[node] if node in seen else seen.setdefault(node, text(node))
            if one and (found := regex(pattern).search(one[:4096])):
                return str(found[found.lastindex or 0] or one).strip()
    return None


def own(row: _Element, *paths: str) -> str | None:
    """Return the text that is directly in the first element with any, or None."""
    for path in paths:
        for node in xpath(path)(row):
            if one := text(" ".join([node.text or "", *(c.tail or "" for c in node)])):
                return one
    return None


def number(shown: str | None, factor: int = 1) -> float | None:
    """Return a number, None for a range; "1.250" and "1,250" are over a thousand."""
    digits = regex(r"[ '\u2019]|\D+$").sub("", shown or "")
    form = r"((?!0\D)\d{1,3}([.,])(?:\d\d\d?\2)*\d{3}|[\d.,]*?)(?:[.,](\d+))?"
    if not digits or not (found := regex(form).fullmatch(digits)):
        return None
    whole = found[1].replace(".", "").replace(",", "")
    value = round(float(f"{whole}.{found[3] or 0}") * factor, 6)
    return int(value) if value.is_integer() else value


def count(shown: str | None) -> int | None:
    """Return a whole number; 0 for a word (a "studio" has 0 bedrooms); else None."""
    digits = regex(r"[ .,'\u2019]").sub("", shown or "")
    return int(digits) if digits.isdecimal() else 0 if digits.isalpha() else None


def link(shown: str | None, url: str) -> str | None:
    """Return an address, made absolute if the address of the page is known."""
    try:
        return urljoin(url, shown) if shown and shown[0] != "#" else shown
    except ValueError:
        return shown


if __name__ == "__main__":  # Print JSON Lines; with --check, messages.
    lines: list[str] = []
    try:
        for name in (one for one in sys.argv[1:] if one != "--check"):
            page = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
            if "--check" in sys.argv:
                lines += [f"{name}: {one}" for one in check(page)]
            else:
                lines += [json.dumps(one, ensure_ascii=False) for one in extract(page)]
        with open(1, "w", encoding="utf-8", errors="surrogateescape") as out:
            print(*lines, sep="\n", end="\n" * bool(lines), file=out)
    except OSError as error:  # A page is missing, or the pipe was closed.
        print(f"{error.filename or '-'}: {error.strerror}", file=sys.stderr)
        sys.exit(2)
    sys.exit(bool(lines) == ("--check" in sys.argv))
