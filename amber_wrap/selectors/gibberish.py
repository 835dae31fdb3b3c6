"""Decide whether a name was written by people or generated at random.

Two descriptions of the name are compared by their lengths in bits (Rissanen 1978,
minimum description length). The first description consists of characters drawn from an
alphabet. The second description consists of words and numbers. A table of trigrams
gives the bits of a word's letters. If the second description is much longer than the
first, the name was generated at random.

Short names such as `btn`, and names with letters beyond ASCII, count as written by
people.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from importlib.resources import files

NUMERONYMS = frozenset(
    "a11y c14n e2e g11n i18n k8s l10n p13n b2b b2c c2c o2o p2p".split()
)
"""Abbreviations with digits that are not random: `i18n`, for example."""

WORD, NUMBER, AFTER_NUMBER = 3.0, 4.0, 5.0
"""The bits to begin a word, a number, and a word after a number."""
DIGIT, ABBREVIATION, ONE_LETTER, MARK = 3.3, 2.0, 7.0, 6.0
"""The bits of a digit in a number, of a letter in an abbreviation, of a word of one
letter, and of a hyphen within a hash."""
UNHEARD_OF = 18.0
"""The bits of a letter that is not in the trigram table."""
ONE_CASE, MIXED_CASE, WITH_DIGITS = 4.7, 5.95, 5.17
"""The bits of a character drawn from three alphabets: 26 letters, 62 letters and digits
of both cases, and 36 letters and digits of one case."""
SLACK = {ONE_CASE: (12.0, 3.0), MIXED_CASE: (10.0, 0.0), WITH_DIGITS: (8.0, 0.0)}
"""The bits by which the description as words may be longer for names written by people,
by alphabet. The first number is constant. The second number counts for each letter,
since abbreviations need more bits than words."""
DRAWN = {ONE_CASE: 10.0, MIXED_CASE: 3.0}
"""The numbers of bits, by alphabet, that replace `SLACK` at a position where a hash is
expected."""
_LONG = 10
"""The greatest number of letters for which the second number of `SLACK` counts."""
UNTELLING = {ONE_CASE: 5, MIXED_CASE: 5, WITH_DIGITS: 3}
"""The least number of characters of a random name, by alphabet. Shorter names count as
written by people."""
SHORTEST_WORD = 3
"""The least number of letters that may be a word."""

_LETTERS = "abcdefghijklmnopqrstuvwxyz_"
WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_A-Za-z]+")
PIECES = re.compile(rf"\d+(?:d(?![a-z]))?|{WORDS.pattern}")
SEPARATORS = re.compile(r"[\W_]+")
RATIO = re.compile(r"(?<=\d)(?:x|of)(?=\d)")
"""The sign between two numbers: the `x` of `160x120`, the `of` of `2of3`."""
QUANTITY = re.compile(
    r"\d+(?:[dghkmpswx]|px|dp|r?em|v[hw]|pct|[ckm]m|x[ls]|cols?|columns?|up|th|st|nd|rd)?"
)
"""A number with or without its unit: `24px`, `2col`, `3d`."""
_COUNTED = re.compile(r"(.*\D)\d{1,4}")
"""A name with a number of up to four digits at its end."""


@lru_cache(maxsize=1 << 16)
def is_random(part: str) -> bool:
    """Return whether a part of a name between two separators was generated at random.

    A number at the end (`column2`) or a unit (`24px`) doesn't make a part random.
    """
    length = len(part)
    if not part.isalpha():
        part = RATIO.sub("", part)
        if QUANTITY.fullmatch(part):
            return False
        if counted := _COUNTED.fullmatch(part):
            part = counted[1]
    if not part.isascii():
        return False  # Random names are drawn from ASCII.
    alphabet = alphabet_bits(part)
    if alphabet == ONE_CASE:
        length = len(part)
    if length < UNTELLING[alphabet]:
        return False
    if part.casefold() in NUMERONYMS or is_mostly_words(part):
        return False
    slack, more = SLACK[alphabet]
    allowed = slack + more * min(len(part), _LONG)
    return words_bits(part) > allowed + alphabet * len(part)


@lru_cache(maxsize=1 << 16)
def is_drawn(part: str) -> bool:
    """Return whether a part of a name is a hash that a framework added, for example
    `x7Ym` in `Teaser_title__x7Ym`.

    The caller checks that the part is at a position where the framework puts hashes. A
    part with a digit is a hash, unless the part is a quantity or a word with a number
    (`item2`).
    """
    part = RATIO.sub("", part)
    if QUANTITY.fullmatch(part):
        return False
    if (counted := _COUNTED.fullmatch(part)) and counted[1].isalpha():
        return len(counted[1]) < SHORTEST_WORD or is_drawn(counted[1])
    if any(c.isdigit() for c in part):
        return True
    if is_mostly_words(part):
        return False
    alphabet = ONE_CASE if part.islower() or part[1:].islower() else MIXED_CASE
    marks = sum(not c.isalnum() for c in part)
    bits = words_bits(part) + MARK * marks
    return bits > DRAWN[alphabet] + alphabet * len(part)


def is_mostly_words(part: str) -> bool:
    """Return whether well-spelt words make up at least a third of a part of a name.

    Return False if well-spelt words make up the whole part.
    """
    words = [word for word in WORDS.findall(part) if len(word) >= SHORTEST_WORD]
    spelt = sum(len(word) for word in words if is_well_spelt(word.lower()))
    return spelt < len(part) <= 3 * spelt


@lru_cache(maxsize=1 << 16)
def is_well_spelt(word: str) -> bool:
    """Return whether the description of a word takes no more bits than the description
    of the same number of random letters.
    """
    return letters_bits(word) <= ONE_CASE * len(word)


def alphabet_bits(part: str) -> float:
    """Return the number of bits for each character of a name's part, in the smallest
    alphabet that has the characters."""
    if not (part.islower() or part.isupper() or part[1:].islower()):
        return MIXED_CASE
    return ONE_CASE if part.isalpha() else WITH_DIGITS


def words_bits(part: str) -> float:
    """Return the number of bits that describe a name's part as words and numbers."""
    bits = 0.0
    number = False
    for piece in PIECES.findall(part):
        if piece[0].isdigit():
            bits += NUMBER + DIGIT * len(piece)
        else:
            bits += (AFTER_NUMBER if number else WORD) + letters_bits(piece.lower())
        number = piece[0].isdigit()
    return bits


@lru_cache(maxsize=1 << 16)
def letters_bits(word: str) -> float:
    """Return the number of bits that describe the letters of a word.

    The trigram table gives the bits, except for abbreviations and single letters.
    """
    if word in abbreviations():
        return ABBREVIATION * len(word)
    if len(word) == 1:
        return ONE_LETTER
    table = trigrams()
    spelt = f"__{word}_"
    return sum(table.get(spelt[i : i + 3], UNHEARD_OF) for i in range(len(word) + 1))


@cache
def trigrams() -> dict[str, float]:
    """Return a table from trigrams to numbers of bits.

    The bits of a trigram describe its third letter, given the first two letters.
    """
    return {
        pair + letter: int(cost, 36) / 2
        for pair, costs in map(str.split, _lines("trigrams"))
        for letter, cost in zip(_LETTERS, costs, strict=True)
    }


@cache
def abbreviations() -> frozenset[str]:
    """Return the abbreviations that are usual in markup, such as `btn`."""
    return frozenset(" ".join(_lines("abbreviations")).split())


def _lines(name: str) -> list[str]:
    text = files(__package__).joinpath(f"data/{name}.txt").read_text("utf-8")
    return [line for line in text.splitlines() if not line.startswith("#")]
