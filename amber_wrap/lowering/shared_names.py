"""Count the names (tags and attribute values) that expressions share.

Two expressions that share no names seldom fail together.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Set
from typing import TypeVar

from amber_wrap.wrapper.xpath import Expression, Heading, Pinned

Way = TypeVar("Way")
_QUOTED = re.compile("[\"'] ?(.*?) ?[\"']")


def by_likeness(
    names: Set[str], ways: Iterable[Way], names_in: Callable[[Way], Set[str]]
) -> list[Way]:
    """Return expressions or readings, sorted by how many names they share with `names`.

    Those with the fewest shared names come first. A name is a tag or an attribute
    value; `names_in` returns the names of an expression or reading.
    """
    return sorted(ways, key=lambda one: common(names, names_in(one)))


def common(some: Set[str], others: Set[str]) -> int:
    """Return the weighted number of names in `some` that are related to a name in
    `others`.

    Two names are related if one is the beginning of the other. A tag counts 1 and an
    attribute value 2, because classes are changed more often.
    """
    return sum(
        1 if " " in one else 2
        for one in some
        if any(one.startswith(other) or other.startswith(one) for other in others)
    )


def expression_names(expressions: Iterable[Expression]) -> set[str]:
    """Return the tags in expressions, and the attribute values that they test."""
    names: set[str] = set()
    for one in expressions:
        if isinstance(one, Heading):
            names.add(f"{one.tag} ")
            continue
        if isinstance(one, Pinned):
            continue  # An expression that a person wrote gets no substitute.
        names.update(f"{step.name} " for step in one.steps if step.name != "*")
        names.update(name for test in one.quoted for name in _QUOTED.findall(test))
    return names - {""}
