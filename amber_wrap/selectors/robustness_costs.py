"""Rate the kinds of features that an XPath expression may test, each by a cost."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files

SEMANTIC, ID, LABEL, ELEMENT, LINK, CLASS, SHAPE, STEM, CONTAINER, TAG = (
    *("semantic", "id", "label", "element", "link", "class", "shape", "stem"),
    *("container", "tag"),
)
PASSING, POSITION, GENERATED = "passing", "position", "generated"
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
def weakest(*families: str) -> str:
    """Return the most expensive of several kinds of features.

    An expression that tests several features has the kind of the most expensive
    feature.
    """
    return max(families, key=lambda family: COSTS[family])
