"""Words in the names that authors give to things, and texts that are labels."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import pairwise

CAPITAL = "A-ZÀ-ÖØ-Þ"
_SMALL = rf"[^\W\d_{CAPITAL}]"
WORD = re.compile(rf"[{CAPITAL}]?{_SMALL}+|[{CAPITAL}]+(?!{_SMALL})")
"""A word of a name: in scripts without capitals of their own, letters in a row."""
COLONS = (":", "\uff1a")
"""What labels end with."""
LABEL_WORDS = 3
"""Words up to which their text is a label."""


@lru_cache(maxsize=1 << 14)
def name_words(token: str) -> frozenset[str]:
    """Return the words of a name in lower case, and each two in a row as one.

    `floorSize` has "floor", "size" and "floorsize".
    """
    words = [word.lower() for word in WORD.findall(token)]
    return frozenset((*words, *map("".join, pairwise(words))))


@lru_cache(maxsize=1 << 14)
def is_label(text: str) -> bool:
    """Return whether a text is a few words without a number."""
    words = text.split()
    return 0 < len(words) <= LABEL_WORDS and not any(map(str.isdigit, text))


def folded(text: str) -> str:
    """Return a text in lower case and without accents."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    return "".join(one for one in plain if not unicodedata.combining(one))
