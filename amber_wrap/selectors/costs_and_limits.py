"""Define costs of the features that XPath expressions test, and limits of the search.

A feature such as an id has a low cost if it seldom changes.
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
NEIGHBOUR, DRAWING = "neighbour", "drawing"
TAG, PASSING, POSITION, GENERATED = "tag", "passing", "position", "generated"
VETOED = frozenset({PASSING, GENERATED})
"""The kinds of names that often change, such as generated classes. XPath expressions
contain such names only if nothing else works."""

COSTS: dict[str, int] = tomllib.loads(
    files(__package__).joinpath("robustness_costs.toml").read_text("utf-8")
)["costs"]
"""The cost of each kind of feature that an XPath expression may test, such as "class".
Features that seldom change are cheap. Alternative expressions are sought in the order
of the keys."""
ANCHOR_COST = 2
"""The cost that is added to an XPath expression if it tests a feature, such as a class,
of an ancestor of the selected element."""
STEP_COST = 1
"""The cost of a child step in an XPath expression, if the step tests only a tag or a
sibling index."""


@cache
def weakest_family(*families: str) -> str:
    """Return the kind of feature that changes most often, of several such as "id" and
    "class".
    """
    return max(families, key=lambda family: COSTS[family])


@dataclass(frozen=True, slots=True)
class SearchLimits:
    """The numbers that limit the search for XPath expressions for records and fields.

    Shares of records refer to the records of one list on a page.
    """

    most_readings: int = 5
    """The greatest number of alternative sets of XPath expressions for a field."""
    most_locators: int = 4
    """The greatest number of XPath expressions in the best set for a field."""
    most_further_locators: int = 2
    """The greatest number of XPath expressions in each further set for a field."""
    most_records: int = 60
    """The greatest number of records from which XPath expressions for a field are
    generated, and on which the expressions are tried."""
    tried_at_once: int = 32
    """The number of XPath expressions for a field that are tried in one batch. The
    first batch has the expressions that were generated from the most records. No
    further batch is tried if a batch has a good expression."""
    most_wrong_share: float = 0.2
    """The greatest share of wrong values among the values that a good XPath expression
    reads. Records in which the analysis found no value don't count. If no expression is
    good, further expressions are tried."""
    further_tried_at_once: int = 8
    """The number of XPath expressions that are tried in one batch for each set of
    expressions after the first."""
    least_gain_share: float = 0.9
    """The gain that an alternative set of XPath expressions for a field must have, as a
    share of the best set's gain. The gain is roughly the number of right values minus
    the number of wrong values."""
    unknown_value_gain: float = -0.5
    """The number that a value adds to the rating of an XPath expression, in a record
    whose right value isn't known. A right value adds 1, and a wrong value -1."""
    skipping_gain: float = 0.75
    """The number that a right value adds to the rating of an XPath expression which
    also selects another text. On another page, the other text may be taken for the
    value. A right value of any other expression adds 1."""
    least_origin_share: float = 0.2
    """The least share of a field's values that an XPath expression must come from, if
    the expression is to get a looser copy. The copy selects elements with any tag."""
    levels_above: int = 3
    """The number of ancestors of a value's element in whose texts a regular expression
    may find the value."""
    most_test_records: int = 12
    """The greatest number of records from which tests of records, and expressions for
    landmark elements, are generated. A landmark element occurs once in nearly each
    record."""
    most_record_tests: int = 24
    """The greatest number of paths to values that are tried as tests of records. Such a
    test accepts a node if the path selects an element within the node."""
    most_record_locators: int = 6
    """The greatest number of alternative expressions for the records of a list."""
    extra_per_missed: int = 8
    """The weight of a record that an expression for records misses. A wrongly selected
    node weighs only 1, since it may be a record that the analysis missed."""
    most_landmarks_tried: int = 40
    """The greatest number of expressions that are tried for landmark elements, which
    occur once in nearly each record."""
    most_landmarks: int = 3
    """The greatest number of expressions that are kept for landmark elements, which
    occur once in nearly each record."""
    least_record_share: float = 0.8
    """The least share of the known records that an expression for records must select.
    Also the least share of the records in which a landmark element must occur."""
    most_landmark_errors: float = 0.1
    """The greatest number of errors of an expression for landmark elements, as a share
    of a page's records. Such an expression should select one element in each record.
    Errors are records with several selected elements, and selected elements outside of
    records."""


SEARCH: Final = SearchLimits()
"""The limits that the search for XPath expressions uses."""
