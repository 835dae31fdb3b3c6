"""The features by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from amber_wrap.analysis.features.view import CandidateView

Feature = Callable[[CandidateView], float]
FEATURES: dict[str, Feature] = {}
"""By name, in the order of their modules."""


def feature(function: Feature) -> Feature:
    """Have a function among the features."""
    FEATURES[function.__name__] = function
    return function


STANDING: set[str] = set()
"""The names of those that tell whether a list stands where the results are; further
lists needn't, a carousel of offers is above them."""
ONLY_PRESENCE: set[str] = set()
"""The names of those that tell whether results are shown, not which of the candidates
they are: a pager may stand by the phone's copy, paid results come on top of those that
are counted."""


def feature_of_standing(function: Feature) -> Feature:
    """Have a function among the features that tell whether a list stands where the
    results are."""
    STANDING.add(function.__name__)
    return feature(function)


def feature_of_presence(function: Feature) -> Feature:
    """Have a function among these, but not among those that lists are ranked by."""
    ONLY_PRESENCE.add(function.__name__)
    return feature_of_standing(function)


def features(view: CandidateView) -> Mapping[str, float]:
    """Return all features of a candidate."""
    return {name: function(view) for name, function in FEATURES.items()}
