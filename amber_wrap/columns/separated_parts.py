"""Split columns of texts such as "Ann Poe | 9 May 2026 | 3 comments" into columns of
their parts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from amber_wrap.annotate.thresholds import ANNOTATION
from amber_wrap.columns.filters import Cell
from amber_wrap.columns.thresholds import COLUMN
from amber_wrap.dom.page import OWN_TEXT, TEXT

_SEPARATORS: Final = "|·•"
"""Signs between the parts of a text. Dashes, commas and slashes also stand within
values, and are left out."""


def separated_parts(column: Sequence[Cell]) -> list[list[Cell]]:
    """Return a column for each part of the texts in a column.

    Return [] unless nearly all texts have the same number of parts, at least two. A
    text with another number of parts has no cell, since its parts can't be assigned to
    the columns.
    """
    if any(
        cell.source not in (TEXT, OWN_TEXT)
        or cell.label
        or len(cell.text) > ANNOTATION.longest_value
        for cell in column
    ):
        return []
    signs = Counter(
        sign for cell in column for sign in _SEPARATORS if sign in cell.text
    )
    if not signs:
        return []
    (sign, _), *_ = signs.most_common(1)
    texts = [cell.text.split(sign) for cell in column]
    (count, usual), *_ = Counter(map(len, texts)).most_common(1)
    if count < 2 or usual < COLUMN.nearly_all * len(column):
        return []
    return [
        [
            replace(cell, text=text[at].strip(), part=_part_pattern(sign, at, count))
            for cell, text in zip(column, texts, strict=True)
            if len(text) == count and text[at].strip()
        ]
        for at in range(count)
    ]


def _part_pattern(sign: str, at: int, count: int) -> str:
    """Return a regular expression for a part of a text with `count` parts.

    `sign` separates the parts. `at` is the index of the part.
    """
    other, sign = f"[^{sign}]*", re.escape(sign)
    before = rf"(?:{other}{sign}){{{at}}}\s*" if at else ""
    behind = rf"\s*(?:{sign}{other}){{{count - 1 - at}}}" if at < count - 1 else ""
    return rf"^{before}(?P<value>{other[:-1]}+?){behind}$"
