"""Register the features of candidate lists by name, and compute all features of a list.

A candidate is a list on a page that may be the list of results.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from amber_wrap.analysis.features.list_counts import CandidateView

Feature = Callable[[CandidateView], float]
"""A function from a candidate list to a number, mostly from 0 to 1."""
FEATURES: dict[str, Feature] = {}
"""The functions that compute the features of a list, by the name of the feature."""


def feature(function: Feature) -> Feature:
    """Register a function as a feature by its name, and return the function.

    A feature is a number that describes a list that may be the list of results.
    """
    FEATURES[function.__name__] = function
    return function


POSITION_FEATURES: set[str] = set()
"""The names of features of a list's position on its page, including all
`PRESENCE_FEATURES`. Further lists, such as a carousel of offers above the results, are
chosen without these features.
"""
PRESENCE_FEATURES: set[str] = set()
"""The names of features that show whether the page has results, but not which candidate
list has the results.
"""


def feature_of_position(function: Feature) -> Feature:
    """Register a function as a feature of a list's position on its page, and return the
    function.

    The feature isn't used to find further lists of results, which may be anywhere on
    the page.
    """
    POSITION_FEATURES.add(function.__name__)
    return feature(function)


def feature_of_presence(function: Feature) -> Feature:
    """Register a function as a feature that shows whether a page has results, and
    return the function.

    The feature isn't used to rank the lists of one page.
    """
    PRESENCE_FEATURES.add(function.__name__)
    return feature_of_position(function)


def features(view: CandidateView) -> Mapping[str, float]:
    """Return the value of each feature for a candidate list, by the name of the
    feature.
    """
    return {name: function(view) for name, function in FEATURES.items()}
