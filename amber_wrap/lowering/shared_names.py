"""Count the tags and attribute values that two expressions share.

Expressions that share few of them seldom fail on the same page.
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
    """Return alternatives in the order of how many names they share with `names`.

    The fewest come first.  A name is a tag or an attribute value.  The alternatives are
    expressions or readings, and `names_in` returns the names of one.
    """
    return sorted(ways, key=lambda one: common(names, names_in(one)))


def common(some: Set[str], others: Set[str]) -> int:
    """Return the weighted number of names in `some` that resemble a name in `others`.

    Two names resemble each other if one is the beginning of the other.  A tag counts 1.
    An attribute value counts 2, because attribute values change more often.
    """
    return sum(
        1 if " " in one else 2
        for one in some
        if any(one.startswith(other) or other.startswith(one) for other in others)
    )


def expression_names(expressions: Iterable[Expression]) -> set[str]:
    """Return the tags and attribute values in expressions; a tag ends with a blank."""
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
