"""Count the tags and attribute values that two expressions share.

Two expressions that share few names seldom fail on the same page.
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

    The least similar is first.  A name is a tag or an attribute value.  `names_in`
    returns the names in an expression or reading.
    """
    return sorted(ways, key=lambda one: common(names, names_in(one)))


def common(some: Set[str], others: Set[str]) -> int:
    """Return the weighted number of names in `some` that resemble a name in `others`.

    Two names resemble each other if one is the beginning of the other.  A tag counts 1,
    and an attribute value counts 2.
    """
    return sum(
        1 if " " in one else 2  # Attribute values change more often than tags.
        for one in some
        if any(one.startswith(other) or other.startswith(one) for other in others)
    )


def expression_names(expressions: Iterable[Expression]) -> set[str]:
    """Return the tags and attribute values in expressions.

    A blank at the end distinguishes a tag from an attribute value: `"li "`.
    """
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
