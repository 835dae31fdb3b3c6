"""Simplify a wrapper's XPath expressions for generated files, and compare expressions.

Expressions are compared by the tags and attribute values that they share.  Two
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
_HAS_CLASS = re.compile(
    r'contains\(concat\(" ", normalize-space\(@([\w-]+)\), " "\), " ([^"\s]+) "\)'
)
"""Matches a test for a whole word of an attribute, for example for a class."""
_HAS_CLASS_PREFIX = re.compile(
    r'contains\(concat\(" ", normalize-space\(@([\w-]+)\)\), " ([^"\s]+)"\)'
)
"""Matches a test for the beginning of a word of an attribute."""
HTML_BODY = re.compile(r"^(?:/html)?/+body(?=//)")
"""Matches a needless `/html/body` at the beginning of an expression, before `//`."""
Alternative = TypeVar("Alternative")
"""The type of the items that `by_likeness` sorts, for example locators."""
_QUOTED = re.compile("[\"'] ?(.*?) ?[\"']")
"""Matches a string of an expression.  The group is its text without outer blanks."""


def records_xpath(locator: RecordLocator) -> str:
    """Return one XPath expression for the records that `locator` selects.

    The locator has separate expressions for the container of the records and for a
    record in the container.
    """
    if isinstance(locator.record, Pinned):
        return str(locator.record)
    relative_path = str(locator.record).removeprefix(".") + locator.rise
    return plainer(HTML_BODY.sub("", f"{locator.root}{relative_path}"))


def value_paths(locator: Locator) -> Iterator[str]:
    """Yield XPath expressions for the value that a wrapper's locator (rule) reads.

    The simplest expression is first. All are relative to the first element of a record.
    """
    full_path = str(locator.xpath)
    simple_path = full_path
    if not isinstance(locator.xpath, Pinned):
        simple_path = plainer(full_path)
    for path in dict.fromkeys((simple_path, full_path)):
        if locator.row:
            below = path.removeprefix(".")
            if below and not below.startswith("/"):
                below = f"/{below}"
            for test in ("", NOT_BLANK):
                row_path = f"following-sibling::*{test}[{locator.row}]{below}"
                yield from _source_paths(row_path, locator.source)
        else:
            yield from _source_paths(path, locator.source)


def _source_paths(path: str, source: str) -> Iterator[str]:
    """Yield expressions for a source of the element at `path`, the simplest first.

    A source is an attribute (`@href`) or a part of the element's text, for example
    "first-line".
    """
    if source[0] == "@":
        yield f"{path}/{source}"
    elif source == "own-text":
        yield f"{path}/text()"
        yield f"({path})[1]/text()"
        yield f"{path}/{_STRINGS}"
        yield path
        yield f"{path}/*/{_STRINGS}"
    elif source in ("first-line", "last-line"):
        position = "1" if source == "first-line" else "last()"
        yield f"{path}/{_STRINGS}[{position}]"
    elif source.startswith("tail"):
        yield f"{path}/following-sibling::node()[1][self::text()]"
    else:
        yield f"{path}/*" if source == "items" else path


def short(path: str) -> str:
    """Return an expression in the short notation of generated files.

    In this notation, `@class~="x"` tests for the class `x`. The helper `xpath` of a
    generated file expands the test to plain XPath.
    """
    return _HAS_CLASS.sub(r'@\1~="\2"', path)


def plainer(path: str) -> str:
    """Return an expression in which tests for the beginning of a class are simpler.

    For classes that begin with `x`, the simpler test is `contains(@class, "x")`. The
    simpler test also accepts other classes that contain `x`.
    """
    return _HAS_CLASS_PREFIX.sub(r'contains(@\1, "\2")', path)


def by_likeness(
    names: Set[str],
    alternatives: Iterable[Alternative],
    names_in: Callable[[Alternative], Set[str]],
) -> list[Alternative]:
    """Return the `alternatives`, sorted so that the least similar to `names` are first.

    An alternative is, for example, an XPath expression. A name is a tag or an attribute
    value. `names_in` returns the names in an alternative. An alternative is similar if
    it shares many names with `names` (`shared_names`).
    """
    return sorted(
        alternatives,
        key=lambda alternative: shared_names(names, names_in(alternative)),
    )


def shared_names(names: Set[str], other_names: Set[str]) -> int:
    """Return how many of the `names` resemble a name in `other_names`, weighted.

    A name is a tag or an attribute value. Two names resemble each other if one is the
    beginning of the other. A tag counts 1, and an attribute value counts 2.
    """
    return sum(
        1 if " " in name else 2  # Attribute values change more often than tags.
        for name in names
        if any(
            name.startswith(other) or other.startswith(name) for other in other_names
        )
    )


def expression_names(expressions: Iterable[Expression]) -> set[str]:
    """Return the tags and attribute values in expressions.

    Expressions that a person wrote (`Pinned`) are left out. A tag gets a blank at its
    end, as in "li ", which distinguishes it from an attribute value.
    """
    names: set[str] = set()
    for expression in expressions:
        if isinstance(expression, Heading):
            names.add(f"{expression.tag} ")
            continue
        if isinstance(expression, Pinned):
            continue  # An expression that a person wrote gets no substitute.
        names.update(f"{step.name} " for step in expression.steps if step.name != "*")
        names.update(
            name for test in expression.quoted for name in _QUOTED.findall(test)
        )
    return names - {""}
