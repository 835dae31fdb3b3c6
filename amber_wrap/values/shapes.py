"""Describe the shape of a value: its kind of characters and its approximate length."""

import re
from bisect import bisect
from typing import Final

LETTER: Final = re.compile(r"[^\W\d_]")
DIGIT: Final = re.compile(r"\d")
_LINK: Final = re.compile(r"(?=/|.*[^\W\d_])[^\s/]*/\S*")
LENGTHS: Final = (0, 4, 16, 64, 256)


def shape_of(shown: str) -> str:
    """Return the shape of a text: "number 4" for "£250,000" (4 characters or more),
    "words 16" for "Bampton Street, Tiverton", "link 0" for "/42"."""
    length = LENGTHS[bisect(LENGTHS, len(shown)) - 1]
    if _LINK.fullmatch(shown):
        return f"link {length}"
    letters, digits = len(LETTER.findall(shown)), len(DIGIT.findall(shown))
    if digits > 2 * letters:
        return f"number {length}"
    return f"{'words' if letters > 2 * digits else 'mixed'} {length}"
