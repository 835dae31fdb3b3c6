"""Draw choices from seeds: every choice has its own stream of numbers, with a name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from types import SimpleNamespace
from typing import Any, Self, TypeVar

from synthetic.vocabulary import styles

T = TypeVar("T")
GOLDEN, SILVER, BRONZE = (1 + 5**0.5) / 2, 1 + 2**0.5, (3 + 13**0.5) / 2
"""Irrational numbers whose multiples lie most evenly."""


class Style(SimpleNamespace):
    """What was drawn of a site or a part of it, by the names of styles.toml and more.

    Nothing is changed once it is there.
    """

    def but(self, **other: Any) -> Self:
        """Return the same with other values."""
        return type(self)(**{**vars(self), **other})


def stream(*names: str | int) -> Random:
    """Return the random numbers of this name; they are the same on every machine."""
    return Random("/".join(map(str, names)))


def weighted(rng: Random, weights: Mapping[T, float]) -> T:
    """Draw a key, as often as its weight says."""
    return rng.choices(list(weights), list(weights.values()))[0]


def drawn(rng: Random, style: str) -> dict[str, Any]:
    """Draw a value for each name in a table of styles.toml, in its order."""
    return {name: _drawn(rng, choices) for name, choices in styles()[style].items()}


def _drawn(rng: Random, choices: Any) -> Any:
    if isinstance(choices, int | float):
        return rng.random() < choices
    if isinstance(choices, Mapping):
        return weighted(rng, choices)
    if isinstance(choices[0], list):
        return weighted(rng, dict(choices))
    return rng.choice(choices)


def some(rng: Random, of: Sequence[T], least: int, most: int) -> list[T]:
    """Draw from `least` to `most` different elements, in random order."""
    number = min(rng.randint(least, most), len(of))
    return rng.sample(of, number)


def skewed(rng: Random, of: Sequence[T], power: float = 2.0) -> T:
    """Draw an element, the first ones more often: the higher the power, the more so."""
    return of[int(len(of) * rng.random() ** power)]


def spread(rank: int, step: float, *names: str | int) -> float:
    """Return a number in [0, 1) for a rank; those of any run of ranks lie evenly.

    The fractional parts of the multiples of an irrational `step`: of however few sites
    a share is that share, and no site depends on how many there are.
    """
    return (stream(*names).random() + rank * step) % 1


def quantile(at: float, weights: Mapping[T, float]) -> T:
    """Return the key at a share of the sum of the weights."""
    left = at * sum(weights.values())
    for key, weight in weights.items():
        left -= weight
        if left < 0:
            return key
    return key
