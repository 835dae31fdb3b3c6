"""Data islands: JSON that the scripts of a page hold, and the lists of items in it."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from amber_wrap.dom.markup import collapse
from amber_wrap.dom.page import Page
from amber_wrap.memo import remembered

MOST_CHARACTERS: Final = 16 * 2**20
"""Characters of scripts that are read, of a page: what people look at is far below."""
MOST_ASSIGNMENTS: Final = 100
"""Assignments that are tried, of a page: each may be read in vain up to its end."""
LEAST_ITEMS: Final = 3
"""Objects of a list; of what repeats less often nobody knows that it repeats."""
MOST_HAVE: Final = 0.8
"""Share of the objects that have a key which is usual."""

JSON_LD: Final = "JSON-LD"
CRUMBS: Final = "BreadcrumbList"
"""Where the page is on its site: what schema.org has for menus is no list of items."""
ASSIGNED: Final = re.compile(
    r"(?:window\.|self\.)?([A-Za-z_$][\w$]*(?:\.[\w$]+)*|\[\"\w+\"\])\s*=\s*"
    r"(?:JSON\.parse\(\s*)?(?=[\[{\"])"
)
_NAME: Final = re.compile(r"[\w$.@-]{1,60}", re.ASCII)
"""What a script may be called by in a message."""

_Path = tuple["_Path", str | int] | tuple[()]
"""Where a value is in data: the path of what holds it, and its key there."""
JsonItem = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class ItemList:
    """Alike objects in a list of a script, and where that is, in words."""

    script: str
    path: str
    items: tuple[JsonItem, ...]

    def __str__(self) -> str:
        place = f", {self.path}" if self.path else ""
        return f"{self.script}: a list of {len(self.items)} items{place}"


@remembered
def item_lists(page: Page) -> tuple[ItemList, ...]:
    """Return the lists in all scripts, those that hold most first.

    All JSON-LD of a page is read as one list: some pages have a script for each item.
    """
    found: list[tuple[int, ItemList]] = []
    for name, data in _islands(page):
        for path, items in _lists(data):
            if name == JSON_LD:
                path = _within(path)
            weight = sum(1 for item in items for _ in own_values(item))
            found.append((weight, ItemList(name, _told(path), items)))
    found.sort(key=lambda one: -one[0])
    return tuple(one for _, one in found)


def own_values(item: JsonItem) -> Iterator[tuple[str, object]]:
    """Yield the values of an item by their keys ("offers.price"), those of nested
    objects too, not of lists of items in it.
    """
    pending: list[tuple[str, object]] = [("", item)]
    while pending:
        key, value = pending.pop()
        if isinstance(value, dict):
            inner = [(f"{key}.{one}" if key else one, value[one]) for one in value]
            pending += reversed(inner)
        elif isinstance(value, list):
            if not any(isinstance(one, dict) for one in value):
                pending += ((key, one) for one in reversed(value))
        elif value is not None:
            yield key, value


def _islands(page: Page) -> Iterator[tuple[str, object]]:
    """Yield the data of scripts by what these are called, in document order,
    JSON-LD last.
    """
    left, tries = MOST_CHARACTERS, MOST_ASSIGNMENTS
    linked: list[object] = []
    for script in page.root.iter("script"):
        text = script.text or ""
        left -= len(text)
        if left < 0:
            break
        kind = script.get("type", "").lower()
        if "json" in kind:
            if (data := _read(text)) is None:
                continue
            if "ld+json" in kind:
                linked += data if isinstance(data, list) else [data]
            else:
                name = script.get("id", "")
                yield name if _NAME.fullmatch(name) else "JSON", data
        elif not kind or "javascript" in kind or kind == "module":
            for name, data in _assigned(text, tries):
                tries -= 1
                if data is not None:
                    yield name if _NAME.fullmatch(name) else "JSON", data
    if linked:
        yield JSON_LD, linked


def _assigned(text: str, most: int) -> Iterator[tuple[str, object]]:
    """Yield what a program assigns as JSON, by the variable; None for what is none."""
    at = 0
    while most > 0 and (found := ASSIGNED.search(text, at)):
        most -= 1
        data, at = _read_at(text, found.end())
        yield found[1], _read(data) if isinstance(data, str) else data


def _read(text: str) -> object:
    """Return the data of JSON, whatever stands around it, None if there is none."""
    start = re.search(r"[\[{]", text)
    return _read_at(text, start.start())[0] if start else None


def _read_at(text: str, start: int) -> tuple[object, int]:
    """Return the data that begins at a place, and where it ends; None for no JSON."""
    try:
        return json.JSONDecoder(strict=False).raw_decode(text, start)
    except (ValueError, RecursionError):
        return None, start


def _lists(data: object) -> Iterator[tuple[_Path, tuple[JsonItem, ...]]]:
    """Yield the lists of alike objects in data, by their paths."""
    pending: list[tuple[_Path, object]] = [((), data)]
    while pending:
        path, value = pending.pop()
        if isinstance(value, list):
            if items := _alike(value):
                yield path, items
            inner: Iterable[tuple[str | int, object]] = enumerate(value)
        elif isinstance(value, dict) and value.get("@type") != CRUMBS:
            inner = value.items()
        else:
            continue
        some = [
            ((path, key), one) for key, one in inner if isinstance(one, (list, dict))
        ]
        pending += reversed(some)


def _alike(values: list[object]) -> tuple[JsonItem, ...]:
    """Return the objects of the most frequent type, if they share most of their
    keys.
    """
    objects = [one for one in values if isinstance(one, dict)]
    if len(objects) < LEAST_ITEMS:
        return ()
    kinds = [str(one.get("@type")) for one in objects]
    usual = Counter(kinds).most_common(1)[0][0]
    items = [one for one, kind in zip(objects, kinds, strict=True) if kind == usual]
    keys = Counter(key for one in items for key in one if key[:1] != "@")
    shared = sum(count >= MOST_HAVE * len(items) for count in keys.values())
    is_alike = shared > 1 and 2 * shared * len(items) >= keys.total()
    return tuple(items) if len(items) >= LEAST_ITEMS and is_alike else ()


def _within(path: _Path) -> _Path:
    """Return a path without its start, the place among all JSON-LD of a page."""
    return (_within(path[0]), path[1]) if path and path[0] else ()


def _told(path: _Path) -> str:
    """Return a path as programs write it: "props.pageProps.results",
    "data[2].items".
    """
    keys: list[str | int] = []
    while path:
        path, key = path
        keys.append(key)
    told = ""
    for key in reversed(keys):
        if isinstance(key, int):
            told += f"[{key}]"
        elif _NAME.fullmatch(key):
            told += f".{key}" if told else key
        else:
            told += f"[{json.dumps(collapse(key)[:60])}]"
    return told
