"""The features by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from amber_wrap.analysis.features.view import View

Feature = Callable[[View], float]
FEATURES: dict[str, Feature] = {}
"""By name, in the order of their modules."""


def feature(function: Feature) -> Feature:
    """Have a function among the features."""
    FEATURES[function.__name__] = function
    return function


def features(view: View) -> Mapping[str, float]:
    """All features of a candidate."""
    return {name: function(view) for name, function in FEATURES.items()}
