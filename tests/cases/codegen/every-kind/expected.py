"""Extract the records of a page; COMMAND made this: edit it, or the .toml beside it."""

import json
import re
import sys
from functools import cache, partial
from pathlib import Path
from typing import Any, TypedDict, cast
from urllib.parse import urljoin

from lxml.etree import HTMLParser, XPath, _Element, fromstring
from parsel import Selector
from w3lib.encoding import html_to_unicode

COMMAND = "amber-wrap induce page.html"
regex = cache(re.compile)
PRICE_RE = r"(?:[$£€¥₹₽₺]|\b[A-Z]{3}|\bkr\.?) ?(\d[\d.,]*(?: ?[-–]\D{,5}\d)?)"
BEDROOMS_RE = r"(\d+(?=[ -]bed)|(?i:studio))(?:[ -]bed(?:room)?s?)?\b"
RATING_RE = r"(\d[\d.,]*(?: ?[-–] ?\d[\d.,]*)?) ?(?i:out)"
RECORDS = '//div[@class~="search-results__list"]/article'
PRICE_PATHS = ['.//p[@class~="price"]']
LIVING_AREA_PATHS = ["./ul/li[1]"]
CURRENCIES = dict(re.findall(r"(\S+)=(\w+)", "$=USD £=GBP ¥=JPY €=EUR ₹=INR ₽=RUB"))
PERIODS = {"pcm": "month"}
UNITS = {"M²": "m²", "SQ. FT": "sq ft", "m²": "m²", "sq. ft": "sq ft"}
DATES = r"(?P<year>\d{4})[-/.\u5e74] ?(?P<month>\d\d?)[-/.\u6708] ?(?P<day>\d\d?)"
MONTHS = ""
EXPECTED = {  # The least share of records with a value; its usual form.
    "price": (0.0, r"\d{1,8}(?:\.\d+)?"),
    "title": (0.05, ".{1,52}"),
    "bedrooms": (0.05, r"\d{1,5}(?:\.\d+)?"),
    "living_area": (0.05, r"\d{1,8}(?:\.\d+)?"),
    "rating": (0.0, r"\d{1,5}(?:\.\d+)?"),
    "built": (0.0, r"\d{1,8}(?:\.\d+)?"),
    "listed": (0.0, r"\d{4}-\d\d-\d\d.*"),
    "details_page": (0.05, ".+"),
    "image": (0.05, ".+"),
    "agent": (0.05, ".{3,48}"),
    "services": (0.0, ".*"),
}


class Record(TypedDict):  # A missing value is None.
    price: float | None
    price_currency: str | None
    price_period: str | None
    title: str | None
    bedrooms: int | None
    living_area: float | None
    living_area_unit: str | None
    rating: float | None
    built: int | None
    listed: str | None
    details_page: str | None
    image: str | None
    agent: str | None
    services: list[str] | None


def extract(page: str | bytes | Selector, url: str = "") -> list[Record]:
    """Return the records in document order; `url` makes their links absolute."""
    root = tree(page)
    url = base(root, url)
    rows = xpath(RECORDS)(root)
    found = [record(row, url) for row in rows]
    return [rec for rec in found if any(rec.get(k) is not None for k in EXPECTED)]


def record(row: _Element, url: str) -> Record:
    get = partial(find, row, {})
    price = number(get(*PRICE_PATHS, pattern=PRICE_RE))
    currency = get(*PRICE_PATHS, pattern="[$£¥€₹₽]")
    period = get(*PRICE_PATHS, pattern=r"\d ?(pcm)\b")
    living_area = number(get(*LIVING_AREA_PATHS, pattern=r"(\d[\d.,]*(?: ?[-–] ?\d)?)"))
    unit = get(*LIVING_AREA_PATHS, pattern=r"SQ\. FT|sq\. ft|M²|m²")
    return {
        "price": price,
        "price_currency": None if price is None else CURRENCIES.get(str(currency)),
        "price_period": None if price is None else PERIODS.get(str(period)),
        "title": own(row, "./h2"),
        "bedrooms": count(get("./h2", pattern=BEDROOMS_RE)),
        "living_area": living_area,
        "living_area_unit": None if living_area is None else UNITS.get(str(unit)),
        "rating": number(get("./ul/li[2]/@data-stars", pattern=RATING_RE)),
        "built": count(get("./ul/li[3]", pattern=r"((?:19|20)\d\d)")),
        "listed": date(get("./time/@datetime"), DATES),
        "details_page": link(get("./h2/a/@href"), url),
        "image": link(get("./img/@data-src", "./img/@src"), url),
        "agent": get('./p[@class="agent"]', pattern="([A-Z]\\w+ & [^'\"]+)['\"]?"),
        "services": texts(row, './p[@class="services"]/*'),
    }


def check(page: str | bytes | Selector) -> list[str]:
    """Return what is unexpected on a page."""
    records = [dict(rec) for rec in extract(page)]
    if not 0 < len(records) <= 8:
        return [f"{len(records)} records, 1 to 8 expected"]
    wrong = []
    for name, (share, form) in EXPECTED.items():
        values = [str(rec[name]) for rec in records if rec[name] is not None]
        odd = [it for it in values if not re.fullmatch(form, it)]
        if len(values) < share * len(records):
            wrong.append(f"{name}: {len(values)} of {len(records)} records have one")
        elif 2 * len(odd) > len(values):
            wrong.append(f"{name}: {odd[0]!r} is unlike the samples")
    return wrong


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


def base(root: _Element, url: str) -> str:
    """Return the base address for the relative links of a page."""
    hrefs = [node.get("href", "").strip() for node in root.iter("base")]
    try:
        return urljoin(url, next(filter(None, hrefs), ""))
    except ValueError:
        return url


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


def texts(row: _Element, *paths: str) -> list[str] | None:
    """Return all texts at the first XPath that selects a text, or None."""
    for path in paths:
        if lines := [line for line in map(text, xpath(path)(row)) if line]:
            return lines
    return None


def own(row: _Element, *paths: str) -> str | None:
    """Return the first text at the XPaths, without the text of child elements."""
    for path in paths:
        for node in xpath(path)(row):
            if line := text(" ".join([node.text or "", *(c.tail or "" for c in node)])):
                return line
    return None


def text(node: _Element | str) -> str:
    """Return the text of an element in one line, or "" for a mere dash."""
    if not isinstance(node, str):
        node = str(xpath("string()")(node)) if len(node) else node.text or ""
    line = " ".join(node.split())
    return line if line.strip("-./ \u2013\u2014") else ""


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


def date(text: str | None, *forms: str) -> str | None:
    """Return a date in ISO form, or None for other texts, such as "3 hours ago"."""
    for form in forms:
        if text and (match := re.search(form, text, re.IGNORECASE)):
            year, month, day = match.group("year", "month", "day")
            named = regex(f"(?i){MONTHS}").match(text, match.start("month"))
            if number := int(month) if month.isdecimal() else named and named.lastindex:
                return f"{int(('20' + year)[-4:])}-{number:02}-{int(day):02}"
    return None


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
