"""Compare the texts of columns word by word."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from amber_wrap.columns.cells import Cell, RecordKey
from amber_wrap.columns.thresholds import COLUMN
from amber_wrap.values.texts import ITEM_END

_WORDS: Final = re.compile(r"\w+")
"""A regular expression for one word of letters and digits."""
SpacedTexts = Mapping[RecordKey, str]
"""The texts of a column by record, as lower-case words with blanks around each word."""


def spaced_words(text: str) -> str:
    """Return the lower-case words of a text with blanks around each word, for example
    ` by ann ` for `By: Ann`.

    For a text without words, return its punctuation instead.
    """
    plain = text.replace(ITEM_END, " ").casefold()
    return f" {' '.join(_WORDS.findall(plain) or plain.split())} "


def texts_by_record(column: Sequence[Cell]) -> SpacedTexts:
    """Return the texts of a column by record, as lower-case words with blanks around
    each word."""
    return {cell.record: spaced_words(cell.text) for cell in column}


def contains_texts(whole: SpacedTexts, part: SpacedTexts) -> bool:
    """Return whether nearly all texts of `part` are in the text of `whole` for the same
    record."""
    contained = sum(text in whole.get(record, "") for record, text in part.items())
    return contained >= COLUMN.nearly_all * len(part)


def without_parts(text: str, parts: Sequence[str]) -> str:
    """Return a text with one occurrence of each part replaced by a blank.

    The longest part is replaced first.
    """
    for part in sorted(parts, key=len, reverse=True):
        text = text.replace(part, " ", 1)
    return text
