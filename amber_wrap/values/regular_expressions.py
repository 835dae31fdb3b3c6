"""Compose regular expressions from named patterns, and check regular expressions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from amber_wrap.values.exponential_patterns import is_exponential

# A reference to another pattern. A quantifier such as {2,3} starts with a digit.
PART: Final = re.compile(r"\{([a-z][a-z_:-]*)\}")

# The number of characters of a text that are searched, which bounds the time.
SEARCHED: Final = 4096

# The greatest number of characters of a composed pattern. Built-in domains have 24,000.
_LONGEST: Final = 250_000

# The greatest number of patterns around a pattern. Built-in domains have 6.
_DEEPEST: Final = 50


def compose(name: str, patterns: Mapping[str, str]) -> str:
    """Return the expression of the pattern `name`, in which other patterns replace
    references such as `{number}`.
    """
    return PART.sub(
        lambda reference: f"(?:{compose(reference[1], patterns)})", patterns[name]
    )


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
        return (
            "it can match the same text in several ways, which may take exponential "
            "time: make its repeated parts unambiguous"
        )
    return ""


def fault_of_parts(patterns: Mapping[str, str]) -> tuple[str, str] | None:
    """Return the name of a pattern that can't be composed, and the reason.

    A pattern is composed by replacing references such as `{number}` with the named
    patterns. Return None if all patterns can be composed.
    """
    lengths: dict[str, int] = {}

    def measure(name: str, around: tuple[str, ...]) -> int:
        """Return the length of the pattern `name` after its references are replaced.

        `around` are the names of the patterns that refer to it. Raise ValueError with a
        name and a reason if a pattern can't be composed.
        """
        if len(around) > _DEEPEST:
            raise ValueError(name, f"it is nested in more than {_DEEPEST} others")
        length = len(patterns[name])
        for part_name in PART.findall(patterns[name]):
            if part_name not in patterns:
                raise ValueError(name, f"there is no pattern {part_name!r}")
            if part_name not in lengths:
                lengths[part_name] = measure(part_name, (*around, name))
            length += lengths[part_name] + 4  # For "(?:" and ")".
        if length > _LONGEST:
            raise ValueError(name, f"it has more than {_LONGEST:,} characters")
        return length

    try:
        for name in patterns:
            lengths[name] = measure(name, ())
    except ValueError as error:
        faulty_name, reason = error.args
        return faulty_name, reason
    return None
