"""Names in ASCII letters: by sound, from scripts of which every letter has one."""

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
"""Cyrillic and Greek letters, and Latin ones that are no letter with an accent."""


def in_ascii(names: Iterable[str]) -> list[str]:
    """The names in ASCII, as far as the letters of each have sounds that are known;
    else `UNNAMED`."""
    return list(filter(None, map(spelt, names))) or [UNNAMED]


def spelt(name: str) -> str:
    """A name in lower case by its sound; "" if a letter of it has none that is known.

    What is written in words and syllables, as Chinese is, has sounds that its signs
    don't tell.
    """
    told = unicodedata.normalize("NFKC", name).translate(_LETTERS)
    parts = unicodedata.normalize("NFKD", told)
    bare = "".join(one for one in parts if not unicodedata.combining(one))
    found = bare.translate(_LETTERS)
    return snake(found) if found.isascii() else ""
