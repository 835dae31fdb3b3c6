"""Turn words into valid names of columns in snake case, also in ASCII."""

from __future__ import annotations

import keyword
import re
import unicodedata
from collections.abc import Iterable
from typing import Final

from amber_wrap.columns.naming.distinct_names import UNNAMED
from amber_wrap.columns.naming.usual_fields import is_english_field, usual_field
from amber_wrap.columns.thresholds import COLUMN

_TOKEN = re.compile(r"[A-Z]?[a-zß-ɏ]+|[A-Z]+(?![a-zß-ɏ])|\d+|[^\W\d_]+")
"""A regular expression for one word of a name, such as "read" in `readTime`."""

_LEADING_PERIOD = re.compile(r"(\d+[A-Za-z]{1,2})[\W_]+(?=[^\W\d_])")
"""A regular expression for a number with a unit at the start of a name, such as
"24h "."""

PERCENT = "percent"
"""The word for the sign "%" in labels."""

LATIN = "LATIN"
"""A word in the Unicode names of Latin letters, from which accents are removed."""


def snake_case_name(text: str) -> str:
    """Return a column name from the last words of a text, such as `read_time` for
    `readTime`.

    Return "" if no valid name results.
    """
    text = _without_accents(text.rpartition("__")[2])
    period = _LEADING_PERIOD.match(text)
    words = _TOKEN.findall(text[period.end() :] if period else text)
    words = [word.lower() for word in (*words, *(period.groups() if period else ()))]
    longest = COLUMN.longest_name
    while len("_".join(words)) > longest or (words and not words[0].isalpha()):
        words.pop(0)
    name = "_".join(words)
    return name if _is_long_enough(name) and not keyword.iskeyword(name) else ""


def _without_accents(text: str) -> str:
    """Return the text with accents removed from its Latin letters."""
    composed = unicodedata.normalize("NFKC", text)
    return "".join(
        unicodedata.normalize("NFKD", sign)[0]
        if LATIN in unicodedata.name(sign, "")
        else sign
        for sign in composed
    )


def _is_long_enough(name: str) -> bool:
    """Return whether a name has at least two characters or a character beyond ASCII."""
    return len(name) > 1 or not name.isascii()


def name_of_label(text: str) -> str:
    """Return the column name that a label or a header gives, or "" if it has no words
    for a name.

    A label may give the English name of a usual field, such as "price" for "Preis".
    """
    field = "" if is_english_field(text) else usual_field(text)
    words = text.replace("%", f" {PERCENT} ") if re.search(r"\w", text) else text
    return field or snake_case_name(words) or usual_field(text)


def name_of_header(text: str) -> str:
    """Return the name that the header of a table gives a column, or "".

    A header of one letter also gives a name: "W" for won matches gives "w".
    """
    letter = text.strip().lower()
    is_letter = len(letter) == 1 and letter.isalpha()
    label = "" if is_letter and letter.isascii() else name_of_label(text)
    return label or (letter if is_letter else "")


_LETTERS: Final = str.maketrans(
    dict(
        zip(
            "абвгдезиклмнопрстуфыэіјαβγδεζηικλμνξοπρσςτυφωøłđðıħŋəґђќѓћўй",
            "abvgdeziklmnoprstufyeijavgdeziiklmnxoprsstyfoolddihneggkgcuy",
            strict=True,
        )
    )
    | dict(
        letter_and_ascii.split("=")
        for letter_and_ascii in (
            "ё=yo ж=zh х=kh ц=ts ч=ch ш=sh щ=shch ъ= ь= ю=yu я=ya є=ye ї=yi љ=lj њ=nj "
            "џ=dz ѕ=dz θ=th χ=ch ψ=ps ß=ss æ=ae œ=oe þ=th"
        ).split()
    )
)
"""The ASCII letters for Cyrillic and Greek letters, and for Latin letters other than
accented ones."""


def in_ascii(names: Iterable[str]) -> list[str]:
    """Return the names in ASCII, without names that can't be transliterated.

    If no name can be transliterated, return only the name "text" (`UNNAMED`).
    """
    return list(filter(None, map(transliterated, names))) or [UNNAMED]


def transliterated(name: str) -> str:
    """Return a name in lower-case ASCII, or "" if its script can't be
    transliterated."""
    replaced = unicodedata.normalize("NFKC", name).translate(_LETTERS)
    signs = unicodedata.normalize("NFKD", replaced)
    bare = "".join(sign for sign in signs if not unicodedata.combining(sign))
    ascii_name = bare.translate(_LETTERS)
    return snake_case_name(ascii_name) if ascii_name.isascii() else ""
