"""Define helper functions for generated files.

A generated file contains those functions that its fields need.
"""

from __future__ import annotations

import re
from copy import deepcopy
from functools import cache
from itertools import islice
from typing import Any, cast
from urllib.parse import urljoin

from lxml.etree import HTMLParser, XPath, _Element, fromstring
from parsel import Selector
from w3lib.encoding import html_to_unicode

regex = cache(re.compile)
MONTHS = ""


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


SIGN = (  # Of a currency.
    "(?:[$\u20ac\u00a3\u00a5\u20b9\u20bd\u20ba\u20b4]|z\u0142|[Kk]r|K\u010d|Ft|lei"
    "|EUR|USD|GBP|CHF|PLN)"
)


def with_cents(root: _Element) -> _Element:
    """Return a copy of a page with whole prices: $34<sup>50</sup> becomes $34.50."""
    root = deepcopy(root)
    short = (
        "string-length(normalize-space()) < 6 and translate(., '0123456789', '') != ."
    )
    for node in xpath(f"//*[not(*) and {short}]")(root):
        if not (cents := re.fullmatch(rf"\s*({SIGN}?) ?(\d\d)\s*", node.text or "")):
            continue
        before = node.getprevious()
        while before is not None and re.fullmatch(
            rf"\s*{SIGN}\s*", f"{before.text}{before.tail or ''}"
        ):
            before = before.getprevious()
        owner, part = node.getparent(), "text"
        if before is not None:
            owner, part = before, "tail" if (before.tail or "").strip() else "text"
        amount = str(getattr(owner, part, None) or "").rstrip()
        words = r"\D*" if node.tag == "sup" else ""
        form = rf"(?:{SIGN} ?)?(\d{{1,3}}(?:[., ]\d{{3}})+|\d+)(?: ?{SIGN} ?| )\d\d"
        for up in islice(node.iterancestors(), 2):
            line = " ".join(" ".join(islice(up.itertext("*"), 20)).split())
            match = re.fullmatch(rf"{words}{form}(?: ?{SIGN})?(?: ?/\D*|{words})", line)
            if match and match[1] in amount and len(re.findall(SIGN, line)) == 1:
                end = f"{',' if '.' in amount else '.'}{cents[2]}"
                setattr(owner, part, re.sub(r"(\d)(?=\D*$)", rf"\g<0>{end}", amount))
                node.text = cents[1]
                break
    return root


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


def signed(text: str | None) -> float | None:
    """Return a number, which is negative after a minus sign or dash."""
    value = number((text or "").lstrip("+-\u2212\u2013"))
    return -value if value and text and text[0] in "-\u2212\u2013" else value


def amount(text: str | None) -> float | None:
    """Return an amount of money: 0.85 for "85p", and 1200000 for "1.2m"."""
    form = r"(\d+(?:[.,]\d+)?) ?(m[lr]d|[pktmb\u00a2])[a-z]*"
    match = re.fullmatch(form, (text or "").lower())
    if not match:
        return number(text)
    scales = {"k": 1000, "t": 1000, "m": 10**6, "p": 0.01, "\u00a2": 0.01}
    scale = scales.get(match[2], 10**9)
    value = round(float(match[1].replace(",", ".")) * scale, 6)
    return int(value) if value.is_integer() else value


def decimal(text: str | None) -> float | None:
    """Return the number in a text; a comma separates decimals: 1.25 for "1,250"."""
    if not re.fullmatch(r"\d+(?:[.,]\d+)?", text or ""):
        return None
    value = float(str(text).replace(",", "."))
    return int(value) if value.is_integer() else value


def count(text: str | None) -> int | None:
    """Return a whole number: 3 for "3", and 0 for a word (bedrooms of a "studio")."""
    digits = regex(r"[ .,'\u2019\u066c]").sub("", (text or "")[:4096])
    return int(digits) if digits.isdecimal() else 0 if digits.isalpha() else None


def thousands(text: str | None) -> int | None:
    """Return a whole number, such as 1200 for "1.2k"."""
    match = re.fullmatch(r"(\d+(?:[.,]\d+)?) ?[kK]", text or "")
    return round(float(match[1].replace(",", ".")) * 1000) if match else count(text)


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


def moment(text: str | None, *forms: str) -> str | None:
    """Return a date in ISO form, with the time of day if the text has one."""
    day, clock = date(text, *forms), r"(?<!\d)([01]?\d|2[0-3]):([0-5]\d)(:[0-5]\d)?"
    behind = r"(?<!:\d)\d[^\w(]{0,3}(?:[^\W\d]{1,4}[^\w(]{0,2})?"
    end = r"(?: ?([ap])\.?m)?(?!\.?[:\d]| ?[-\u2013\u2014] ?\d)"
    match = re.search(behind + clock + end, text or "", re.IGNORECASE)
    if not day or not match:
        return day
    hour, half = int(match[1]), (match[4] or "").lower()
    if half and 0 < hour <= 12:
        hour = hour % 12 + 12 * (half == "p")
    return f"{day}T{hour:02}:{match[2]}{match[3] or ''}"


def is_shown(row: _Element) -> bool:
    """Return whether a row is displayed: neither it nor an ancestor is hidden."""
    style = 'contains(translate(@style, "DISPLAYNOE ", "displaynoe"), "display:none")'
    return not xpath(f"ancestor-or-self::*[@hidden or {style}]")(row)
