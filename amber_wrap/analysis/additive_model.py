"""Read and evaluate the models that rate the lists of a page by the sum of one amount
per feature.

`benchmarks/fit.py` fits the models and stores them in `weights.toml`.
"""

from __future__ import annotations

import tomllib
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import exp

WEIGHTS = "weights.toml"
"""The name of the file with the fitted models, in the folder of this module."""
BIAS = "bias"
"""The name of a model's constant term in `weights.toml`."""


@dataclass(frozen=True, slots=True)
class StepFunction:
    """A function with steps, from the value of a feature to an amount of the score."""

    at: Sequence[float]
    """The limits of the steps in ascending order."""
    adds: Sequence[float]
    """The amount up to and including each limit, and last the amount above all limits.
    """

    def __call__(self, value: float) -> float:
        """Return the amount that a feature with the value `value` adds to the score."""
        return self.adds[bisect_left(self.at, value)]


Term = float | StepFunction
"""The term of a feature: a weight to multiply by the feature's value, or a step
function of the value.
"""


@dataclass(frozen=True, slots=True)
class AdditiveModel:
    """A model whose score is a constant plus one amount for each feature."""

    terms: Mapping[str, Term]
    """The terms by feature name, and the constant under the key "bias"."""

    def contributions(self, feature_values: Mapping[str, float]) -> dict[str, float]:
        """Return the amount that each feature adds to the score, by feature name.

        Features without a value, and features that the model doesn't use, are left out.
        """
        amounts: dict[str, float] = {}
        for feature, term in self.terms.items():
            if feature in feature_values:
                value = feature_values[feature]
                amounts[feature] = (
                    term(value) if isinstance(term, StepFunction) else term * value
                )
        return amounts

    def score(self, feature_values: Mapping[str, float]) -> float:
        """Return the sum of the model's constant and the amounts of all features.

        If the model estimates a probability, the sum is the log-odds of the
        probability.
        """
        bias = self.terms.get(BIAS, 0.0)
        assert not isinstance(bias, StepFunction)
        return bias + sum(self.contributions(feature_values).values())

    def probability(self, feature_values: Mapping[str, float]) -> float:
        """Return the probability from 0 to 1 whose log-odds are the score.

        `feature_values` maps feature names to values.
        """
        return 1 / (1 + exp(-max(-50.0, min(50.0, self.score(feature_values)))))


@cache
def shipped_models() -> Mapping[str, AdditiveModel]:
    """Return the models in the file `weights.toml` of this package, by their names."""
    text = files("amber_wrap.analysis").joinpath(WEIGHTS).read_text("utf-8")
    return {
        name: AdditiveModel({feature: _term(term) for feature, term in terms.items()})
        for name, terms in tomllib.loads(text).items()
    }


def _term(toml_value: float | Mapping[str, Sequence[float]]) -> Term:
    """Return a number from `weights.toml` unchanged, or convert a table to a
    `StepFunction`.
    """
    return toml_value if isinstance(toml_value, float) else StepFunction(**toml_value)


_replacements: dict[str, AdditiveModel] = {}
"""The models, by name, that are used instead of models in `weights.toml`."""


def use_models(models: Mapping[str, Mapping[str, Term]]) -> None:
    """Replace the models of `weights.toml` by the models of the same names in `models`.

    The replacement is valid in this process, until the next call.
    """
    _replacements.clear()
    for name, terms in models.items():
        _replacements[name] = AdditiveModel(terms)


def fitted_model(name: str) -> AdditiveModel:
    """Return the model called `name`, as set by `use_models` or read from
    `weights.toml`.

    Raise KeyError if there is no model with the name.
    """
    return _replacements.get(name) or shipped_models()[name]
