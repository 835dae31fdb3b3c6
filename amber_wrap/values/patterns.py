"""Patterns that are composed of others."""

import re
from collections.abc import Mapping
from typing import Final

# What stands for another pattern; a quantifier such as {2,3} begins with a digit.
PART: Final = re.compile(r"\{([a-z][a-z_:-]*)\}")
# So much of a text is searched for a value: what a pattern costs has a bound.
SEARCHED: Final = 4096
# Characters of a composed pattern, and patterns within each other: built-in domains
# have 24,000 and 6.
LONGEST: Final = 250_000
_DEEPEST: Final = 50


def compose(name: str, patterns: Mapping[str, str]) -> str:
    """A pattern as one regular expression, its parts filled in."""
    return PART.sub(lambda part: f"(?:{compose(part[1], patterns)})", patterns[name])


def fault_of_parts(patterns: Mapping[str, str]) -> str:
    """What keeps patterns from being composed, "" if nothing does: a part that isn't
    there, a circle, or more than can be compiled."""
    lengths: dict[str, int] = {}

    def measure(name: str, depth: int) -> int:
        """The length of a pattern; raises ValueError."""
        if name not in patterns:
            raise ValueError(f"there is no pattern {name!r}")
        if depth > _DEEPEST:
            raise ValueError(f"{name!r} is one of more than {_DEEPEST} in each other")
        if name not in lengths:
            parts = PART.findall(patterns[name])
            within = sum(measure(one, depth + 1) + 4 for one in parts)
            lengths[name] = len(patterns[name]) + within
        if lengths[name] > LONGEST:
            raise ValueError(f"{name!r} has more than {LONGEST:,} characters")
        return lengths[name]

    try:
        for name in patterns:
            measure(name, 1)
    except ValueError as error:
        return str(error)
    return ""
