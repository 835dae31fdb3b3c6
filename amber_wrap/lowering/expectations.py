"""Compute what a generated file's `check` expects of the values of each column."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from amber_wrap.contract.fill_prediction import least_fill
from amber_wrap.contract.thresholds import CONTRACT
from amber_wrap.domain.normal_form import Value
from amber_wrap.domain.schema import ValueKind
from amber_wrap.engine.interpret import Row
from amber_wrap.lowering.thresholds import LOWERING
from amber_wrap.wrapper.ir import Wrapper

ISO = re.compile(r"\d{4}-\d\d-\d\d")


def expected(
    wrapper: Wrapper, keys: Iterable[str], samples: Sequence[Sequence[Row]]
) -> dict[str, tuple[float, str]]:
    """Return two expectations for each key of a record, learned from the samples.

    The first is the least share of records with a value.  The second is a regular
    expression that most values match.  `samples` are the rows of each sample.
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
            rare = CONTRACT.seldom if key in known else CONTRACT.rare
            share, form = expectation(values, kind is ValueKind.URL, rare)
            found[key] = (1.0 if key in required else share, form)
    return found


def expectation(
    samples: Sequence[Sequence[Value]], is_url: bool, rare: float = CONTRACT.rare
) -> tuple[float, str]:
    """Return the least share of records with a key's value, and a pattern of values.

    `samples` are the key's values on each sample.  If `is_url`, the values are
    addresses.  `rare` is the fraction of pages that may have a smaller share.
    """
    there = [[one for one in values if one is not None] for values in samples]
    counts = [
        (len(some), len(values)) for some, values in zip(there, samples, strict=True)
    ]
    every = [one for some in there for one in some]
    return least_fill(counts, rare), _form_of(every, is_url)


def _form_of(values: Sequence[Value], is_url: bool) -> str:
    """Return a regular expression that the values of a key match, such as `.{2,40}`.

    Somewhat shorter and longer values match, too.  Return ".*" if there are no values,
    or if a value is a list.
    """
    shown = list(map(str, values))
    if not shown or any(isinstance(one, list) for one in values):
        return ".*"
    if all(isinstance(one, int | float) for one in values):
        digits = [len(one.partition(".")[0]) for one in shown]
        most = max(digits) + LOWERING.digits
        return rf"\d{{{max(1, min(digits) - LOWERING.digits)},{most}}}(?:\.\d+)?"
    if all(map(ISO.match, shown)):
        return rf"{ISO.pattern}.*"
    if is_url:
        return ".+"
    lengths = list(map(len, shown))
    most = LOWERING.times * max(lengths)
    return f".{{{max(1, min(lengths) // LOWERING.times)},{most}}}"
