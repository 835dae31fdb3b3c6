"""Predict the least share of records with a value in a column on another page.

The model is beta-binomial, with parameters estimated by `benchmarks/fills.py`.
"""

from collections.abc import Sequence
from functools import cache
from itertools import accumulate
from math import exp, lgamma, log, log1p
from typing import Final, NamedTuple

from amber_wrap.contract.thresholds import CONTRACT


class Spread(NamedTuple):
    """The parameters of a beta-binomial model, for the share of records with a value in
    a column."""

    alpha: float
    """The first parameter of the beta distribution of the columns' mean shares."""
    beta: float
    """The second parameter of this distribution."""
    concentration: float
    """The sum of the parameters of the beta distribution of a column's share on a page.
    If it is great, pages differ little."""


SPREAD: Final = Spread(1.42, 0.28, 2.14)
"""The default parameters of the model, which `benchmarks/fills.py` estimated."""
MEANS: Final = tuple(1 / (1 + exp(-step / 4)) for step in range(-32, 33))
"""65 possible mean shares of records with a value, from 0 to 1, at even steps of their
log odds."""


def least_fill(
    samples: Sequence[tuple[int, int]],
    rare: float = CONTRACT.most_unrecognised_failures,
    spread: Spread = SPREAD,
) -> float:
    """Return a share of records with a value in a column, such that hardly any other
    page has a lower share.

    `samples` has (number of values, number of records) for each sample page. `rare` is
    the share of pages that are expected to have a lower share.
    """
    return _least_fill(tuple(sorted(samples)), rare, spread)


@cache
def _least_fill(
    samples: tuple[tuple[int, int], ...], rare: float, spread: Spread
) -> float:
    """Return the result of `least_fill` for sorted `samples`, and cache it."""
    concentration = spread.concentration
    log_likelihoods = [
        # Equal steps of log odds are shorter near the shares 0 and 1.
        spread.alpha * log(mean)
        + spread.beta * log1p(-mean)
        + sum(
            log_chance(value_count, record_count, mean, concentration)
            for value_count, record_count in samples
        )
        for mean in MEANS
    ]
    greatest = max(log_likelihoods)
    weights = [exp(likelihood - greatest) for likelihood in log_likelihoods]
    total_weight = sum(weights)
    chances = (
        sum(
            weight * chance
            for weight, chance in zip(
                weights, _chances_by_mean(count, concentration), strict=True
            )
        )
        / total_weight
        for count in range(CONTRACT.typical_record_count)
    )
    rare_counts = sum(chance <= rare for chance in accumulate(chances))
    return rare_counts / CONTRACT.typical_record_count


@cache
def _chances_by_mean(count: int, concentration: float) -> list[float]:
    """Return the probabilities that `count` records of a page of typical length have a
    value.

    The page has `CONTRACT.typical_record_count` records.
    """
    size = CONTRACT.typical_record_count
    return [exp(log_chance(count, size, mean, concentration)) for mean in MEANS]


def log_chance(count: int, records: int, mean: float, concentration: float) -> float:
    """Return the natural logarithm of the probability that `count` of `records` records
    have a value.

    `mean` is the expected share of records with a value. `Spread` describes
    `concentration`.
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
