"""Compute how sure a share is that was counted on few records."""

from __future__ import annotations

from math import comb, sqrt
from typing import Final

Z: Final = 1.96
"""The quantile of the standard normal distribution for a 95 % interval."""


def wilson_interval(count: float, total: int) -> tuple[float, float]:
    """Return the 95 % Wilson score interval (1927) of the share `count` / `total`.

    Return (0, 1) if `total` is 0.
    """
    if not total:
        return 0.0, 1.0
    share, z_term = count / total, Z * Z / total
    centre = share + z_term / 2
    margin = Z * sqrt(max(0.0, share * (1 - share)) / total + z_term / total / 4)
    return (centre - margin) / (1 + z_term), (centre + margin) / (1 + z_term)


def chance_of_unseen(odd: int, total: int, seen: int) -> float:
    """Return the probability (0 to 1) that by chance `odd` or more of `total` values
    are new.

    A value is new if it is unlike all `seen` earlier values. The probability follows
    Laplace's rule of succession (1814).
    """
    return comb(seen + 1 + total - odd, seen + 1) / comb(seen + 1 + total, seen + 1)
