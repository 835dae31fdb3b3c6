"""Decide whether an id or class was written by people or generated at random.

A name counts as random if encoding its characters one by one takes fewer bits than
encoding its words and numbers (Rissanen 1978, minimum description length).
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from importlib.resources import files

NUMERONYMS = frozenset(
    "a11y c14n e2e g11n i18n k8s l10n p13n b2b b2c c2c o2o p2p".split()
)
"""Abbreviations with digits that occur in ids and classes and aren't random."""

WORD_START, NUMBER_START, WORD_AFTER_NUMBER = 3.0, 4.0, 5.0
"""The numbers of bits for the start of a word, of a number, and of a word after a
number in an id or class. A name with many bits in all counts as random."""
DIGIT, ABBREVIATION, ONE_LETTER, PUNCTUATION_MARK = 3.3, 2.0, 7.0, 6.0
"""The numbers of bits for a digit in a number, a letter in an abbreviation, a word of
one letter, and a punctuation mark. A class or id with many bits in all counts as
random."""
UNKNOWN_TRIGRAM = 18.0
"""The number of bits for three successive letters that hardly occur in words. A class
or id with many bits in all counts as random."""
ONE_CASE, MIXED_CASE, WITH_DIGITS = 4.7, 5.95, 5.17
"""The numbers of bits for a random character of three alphabets: 26 letters, 62 letters
and digits of both cases, and 36 letters and digits of one case."""
TOLERANCE = {ONE_CASE: (12.0, 3.0), MIXED_CASE: (10.0, 0.0), WITH_DIGITS: (8.0, 0.0)}
"""The limits above which an id or class counts as random, for each alphabet such as
`ONE_CASE`. The bits of the name's encoding as words, minus those of its encoding as
random characters, are compared with a limit. A limit is the first number plus the
second number for each letter."""
HASH_TOLERANCE = {ONE_CASE: 10.0, MIXED_CASE: 3.0}
"""The limits above which a part of a class counts as a hash, for each alphabet such as
`ONE_CASE`. The part must be where frameworks put hashes. The bits of the part's
encoding as words, minus those of its encoding as random characters, are compared with a
limit."""
_MOST_TOLERATED_LETTERS = 10
"""The greatest number of letters of a name for which bits are added to its limit in
`TOLERANCE`."""
SHORTEST_RANDOM = {ONE_CASE: 5, MIXED_CASE: 5, WITH_DIGITS: 3}
"""The least number of characters of a random name, for each alphabet such as
`ONE_CASE`. Shorter names count as written by people."""
SHORTEST_WORD = 3
"""The least number of letters in a part of a name that counts as a word."""

_TABLE_LETTERS = "abcdefghijklmnopqrstuvwxyz_"
WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_A-Za-z]+")
"""Matches a word in the name of a class or id, for example both words of `priceTag`. A
run of capital letters is one word."""
WORDS_AND_NUMBERS = re.compile(rf"\d+(?:d(?![a-z]))?|{WORDS.pattern}")
SEPARATORS = re.compile(r"[\W_]+")
RATIO = re.compile(r"(?<=\d)(?:x|of)(?=\d)")
"""Matches the text between two numbers: the `x` of `160x120`, the `of` of `2of3`."""
QUANTITY = re.compile(
    r"\d+(?:[dghkmpswx]|px|dp|r?em|v[hw]|pct|[ckm]m|x[ls]|cols?|columns?|up|th|st|nd|rd)?"
)
"""Matches a number with or without its unit: `24px`, `2col`, `3d`."""
_NUMBERED = re.compile(r"(.*\D)\d{1,4}")
"""Matches a name that ends with a number of up to four digits. The group is the part
before the number."""


@lru_cache(maxsize=1 << 16)
def is_random(part: str) -> bool:
    """Return whether a part of an id or class was probably generated at random.

    Parts such as `column2` and `24px` are not random.
    """
    length = len(part)
    if not part.isalpha():
        part = RATIO.sub("", part)
        if QUANTITY.fullmatch(part):
            return False
        if numbered := _NUMBERED.fullmatch(part):
            part = numbered[1]
    if not part.isascii():
        return False  # Random names are drawn from ASCII.
    character_bits = alphabet_bits(part)
    if character_bits == ONE_CASE:
        length = len(part)
    if length < SHORTEST_RANDOM[character_bits]:
        return False
    if part.casefold() in NUMERONYMS or is_mostly_words(part):
        return False
    constant, per_letter = TOLERANCE[character_bits]
    tolerance = constant + per_letter * min(len(part), _MOST_TOLERATED_LETTERS)
    return words_bits(part) > tolerance + character_bits * len(part)


@lru_cache(maxsize=1 << 16)
def is_hash(part: str) -> bool:
    """Return whether a part of a class or id is a hash, such as `x7Ym`.

    A word with a number, such as `item2`, is no hash.
    """
    part = RATIO.sub("", part)
    if QUANTITY.fullmatch(part):
        return False
    if (numbered := _NUMBERED.fullmatch(part)) and numbered[1].isalpha():
        return len(numbered[1]) < SHORTEST_WORD or is_hash(numbered[1])
    if any(c.isdigit() for c in part):
        return True
    if is_mostly_words(part):
        return False
    is_one_case = part.islower() or part[1:].islower()
    character_bits = ONE_CASE if is_one_case else MIXED_CASE
    punctuation_marks = sum(not c.isalnum() for c in part)
    bits = words_bits(part) + PUNCTUATION_MARK * punctuation_marks
    return bits > HASH_TOLERANCE[character_bits] + character_bits * len(part)


def is_mostly_words(part: str) -> bool:
    """Return whether words make up at least a third of `part`, but not all of it.

    `part` is a part of a class or id.
    """
    words = [word for word in WORDS.findall(part) if len(word) >= SHORTEST_WORD]
    spelt_letters = sum(len(word) for word in words if is_well_spelt(word.lower()))
    return spelt_letters < len(part) <= 3 * spelt_letters


@lru_cache(maxsize=1 << 16)
def is_well_spelt(word: str) -> bool:
    """Return whether a lower-case word looks like a real word.

    The letters of a real word are in usual combinations, so they need no more bits
    (`letters_bits`) than random letters.
    """
    return letters_bits(word) <= ONE_CASE * len(word)


def alphabet_bits(part: str) -> float:
    """Return the bits per character of a random string with the alphabet of `part`.

    The alphabet is letters of one case, letters of both cases, or letters and digits.
    """
    if not (part.islower() or part.isupper() or part[1:].islower()):
        return MIXED_CASE
    return ONE_CASE if part.isalpha() else WITH_DIGITS


def words_bits(part: str) -> float:
    """Return the number of bits that describe `part` as words and numbers.

    `part` is a part of a class or id.
    """
    bits = 0.0
    is_after_number = False
    for piece in WORDS_AND_NUMBERS.findall(part):
        is_number = piece[0].isdigit()
        if is_number:
            bits += NUMBER_START + DIGIT * len(piece)
        else:
            bits += WORD_AFTER_NUMBER if is_after_number else WORD_START
            bits += letters_bits(piece.lower())
        is_after_number = is_number
    return bits


@lru_cache(maxsize=1 << 16)
def letters_bits(word: str) -> float:
    """Return the number of bits that encode the letters of a lower-case word.

    The number is low if the letters are in combinations that are frequent in words.
    """
    if word in abbreviations():
        return ABBREVIATION * len(word)
    if len(word) == 1:
        return ONE_LETTER
    bits_of = trigrams()
    padded = f"__{word}_"
    return sum(
        bits_of.get(padded[i : i + 3], UNKNOWN_TRIGRAM) for i in range(len(word) + 1)
    )


@cache
def trigrams() -> dict[str, float]:
    """Return a dict from three letters to the number of bits that encode the third one.

    The number is low if the third letter often follows the other two: 2.0 for "the".
    The symbol "_" stands for the start or the end of a word.
    """
    # A line has two letters, and for each third letter twice the bits in base 36.
    return {
        pair + letter: int(code, 36) / 2
        for pair, codes in map(str.split, _lines("trigrams"))
        for letter, code in zip(_TABLE_LETTERS, codes, strict=True)
    }


@cache
def abbreviations() -> frozenset[str]:
    """Return the abbreviations that are usual in markup, such as `btn`."""
    return frozenset(" ".join(_lines("abbreviations")).split())


def _lines(name: str) -> list[str]:
    """Return the lines of the data file `name`.txt, except comments."""
    text = files(__package__).joinpath(f"data/{name}.txt").read_text("utf-8")
    return [line for line in text.splitlines() if not line.startswith("#")]
