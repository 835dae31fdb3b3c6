"""Transliterate names to ASCII, from scripts in which each letter has a sound."""

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
    """Return the names in ASCII, or only `UNNAMED` if none can be transliterated.

    A name with letters of unknown sound is left out.
    """
    return list(filter(None, map(spelt, names))) or [UNNAMED]


def spelt(name: str) -> str:
    """Return a name in lower case and ASCII, or "" if a letter has no known sound.

    Chinese characters, for example, have no known sound.
    """
    form = unicodedata.normalize("NFKC", name).translate(_LETTERS)
    parts = unicodedata.normalize("NFKD", form)
    bare = "".join(one for one in parts if not unicodedata.combining(one))
    found = bare.translate(_LETTERS)
    return snake(found) if found.isascii() else ""
