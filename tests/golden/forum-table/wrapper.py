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

COMMAND = "amber-wrap induce sample.html --domain listing"
regex = cache(re.compile)
RECORDS = '//table[@id="posts"]/tr[@class~="post"] | //*[@class~="post"]'
NEXT_PAGE = '//a[@rel~="next"]/@href'
DATES = r"\b(?P<day>\d\d?)(?:st|nd|rd|th|er|[.\u00ba])?[ /-](?:of |de )?(?P<month>[^\W\d]{3,})[.,]*[ /-](?:del? )?(?P<year>\d{4})"
MONTHS = "(jan)|(feb)|(mar)|(apr)|(may)|(jun)|(jul)|(aug)|(sep)|(oct)|(nov)|(dec)"
EXPECTED = {  # The least share of records with a value; its usual form.
    "details_page": (0.25, ".+"),
    "title": (0.6, ".{7,224}"),
    "date": (0.0, r"\d{4}-\d\d-\d\d.*"),
}


class Record(TypedDict):  # A missing value is None.
    details_page: str | None
    title: str | None
    date: str | None


def extract(page: str | bytes | Selector, url: str = "") -> list[Record]:
    """Return the records in document order; `url` makes their links absolute."""
    rows = xpath(RECORDS)(tree(page))
    if len({row.getparent() for row in rows}) > 1:
        held = Counter(node for row in rows for node in row.iterancestors())
        kept = {row for row in rows if held[row] < 2}  # Others hold several.
        rows = [it for it in rows if it in kept and kept.isdisjoint(it.iterancestors())]
    found = [record(row, url) for row in rows if is_shown(row)]
    return [rec for rec in found if any(rec.get(k) is not None for k in EXPECTED)]


def record(row: _Element, url: str) -> Record:
    get = partial(find, row, {})
    return {
        "details_page": link(get('.//a[@class~="hl"]/@href'), url),
        "title": get('.//a[@class~="hl"]'),
        "date": date(get('following-sibling::*[1]//span[@class~="when"]'), DATES),
    }


def next_page(page: str | bytes | Selector, url: str = "") -> str | None:
    """Return the address of the next page; None on the last page."""
    address = link(find(tree(page), {}, NEXT_PAGE, pattern="^(?!#|javascript:).+"), url)
    return None if address == url else address


def check(page: str | bytes | Selector) -> list[str]:
    """Return what is unexpected on a page."""
    records = [dict(rec) for rec in extract(page)]
    if not 0 < len(records) <= 84:
        return [f"{len(records)} records, 1 to 84 expected"]
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


def is_shown(row: _Element) -> bool:
    """Return whether a row is displayed: neither it nor an ancestor is hidden."""
    style = 'contains(translate(@style, "DISPLAYNOE ", "displaynoe"), "display:none")'
    return not xpath(f"ancestor-or-self::*[@hidden or {style}]")(row)


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
