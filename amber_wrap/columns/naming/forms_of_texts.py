"""Name a column by the form of its texts, such as "time" or "percent".

The forms follow a standard, or are written alike in many languages.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

from amber_wrap.columns.cells import Cell
from amber_wrap.columns.thresholds import COLUMN
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.values.dates import DATES

BETWEEN_DIGITS: Final = re.compile(r"(?<=\d) (?=\d)")
"""A regular expression for a blank between two digits, as in the time of day "10 30".
"""

_TIME: Final = re.compile(
    r"(?:[01]?\d|2[0-4])(?:[:.h][0-5]\d)(?::[0-5]\d)?(?: ?[ap]\.?m\.?)?(?: ?uhr)?"
    r"|(?:0?\d|1[0-2]) ?[ap]\.?m\.?",
    re.IGNORECASE,
)
"""A regular expression for a time of day, such as "10:30" or "9 pm"."""

_SCORE: Final = re.compile(r"\d{1,3} ?: ?\d{1,3}")
"""A regular expression for the score of a match, such as "4:1"."""

RATING: Final = re.compile(
    r"(\d{1,2}(?:[.,]\d{1,2})?) ?(?:/|out of|of|von|sur|de|su|van|z|av|af|из) ?(?:5|10)"
    r"(?: [^\W\d_]+)?|[★☆⭐✩✰✭⯨]{3,10}",
    re.I,
)
"""A regular expression for a rating on a scale up to 5 or 10, or in stars: "4.5 / 5",
"4,5 von 5 Sternen" or "★★★★☆"."""

_POWER: Final = r"\d{2,4} ?(?:kw|b?hp|ps|cv|ch|pk|hk|hv|[лк]\. ?с\.?)"
"""A regular expression for an engine's power, such as "110 kW" or "150 hp"."""

_EMPLOYMENT: Final = (
    r"(?:(?:full|part)[ -]?time|permanent|temporary|contract(?:or)?|freelance"
    r"|internship|apprenticeship|vollzeit|teilzeit|minijob|werkstudent|praktikum"
    r"|festanstellung|befristet|temps plein|temps partiel|cdi|cdd|intérim|alternance"
    r"|tiempo completo|(?:tiempo|jornada) parcial|jornada completa|tempo integral"
    r"|tempo (?:pieno|parziale|indeterminato|determinato)|meio período|voltijds?"
    r"|deeltijds?|heltid|deltid|pełny etat|część etatu|(?:полная|частичная) занятость)"
)
"""A regular expression for a kind of employment, such as "part-time"."""

_FORMS: Final = (
    ("email", re.compile(r"[\w.+-]+@[\w-]+\.[\w.-]+")),
    ("percent", re.compile(r"[+−-]? ?\d{1,4}(?:[.,]\d+)? ?%")),
    ("phone", re.compile(r"\+(?:[ ./()-]{0,2}\d){8,15}")),
    ("size", re.compile(r"\d[\d.,]* ?(?:[kmgtp]i?b|bytes?|[kmgt]o|[кмгт]б)", re.I)),
    (
        "duration",
        re.compile(
            r"(?:\d{1,3} ?h(?:rs?|ours?)?\.? ?)?\d{1,4} ?min(?:\w{1,4})?\.?"
            r"|\d{1,3} ?h(?:rs?|ours?)?\.? ?\d{1,2} ?m\.?",
            re.I,
        ),
    ),
    (
        "employment_type",
        re.compile(rf"{_EMPLOYMENT}(?: ?[,/|&+·] ?{_EMPLOYMENT}){{0,3}}", re.I),
    ),
    ("power", re.compile(rf"{_POWER}(?: ?[(/,|] ?{_POWER}\)?)?", re.I)),
    ("temperature", re.compile(r"[+−-]? ?\d{1,4}(?:[.,]\d+)? ?(?:°|º) ?[CF]")),
    ("ip_address", re.compile(r"(?:\d{1,3}\.){3}\d{1,3}(?::\d{1,5})?")),
    ("doi", re.compile(r"(?:doi: ?)?10\.\d{4,9}/\S+", re.I)),
    ("isbn", re.compile(r"(?:isbn:? ?)?97[89](?:[ -]?\d){10}", re.I)),
    ("url", re.compile(r"https?://\S+", re.I)),
)
"""Pairs of a column name, such as "email", and a regular expression for the column's
texts."""

_RANK: Final = re.compile(r"\W{0,2}(\d{1,3})\W{0,2}")
"""A regular expression for the number of a record in its list, such as "7."."""

_DATE, _TIME_OF_DAY = "date", "time"

TIMELY: Final = (_DATE, _TIME_OF_DAY)
"""The names "date" and "time", for columns whose texts are dates or times of day."""


def name_by_form(texts: Sequence[str]) -> str:
    """Return a name for a column by the form of its texts, such as "time" or
    "description".

    Return "" if the texts have no common form.
    """
    are_long = sum(map(len, texts)) >= COLUMN.shortest_description * len(texts) > 0
    if sum(map(is_time, texts)) > COLUMN.nearly_all * len(texts):
        return _TIME_OF_DAY
    # Dates of today may be a time.
    if sum(find_date(text) is not None for text in texts) > COLUMN.half * len(texts):
        return "description" if are_long else _DATE
    for name, form in _FORMS:
        matching = sum(form.fullmatch(text) is not None for text in texts)
        if matching > COLUMN.nearly_all * len(texts):
            return name
    if are_long:
        return "description"
    if _all_match(_SCORE, texts) and any(re.search(r":\D?\d$", text) for text in texts):
        return "score"  # In a duration, two digits follow the colon.
    if _all_match(RATING, texts) and any(re.search("[.,★]", text) for text in texts):
        return "rating"
    return ""


def is_time(text: str) -> bool:
    """Return whether a text is a time of day, such as "10:30" or "9 pm"."""
    return _TIME.fullmatch(text) is not None


def is_scale(text: str) -> bool:
    """Return whether a text shows only the scale of a rating, such as "/ 5" behind
    "4.5"."""
    return text.startswith("/") and RATING.fullmatch(f"1 {text}") is not None


def _all_match(pattern: re.Pattern[str], texts: Iterable[str]) -> bool:
    """Return whether a regular expression matches each text as a whole."""
    return all(map(pattern.fullmatch, texts))


def are_ranks(cells: Iterable[Cell]) -> bool:
    """Return whether the texts of a column number the records: 1, 2, 3 and so on.

    On a further page, the numbers may begin with 11, 26 and the like.
    """
    numbers: dict[Page, dict[NodeId, int]] = defaultdict(dict)
    for cell in cells:
        match = _RANK.fullmatch(cell.text)
        if match is None:
            return False
        numbers[cell.page][cell.start] = int(match[1])
    for by_record in numbers.values():
        in_order = [by_record[start] for start in sorted(by_record)]
        are_consecutive = all(left + 1 == right for left, right in pairwise(in_order))
        # Pages have 5, 10, 20 or another multiple of 5 records.
        is_start = in_order[0] % 5 == 1
        if len(in_order) < COLUMN.least_ranks or not (is_start and are_consecutive):
            return False
    return True


def find_date(text: str) -> re.Match[str] | None:
    """Return the first date in a text, or None."""
    matches = (date_format.search(text) for date_format in DATES)
    return next(filter(None, matches), None)


def is_clock(words: str) -> bool:
    """Return whether a text is a time of day.

    `words` is the text as words separated by blanks, for example "10 30".
    """
    return is_time(BETWEEN_DIGITS.sub(":", words.strip()))
