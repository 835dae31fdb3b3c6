"""Extract the records of a page; COMMAND made this: edit it, or the .toml beside it."""

import json
import re
import sys
from functools import cache, partial
from html import unescape
from pathlib import Path
from typing import Any, TypedDict, cast

from lxml.etree import HTMLParser, XPath, _Element, fromstring, tostring
from parsel import Selector
from w3lib.encoding import html_to_unicode

COMMAND = "amber-wrap induce page.html"
regex = cache(re.compile)
RECORDS = '//ul[@id="list"]/li'
# The least share of records with a value; its usual form.
EXPECTED = {"title": (0.05, ".{2,88}")}


class Record(TypedDict):  # A missing value is None.
    title: str | None


def extract(page: str | bytes | Selector, url: str = "") -> list[Record]:
    """Return the records in document order; `url` makes their links absolute."""
    rows = xpath(RECORDS)(tree(page))
    found = [record(row) for row in rows]
    return [rec for rec in found if any(rec.get(k) is not None for k in EXPECTED)]


def record(row: _Element) -> Record:
    get = partial(find, row, {})
    return {
        "title": get("."),
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
