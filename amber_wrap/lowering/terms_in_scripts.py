"""Leave out the terms of a pattern in scripts that a page lacks, such as Cyrillic."""

from __future__ import annotations

import re

_TERM = r"(?:\[..\]|\w)\(\?i:(?:[^()\\]|\\.)*\)"
"""A pattern for a part of a regular expression that lists terms with the same first
letter, such as `[Mm](?i:arch|ay)`."""

TERMS = re.compile(rf"\(\?<!\\w\)\(\?:(?:{_TERM}\|?)+\)\(\?!\\w\)")
"""Matches a regular expression that lists terms, grouped by their first letters."""

SCRIPTS = (
    r"\u0370-\u03ff",
    r"\u0400-\u04ff",
    r"\u3040-\u30ff\u4e00-\u9fff",
    r"\uac00-\ud7a3",
)
"""The letters of four writing systems, as ranges for a regular expression: Greek,
Cyrillic, Japanese with Chinese, and Korean."""


def in_scripts(pattern: str, sample_text: str) -> str:
    """Return a regular expression without words in writing systems that `sample_text`
    doesn't use.

    For example, Cyrillic words are removed if the text has no Cyrillic letter.
    """
    for letters in SCRIPTS:
        if not re.search(f"[{letters}]", sample_text):
            letter = f"[{letters}・]"
            first = rf"(?:\[{letter}{{2}}\]|{letter})?"
            group = rf"\|{first}\(\?i:{letter}*(?:\|{letter}*)*\)"
            pattern = re.sub(rf"{group}|\|{letter}+(?=[|)]|$)", "", pattern)
    return pattern
