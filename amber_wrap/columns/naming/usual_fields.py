"""Recognise usual fields of records, such as "price", by words in many languages."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Final

UNSHOWN: Final = frozenset({"image", "website"})
"""Fields whose values pages don't display as texts. If a text is in an element with a
class such as `card-image`, the text isn't the value of this field."""

_ENGLISH, _OTHER = "english", "other"
"""The keys in `data/fields.toml` of the English words for fields, and of the words in
other languages."""

_SHORTEST_WORD: Final = 3
"""The least number of letters of a word that names a field in a class, such as "price"
in `card-price`."""

_OUTER_SIGNS: Final = re.compile(r"^[\s\W_]+|[\s.:\uff1a*]+$")
"""A regular expression for punctuation around the words of a label, such as a colon."""


def usual_field(label: str) -> str:
    """Return the name of the field that a label in any language stands for, such as
    "price" for "Preis".

    Return "" if the label stands for none of the usual fields of records.
    """
    fields, text = fields_by_word(), " ".join(label.split()).casefold()
    return fields.get(text) or fields.get(_without_outer_signs(text), "")


def is_english_field(label: str) -> bool:
    """Return whether a label is an English word for a usual field, such as "price"."""
    word = _without_outer_signs(" ".join(label.split()).casefold())
    return word in fields_by_word(_ENGLISH)


def _without_outer_signs(text: str) -> str:
    """Return a label without the punctuation around its words, such as a colon."""
    return _OUTER_SIGNS.sub("", text)


def has_usual_word(words: Iterable[str]) -> bool:
    """Return whether one of the lower-case words names a usual field, such as
    "price"."""
    return not _class_words().isdisjoint(words)


@cache
def fields_by_word(*lists: str) -> Mapping[str, str]:
    """Return a dict from words to the usual fields that the words name, such as "Preis"
    to "price".

    `lists` are the keys of word lists in `data/fields.toml`. The default is the lists
    of all languages.
    """
    path = files("amber_wrap.columns").joinpath("data/fields.toml")
    fields: dict[str, str] = {}
    for field, words in tomllib.loads(path.read_text("utf-8")).items():
        phrases = ",".join(words.get(key, "") for key in lists or (_ENGLISH, _OTHER))
        for phrase in phrases.split(","):
            if word := " ".join(phrase.split()).casefold():
                fields.setdefault(word, field)
    return fields


@cache
def _class_words() -> frozenset[str]:
    """Return the words that name a usual field in a class, such as "price" in
    `card-price`.

    Short words, and words for images and websites, are left out.
    """
    return frozenset(
        word
        for word, field in fields_by_word().items()
        if word.isalpha() and len(word) >= _SHORTEST_WORD and field not in UNSHOWN
    )
