"""Extract the records of a page; COMMAND made this: edit it, or the .toml beside it."""

import json
import re
import sys
from functools import cache, partial
from pathlib import Path
from typing import Any, TypedDict, cast

from lxml.etree import HTMLParser, XPath, _Element, fromstring
from parsel import Selector
from w3lib.encoding import html_to_unicode

COMMAND = "amber-wrap induce page.html"
regex = cache(re.compile)
PRICE_RE = r"(?:[$£€¥₹₽₺]|\b[A-Z]{3}|\bkr\.?) ?(\d[\d.,]*(?: ?[-–]\D{,5}\d)?)"
COMMENTS_RE = r"(\d[\d.,]*(?: ?[-–] ?\d[\d.,]*)?) ?(?i:comment)"
RECORDS_1 = '//table[@class="list"]/tr[@class="head"]'
PRICE_1_PATHS = [
    'following-sibling::*[normalize-space() or descendant-or-self::*/@*][2]/td[@class="price"]',
]
RECORDS_2 = '//table[@class="list"]/tr[contains(@data-kind, "t")]'
CURRENCIES = dict(re.findall(r"(\S+)=(\w+)", "$=USD £=GBP ¥=JPY €=EUR ₹=INR ₽=RUB"))
EXPECTED = {  # The least share of records with a value; its usual form.
    "title": (0.15, ".{1,124}"),
    "price": (0.0, r"\d{1,5}(?:\.\d+)?"),
    "comments": (0.0, r"\d{1,6}(?:\.\d+)?"),
}


class Record(TypedDict):  # A missing value is None.
    title: str | None
    price: float | None
    price_currency: str | None
    price_period: str | None
    comments: int | None
    _area: str


def extract(page: str | bytes | Selector, url: str = "") -> list[Record]:
    """Return the records in document order; `url` makes their links absolute."""
    root = tree(page)
    found: dict[_Element, Record] = {}
    rows = xpath(RECORDS_1)(root)
    for row in rows:
        rec = record_1(row)
        if row not in found and any(rec.get(k) is not None for k in EXPECTED):
            found[row] = rec
    rows = xpath(RECORDS_2)(root)
    for row in rows:
        rec = record_2(row)
        if row not in found and any(rec.get(k) is not None for k in EXPECTED):
            found[row] = rec
    return [found[row] for row in root.iter() if row in found]


def record_1(row: _Element) -> Record:
    get = partial(find, row, {})
    price = number(get(*PRICE_1_PATHS, pattern=PRICE_RE))
    currency = get(*PRICE_1_PATHS, pattern="[$£¥€₹₽]")
    comments = get(
        "following-sibling::*[normalize-space() or descendant-or-self::*/@*][1]/td",
        pattern=COMMENTS_RE,
    )
    return {
        "title": get("./td/a"),
        "price": price,
        "price_currency": None if price is None else CURRENCIES.get(str(currency)),
        "price_period": None,
        "comments": count(comments),
        "_area": "results",
    }


def record_2(row: _Element) -> Record:
    return {
        "title": own(row, "./td"),
        "price": None,
        "price_currency": None,
        "price_period": None,
        "comments": None,
        "_area": "results-2",
    }


def check(page: str | bytes | Selector) -> list[str]:
    """Return what is unexpected on a page."""
    records = [dict(rec) for rec in extract(page)]
    if not 0 < len(records) <= 24:
        return [f"{len(records)} records, 1 to 24 expected"]
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
