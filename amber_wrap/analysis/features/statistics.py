"""Means and logarithmic scales for features."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import log2, sqrt


def mean(values: Iterable[float]) -> float:
    """Return the mean, or 0 for no values."""
    found = list(values)
    return sum(found) / len(found) if found else 0.0


def variation(values: Sequence[float]) -> float:
    """Return the standard deviation of the values divided by their mean, at most 2.

    Return 0 if the mean is 0.
    """
    middle = mean(values)
    if not middle:
        return 0.0
    return min(2.0, sqrt(mean((one - middle) ** 2 for one in values)) / middle)


def log_share(value: float, most: float) -> float:
    """Return `value` on a logarithmic scale from 0 to 1.

    The result is 1 if the value is `most` or greater.
    """
    return min(1.0, log2(1 + value) / log2(1 + most))
