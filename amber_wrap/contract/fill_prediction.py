"""Predict the least share of records with a value in a column on another page.

The prediction rests on the shares on the samples. Pages of one template differ. All
results of one search may have a badge, while few results of another search have a
badge.

The model is beta-binomial. Each column has a mean share of records with a value, which
is drawn from a beta distribution. The share on a page is drawn from another beta
distribution around the mean. `benchmarks/fills.py` estimates the parameters on some
websites, and measures on other websites how often predictions are wrong.
"""

from collections.abc import Sequence
from functools import cache
from itertools import accumulate
from math import exp, lgamma, log, log1p
from typing import Final, NamedTuple

from amber_wrap.contract.thresholds import CONTRACT


class Spread(NamedTuple):
    """The parameters of the beta-binomial model of filled columns.

    `one` and `other` are the parameters of the beta distribution of the columns' means.
    `concentration` is the sum of the two parameters of the beta distribution of pages
    around a mean.
    """

    one: float
    other: float
    concentration: float


SPREAD: Final = Spread(1.42, 0.28, 2.14)
MEANS: Final = tuple(1 / (1 + exp(-at / 4)) for at in range(-32, 33))
"""Mean shares at even steps of their log odds."""


def least_fill(
    samples: Sequence[tuple[int, int]],
    rare: float = CONTRACT.rare,
    spread: Spread = SPREAD,
) -> float:
    """Return a lower bound for the share of records that have a value on another page.

    The fraction `rare` of the pages is expected to be below the bound. `samples` has
    two numbers for each sample: the number of values and the number of records.
    """
    return _least(tuple(sorted(samples)), rare, spread)


@cache
def _least(samples: tuple[tuple[int, int], ...], rare: float, spread: Spread) -> float:
    close = spread.concentration
    odds = [
        # The log-likelihood of a mean; equal steps of log-odds are shorter near 0 and
        # 1.
        spread.one * log(mean)
        + spread.other * log1p(-mean)
        + sum(log_chance(*one, mean, close) for one in samples)
        for mean in MEANS
    ]
    most = max(odds)
    weights = [exp(one - most) for one in odds]
    total = sum(weights)
    chances = (
        sum(map(float.__mul__, weights, _chances(count, close))) / total
        for count in range(CONTRACT.page_records)
    )
    return sum(chance <= rare for chance in accumulate(chances)) / CONTRACT.page_records


@cache
def _chances(count: int, concentration: float) -> list[float]:
    """Return the probability that `count` records of a typical page have a value, for
    each mean share in `MEANS`.

    A typical page has `CONTRACT.page_records` records.
    """
    size = CONTRACT.page_records
    return [exp(log_chance(count, size, one, concentration)) for one in MEANS]


def log_chance(count: int, records: int, mean: float, concentration: float) -> float:
    """Return the natural logarithm of the probability that `count` of `records` have a
    value.

    The distribution is beta-binomial, with the given mean and concentration.
    """
    one, other = mean * concentration, (1 - mean) * concentration
    missing = records - count
    ways = lgamma(records + 1) - lgamma(count + 1) - lgamma(missing + 1)
    return ways + _log_beta(count + one, missing + other) - _log_beta(one, other)


def _log_beta(one: float, other: float) -> float:
    return lgamma(one) + lgamma(other) - lgamma(one + other)
