"""Compute, for each field, how many records have a value, and which form the values
have.

The function `check` of a generated file compares the values of a page with these
results.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from amber_wrap.contract.fill_prediction import least_fill
from amber_wrap.contract.thresholds import CONTRACT
from amber_wrap.domain.normal_form import Value
from amber_wrap.domain.schema import ValueKind
from amber_wrap.engine.output_rows import Row
from amber_wrap.lowering.thresholds import LOWERING
from amber_wrap.wrapper.ir import Wrapper

ISO = re.compile(r"\d{4}-\d\d-\d\d")
"""Matches a date in ISO format, such as `2021-05-03`."""


def expected(
    wrapper: Wrapper, keys: Iterable[str], samples: Sequence[Sequence[Row]]
) -> dict[str, tuple[float, str]]:
    """Return, for each key of the records, the least share of records with a value, and
    a regular expression for the values.

    The share is from 0 to 1. Keys of the whole page and derived keys, such as
    `price_currency`, are left out. `samples` has the records of each sample page.
    """
    rules = [rule for area in wrapper.areas for rule in area.fields]
    page_fields = {rule.name for rule in rules if rule.is_of_page}
    contracts = [area.contract for area in wrapper.areas if area.contract]
    fills = [fill for contract in contracts for fill in contract.fill.items()]
    recognised_fields = {name for contract in contracts for name in contract.recognised}
    expectations = {}
    for key in keys:
        kind = dict(wrapper.fields).get(key)
        if kind and key not in page_fields:
            values = [[row[key] for row in rows] for rows in samples]
            rare_share = CONTRACT.most_unrecognised_failures
            if key in recognised_fields:
                rare_share = CONTRACT.most_failures
            share, form = expectation(values, kind is ValueKind.URL, rare_share)
            expectations[key] = (1.0 if (key, 1) in fills else share, form)
    return expectations


def expectation(
    samples: Sequence[Sequence[Value]], is_url: bool, rare: float
) -> tuple[float, str]:
    """Return the least share of a page's records with a value, and a regular expression
    for the values.

    The share is from 0 to 1. `samples` has the values of the records of each sample
    page. `rare` is the share of pages that are expected to have fewer values. `is_url`
    says whether the values are URLs.
    """
    counts = [(len(values) - values.count(None), len(values)) for values in samples]
    filled = [value for values in samples for value in values if value is not None]
    return least_fill(counts, rare), _form_of(filled, is_url)


def _form_of(values: Sequence[Value], is_url: bool) -> str:
    """Return a regular expression such as `.{2,40}` for values and similar texts.

    Return ".*" if there are no values, or if a value is a list of texts.
    """
    texts = [str(value) for value in values]
    if not texts or any(isinstance(value, list) for value in values):
        return ".*"
    if all(isinstance(value, int | float) for value in values):
        digits = [len(text.lstrip("-").partition(".")[0]) for text in texts]
        fewest = max(1, min(digits) - LOWERING.most_digits_apart)
        most = max(digits) + LOWERING.most_digits_apart
        sign = "-?" if any(text.startswith("-") for text in texts) else ""
        return rf"{sign}\d{{{fewest},{most}}}(?:\.\d+)?"
    if all(map(ISO.match, texts)):
        return rf"{ISO.pattern}.*"
    if is_url:
        return ".+"
    lengths = [len(text) for text in texts]
    shortest = max(1, min(lengths) // LOWERING.most_length_factor)
    longest = LOWERING.most_length_factor * max(lengths)
    return f".{{{shortest},{longest}}}"
