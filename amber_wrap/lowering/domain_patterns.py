"""Shorten the regular expressions of a domain for a generated file.

A domain, such as cars, has patterns for its types of values, and lists of terms
(gazetteers), such as names of makes.
"""

from __future__ import annotations

import re

_TERM = r"(?:\[..\]|\w)\(\?i:(?:[^()\\]|\\.)*\)"
"""The pattern of a part of a regular expression: terms that begin with one letter."""
_TERMS = re.compile(rf"\(\?<!\\w\)\(\?:(?:{_TERM}\|?)+\)\(\?!\\w\)")
"""Matches a regular expression for a list of terms, grouped by their first letters."""
SCRIPTS = (
    r"\u0370-\u03ff",
    r"\u0400-\u04ff",
    r"\u3040-\u30ff\u4e00-\u9fff",
    r"\uac00-\ud7a3",
)
"""The letters of four scripts, as ranges for a regular expression: Greek, Cyrillic,
Japanese with Chinese, and Korean."""


def shortened(pattern: str) -> str:
    """Return a shorter pattern that matches the same texts.

    For example, the name of the group `(?P<value>...)` is removed.
    """
    if _TERMS.fullmatch(pattern):
        return pattern.replace(r"\-", "-")
    return pattern.replace("(?P<value>", "(")


def in_scripts(pattern: str, sample_text: str) -> str:
    """Return the pattern without terms in writing systems that a text doesn't use.

    For example, Cyrillic terms are left out if `sample_text` has no Cyrillic letter.
    """
    for letters in SCRIPTS:
        if not re.search(f"[{letters}]", sample_text):
            letter = f"[{letters}・]"
            first = rf"(?:\[{letter}{{2}}\]|{letter})?"
            group = rf"\|{first}\(\?i:{letter}*(?:\|{letter}*)*\)"
            pattern = re.sub(rf"{group}|\|{letter}+(?=[|)]|$)", "", pattern)
    return pattern
