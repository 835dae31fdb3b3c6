"""Linear models on named features: `benchmarks/fit.py` fits them, data ships them."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import exp

WEIGHTS = "weights.toml"
"""The file of the weights, beside this module."""


@dataclass(frozen=True, slots=True)
class Model:
    """A weight for each named feature; the bias is that of "bias"."""

    weights: Mapping[str, float]

    def contributions(self, values: Mapping[str, float]) -> dict[str, float]:
        """What each feature adds to the score."""
        return {
            name: weight * values[name]
            for name, weight in self.weights.items()
            if name in values
        }

    def score(self, values: Mapping[str, float]) -> float:
        """The log-odds, as far as the model is one of probabilities."""
        bias = self.weights.get("bias", 0.0)
        return bias + sum(self.contributions(values).values())

    def probability(self, values: Mapping[str, float]) -> float:
        """The probability, in [0, 1]."""
        return 1 / (1 + exp(-max(-50.0, min(50.0, self.score(values)))))


@cache
def shipped() -> Mapping[str, Model]:
    """The models of the weights that are shipped, by name."""
    text = files("amber_wrap.analysis").joinpath(WEIGHTS).read_text("utf-8")
    return {name: Model(weights) for name, weights in tomllib.loads(text).items()}


_given: dict[str, Model] = {}


def give(weights: Mapping[str, Mapping[str, float]]) -> None:
    """Have models of other weights in this process: those of sites that aren't among
    the measured ones."""
    _given.clear()
    _given.update((name, Model(one)) for name, one in weights.items())


def model(name: str) -> Model:
    """The model of a name."""
    return _given.get(name) or shipped()[name]
