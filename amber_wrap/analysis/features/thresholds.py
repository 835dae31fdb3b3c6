"""The thresholds in the definitions of features, in one object."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class FeatureThresholds:
    """The numbers in the definitions of features.

    `FEATURE` is the instance in use. After a change of a number, run `benchmarks/fit.py
    --write` to fit the models again.
    """

    most_compared: int = 24
    """The number of records whose elements or texts are compared, at most."""
    least_usual_share: float = 0.6
    """The least share of compared records in which a common kind of element occurs."""
    least_alike_share: float = 0.4
    """The least share of kinds of elements that two similar records have in common."""
    longest_period: int = 3
    """The number of elements that a record may be divided into by mistake, at most."""
    shortest_prose: int = 120
    """The least length of prose in characters."""
    longest_heading: int = 60
    """The length of a heading in characters, at most."""
    longest_heading_distance: int = 200
    """The distance in characters between a list and the heading element before the
    list, at most."""
    most_texts_above: int = 2
    """The number of texts directly above a list that may be its heading. The nearest
    text may be a link beside the heading."""
    longest_search: int = 80
    """The length of the text in a search field in characters, at most."""
    longest_pager: int = 400
    """The length of a pager in characters, at most."""
    shortest_far_distance: int = 2000
    """The distance in characters from which on a pager belongs to another list."""
    least_range: int = 3
    """The least number of results in a stated range. "2 of 3" is no range."""
    most_rival_difference: float = 3.0
    """The difference in score up to which another candidate is a rival."""
    most_lead: float = 20.0
    """The largest lead in score over other candidates that counts."""


FEATURE: Final = FeatureThresholds()
"""The thresholds that are in use."""
