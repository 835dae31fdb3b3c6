"""Compose regular expressions from named patterns."""

import re
from collections.abc import Mapping
from typing import Final

from amber_wrap.values.exponential_patterns import is_exponential

# A reference to another pattern. A quantifier such as {2,3} starts with a digit.
PART: Final = re.compile(r"\{([a-z][a-z_:-]*)\}")
# The number of characters of a text that are searched, which bounds the cost.
SEARCHED: Final = 4096
# The greatest number of characters of a composed pattern, and of patterns around one;
# built-in domains have 24,000 and 6.
_LONGEST: Final = 250_000
_DEEPEST: Final = 50


def compose(name: str, patterns: Mapping[str, str]) -> str:
    """Return the regular expression of a named pattern.

    Each reference such as `{number}` is replaced by the expression of another pattern.
    """
    return PART.sub(lambda part: f"(?:{compose(part[1], patterns)})", patterns[name])


def fault_of_pattern(pattern: str) -> str:
    """Return the fault of a regular expression, or "" if the expression is valid.

    A valid expression compiles, isn't too long, and doesn't take exponential time.
    """
    if len(pattern) > _LONGEST:
        return f"it has more than {_LONGEST:,} characters"
    try:
        re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        return str(error) or type(error).__name__
    if is_exponential(pattern):
        return "what it repeats may match a text in several ways, which takes for ever"
    return ""


def fault_of_parts(patterns: Mapping[str, str]) -> tuple[str, str] | None:
    """Return the name of a pattern that can't be composed, and the reason.

    A pattern can't be composed if it refers to an unknown pattern or to itself, or if
    the result is too long. Return None if all patterns can be composed.
    """
    lengths: dict[str, int] = {}

    def measure(name: str, around: tuple[str, ...]) -> int:
        """Return the length of a composed pattern.

        `around` are the patterns that contain the pattern `name`, outer patterns first.
        Raise ValueError with a name and a reason if a pattern can't be composed.
        """
        parts = PART.findall(patterns[name])
        if len(around) > _DEEPEST:
            raise ValueError(name, f"it is within more than {_DEEPEST} others")
        for one in parts:
            if one not in patterns:
                raise ValueError(name, f"there is no pattern {one!r}")
            if one not in lengths:
                lengths[one] = measure(one, (*around, name))
        length = len(patterns[name]) + sum(lengths[one] + 4 for one in parts)
        if length > _LONGEST:
            raise ValueError(name, f"it has more than {_LONGEST:,} characters")
        return length

    try:
        for name in patterns:
            lengths[name] = measure(name, ())
    except ValueError as error:
        name, why = error.args
        return name, why
    return None
