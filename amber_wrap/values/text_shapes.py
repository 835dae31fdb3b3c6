"""Describe the kind of characters and the approximate length of a text."""

import re
from bisect import bisect
from typing import Final

LETTER: Final = re.compile(r"[^\W\d_]")
DIGIT: Final = re.compile(r"\d")
_LINK: Final = re.compile(r"(?=/|.*[^\W\d_])[^\s/]*/\S*")
LENGTHS: Final = (0, 4, 16, 64, 256)


def shape_of(shown: str) -> str:
    """Return a rough description of a text, such as "number 4" for "£250,000".

    The word is "number", "words", "mixed" or "link". The number is the length in
    characters, rounded down to one of `LENGTHS`.
    """
    length = LENGTHS[bisect(LENGTHS, len(shown)) - 1]
    if _LINK.fullmatch(shown):
        return f"link {length}"
    letters, digits = len(LETTER.findall(shown)), len(DIGIT.findall(shown))
    if digits > 2 * letters:
        return f"number {length}"
    return f"{'words' if letters > 2 * digits else 'mixed'} {length}"
