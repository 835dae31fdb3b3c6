"""Transliterate names to ASCII from scripts whose letters stand for sounds."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import Final

from amber_wrap.columns.naming import UNNAMED, snake

_LETTERS: Final = str.maketrans(
    dict(
        zip(
            "абвгдезиклмнопрстуфыэіјαβγδεζηικλμνξοπρσςτυφωøłđðıħŋəґђќѓћўй",
            "abvgdeziklmnoprstufyeijavgdeziiklmnxoprsstyfoolddihneggkgcuy",
            strict=True,
        )
    )
    | dict(
        one.split("=")
        for one in (
            "ё=yo ж=zh х=kh ц=ts ч=ch ш=sh щ=shch ъ= ь= ю=yu я=ya є=ye ї=yi љ=lj њ=nj "
            "џ=dz ѕ=dz θ=th χ=ch ψ=ps ß=ss æ=ae œ=oe þ=th"
        ).split()
    )
)
"""Cyrillic and Greek letters, and Latin letters other than accented ones."""


def in_ascii(names: Iterable[str]) -> list[str]:
    """Return the names in ASCII, without names that can't be transliterated.

    Return only `UNNAMED` if no name can be transliterated.
    """
    return list(filter(None, map(spelt, names))) or [UNNAMED]


def spelt(name: str) -> str:
    """Return a name in lower-case ASCII, or "" if it can't be transliterated.

    For example, Chinese names can't be transliterated.
    """
    form = unicodedata.normalize("NFKC", name).translate(_LETTERS)
    parts = unicodedata.normalize("NFKD", form)
    bare = "".join(one for one in parts if not unicodedata.combining(one))
    found = bare.translate(_LETTERS)
    return snake(found) if found.isascii() else ""
