"""What an expression may rest on, by family, and what that costs."""

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
"""What names with a veto rest on: only where nothing else tells."""

COSTS: dict[str, int] = tomllib.loads(
    files(__package__).joinpath("robustness_costs.toml").read_text("utf-8")
)["costs"]
"""By family, the cheapest first: less is better."""
ANCHOR_COST = 2
"""What a second anchor, above the one of the element itself, adds."""
STEP_COST = 1
"""What each step without an anchor adds."""


@cache
def weakest(*families: str) -> str:
    """The family of an expression that rests on several: the most expensive."""
    return max(families, key=lambda family: COSTS[family])
