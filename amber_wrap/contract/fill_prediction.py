"""Predict the least share of records with a value in a column on another page.

The prediction rests on the shares on the sample pages. Pages of one website differ. For
example, all results of one search may have a badge, while few results of another search
have a badge.

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
    """The parameters of the beta-binomial model of the share of records with a value.

    Each column has a mean share of records with a value. `alpha` and `beta` are the
    parameters of the beta distribution of these means. The share on a page has another
    beta distribution around the mean. `concentration` is the sum of the two parameters
    of this distribution. If `concentration` is great, pages differ little.
    """

    alpha: float
    beta: float
    concentration: float


SPREAD: Final = Spread(1.42, 0.28, 2.14)
"""The default parameters of the model, which `benchmarks/fills.py` estimated."""
MEANS: Final = tuple(1 / (1 + exp(-step / 4)) for step in range(-32, 33))
"""The possible mean shares of records with a value: 65 numbers between 0 and 1, at even
steps of their log odds."""


def least_fill(
    samples: Sequence[tuple[int, int]],
    rare: float = CONTRACT.most_unrecognised_failures,
    spread: Spread = SPREAD,
) -> float:
    """Return a lower bound for the share of a page's records with a value in a column.

    The page isn't a sample page. `samples` has two numbers for each sample page: the
    number of values in the column and the number of records. `rare` is the fraction of
    pages that is expected to be below the bound. `spread` has the parameters of the
    model of shares.
    """
    return _least_fill(tuple(sorted(samples)), rare, spread)


@cache
def _least_fill(
    samples: tuple[tuple[int, int], ...], rare: float, spread: Spread
) -> float:
    """Return a lower bound for the share of a page's records with a value in a column.

    This is the cached part of `least_fill`, which describes the parameters. `samples`
    must be sorted, so that equal samples in another order share a cached result.
    """
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
    """Return the probabilities that exactly `count` records of a typical page have a
    value.

    The result has a probability for each mean share of records with a value in `MEANS`.
    A typical page has `CONTRACT.typical_record_count` records. `concentration` is
    described in `Spread`.
    """
    size = CONTRACT.typical_record_count
    return [exp(log_chance(count, size, mean, concentration)) for mean in MEANS]


def log_chance(count: int, records: int, mean: float, concentration: float) -> float:
    """Return the natural logarithm of the probability that exactly `count` records of a
    page with `records` records have a value in a column.

    The number of such records has a beta-binomial distribution. `mean` is the expected
    share of records with a value. `concentration` is described in `Spread`.
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
