"""Predict the least share of records with a value in a column on another page.

The model is beta-binomial: a column has a mean share of records with a value, from
which the shares on its pages differ. Both shares are beta-distributed, with the
parameters under which the columns of the corpus are likeliest.
"""

from collections.abc import Sequence
from functools import cache
from itertools import accumulate
from math import exp, lgamma, log, log1p
from typing import Final

from amber_wrap.contract.thresholds import CONTRACT

ALPHA: Final = 1.42
"""The first parameter of the distribution of the columns' mean shares."""
BETA: Final = 0.28
"""The second parameter of this distribution."""
CONCENTRATION: Final = 2.14
"""The sum of the parameters of the distribution of a column's share on a page.  If it
is great, pages differ little."""
MEANS: Final = tuple(1 / (1 + exp(-step / 4)) for step in range(-32, 33))
"""The possible mean shares of records with a value: 65 numbers between 0 and 1, at even
steps of their log odds."""


def least_fill(
    samples: Sequence[tuple[int, int]],
    rare: float = CONTRACT.most_unrecognised_failures,
) -> float:
    """Return the share of records with a value in a column that hardly any other page
    goes below.

    `samples` has (number of values, number of records) for each sample page. A fraction
    `rare` of all pages is expected to go below the result.
    """
    return _least_fill(tuple(sorted(samples)), rare)


@cache
def _least_fill(samples: tuple[tuple[int, int], ...], rare: float) -> float:
    """Return the result of `least_fill` for sorted `samples`, and cache it."""
    log_likelihoods = [
        # Equal steps of log odds are shorter near the shares 0 and 1.
        ALPHA * log(mean)
        + BETA * log1p(-mean)
        + sum(
            log_chance(value_count, record_count, mean, CONCENTRATION)
            for value_count, record_count in samples
        )
        for mean in MEANS
    ]
    greatest = max(log_likelihoods)
    weights = [exp(likelihood - greatest) for likelihood in log_likelihoods]
    total = sum(weights)
    chances = (
        sum(weight * one for weight, one in zip(weights, by_mean, strict=True)) / total
        for by_mean in map(_chances_by_mean, range(CONTRACT.typical_record_count))
    )
    rare_counts = sum(chance <= rare for chance in accumulate(chances))
    return rare_counts / CONTRACT.typical_record_count


@cache
def _chances_by_mean(count: int) -> list[float]:
    """Return the probabilities that `count` records of a page of typical length have a
    value.

    There is one probability for each expected share in `MEANS`.
    """
    size = CONTRACT.typical_record_count
    return [exp(log_chance(count, size, mean, CONCENTRATION)) for mean in MEANS]


def log_chance(count: int, records: int, mean: float, concentration: float) -> float:
    """Return the natural logarithm of the probability that `count` of `records` records
    have a value.

    `mean` is the expected share of records with a value, and `concentration` says how
    little pages differ from it.
    """
    alpha, beta = mean * concentration, (1 - mean) * concentration
    missing = records - count
    log_choices = lgamma(records + 1) - lgamma(count + 1) - lgamma(missing + 1)
    return (
        log_choices + _log_beta(count + alpha, missing + beta) - _log_beta(alpha, beta)
    )


def _log_beta(alpha: float, beta: float) -> float:
    """Return the natural logarithm of the beta function."""
    return lgamma(alpha) + lgamma(beta) - lgamma(alpha + beta)
