"""Read the words and styles of generated sites, and draw random choices from them."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, Self, TypeVar

DATA = Path(__file__).parent / "data"
"""The folder of words, sentences and styles."""
GAZETTEERS = "data/common/gazetteers"
"""The folder of the place lists, in the package of domains."""
TOWNS = ("uk_towns", "places.gb")
"""The names of the lists of towns."""
COUNTIES = "uk_counties"
"""The name of the list of counties."""
NATIONS = frozenset({"England", "Scotland", "Wales", "Northern Ireland"})
"""The names in the list of counties that are no counties."""


def _read_toml(name: str) -> dict[str, Any]:
    """Return the content of a TOML file in `data/`."""
    return tomllib.loads((DATA / f"{name}.toml").read_text("utf-8"))


@cache
def styles() -> Mapping[str, Mapping[str, Any]]:
    """Return the tables of styles.toml.

    A table has the choices from which the style of one part of a template is drawn.
    """
    return _read_toml("styles")


@cache
def vocabulary() -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """Return the word lists of vocabulary.toml, by group and name."""
    return {
        group: {name: _split_words(words) for name, words in lists.items()}
        for group, lists in _read_toml("vocabulary").items()
    }


def _split_words(words: str) -> tuple[str, ...]:
    """Return the words or phrases of a text.

    Bars separate them if the text has any, otherwise blanks do.
    """
    if "|" not in words:
        return tuple(word.replace("_", " ") for word in words.split())
    return tuple(
        word.strip() for line in words.splitlines() for word in line.split("|")
    )


@cache
def prose() -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """Return the sentences of prose.toml, by domain and subject.

    They have placeholders such as {place}.
    """
    return {
        group: {name: tuple(lines) for name, lines in lists.items()}
        for group, lists in _read_toml("prose").items()
    }


@cache
def gazetteer(name: str) -> tuple[str, ...]:
    """Return the terms of a place list of the package."""
    path = files("amber_wrap.domain") / GAZETTEERS / f"{name}.txt"
    lines = path.read_text("utf-8").splitlines()
    return tuple(line for line in lines if line and not line.startswith("#"))


@cache
def listed_places() -> frozenset[str]:
    """Return the casefolded British places in the lists of the package."""
    return frozenset(
        term.casefold() for name in (*TOWNS, COUNTIES) for term in gazetteer(name)
    )


@cache
def makes() -> Mapping[str, tuple[str, ...]]:
    """Return the models of each make of car. Common makes come first."""
    lines = (DATA / "makes.txt").read_text("utf-8").splitlines()
    pairs = (line.split(": ") for line in lines if line and not line.startswith("#"))
    return {make: tuple(models.split(", ")) for make, models in pairs}


T = TypeVar("T")
GOLDEN, SILVER, BRONZE = (1 + 5**0.5) / 2, 1 + 2**0.5, (3 + 13**0.5) / 2
"""Irrational numbers. Their multiples, taken modulo 1, are spread evenly."""


class Style(SimpleNamespace):
    """The values that were drawn for a site, as attributes of an object.

    The attributes have the names in styles.toml and further names. Values aren't
    changed later.
    """

    def but(self, **changed_values: Any) -> Self:
        """Return a copy in which some values are replaced."""
        return type(self)(**{**vars(self), **changed_values})


def stream(*names: str | int) -> Random:
    """Return a random number generator that is seeded by `names`.

    It gives the same numbers on every machine.
    """
    return Random("/".join(map(str, names)))


def weighted(rng: Random, weights: Mapping[T, float]) -> T:
    """Draw a key, with a probability proportional to its weight."""
    return rng.choices(list(weights), list(weights.values()))[0]


def drawn(rng: Random, style: str) -> dict[str, Any]:
    """Draw a value for each entry of the table `style` in styles.toml, in the table's
    order.
    """
    return {
        name: _drawn_value(rng, choices) for name, choices in styles()[style].items()
    }


def _drawn_value(rng: Random, choices: Any) -> Any:
    """Draw a value from the choices of an entry in styles.toml.

    If `choices` is a number, it is the probability of True. If it is a table of
    weights, or a list of pairs of value and weight, values are drawn by weight. In any
    other list, all elements are equally likely.
    """
    if isinstance(choices, int | float):
        return rng.random() < choices
    if isinstance(choices, Mapping):
        return weighted(rng, choices)
    if isinstance(choices[0], list):
        return weighted(rng, dict(choices))
    return rng.choice(choices)


def some(rng: Random, sequence: Sequence[T], least: int, most: int) -> list[T]:
    """Draw a random number of different elements from a sequence, in random order.

    The number is from `least` to `most`. If the sequence is too short, all its elements
    are returned.
    """
    count = min(rng.randint(least, most), len(sequence))
    return rng.sample(sequence, count)


def skewed(rng: Random, sequence: Sequence[T], power: float = 2.0) -> T:
    """Draw an element of a sequence.

    The higher `power` is, the more often the first elements are drawn.
    """
    return sequence[int(len(sequence) * rng.random() ** power)]


def spread(rank: int, step: float, *names: str | int) -> float:
    """Return a number in [0, 1) for a site's rank, so that any first sites have evenly
    spread numbers.

    The number is the fractional part of `start + rank * step`. `step` is irrational,
    and `names` determine the start.
    """
    return (stream(*names).random() + rank * step) % 1


def quantile(share: float, weights: Mapping[T, float]) -> T:
    """Return the first key at which the sum of the weights exceeds a share of their
    total.
    """
    remaining = share * sum(weights.values())
    for key, weight in weights.items():
        remaining -= weight
        if remaining < 0:
            return key
    return key
