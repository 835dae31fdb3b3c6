"""Linear models on named features: `benchmarks/fit.py` fits them, data ships them."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import exp

from amber_wrap.errors import AmberError

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
def model(name: str) -> Model:
    """A model of the weights that are shipped; raises AmberError for an unknown one."""
    text = files("amber_wrap.analysis").joinpath(WEIGHTS).read_text("utf-8")
    found = tomllib.loads(text).get(name)
    if found is None:
        raise AmberError(f"{WEIGHTS} has no model {name!r}: fit it anew")
    return Model(found)
