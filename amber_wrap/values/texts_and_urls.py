"""Convert displayed texts, lists of texts and addresses to values, and describe the
shapes of texts.
"""

import re
from bisect import bisect
from collections.abc import Sequence
from functools import lru_cache
from typing import Final
from urllib.parse import urljoin

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


def number_of(number: int, noun: str) -> str:
    """Return a number with its noun: "1 page", "2 pages"."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


# Addresses to which `urljoin`, which is slow, would add nothing or only the origin. It
# also drops empty parts of paths, and resolves parts that begin with a dot.
_ADDRESS: Final = r'[!"$-:<->@-~]+(?:\?[!"$-:<-~]+)?(?:#[!-:<-~]+)?'
ABSOLUTE: Final = re.compile(rf"https?://(?!/){_ADDRESS}")
ROOTED: Final = re.compile(rf"(?=/(?!/)){_ADDRESS}")


def url(text: str, base: str = "") -> str | None:
    """Return the address that a text consists of, resolved against the URL `base`.

    A fragment such as "#top" or a malformed address isn't resolved. Return None for a
    blank text.
    """
    address = text.strip()
    if not base or not address or address.startswith("#"):
        return address or None
    if ABSOLUTE.fullmatch(address):
        return address
    try:
        if ROOTED.fullmatch(address) and "/." not in address:
            return origin(base) + address
        return urljoin(base, address)
    except ValueError:
        return address


@lru_cache(maxsize=64)
def origin(base: str) -> str:
    """Return scheme and host of a URL, for example "https://example.com"."""
    return urljoin(base, "/")[:-1]


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
