"""Index terms by their longest words, to find the terms that may occur on a page."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Final
from unicodedata import unidata_version

from amber_wrap.cache import cached

LONG: Final = 20_000
"""The number of terms above which an index is read from the disk.

Making an index of fewer terms is faster.
"""

_KIND: Final = f"word index 1, Unicode {unidata_version}"
"""The key of cached indexes.

The number must be raised when the format changes.
"""
_WORD: Final = re.compile(r"[^\W_]+")


@lru_cache(maxsize=1 << 8)
def word_index(terms: tuple[str, ...]) -> Mapping[str, str]:
    """Return the terms, indexed by their longest words in lower case.

    The terms with the same longest word are joined by line breaks. The key of terms
    without a word is "". A term with "ß" may have two keys, such as "straße" and
    "strasse".

    The index is cached, because several types and domains use the same list.
    """
    if len(terms) < LONG:
        return _made(terms)
    return cached(
        _KIND, "\n".join(terms), lambda: _made(terms), lambda it: _is_of(it, terms)
    )


def _is_of(index: Mapping[str, str], terms: Iterable[str]) -> bool:
    """Return whether a cached index may be the index of some terms.

    The index must contain all the terms and no other terms. Each key must occur in a
    term that is indexed by the key. A full check would take as long as making the
    index.
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
    """Return the words of a text, and "".

    In a word index, "" is the key of terms without a word.
    """
    return {"", *_WORD.findall(" ".join({*text.split()}))}


def forms(term: str) -> Iterator[str]:
    """Yield the forms of a term in lower case: "straße" and "strasse" for "Straße".

    The second form is made from the term in capitals, for example "STRASSE". Most terms
    have only one form.
    """
    form, of_capitals = lower_case(term), lower_case(term.upper())
    yield form
    if of_capitals != form:
        yield of_capitals


def lower_case(text: str) -> str:
    """Return a text in lower case, without a change of its length.

    A letter stays as it is if its lower case has several characters.
    """
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
