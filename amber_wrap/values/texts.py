"""Convert displayed texts and lists to values, and describe the shapes of texts."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

# Raised digits are marks of footnotes, or the same in every size: "5.900 €¹", "m²".
PUNCTUATION = re.compile(r"[\W_¹²³⁰⁴-⁹]+")

LETTER: Final = re.compile(r"[^\W\d_]")

DIGIT: Final = re.compile(r"\d")

_LINK: Final = re.compile(r"(?=/|.*[^\W\d_])[^\s/]*/\S*")
"""Matches an address or path: a text without blanks that contains a slash, and that
starts with a slash or has a letter.
"""

LENGTHS: Final = (0, 4, 16, 64, 256)
"""The lengths in characters to which the lengths of texts are rounded down."""

# The number of characters of a text that are read. No value is longer.
LONGEST_VALUE: Final = 256

# The separator of the items of a list. No item contains it, as blanks are collapsed.
ITEM_END: Final = "\n"


def shape_of(text: str) -> str:
    """Return a rough description of a text, such as "number 4" for "£250,000".

    The word is link, number, words or mixed. The number is the length, rounded down to
    one of `LENGTHS`.
    """
    length = LENGTHS[bisect(LENGTHS, len(text)) - 1]
    if _LINK.fullmatch(text):
        return f"link {length}"
    letters, digits = len(LETTER.findall(text)), len(DIGIT.findall(text))
    if digits > 2 * letters:
        return f"number {length}"
    if letters > 2 * digits:
        return f"words {length}"
    return f"mixed {length}"


def text(uncollapsed: str) -> str | None:
    """Return a text with white space collapsed, or None if the text is blank."""
    return " ".join(uncollapsed.split()) or None


def items(text: str) -> list[str] | None:
    """Return the lines of a text as the items of a list.

    Return None for an empty text.
    """
    return text.split(ITEM_END) if text else None


def common_prefix(texts: Sequence[str]) -> str:
    """Return the longest common prefix of the texts."""
    prefix = texts[0]
    while not all(text.startswith(prefix) for text in texts):
        prefix = prefix[:-1]
    return prefix


def lower_case(text: str) -> str:
    """Return a text in lower case, without a change of its length.

    A letter stays as it is if its lower case has several characters.
    """
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(
        letter.lower() if len(letter.lower()) == 1 else letter for letter in text
    )


@lru_cache(maxsize=1 << 14)
def squeeze(text: str) -> str:
    """Return the letters and digits of a text in lower case, for example `annpoe` for
    `Ann Poe`."""
    return PUNCTUATION.sub("", text.casefold())
