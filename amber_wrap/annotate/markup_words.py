"""Split names in markup into words, and recognise labels."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import pairwise

from amber_wrap.annotate.thresholds import ANNOTATION

CAPITAL = "A-ZÀ-ÖØ-Þ"
_SMALL = rf"[^\W\d_{CAPITAL}]"
WORD = re.compile(rf"[{CAPITAL}]?{_SMALL}+|[{CAPITAL}]+(?!{_SMALL})")
"""A word of a name. In scripts without capitals, all letters in a row are one word."""
COLONS = (":", "\uff1a")
"""Signs at the end of labels."""


@lru_cache(maxsize=1 << 14)
def name_words(token: str) -> frozenset[str]:
    """Return the words of a name in lower case, and each pair of adjacent words joined.

    For `floorSize`, the result has "floor", "size" and "floorsize".
    """
    words = [word.lower() for word in WORD.findall(token)]
    return frozenset((*words, *map("".join, pairwise(words))))


@lru_cache(maxsize=1 << 14)
def is_label(text: str) -> bool:
    """Return whether a text may be a label, because it has only a few words and no
    digits.
    """
    words = text.split()
    return 0 < len(words) <= ANNOTATION.label_words and not any(map(str.isdigit, text))


def folded(text: str) -> str:
    """Return a text in lower case and without accents."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    return "".join(one for one in plain if not unicodedata.combining(one))
