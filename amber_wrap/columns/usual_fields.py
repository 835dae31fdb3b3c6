"""Look up the usual fields of records, such as "price", by words in many languages."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Final

UNSHOWN: Final = frozenset({"image", "website"})
"""Fields that are no texts. A class of this name belongs to an image or a link beside
the text."""
_ENGLISH: Final = "english"
_SHORTEST: Final = 3
"""The least number of letters of a word for a usual field in a class name."""
_MARKS: Final = re.compile(r"^[\s\W_]+|[\s.:\uff1a*]+$")
"""Signs around the words of a label."""


def usual_field(label: str) -> str:
    """Return the usual field that a label in any language names, such as "price".

    Return "" if the label names no usual field.
    """
    found, whole = _fields(), " ".join(label.split()).casefold()
    return found.get(whole) or found.get(_bare(whole), "")


def is_english_field(label: str) -> bool:
    """Return whether a label is an English word for a usual field."""
    return _bare(" ".join(label.split()).casefold()) in _fields(_ENGLISH)


def _bare(text: str) -> str:
    return _MARKS.sub("", text)


def has_usual_word(words: Iterable[str]) -> bool:
    """Return whether one of the lower-case words names a usual field, such as
    "price"."""
    return not _words().isdisjoint(words)


@cache
def _fields(*languages: str) -> Mapping[str, str]:
    """Return the usual fields by the words that name them.

    The words belong to the `languages`, or to all languages if none is given.
    """
    path = files(__package__).joinpath("data/fields.toml")
    found: dict[str, str] = {}
    for field, words in tomllib.loads(path.read_text("utf-8")).items():
        lists = [words.get(one, "") for one in languages or words]
        for one in ",".join(lists).split(","):
            if word := " ".join(one.split()).casefold():
                found.setdefault(word, field)
    return found


@cache
def _words() -> frozenset[str]:
    """Return the words for usual fields that may be parts of a class name."""
    return frozenset(
        one
        for one, field in _fields().items()
        if one.isalpha() and len(one) >= _SHORTEST and field not in UNSHOWN
    )
