"""Find lists of similar objects in the JSON data of a page's scripts."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from amber_wrap.dom.displayed_texts import collapse
from amber_wrap.dom.page import Page

MOST_CHARACTERS: Final = 16 * 2**20
"""The greatest number of characters that are read of a page's scripts."""
MOST_ASSIGNMENTS: Final = 100
"""The greatest number of assignments in a page's scripts that are parsed for JSON."""
LEAST_ITEMS: Final = 3
"""The least number of objects in a list. Two objects may be similar by chance."""
SHARED_KEY_SHARE: Final = 0.8
"""The share of the objects in a list, from 0 to 1, that must have a key in common.

A rarer key doesn't show that the objects are similar.
"""

JSON_LD: Final = "JSON-LD"
"""The value of `ItemList.script` for a list in JSON-LD, in place of the name of a
script. The JSON-LD of all scripts of a page is searched as one list.
"""
BREADCRUMBS: Final = "BreadcrumbList"
"""The schema.org type of a list that describes the page's position on the site."""
ASSIGNMENT: Final = re.compile(
    r"(?:window\.|self\.)?([A-Za-z_$][\w$]*(?:\.[\w$]+)*|\[\"\w+\"\])\s*=\s*"
    r"(?:JSON\.parse\(\s*)?(?=[\[{\"])"
)
"""Matches the assignment of a JSON object, list or text in a script, up to the value.
"""
_NAME: Final = re.compile(r"[\w$.@-]{1,60}", re.ASCII)
"""Matches a variable, key or script id that is short and plain enough for a message."""

_JsonPath = tuple["_JsonPath", str | int] | tuple[()]
"""The path to a value in JSON data, as nested pairs.

The first item of a pair is the path of the object or list that contains the value. The
second item is the value's key or index. The path of the whole data is ().
"""
JsonItem = Mapping[str, object]
"""A JSON object in a list of objects."""


@dataclass(frozen=True, slots=True)
class ItemList:
    """A list of similar JSON objects in a script."""

    script: str
    """The name of the script: the variable with the data, the script's id, "JSON" or
    "JSON-LD".
    """
    path: str
    """The path to the list within the script's data, such as "props.results"."""
    items: tuple[JsonItem, ...]

    def __str__(self) -> str:
        place = f", {self.path}" if self.path else ""
        return f"{self.script}: a list of {len(self.items)} items{place}"


def item_lists(page: Page) -> tuple[ItemList, ...]:
    """Return the lists of similar JSON objects in a page's scripts.

    The list with the most values comes first. The JSON-LD of all scripts is joined to
    one list before the search.
    """
    counted_lists: list[tuple[int, ItemList]] = []
    for script_name, data in _scripts_with_json(page):
        for path, items in _lists_of_similar_objects(data):
            if script_name == JSON_LD:
                path = _without_first_key(path)
            value_count = sum(1 for item in items for _ in item_values(item))
            item_list = ItemList(script_name, _dotted_path(path), items)
            counted_lists.append((value_count, item_list))
    counted_lists.sort(key=lambda counted: -counted[0])
    return tuple(item_list for _, item_list in counted_lists)


def item_values(item: JsonItem) -> Iterator[tuple[str, object]]:
    """Yield a (key, value) pair for each value in a JSON object, such as
    ("offers.price", 9).

    A list without objects yields a pair for each item. Lists with objects, and null
    values, are left out.
    """
    pending: list[tuple[str, object]] = [("", item)]
    while pending:
        key, value = pending.pop()
        if isinstance(value, dict):
            inner_values = [
                (f"{key}.{inner_key}" if key else inner_key, inner_value)
                for inner_key, inner_value in value.items()
            ]
            pending += reversed(inner_values)
        elif isinstance(value, list):
            if not any(isinstance(element, dict) for element in value):
                pending += ((key, element) for element in reversed(value))
        elif value is not None:
            yield key, value


def _scripts_with_json(page: Page) -> Iterator[tuple[str, object]]:
    """Yield (name, data) for the JSON data of a page's scripts, in document order.

    The name is a variable, a script's id or "JSON". The JSON-LD of all scripts comes
    last, as one list.
    """
    characters_left = MOST_CHARACTERS
    assignments_left = MOST_ASSIGNMENTS
    json_ld: list[object] = []
    for script in page.root.iter("script"):
        script_text = script.text or ""
        characters_left -= len(script_text)
        if characters_left < 0:
            break
        script_type = script.get("type", "").lower()
        if "json" in script_type:
            data = _first_json(script_text)
            if data is None:
                continue
            if "ld+json" in script_type:
                json_ld += data if isinstance(data, list) else [data]
            else:
                script_id = script.get("id", "")
                yield script_id if _NAME.fullmatch(script_id) else "JSON", data
        elif not script_type or "javascript" in script_type or script_type == "module":
            for variable, data in _assigned_values(script_text, assignments_left):
                assignments_left -= 1
                if data is not None:
                    yield variable if _NAME.fullmatch(variable) else "JSON", data
    # Some pages have one script for each item.
    if json_ld:
        yield JSON_LD, json_ld


def _assigned_values(
    script_text: str, most_assignments: int
) -> Iterator[tuple[str, object]]:
    """Yield (variable, value) for the first `most_assignments` assignments in a script.

    A value that isn't JSON is replaced by None.
    """
    offset = 0
    for _ in range(most_assignments):
        assignment = ASSIGNMENT.search(script_text, offset)
        if assignment is None:
            return
        value, offset = _json_at(script_text, assignment.end())
        # The argument of `JSON.parse` is a text that contains JSON.
        yield assignment[1], _first_json(value) if isinstance(value, str) else value


def _first_json(text: str) -> object:
    """Return the first JSON object or list in a text.

    Return None if the text has no bracket, or if no valid JSON starts at the first
    bracket.
    """
    bracket = re.search(r"[\[{]", text)
    return _json_at(text, bracket.start())[0] if bracket else None


def _json_at(text: str, start: int) -> tuple[object, int]:
    """Return the JSON value that starts at an offset in a text, and the offset of the
    value's end.

    If there is no valid value, return None and the given offset.
    """
    try:
        return json.JSONDecoder(strict=False).raw_decode(text, start)
    except (ValueError, RecursionError):
        return None, start


def _lists_of_similar_objects(
    data: object,
) -> Iterator[tuple[_JsonPath, tuple[JsonItem, ...]]]:
    """Yield (path, objects) for each list of similar objects at any depth in JSON
    data.
    """
    pending: list[tuple[_JsonPath, object]] = [((), data)]
    while pending:
        path, value = pending.pop()
        if isinstance(value, list):
            if items := _similar_objects(value):
                yield path, items
            members: Iterable[tuple[str | int, object]] = enumerate(value)
        elif isinstance(value, dict) and value.get("@type") != BREADCRUMBS:
            members = value.items()
        else:
            continue
        containers = [
            ((path, key), member)
            for key, member in members
            if isinstance(member, (list, dict))
        ]
        pending += reversed(containers)


def _similar_objects(values: list[object]) -> tuple[JsonItem, ...]:
    """Return the objects in a list that have the list's most frequent `@type`.

    Return () if the objects have too few keys in common, or if there are too few
    objects.
    """
    objects = [value for value in values if isinstance(value, dict)]
    if len(objects) < LEAST_ITEMS:
        return ()
    types = [str(item.get("@type")) for item in objects]
    usual_type = Counter(types).most_common(1)[0][0]
    items = [
        item for item, type in zip(objects, types, strict=True) if type == usual_type
    ]
    if len(items) < LEAST_ITEMS:
        return ()
    key_counts = Counter(key for item in items for key in item if key[:1] != "@")
    least_count = SHARED_KEY_SHARE * len(items)
    shared_keys = sum(count >= least_count for count in key_counts.values())
    # The shared keys must be at least half of the keys of the objects.
    are_similar = shared_keys > 1 and 2 * shared_keys * len(items) >= key_counts.total()
    return tuple(items) if are_similar else ()


def _without_first_key(path: _JsonPath) -> _JsonPath:
    """Return a path in the joined JSON-LD of all scripts without its first key.

    The first key is an index in the joined list, which means nothing to users.
    """
    return (_without_first_key(path[0]), path[1]) if path and path[0] else ()


def _dotted_path(path: _JsonPath) -> str:
    """Return a path in JSON data as text, for example `data[2].items`."""
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
