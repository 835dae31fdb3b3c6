"""Numbers for computing the features by which lists of a page are compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class FeatureThresholds:
    """The thresholds for computing features, with the instance `FEATURE`.

    After a change, run `benchmarks/fit.py --write` to fit the models again.
    """

    most_compared: int = 24
    """The greatest number of records whose elements or texts are compared."""
    least_usual_share: float = 0.6
    """A kind of elements (same tag, classes and parent's tag) is common in a list if at
    least this share of the compared records has such an element.
    """
    least_alike_share: float = 0.4
    """Two records are similar if they have at least this share of kinds of elements in
    common.
    """
    longest_period: int = 3
    """The greatest number of records into which a list may wrongly divide one
    result."""
    shortest_prose: int = 120
    """The least length in characters of a text node that counts as prose."""
    longest_heading: int = 60
    """The greatest length of a heading in characters."""
    longest_heading_distance: int = 200
    """The greatest distance in characters between a list and the heading element before
    the list."""
    most_texts_above: int = 2
    """The number of texts directly above a list that may be its heading. The nearest
    text may be a link beside the heading."""
    longest_search: int = 80
    """The greatest length in characters of a text in a search field."""
    longest_pager: int = 400
    """The greatest length in characters of a pager, a row of links to pages of
    results."""
    shortest_far_distance: int = 2000
    """A pager (row of links to pages of results) at least this number of characters
    away from a list belongs to another list.
    """
    least_range: int = 3
    """The least number of results in a range that the page states, such as "1 - 20".
    The text "2 of 3" is no such range."""
    most_rival_difference: float = 3.0
    """A rival of a list is another list with a higher score, or with a score that is
    lower by less than this number."""
    most_lead: float = 20.0
    """The greatest lead in score over other lists of the page. A greater lead counts as
    this number."""


FEATURE: Final = FeatureThresholds()
"""The thresholds by which all modules compute features of lists."""
