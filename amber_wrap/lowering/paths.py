"""Simplify the XPath expressions of a wrapper for the generated file."""

from __future__ import annotations

import re
from collections.abc import Iterator

from amber_wrap.wrapper.ir import Locator, RecordLocator
from amber_wrap.wrapper.xpath import Pinned

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
        yield f"{path}/following-sibling::text()[1]"
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
