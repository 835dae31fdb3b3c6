"""Additive models on named features: `benchmarks/fit.py` fits them, data ships them."""

from __future__ import annotations

import tomllib
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import exp

WEIGHTS = "weights.toml"
"""The file of the models, beside this module."""
BIAS = "bias"
"""The name of the constant term."""


@dataclass(frozen=True, slots=True)
class StepFunction:
    """A step function of a feature: `adds[i]` up to `at[i]`, the last one above all.

    Its mean over the training pages is 0, so that a feature that is left out counts as
    an average one.
    """

    at: Sequence[float]
    adds: Sequence[float]

    def __call__(self, value: float) -> float:
        """Return what a value of the feature adds to the score."""
        return self.adds[bisect_left(self.at, value)]


Term = float | StepFunction
"""What a feature counts: a weight for its value, or steps."""


@dataclass(frozen=True, slots=True)
class AdditiveModel:
    """A term for each named feature, and a bias; the score is their sum."""

    terms: Mapping[str, Term]

    def contributions(self, values: Mapping[str, float]) -> dict[str, float]:
        """Return what each feature adds to the score."""
        return {
            name: term(values[name])
            if isinstance(term, StepFunction)
            else term * values[name]
            for name, term in self.terms.items()
            if name in values
        }

    def score(self, values: Mapping[str, float]) -> float:
        """Return the log-odds, as far as the model is one of probabilities."""
        bias = self.terms.get(BIAS, 0.0)
        assert not isinstance(bias, StepFunction)
        return bias + sum(self.contributions(values).values())

    def probability(self, values: Mapping[str, float]) -> float:
        """Return the probability, in [0, 1]."""
        return 1 / (1 + exp(-max(-50.0, min(50.0, self.score(values)))))


def _added(term: Term, value: float) -> float:
    return term(value) if isinstance(term, StepFunction) else term * value


@cache
def shipped() -> Mapping[str, AdditiveModel]:
    """Return the models that are shipped, by name."""
    text = files("amber_wrap.analysis").joinpath(WEIGHTS).read_text("utf-8")
    return {
        name: AdditiveModel({feature: _term(one) for feature, one in terms.items()})
        for name, terms in tomllib.loads(text).items()
    }


def _term(given: float | Mapping[str, Sequence[float]]) -> Term:
    return given if isinstance(given, float) else StepFunction(**given)


_given: dict[str, AdditiveModel] = {}


def give(models: Mapping[str, Mapping[str, Term]]) -> None:
    """Use other models in this process: those fitted without the measured sites."""
    _given.clear()
    _given.update((name, AdditiveModel(one)) for name, one in models.items())


def model(name: str) -> AdditiveModel:
    """Return the model of a name."""
    return _given.get(name) or shipped()[name]
