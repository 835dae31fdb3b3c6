"""Compare a displayed value of a known record with that of an extracted record.

Equal values may differ in spacing, punctuation, case, and the notation of numbers.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from amber_wrap.dom.link_addresses import path_and_query
from amber_wrap.domain.schema import ValueKind

Comparable = float | str | tuple[int, ...]
"""A value in a form for comparison: a number, words, or the numbers of a date."""

NUMERIC: Final = frozenset(
    (ValueKind.MONEY, ValueKind.COUNT, ValueKind.NUMBER, ValueKind.QUANTITY)
)
_NUMBER: Final = re.compile(r"\d(?:[\d.,' ]*\d)?")
_GROUPS_OF_THREE: Final = re.compile(r"\d{1,3}(?:[.,]\d{3})+")
_SCALE_LETTER: Final = re.compile(r"\s?([km])(?![a-z0-9])")
"""A pattern of "k" or "m" after a number, for a thousand or a million."""
_SCALES: Final = {"k": 1_000, "m": 1_000_000}
_WORD: Final = re.compile(r"\w+")
_DATE_PART: Final = re.compile(r"\d+|[^\W\d_]+")
_MONTH_NAMES: Final = (
    "jan jän ene, feb fev fév, mar mär mrt, apr abr avr, may mai maj, jun juin jui, "
    "jul juil, aug ago aoû, sep set, oct okt out, nov, dec dez dic"
)
_MONTHS: Final = {
    name: number
    for number, names in enumerate(_MONTH_NAMES.split(","), start=1)
    for name in names.split()
}
"""The numbers of months, by the first three or four letters of the months' names."""


def comparable(kind: ValueKind, value: str) -> Comparable:
    """Return a displayed value in a form for comparison, such as 1200 for "£1,200".

    A text becomes its lower-case words. A URL becomes its path and query.
    """
    if kind is ValueKind.URL:
        return path_and_query(value)
    text = unicodedata.normalize("NFKC", value)
    form: Comparable | None = None
    if kind is ValueKind.DATE:
        form = date_numbers(text)
    elif kind in NUMERIC:
        form = _first_number(text, is_scaled=kind is ValueKind.MONEY)
    return agreement_words(text) if form is None else form


def agreement_words(text: str) -> str:
    """Return the lower-case words of a text, joined by spaces.

    If the text has no words, return the stripped text itself.
    """
    lower = text.casefold()
    return " ".join(_WORD.findall(lower)) or lower.strip()


def _first_number(text: str, is_scaled: bool) -> float | None:
    """Return the first number in a text, or None if the text has no number.

    "1.2m" is 1200000 if `is_scaled`, and 1.2 otherwise.
    """
    number_match = _NUMBER.search(text)
    if not number_match:
        return None
    digits = re.sub("[' ]", "", number_match[0])
    *groups, last_group = re.split("[.,]", digits)
    separators = re.findall("[.,]", digits)
    can_have_decimals = len(separators) == 1 or len(set(separators)) == 2
    is_whole = _GROUPS_OF_THREE.fullmatch(digits) or not can_have_decimals
    point = "" if is_whole else "."
    number = float("".join([*groups, point, last_group]))
    rest = text[number_match.end() :].lower()
    if is_scaled and (scale := _SCALE_LETTER.match(rest)):
        number *= _SCALES[scale[1]]
    return round(number, 3)


def date_numbers(text: str) -> tuple[int, ...] | None:
    """Return the numbers of a date in ascending order, such as `(5, 9, 2026)`.

    Zeros are left out. Return None for fewer than two numbers.
    """
    parts = _DATE_PART.findall(text.casefold())
    numbers = [int(part) if part.isdecimal() else _month(part) for part in parts]
    nonzero = sorted(filter(None, numbers))
    return tuple(nonzero) if len(nonzero) >= 2 else None


def _month(word: str) -> int:
    """Return the number of a month by its lower-case name, or 0 for any other word."""
    return _MONTHS.get(word[:4]) or _MONTHS.get(word[:3], 0)
