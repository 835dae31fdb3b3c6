"""Find lists of similar objects in the JSON data of a page's scripts."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from amber_wrap.dom.markup import collapse
from amber_wrap.dom.page import Page

MOST_CHARACTERS: Final = 16 * 2**20
"""The greatest number of characters that are read of a page's scripts. Real pages have
far fewer."""
MOST_ASSIGNMENTS: Final = 100
"""The greatest number of assignments that are tried on a page. An assignment may be
parsed to its end in vain."""
LEAST_ITEMS: Final = 3
"""The least number of objects in a list. Two objects may be similar by chance."""
MOST_HAVE: Final = 0.8
"""The least share of the objects in a list that have a shared key."""

JSON_LD: Final = "JSON-LD"
CRUMBS: Final = "BreadcrumbList"
"""The schema.org type of a list that describes the page's position on the site."""
ASSIGNED: Final = re.compile(
    r"(?:window\.|self\.)?([A-Za-z_$][\w$]*(?:\.[\w$]+)*|\[\"\w+\"\])\s*=\s*"
    r"(?:JSON\.parse\(\s*)?(?=[\[{\"])"
)
_NAME: Final = re.compile(r"[\w$.@-]{1,60}", re.ASCII)
"""A variable or element name that may stand in a message."""

_Path = tuple["_Path", str | int] | tuple[()]
"""The position of a value in JSON data: the path of its container, and its key or index
there.
"""
JsonItem = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class ItemList:
    """A list of similar JSON objects in a script.

    `script` is the name of the script. `path` leads to the list within the script's
    data, for example "props.results".
    """

    script: str
    path: str
    items: tuple[JsonItem, ...]

    def __str__(self) -> str:
        place = f", {self.path}" if self.path else ""
        return f"{self.script}: a list of {len(self.items)} items{place}"


def item_lists(page: Page) -> tuple[ItemList, ...]:
    """Return the lists of similar JSON objects in a page's scripts, the list with the
    most values first.

    The JSON-LD of all scripts is searched as one list, because some pages have one
    script for each item.
    """
    found: list[tuple[int, ItemList]] = []
    for name, data in _islands(page):
        for path, items in _lists(data):
            if name == JSON_LD:
                path = _within(path)
            weight = sum(1 for item in items for _ in own_values(item))
            found.append((weight, ItemList(name, _dotted(path), items)))
    found.sort(key=lambda one: -one[0])
    return tuple(one for _, one in found)


def own_values(item: JsonItem) -> Iterator[tuple[str, object]]:
    """Yield a (key, value) pair for each value in a JSON object.

    The key of a value in a nested object has dots, for example "offers.price". Each
    item of a list has the key of the list. Null values, and lists that contain objects,
    are left out.
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
    """Yield (name, data) for the JSON data of a page's scripts, in document order.

    The name is the script's id, the variable that the data is assigned to, or "JSON".
    The JSON-LD of all scripts comes last, as one list.
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
    """Yield (name, value) for the first `most` variables that a script assigns.

    The value is JSON data, or None if anything else is assigned.
    """
    at = 0
    while most > 0 and (found := ASSIGNED.search(text, at)):
        most -= 1
        data, at = _read_at(text, found.end())
        yield found[1], _read(data) if isinstance(data, str) else data


def _read(text: str) -> object:
    """Return the first JSON object or list in a text, or None if there is none."""
    start = re.search(r"[\[{]", text)
    return _read_at(text, start.start())[0] if start else None


def _read_at(text: str, start: int) -> tuple[object, int]:
    """Return the JSON value at an offset in a text, and the offset of its end.

    If there is no valid value, return None and the given offset.
    """
    try:
        return json.JSONDecoder(strict=False).raw_decode(text, start)
    except (ValueError, RecursionError):
        return None, start


def _lists(data: object) -> Iterator[tuple[_Path, tuple[JsonItem, ...]]]:
    """Yield (path, objects) for each list of similar objects in JSON data."""
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
    """Return the objects in a list whose `@type` is the most frequent in the list.

    All objects without `@type` count as one type. Return () if there are too few
    objects or if the objects share too few keys.
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
    """Return a path without its first key.

    The path leads into the list that joins the JSON-LD of all scripts. Its first key is
    an index in this list.
    """
    return (_within(path[0]), path[1]) if path and path[0] else ()


def _dotted(path: _Path) -> str:
    """Return a path as text, for example "data[2].items"."""
    keys: list[str | int] = []
    while path:
        path, key = path
        keys.append(key)
    path_text = ""
    for key in reversed(keys):
        if isinstance(key, int):
            path_text += f"[{key}]"
        elif _NAME.fullmatch(key):
            path_text += f".{key}" if path_text else key
        else:
            path_text += f"[{json.dumps(collapse(key)[:60])}]"
    return path_text
