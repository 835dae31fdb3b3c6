"""Set the costs of kinds of features, and the limits of the search for XPath
expressions.

A feature is a property of an element that an expression tests. Ids and classes, for
example, are two kinds of features. A kind has a low cost if features of this kind
seldom change.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

SEMANTIC, ID, LABEL = "semantic", "id", "label"
ELEMENT, LINK, CLASS = "element", "link", "class"
SHAPE, STEM, CONTAINER = "shape", "stem", "container"
TAG, PASSING, POSITION, GENERATED = "tag", "passing", "position", "generated"
VETOED = frozenset({PASSING, GENERATED})
"""The kinds of unstable names, which are tested only if nothing else works."""

COSTS: dict[str, int] = tomllib.loads(
    files(__package__).joinpath("robustness_costs.toml").read_text("utf-8")
)["costs"]
"""The cost of each kind of feature, the cheapest first. Robust features are cheap."""
ANCHOR_COST = 2
"""The cost of a second anchor (a step that tests a feature), added to the cost of its
family."""
STEP_COST = 1
"""The cost of each step without an anchor."""


@cache
def weakest_family(*families: str) -> str:
    """Return the most expensive of several kinds of features, such as "id" and "class".

    Features of an expensive kind often change. An XPath expression that tests several
    features counts as a test of the most expensive kind.
    """
    return max(families, key=lambda family: COSTS[family])


@dataclass(frozen=True, slots=True)
class SearchLimits:
    """The limits of the search for XPath expressions: what is tried, and what is kept.

    Shares of records refer to the records of one list on a page.
    """

    most_readings: int = 5
    """The greatest number of readings of a field. A reading is a set of locators that
    together read the field."""
    most_locators: int = 4
    """The greatest number of locators of the first reading."""
    most_further_locators: int = 2
    """The greatest number of locators of each further reading."""
    most_records: int = 60
    """The greatest number of records from which candidates for a locator are generated,
    and on which the candidates are tried."""
    tried_at_once: int = 32
    """The number of candidates for a locator that are tried at a time. Candidates from
    the most records come first. The trials end at a batch with a good candidate."""
    most_wrong_share: float = 0.2
    """The greatest share of wrong values among the values that a good candidate reads.
    A candidate from fewer records may read no old price, for example."""
    further_tried_at_once: int = 8
    """The number of candidates for a locator of a further reading that are tried at a
    time."""
    least_gain_share: float = 0.9
    """The share of the first reading's gain that another reading must reach."""
    unknown_value_gain: float = -0.5
    """The gain of a value that a locator reads where no value is known. The value costs
    less than a wrong value, since the annotators may have missed a right value."""
    skipping_gain: float = 0.75
    """The gain of a right value if another selected text may be taken for the value on
    another page: it is no bare number, or it matches in another cell of a row."""
    least_origin_share: float = 0.2
    """The least share of the records with a value from which a locator of a further
    reading must be generated."""
    levels_above: int = 3
    """The number of ancestors of a value's element whose text a pattern may search for
    the value."""
    most_test_records: int = 12
    """The greatest number of records from which tests and landmark elements of records
    are generated."""
    most_record_tests: int = 24
    """The greatest number of paths to attributes that are tried as tests of a
    record."""
    most_record_locators: int = 6
    """The greatest number of record locators that are kept."""
    extra_per_missed: int = 8
    """The number of extra records that weighs as much as one missed record. Many extra
    records are right, since the analysis misses some."""
    most_landmarks_tried: int = 40
    """The greatest number of expressions that are tried as expressions for landmark
    elements of records."""
    most_landmarks: int = 3
    """The greatest number of expressions for landmark elements that are kept."""
    least_record_share: float = 0.8
    """The least share of the records that a locator must select, or that must contain a
    landmark element. A sponsored record may differ."""
    most_landmark_errors: float = 0.1
    """The greatest number of records with two landmark elements, and of landmark
    elements outside of records, as a share of a page's records. Errors are allowed if
    no expression is free of errors, since the analysis may miss or merge some
    records."""


SEARCH: Final = SearchLimits()
"""The limits that are in use."""
