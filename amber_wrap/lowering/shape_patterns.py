"""Generalise texts to regular expressions, for example "3 May 2021" to other dates."""

from __future__ import annotations

import re
from collections.abc import Iterable

from amber_wrap.lowering.date_patterns import ENGLISH, ENGLISH_WORD
from amber_wrap.lowering.sample_cases import Case
from amber_wrap.lowering.thresholds import LOWERING

RUN = re.compile(r"\d+|[^\W\d_]+|.")
WITH_YEAR = re.compile(r"(.*\\d\?.*\(\?i:jan.*|\(\?i:jan.*\\d\?.*?)(,? \\d\{4\})$")
"""Matches the regular expression of a date whose last part is the year."""
ORDINALS = ("st", "nd", "rd", "th")


def shape_pattern(cases: Iterable[Case], has_words: bool = True) -> str:
    """Return a pattern that is generalised from the values of the cases.

    The pattern matches any number where a value has a number.  If `has_words`, it
    matches any word where a value has a capitalised word.  Return "" if there are no
    values, or if more than `LOWERING.shapes` alternatives are needed.
    """
    shapes = {_shape_of(case.shown, has_words) for case in cases if case.shown}
    if not shapes or len(shapes) > LOWERING.shapes:
        return ""
    return "|".join(rf"\b{one}" for one in sorted(shapes, key=lambda one: -len(one)))


def _shape_of(shown: str, has_words: bool = True) -> str:
    """Return a pattern that is generalised from one text.

    Numbers and names of months are generalised.  If `has_words`, capitalised words are
    generalised, too.
    """
    runs = (_generalised(run, has_words) for run in RUN.findall(shown))
    joined = "".join(runs).replace(r"\.?\.", r"\.?")
    return WITH_YEAR.sub(r"\1(?:\2)?", joined)


def _generalised(run: str, has_words: bool) -> str:
    if run.isdecimal():
        return r"\d{4}" if len(run) == 4 else r"\d\d?" if len(run) < 3 else r"\d+"
    if not run.isalpha():
        return re.escape(run).replace(r"\ ", " ")
    if ENGLISH_WORD.fullmatch(run):
        return rf"(?i:{'|'.join(ENGLISH)})\w*\.?"
    if run in ORDINALS:
        return f"(?:{'|'.join(ORDINALS)})"
    if has_words and run.isupper():
        return "[A-Z]+"
    is_word = len(run) == 1 or run.istitle()
    return r"[^\W\d]+" if has_words and is_word else run
