"""Check the regular expressions of a wrapper."""

from __future__ import annotations

from collections.abc import Mapping

from amber_wrap.errors import WrapperError
from amber_wrap.values.regular_expressions import (
    PART,
    compose,
    fault_of_parts,
    fault_of_pattern,
)
from amber_wrap.wrapper.ir import Wrapper


def check_patterns(wrapper: Wrapper) -> None:
    """Raise WrapperError if a regular expression of a wrapper is invalid, or may take
    exponential time.

    The error names the pattern.
    """
    patterns = dict(wrapper.patterns)
    if parts_fault := fault_of_parts(patterns):
        raise _pattern_error(*parts_fault)
    # Parts are checked within the patterns that contain them. If one of these is
    # invalid, all patterns are checked alone, to name the cause.
    parts = {part for pattern in patterns.values() for part in PART.findall(pattern)}
    if any(_fault(name, patterns) for name in patterns if name not in parts):
        for name in patterns:
            if fault := _fault(name, patterns):
                raise _pattern_error(name, fault)


def _pattern_error(name: str, fault: str) -> WrapperError:
    """Return the error for an invalid regular expression of a wrapper.

    `name` is the name of the regular expression, and `fault` says what is wrong.
    """
    message = f"the pattern {name!r} is invalid: {fault}"
    return WrapperError(message, ("patterns", name))


def _fault(name: str, patterns: Mapping[str, str]) -> str:
    """Return what is wrong with a regular expression of a wrapper, or "" if it is
    valid.

    A valid expression compiles, isn't too long, and doesn't take exponential time.
    """
    return fault_of_pattern(compose(name, patterns))
