"""What `check` of a generated file expects of a column."""

from __future__ import annotations

import re
from collections.abc import Sequence

from amber_wrap.domain.normal_form import Value
from amber_wrap.engine.contract import interval

ISO = re.compile(r"\d{4}-\d\d-\d\d")


def expectation(samples: Sequence[Sequence[Value]], is_url: bool) -> tuple[float, str]:
    """The least share of records with a value, the lower bound of the least of all
    samples (95 %); and a pattern that values match which are built as theirs."""
    there = [[one for one in values if one is not None] for values in samples]
    shares = (
        interval(len(some), len(values))[0]
        for some, values in zip(there, samples, strict=True)
    )
    every = [one for some in there for one in some]
    return int(min(shares) * 100) / 100, form_of(every, is_url)


def form_of(values: Sequence[Value], is_url: bool) -> str:
    """The pattern: how many digits a number has, how long a text is, roughly."""
    shown = list(map(str, values))
    if not shown or any(isinstance(one, list) for one in values):
        return ".*"
    if all(isinstance(one, int | float) for one in values):
        digits = [len(one.partition(".")[0]) for one in shown]
        return rf"\d{{{max(1, min(digits) - 2)},{max(digits) + 2}}}(?:\.\d+)?"
    if all(map(ISO.match, shown)):
        return rf"{ISO.pattern}.*"
    if is_url:
        return ".+"
    lengths = list(map(len, shown))
    return f".{{{max(1, min(lengths) // 2)},{2 * max(lengths)}}}"
