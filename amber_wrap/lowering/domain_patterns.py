"""Shorten the patterns of a domain for a generated file."""

from __future__ import annotations

import re

_TERM = r"(?:\[..\]|\w)\(\?i:(?:[^()\\]|\\.)*\)"
_TERMS = re.compile(rf"\(\?<!\\w\)\(\?:(?:{_TERM}\|?)+\)\(\?!\\w\)")
"""Matches the pattern of a gazetteer: groups of terms that begin alike."""
SCRIPTS = (
    r"\u0370-\u03ff",
    r"\u0400-\u04ff",
    r"\u3040-\u30ff\u4e00-\u9fff",
    r"\uac00-\ud7a3",
)
"""The letters of Greek, of Cyrillic, of Japanese and Chinese, and of Korean."""


def plain(pattern: str) -> str:
    """Return a shorter pattern that matches the same texts.

    The group `value` loses its name.
    """
    if _TERMS.fullmatch(pattern):
        return pattern.replace(r"\-", "-")
    return pattern.replace("(?P<value>", "(")


def in_scripts(pattern: str, shown: str) -> str:
    """Return the pattern without terms in writing systems that `shown` doesn't use.

    For example, Cyrillic terms are left out if `shown` has no Cyrillic letter.
    """
    for letters in SCRIPTS:
        if not re.search(f"[{letters}]", shown):
            letter = f"[{letters}・]"
            first = rf"(?:\[{letter}{{2}}\]|{letter})?"
            group = rf"\|{first}\(\?i:{letter}*(?:\|{letter}*)*\)"
            pattern = re.sub(rf"{group}|\|{letter}+(?=[|)]|$)", "", pattern)
    return pattern
