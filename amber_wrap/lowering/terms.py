"""Regular expressions for words: terms of a list, and values of like shape."""

from __future__ import annotations

import re
from collections.abc import Iterable

from amber_wrap.lowering.cases import Case
from amber_wrap.lowering.dates import ENGLISH

RUN = re.compile(r"\d+|[^\W\d_]+|.")
MOST_SHAPES = 3
GROUP = r"\(\?i:(?:[^()\\]|\\.)*\)"
TERMS = re.compile(rf"\(\?<!\\w\)\(\?:(?:{GROUP}\|?)+\)\(\?!\\w\)")
"""The pattern of a gazetteer: groups of terms that begin alike."""
AHEAD = re.compile(r"\(\?=\[..\]\)")
"""A look at the first letter, which only saves time."""


def plain(pattern: str) -> str:
    """A composed pattern without what only saves time, its value in the first group."""
    bare = AHEAD.sub("", pattern).replace("(?P<value>", "(")
    if TERMS.fullmatch(bare):
        return bare.replace(")|(?i:", "|").replace(r"\-", "-")
    return bare


def shape_pattern(cases: Iterable[Case]) -> str:
    """A pattern for all values that are built as those of the cases, "" for none."""
    shapes = sorted({shape_of(case.shown) for case in cases if case.shown})
    if not shapes or len(shapes) > MOST_SHAPES:
        return ""
    return "|".join(rf"\b{one}" for one in sorted(shapes, key=lambda one: -len(one)))


def shape_of(shown: str) -> str:
    """A text with its numbers and names of months generalised."""
    return "".join(map(_generalised, RUN.findall(shown)))


def _generalised(run: str) -> str:
    if run.isalpha() and any(re.match(one, run, re.IGNORECASE) for one in ENGLISH):
        return rf"(?i:{'|'.join(ENGLISH)})\w*"
    if run.isalpha() and len(run) > 1 and not run.istitle():
        return run
    if run.isdecimal():
        return r"\d{4}" if len(run) == 4 else r"\d\d?" if len(run) < 3 else r"\d+"
    return r"[^\W\d]+" if run.isalpha() else re.escape(run).replace(r"\ ", " ")
