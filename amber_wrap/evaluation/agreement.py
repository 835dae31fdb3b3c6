"""Compare displayed values of the gold and of a wrapper's output.

The gold has what a reader sees, and the output has what is in the markup. Equal values
may therefore differ in spacing, punctuation, case, and the notation of numbers.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from amber_wrap.dom.link_addresses import path_and_query
from amber_wrap.domain.schema import ValueKind

Comparable = float | str | tuple[int, ...]

NUMERIC: Final = frozenset(
    (ValueKind.MONEY, ValueKind.COUNT, ValueKind.NUMBER, ValueKind.QUANTITY)
)
_FIGURE: Final = re.compile(r"\d(?:[\d.,' ]*\d)?")
_GROUPS_OF_THREE: Final = re.compile(r"\d{1,3}(?:[.,]\d{3})+")
_SCALE: Final = re.compile(r"\s?([km])(?![a-z0-9])")
_FACTORS: Final = {"k": 1_000, "m": 1_000_000}
_WORD: Final = re.compile(r"\w+")
_DATE_PART: Final = re.compile(r"\d+|[^\W\d_]+")
_MONTHS: Final = {
    name: number
    for number, names in enumerate(
        (
            "jan jän ene",
            "feb fev fév",
            "mar mär mrt",
            "apr abr avr",
            "may mai maj",
            "jun juin jui",
            "jul juil",
            "aug ago aoû",
            "sep set",
            "oct okt out",
            "nov",
            "dec dez dic",
        ),
        start=1,
    )
    for name in names.split()
}
"""The first three or four letters of the months' names."""


def comparable(kind: ValueKind, value: str) -> Comparable:
    """Return a displayed value in the form that is compared: 1200 for "£1,200".

    The form is a number for a numeric type, the numbers of a date, or the path and
    query of a URL. For any other value, the form is its lower-case words.
    """
    if kind is ValueKind.URL:
        return path_and_query(value)
    shown = unicodedata.normalize("NFKC", value)
    form: Comparable | None = None
    if kind is ValueKind.DATE:
        form = date_numbers(shown)
    elif kind in NUMERIC:
        form = _figure(shown, scaled=kind is ValueKind.MONEY)
    return agreement_words(shown) if form is None else form


def agreement_words(shown: str) -> str:
    """Return the lower-case words of a text, joined by spaces.

    If the text has no words, return the stripped text itself.
    """
    folded = shown.casefold()
    return " ".join(_WORD.findall(folded)) or folded.strip()


def _figure(shown: str, scaled: bool) -> float | None:
    """Return the first number in a text, or None if there is none.

    "1.2m" is 1200000 if `scaled`, and 1.2 otherwise.
    """
    found = _FIGURE.search(shown)
    if not found:
        return None
    digits = re.sub("[' ]", "", found[0])
    *groups, last = re.split("[.,]", digits)
    signs = re.findall("[.,]", digits)
    is_decimal = len(signs) == 1 or len(set(signs)) == 2
    if _GROUPS_OF_THREE.fullmatch(digits):
        is_decimal = False
    value = float("".join([*groups, "." if is_decimal else "", last]))
    scale = _SCALE.match(shown[found.end() :].lower()) if scaled else None
    return round(value * _FACTORS[scale[1]] if scale else value, 3)


def date_numbers(shown: str) -> tuple[int, ...] | None:
    """Return the sorted numbers of a date, or None for fewer than two numbers.

    The name of a month counts as the number of the month.
    """
    parts = _DATE_PART.findall(shown.casefold())
    numbers = (int(part) if part.isdecimal() else _month(part) for part in parts)
    found = sorted(filter(None, numbers))
    return tuple(found) if len(found) >= 2 else None


def _month(word: str) -> int:
    return _MONTHS.get(word[:4]) or _MONTHS.get(word[:3], 0)
