"""Find the line of a value in the text of a JSON document."""

from __future__ import annotations

import re
from collections.abc import Sequence
from json import JSONDecoder
from typing import Final

_SPACE: Final = re.compile(r"[ \t\n\r]*")
_DECODER: Final = JSONDecoder()


def line_at(text: str, path: Sequence[str | int]) -> int:
    """Return the line, from 1, of a value in the text of a JSON document.

    `path` has the keys and indices that lead to the value. If a key or index is
    missing, return the line of the object or array that lacks the key or index.
    """
    at = _behind_space(text, 0)
    for step in path:
        if (found := _within(text, at, step)) is None:
            break
        at = found
    return text.count("\n", 0, at) + 1


def _within(text: str, at: int, step: str | int) -> int | None:
    """Return the offset of a member or item of the JSON value at offset `at`.

    Of several members with the same name, the last one counts. Return None if the value
    lacks the member or item.
    """
    opening, found, number = text[at], None, 0
    if opening not in "{[":
        return None
    at = _behind_space(text, at + 1)
    while text[at] not in "}]":
        key = str(number)
        if opening == "{":
            key, at = _DECODER.raw_decode(text, at)
            at = _behind_space(text, _behind_space(text, at) + 1)
        if key == str(step):
            found = at
        _, at = _DECODER.raw_decode(text, at)
        at = _behind_space(text, at)
        if text[at] == ",":
            at = _behind_space(text, at + 1)
        number += 1
    return found


def _behind_space(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at
