"""Read and evaluate additive models, whose score is the sum of one amount per feature.

A feature is a number that describes a candidate list, such as its share of links.

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
    """A function from the value of a feature to the amount that is added to a score.

    `at` has the limits of the steps in ascending order. `adds[i]` is the amount for
    values above `at[i - 1]` and up to `at[i]`. The last of `adds` is the amount for
    values above all limits.
    """

    at: Sequence[float]
    adds: Sequence[float]

    def __call__(self, value: float) -> float:
        """Return the amount that a feature with the value `value` adds to the score."""
        return self.adds[bisect_left(self.at, value)]


Term = float | StepFunction
"""The term of a feature: a weight to multiply by the feature's value, or a step
function of the value.
"""


@dataclass(frozen=True, slots=True)
class AdditiveModel:
    """A model whose score is a constant, the bias, plus one amount for each feature.

    `terms` maps the name of a feature to a term, which gives the amount. The term is a
    number by which the feature's value is multiplied, or a `StepFunction` of the value.
    The key "bias" maps to the bias.
    """

    terms: Mapping[str, Term]

    def contributions(self, feature_values: Mapping[str, float]) -> dict[str, float]:
        """Return the amount that each feature adds to the score, by feature name.

        `feature_values` maps feature names to values. Features without a term or
        without a value are left out.
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
        """Return the bias plus the contributions of all features.

        `feature_values` maps feature names to values. For a model of a probability, the
        score is the log-odds of the probability.
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
    """Return what turns a feature's value into an amount, as read from `weights.toml`.

    A number, by which the value is multiplied, is returned unchanged. A table with the
    keys `at` and `adds` becomes a `StepFunction`.
    """
    return toml_value if isinstance(toml_value, float) else StepFunction(**toml_value)


_replacements: dict[str, AdditiveModel] = {}
"""The models, by name, that are used instead of models in `weights.toml`."""


def use_models(models: Mapping[str, Mapping[str, Term]]) -> None:
    """Use `models` instead of the models of the same names in `weights.toml`.

    `models` maps the name of each model to the model's terms, which are weights or step
    functions by feature name. The change applies to the whole process. A second call
    replaces the models of the first call.
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
