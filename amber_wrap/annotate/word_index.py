"""Index terms by one word of each, to find the terms that may occur on a page."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Final
from unicodedata import unidata_version

from amber_wrap.cache import cached

LONG: Final = 20_000
"""The number of terms from which on an index is read from the disk faster than it is
made.
"""

_KIND: Final = f"word index 1, Unicode {unidata_version}"
"""The key of cached indexes; the number must be raised when the format changes."""
_WORD: Final = re.compile(r"[^\W_]+")


@lru_cache(maxsize=1 << 8)
def word_index(terms: tuple[str, ...]) -> Mapping[str, str]:
    """Return the terms by one word of each: the longest word in lower case.

    The terms of a word are joined by line breaks. The longest word is rare; "Street"
    would bring too many terms. Terms without a word have the key "". A term may have
    two keys: the capitals of "ß" are "SS".

    The index is cached, because several types and domains use one list.
    """
    if len(terms) < LONG:
        return _made(terms)
    return cached(
        _KIND, "\n".join(terms), lambda: _made(terms), lambda it: _is_of(it, terms)
    )


def _is_of(index: Mapping[str, str], terms: Iterable[str]) -> bool:
    """Return whether a cached index has exactly these terms, and each key occurs in its
    terms.

    A closer check would take as long as making the index.
    """
    held = "\n".join(index.values()).split("\n") if index else []
    return set(held) == set(terms) and all(
        word in some.lower() or word in some.upper().lower()
        for word, some in index.items()
    )


def _made(terms: Iterable[str]) -> dict[str, str]:
    found: dict[str, list[str]] = defaultdict(list)
    for term in terms:
        for form in forms(term):
            found[_longest_word(form)].append(term)
    return {word: "\n".join(some) for word, some in found.items()}


def _longest_word(form: str) -> str:
    return form if form.isalnum() else max(_WORD.findall(form), key=len, default="")


def word_set(text: str) -> set[str]:
    """Return the words of a text, and "", which is the key of terms without a word."""
    return {"", *_WORD.findall(" ".join({*text.split()}))}


def forms(term: str) -> Iterator[str]:
    """Yield a term in lower case.

    If its capitals have another lower case, yield that too: "strasse" for "Straße".
    """
    form, of_capitals = lower_case(term), lower_case(term.upper())
    yield form
    if of_capitals != form:
        yield of_capitals


def lower_case(text: str) -> str:
    """Return a text in lower case.

    Letters whose lower case is longer are left as they are, so that offsets stay valid.
    """
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
