"""Compare the counters in the addresses of two pages.

A counter is the number of a page (`page=2`, `/page/2/`) or of a record (`start=20`).
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple
from urllib.parse import SplitResult, parse_qsl, urlsplit

from amber_wrap.analysis.pagination.thresholds import PAGING

PAGE: Final = (
    r"p|pg|pn|pno|pag|(?!\w*(?:per|size|limit|count|total))\w*page\w*|\w*pagin\w*|seite\w*|str|stran\w*|stron\w*|sida|side"
    r"|sivu|oldal|sayfa|trang|halaman|lapa|puslapis"
)
"""Names of query parameters with a page number, in several languages. Names of page
sizes, such as "per_page", are excluded."""
RECORD: Final = r"\w*(?:start|offset|skip|first|from|begin|row|index)\w*|ofs|s|o|b"
"""Names of query parameters with the number of a record, such as "offset"."""


class _Step(NamedTuple):
    """The evidence that an address leads to the next page, with a weight and a reason.

    The weight is 2 for strong evidence, such as `page=3` after `page=2`. The weight is
    1 for weak evidence, such as a counter with an unknown name.
    """

    weight: int
    reason: str


def step(own: str, other: str) -> _Step | None:
    """Return the evidence that `other` is the address of the page after the page at
    `own`.

    Return None if no counter in the addresses is evidence.
    """
    try:
        here, there = urlsplit(own), urlsplit(other)
    except ValueError:
        return None
    if host(here) != host(there):
        return None
    return _in_query(here, there) or _in_path(here.path, there.path)


def page_number(address: str) -> int | None:
    """Return the page number in an address, for example 2 for `/offers?page=2`.

    Return None if the address has no counter of pages.
    """
    try:
        parts = urlsplit(address)
    except ValueError:
        return None
    for name, value in parse_qsl(parts.query):
        if re.fullmatch(PAGE, name.lower()) and _number(value) is not None:
            return _number(value)
    found = re.search(rf"[/_.,-](?:{PAGE})[/_=,-]?(\d{{1,5}})(?:\.\w+)?/?$", parts.path)
    return int(found[1]) if found else None


def host(parts: SplitResult) -> str:
    """Return the host of an address without "www"."""
    return (parts.hostname or "").removeprefix("www.")


def _number(value: str) -> int | None:
    return int(value) if value.isdecimal() and len(value) <= PAGING.counter else None


def _in_query(here: SplitResult, there: SplitResult) -> _Step | None:
    """Return the evidence in query parameters that `there` is the address of the page
    after the page at `here`.

    A page number must be higher in `there` by 1. A record number must be higher by a
    likely page size. If `here` lacks the number, `here` may be the first page. A number
    with an unknown name must be higher by 1, and the only difference between the
    addresses. Return None if no parameter is evidence.
    """
    mine, theirs = dict(parse_qsl(here.query)), dict(parse_qsl(there.query))
    sure = 2 if _plain(here.path) == _plain(there.path) else 1
    for name, value in theirs.items():
        before, after = _number(mine.get(name, "")), _number(value)
        if after is None:
            continue
        shown = f"{name}={value}"
        is_new = name not in mine
        word = re.split(r"[.\[:]", name.lower())[-1].rstrip("]")
        if re.fullmatch(PAGE, word):
            if before is not None and after == before + 1:
                return _Step(sure, f"{shown} follows {name}={before}")
            if is_new and after in (1, 2):
                return _Step(min(sure, after), f"{shown} follows the first page")
        elif re.fullmatch(RECORD, word):
            if is_new and after > 1:
                return _Step(sure, f"{shown} follows the first page")
            if before is not None and _is_multiple(before, after):
                return _Step(sure, f"{shown} follows {name}={before}")
        elif before is not None and after == before + 1:
            rest = {**mine, name: value}
            if rest == theirs and here.path == there.path:
                return _Step(1, f"{shown} follows {name}={before}")
    return None


def _plain(path: str) -> str:
    """Return the path of an address without a final slash or `index` file."""
    return re.sub(r"/(?:index\.\w+)?$", "", path)


def _is_multiple(before: int, after: int) -> bool:
    """Return whether the step between two record numbers may be a page size.

    The step must be positive. Either `before` or `before - 1` must be a multiple of the
    step, because websites count records from 0 or from 1.
    """
    width = after - before
    return width > 0 and (before % width == 0 or (before - 1) % width == 0)


def _in_path(here: str, there: str) -> _Step | None:
    """Return the evidence that `there` is the path of the page after the page at the
    path `here`.

    If the paths differ in numbers only, a single number must be higher in `there`, by 1
    or by a likely page size. Otherwise, `there` must add the number of the first or
    second page to `here`, for example `/page/2`. Return None for other paths.
    """
    mine, theirs = re.split(r"(\d+)", here), re.split(r"(\d+)", there)
    if mine[::2] == theirs[::2]:
        changed = [at for at in range(1, len(mine), 2) if mine[at] != theirs[at]]
        if len(changed) == 1 and len(theirs[changed[0]]) <= PAGING.counter:
            at = changed[0]
            before, after = int(mine[at]), int(theirs[at])
            is_named = re.search(rf"(?:^|[/_.,-])(?:{PAGE})[/_=,-]?$", mine[at - 1])
            if after == before + 1:
                return _Step(2 if is_named else 1, f"{there} follows {here}")
            if before and not is_named and _is_multiple(before, after):
                return _Step(1, f"{there} follows {here}")
        return None
    start = re.sub(r"(?:/index)?\.\w{2,5}$|/index$", "", here).rstrip("/")
    if not there.startswith(start):
        return None
    form = (
        rf"/?(?:index)?[/_.,;-]*(?P<word>{PAGE})?[/_=,-]*(?P<n>\d{{1,5}})(?:\.\w+)?/?"
    )
    found = re.fullmatch(form, there[len(start) :], re.I)
    if found and (int(found["n"]) == 2 or (found["n"] == "1" and found["word"])):
        return _Step(int(found["n"]), f"{there} follows the first page, {here or '/'}")
    return None
