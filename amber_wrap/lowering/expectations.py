"""What `check` of a generated file expects of a column."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from amber_wrap.contract.fill_prediction import RARE, SELDOM, least_fill
from amber_wrap.domain.normal_form import Value
from amber_wrap.domain.schema import ValueKind
from amber_wrap.engine.interpret import Row
from amber_wrap.wrapper.ir import Wrapper

ISO = re.compile(r"\d{4}-\d\d-\d\d")
DIGITS, TIMES = 4, 4
"""So many digits more or fewer, so many times longer or shorter than all of the samples
most values of a column are on one of 500 other pages (`benchmarks/fills.py`)."""


def expected(
    wrapper: Wrapper, keys: Iterable[str], samples: Sequence[Sequence[Row]]
) -> dict[str, tuple[float, str]]:
    """Return what `check` of the generated file expects of the fields of records,
    which are on the samples as given; a required one is in all of them.
    """
    rules = [rule for area in wrapper.areas for rule in area.fields]
    of_page = {rule.name for rule in rules if rule.is_of_page}
    required = {
        name
        for area in wrapper.areas
        if area.contract
        for name, share in area.contract.fill.items()
        if share == 1
    }
    known = {
        name
        for area in wrapper.areas
        if area.contract
        for name in area.contract.recognised
    }
    found = {}
    for key in keys:
        kind = dict(wrapper.fields).get(key)
        if kind and key not in of_page:
            values = [[row[key] for row in rows] for rows in samples]
            rare = SELDOM if key in known else RARE
            share, form = expectation(values, kind is ValueKind.URL, rare)
            found[key] = (1.0 if key in required else share, form)
    return found


def expectation(
    samples: Sequence[Sequence[Value]], is_url: bool, rare: float = RARE
) -> tuple[float, str]:
    """Return the least share of the records of a page with a value, on all but a
    `rare` share of the pages; and a pattern that values match which are built as
    those of the samples.
    """
    there = [[one for one in values if one is not None] for values in samples]
    counts = [
        (len(some), len(values)) for some, values in zip(there, samples, strict=True)
    ]
    every = [one for some in there for one in some]
    return least_fill(counts, rare), _form_of(every, is_url)


def _form_of(values: Sequence[Value], is_url: bool) -> str:
    """Return the pattern: how many digits a number has, how long a text is,
    roughly.
    """
    shown = list(map(str, values))
    if not shown or any(isinstance(one, list) for one in values):
        return ".*"
    if all(isinstance(one, int | float) for one in values):
        digits = [len(one.partition(".")[0]) for one in shown]
        return rf"\d{{{max(1, min(digits) - DIGITS)},{max(digits) + DIGITS}}}(?:\.\d+)?"
    if all(map(ISO.match, shown)):
        return rf"{ISO.pattern}.*"
    if is_url:
        return ".+"
    lengths = list(map(len, shown))
    return f".{{{max(1, min(lengths) // TIMES)},{TIMES * max(lengths)}}}"
