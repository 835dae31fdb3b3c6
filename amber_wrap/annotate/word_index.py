"""The terms of a list by a word of each: a page is asked only for those it can hold."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Final
from unicodedata import unidata_version

from amber_wrap.cache import cached

LONG: Final = 20_000
"""Terms of a list whose index takes longer to make than to read from the disk."""

_KIND: Final = f"word index 1, Unicode {unidata_version}"
"""The number is to be raised when an index is made in another way."""
_WORD: Final = re.compile(r"[^\W_]+")


@lru_cache(maxsize=1 << 8)
def word_index(terms: tuple[str, ...]) -> Mapping[str, str]:
    """Return the terms, a line each, by the longest word of each in lower case.

    The longest is rare: few terms are asked for because of "Street".  Those without a
    word stand at "".  Capitals may be spelt in another way: such a term stands at two
    words.  Several types, and domains, draw on one list.
    """
    if len(terms) < LONG:
        return _made(terms)
    return cached(
        _KIND, "\n".join(terms), lambda: _made(terms), lambda it: _is_of(it, terms)
    )


def _is_of(index: Mapping[str, str], terms: Iterable[str]) -> bool:
    """Return whether an index that was kept is of these terms, each at what it
    holds.

    To look closer would take as long as to make it.
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
    """Return the words of a text in lower case, and "": a whole term's word is one
    of them.
    """
    return {"", *_WORD.findall(" ".join({*text.split()}))}


def forms(term: str) -> Iterator[str]:
    """Yield the term in lower case as it is spelt, and as its capitals are: ß is
    SS.
    """
    form, of_capitals = lower_case(term), lower_case(term.upper())
    yield form
    if of_capitals != form:
        yield of_capitals


def lower_case(text: str) -> str:
    """Lower case, character by character: offsets must hold in the original."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
