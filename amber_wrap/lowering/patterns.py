"""The patterns of a domain as a generated file needs them."""

from __future__ import annotations

import re

_GROUP = r"\(\?i:(?:[^()\\]|\\.)*\)"
_TERMS = re.compile(rf"\(\?<!\\w\)\(\?:(?:{_GROUP}\|?)+\)\(\?!\\w\)")
"""The pattern of a gazetteer: groups of terms that begin alike."""
AHEAD = re.compile(r"\(\?=(?:\[..\]|\w)\)(?=\(\?i:)")
"""A look at the first letter, which only saves time."""
SCRIPTS = (
    r"\u0370-\u03ff",
    r"\u0400-\u04ff",
    r"\u3040-\u30ff\u4e00-\u9fff",
    r"\uac00-\ud7a3",
)
"""The letters of Greek, Cyrillic, Japanese and Chinese, and Korean."""


def plain(pattern: str) -> str:
    """Return a composed pattern without what only saves time, its value in the
    first group.
    """
    bare = AHEAD.sub("", pattern).replace("(?P<value>", "(")
    if _TERMS.fullmatch(bare):
        return bare.replace(")|(?i:", "|").replace(r"\-", "-")
    return bare


def in_scripts(pattern: str, shown: str) -> str:
    """Return a pattern without terms in scripts of which a text has no letter: no
    car has a Cyrillic name on a page in Latin letters.
    """
    for letters in SCRIPTS:
        if not re.search(f"[{letters}]", shown):
            word = f"[{letters}・]+"
            group = rf"\|\(\?i:{word}(?:\|{word})*\)"
            pattern = re.sub(rf"{group}|\|{word}(?=[|)]|$)", "", pattern)
    return pattern
