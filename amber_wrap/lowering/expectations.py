"""What `check` of a generated file expects of a column."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from amber_wrap.domain.normal_form import Value
from amber_wrap.domain.schema import ValueKind
from amber_wrap.engine.contract import interval
from amber_wrap.engine.interpret import Row
from amber_wrap.wrapper.ir import Wrapper

ISO = re.compile(r"\d{4}-\d\d-\d\d")


def expected(
    wrapper: Wrapper, keys: Iterable[str], samples: Sequence[Sequence[Row]]
) -> dict[str, tuple[float, str]]:
    """What `check` of the generated file expects of the fields of records, which are
    on the samples as given; a required one is in all of them."""
    rules = [rule for area in wrapper.areas for rule in area.fields]
    of_page = {rule.name for rule in rules if rule.is_of_page}
    required = {
        name
        for area in wrapper.areas
        if area.contract
        for name, share in area.contract.fill.items()
        if share == 1
    }
    found = {}
    for key in keys:
        kind = dict(wrapper.fields).get(key)
        if kind and key not in of_page:
            values = [[row[key] for row in rows] for rows in samples]
            share, form = expectation(values, kind is ValueKind.URL)
            found[key] = (1.0 if key in required else share, form)
    return found


def expectation(samples: Sequence[Sequence[Value]], is_url: bool) -> tuple[float, str]:
    """The least share of records with a value, the lower bound of the least of all
    samples (95 %); and a pattern that values match which are built as theirs."""
    there = [[one for one in values if one is not None] for values in samples]
    shares = (
        interval(len(some), len(values))[0]
        for some, values in zip(there, samples, strict=True)
    )
    every = [one for some in there for one in some]
    return int(min(shares) * 100) / 100, _form_of(every, is_url)


def _form_of(values: Sequence[Value], is_url: bool) -> str:
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
