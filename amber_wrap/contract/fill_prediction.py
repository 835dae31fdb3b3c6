"""Predict the least share of records with a value in a column on another page.

The model is beta-binomial. Each column has a mean share of records with a value, and
the shares on its pages are distributed around the mean. The parameters were fitted to
the columns of a corpus.
"""

from collections.abc import Sequence
from functools import cache
from itertools import accumulate
from math import exp, lgamma, log, log1p
from typing import Final

from amber_wrap.contract.thresholds import CONTRACT

ALPHA: Final = 1.42
"""The first parameter (alpha) of the beta distribution of the columns' mean shares."""
BETA: Final = 0.28
"""The second parameter (beta) of the beta distribution of the columns' mean shares."""
CONCENTRATION: Final = 2.14
"""The sum of the two parameters of the beta distribution of a column's shares on its
pages. If the sum is great, the pages differ little."""
MEANS: Final = tuple(1 / (1 + exp(-step / 4)) for step in range(-32, 33))
"""65 possible mean shares of records with a value, from 0 to 1, at even steps of their
log odds."""


def least_fill(
    samples: Sequence[tuple[int, int]],
    rare: float = CONTRACT.most_unrecognised_failures,
) -> float:
    """Return a share of records with a value in a column, such that hardly any other
    page has a lower share.

    `samples` has (number of values, number of records) for each sample page. `rare` is
    the share of pages that are expected to have a lower share.
    """
    return _least_fill(tuple(sorted(samples)), rare)


@cache
def _least_fill(samples: tuple[tuple[int, int], ...], rare: float) -> float:
    """Return the result of `least_fill` for sorted `samples`."""
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
    """Return, for each mean share in `MEANS`, the probability that `count` records of a
    page have a value.

    The page has `CONTRACT.typical_record_count` records.
    """
    size = CONTRACT.typical_record_count
    return [exp(log_chance(count, size, mean, CONCENTRATION)) for mean in MEANS]


def log_chance(count: int, records: int, mean: float, concentration: float) -> float:
    """Return the natural logarithm of the probability that `count` of `records` records
    have a value.

    `mean` is the mean share of records with a value. A greater `concentration` means
    that pages differ less.
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
