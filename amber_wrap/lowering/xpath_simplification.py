"""Simplify the XPath expressions of a wrapper for the generated file, and compare them.

Expressions are compared by the tags and attribute values that they share. Two
expressions that share few names seldom fail on the same page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Set
from typing import TypeVar

from amber_wrap.wrapper.ir import Locator, RecordLocator
from amber_wrap.wrapper.xpath import Expression, Heading, Pinned

NOT_BLANK = "[normalize-space() or descendant-or-self::*/@*]"
"""A predicate that excludes blank elements (`dom.markup.is_blank`)."""
_STRINGS = "text()[normalize-space()]"
"""A step to the child text nodes that aren't blank."""
_TOKEN = re.compile(
    r'contains\(concat\(" ", normalize-space\(@([\w-]+)\), " "\), " ([^"\s]+) "\)'
)
_STEM = re.compile(
    r'contains\(concat\(" ", normalize-space\(@([\w-]+)\)\), " ([^"\s]+)"\)'
)
HTML_BODY = re.compile(r"^(?:/html)?/+body(?=//)")
Way = TypeVar("Way")
_QUOTED = re.compile("[\"'] ?(.*?) ?[\"']")


def joined(place: RecordLocator) -> str:
    """Return one XPath expression for the records that a record locator selects."""
    if isinstance(place.record, Pinned):
        return str(place.record)
    path = str(place.record).removeprefix(".") + place.rise
    path = f"{place.root}{path}"
    return plainer(HTML_BODY.sub("", path))


def value_paths(locator: Locator) -> Iterator[str]:
    """Yield XPath expressions for the value of a locator, the simplest first.

    The expressions are relative to the first element of a record.
    """
    xpath = str(locator.xpath)
    plain = xpath if isinstance(locator.xpath, Pinned) else plainer(xpath)
    for path in dict.fromkeys((plain, xpath)):
        yield from _read(path, locator)


def _read(path: str, locator: Locator) -> Iterator[str]:
    source = locator.source
    if locator.row:
        below = path.removeprefix(".")
        below = below if below.startswith("/") or not below else f"/{below}"
        for rows in ("", NOT_BLANK):
            yield from _sourced(
                f"following-sibling::*{rows}[{locator.row}]{below}", source
            )
    else:
        yield from _sourced(path, source)


def _sourced(path: str, source: str) -> Iterator[str]:
    if source[0] == "@":
        yield f"{path}/{source}"
    elif source == "own-text":
        yield f"{path}/text()"
        yield f"({path})[1]/text()"
        yield f"{path}/{_STRINGS}"
        yield path
        yield f"{path}/*/{_STRINGS}"
    elif source in ("first-line", "last-line"):
        yield f"{path}/{_STRINGS}[{'1' if source[0] == 'f' else 'last()'}]"
    elif source.startswith("tail"):
        yield f"{path}/following-sibling::node()[1][self::text()]"
    else:
        yield f"{path}/*" if source == "items" else path


def short(path: str) -> str:
    """Return an expression in the short notation of generated files.

    `@class~="x"` tests for the class `x`.  The helper `xpath` expands the test to plain
    XPath.
    """
    return _TOKEN.sub(r'@\1~="\2"', path)


def plainer(path: str) -> str:
    """Return an expression with simpler tests of how a class begins.

    For classes that begin with `x`, the simpler test is `contains(@class, "x")`.  The
    test may also fit other classes that contain `x`.
    """
    return _STEM.sub(r'contains(@\1, "\2")', path)


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
