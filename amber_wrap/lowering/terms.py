"""Regular expressions for texts of the same form, such as "3 May 2021" and "12 June
2022".
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from amber_wrap.lowering.cases import Case
from amber_wrap.lowering.dates import ENGLISH, ENGLISH_WORD
from amber_wrap.lowering.thresholds import LOWERING

RUN = re.compile(r"\d+|[^\W\d_]+|.")
WITH_YEAR = re.compile(r"(.*\\d\?.*\(\?i:jan.*|\(\?i:jan.*\\d\?.*?)(,? \\d\{4\})$")
"""Matches the pattern of a date that ends with the year."""
ORDINALS = ("st", "nd", "rd", "th")


def shape_pattern(cases: Iterable[Case], has_words: bool = True) -> str:
    """Return a pattern for all values of the same form as those of the cases, "" if
    there are no values or more than `LOWERING.shapes` forms.

    If `has_words`, any word matches in place of the capitalised words and single
    letters of the values.
    """
    shapes = {_shape_of(case.shown, has_words) for case in cases if case.shown}
    if not shapes or len(shapes) > LOWERING.shapes:
        return ""
    return "|".join(rf"\b{one}" for one in sorted(shapes, key=lambda one: -len(one)))


def _shape_of(shown: str, has_words: bool = True) -> str:
    """Return a pattern for texts of the form of `shown`: numbers and months
    generalised, the year optional.

    If `has_words`, words are generalised, too.
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
