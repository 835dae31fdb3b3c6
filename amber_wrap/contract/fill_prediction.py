"""How empty a column may be on another page, given how full it is on the samples.

Pages of a template differ: a column that all records of one search have, a badge say,
may be gone on another.  The share of records that have a value is drawn anew for each
page, from a beta distribution around a mean of the column's own, which comes from
another one (a beta-binomial model).  Its parameters are estimated by
`benchmarks/fills.py`, which also says how often it is wrong on sites left out.
"""

from collections.abc import Sequence
from functools import cache
from itertools import accumulate
from math import exp, lgamma, log, log1p
from typing import Final

MEAN: Final = (1.42, 0.28)
"""The parameters of the distribution of the means."""
CONCENTRATION: Final = 2.14
"""How close pages are to the mean of a column: the sum of both parameters."""
RARE: Final = 0.01
"""The share of pages on which a column is emptier, where nothing else tells that values
are lost."""
SELDOM: Final = 0.05
"""The same where annotators know the type, and enough must be missing to matter."""
PAGE_RECORDS: Final = 20
"""The records of a page; on one of fewer emptiness is more often chance."""
_MEANS: Final = tuple(1 / (1 + exp(-at / 4)) for at in range(-32, 33))
"""Means at even steps of their log odds."""


def least_fill(samples: Sequence[tuple[int, int]], rare: float = RARE) -> float:
    """The share of the records of another page that have a value, at least, on all but
    a `rare` share of the pages.

    Samples are (values, records).
    """
    return _least(tuple(sorted(samples)), rare)


@cache
def _least(samples: tuple[tuple[int, int], ...], rare: float) -> float:
    odds = [sum(log_chance(*one, mean) for one in samples) for mean in _MEANS]
    odds = [one + _log_prior(mean) for one, mean in zip(odds, _MEANS, strict=True)]
    most = max(odds)
    weights = [exp(one - most) for one in odds]
    total = sum(weights)
    chances = (
        sum(map(float.__mul__, weights, _chances(count))) / total
        for count in range(PAGE_RECORDS)
    )
    return sum(chance <= rare for chance in accumulate(chances)) / PAGE_RECORDS


@cache
def _chances(count: int) -> list[float]:
    """By mean, the chance of so many values on a page."""
    return [exp(log_chance(count, PAGE_RECORDS, mean)) for mean in _MEANS]


def _log_prior(mean: float) -> float:
    """How likely a mean is; steps of the log odds are shorter near 0 and 1."""
    return MEAN[0] * log(mean) + MEAN[1] * log1p(-mean)


def log_chance(
    count: int, records: int, mean: float, concentration: float = CONCENTRATION
) -> float:
    """The logarithm of the beta-binomial chance of so many values in these records."""
    one, other = mean * concentration, (1 - mean) * concentration
    missing = records - count
    ways = lgamma(records + 1) - lgamma(count + 1) - lgamma(missing + 1)
    return ways + _log_beta(count + one, missing + other) - _log_beta(one, other)


def _log_beta(one: float, other: float) -> float:
    return lgamma(one) + lgamma(other) - lgamma(one + other)
