"""Simplify expressions and patterns for tools that extract by selectors."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from amber_wrap.domain.schema import ValueKind
from amber_wrap.errors import Diagnostic
from amber_wrap.export.css_selectors import css_of
from amber_wrap.export.plain_xpath import SelectedColumn
from amber_wrap.export.target import WHOLE_TARGET, lost
from amber_wrap.lowering.program import Program

ENDS: Final = (r"(?![.\w])", r"\b")
"""The ends of regular expressions that match only at the end of a word."""

ROOT: Final = "./ancestor-or-self::*[last()]"
"""An XPath expression for the root of the page, relative to a record.  Selectors of
crawl4ai must begin with a dot."""

PARTS: Final = re.compile(
    r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\((?:\?(?:<[=!]|P<\w+>|\w+:|[:=!]))?|.", re.DOTALL
)
"""Matches one part of a regular expression: an escape, a character class, the beginning
of a group, or any other character."""


def of_one_pattern(column: SelectedColumn) -> SelectedColumn:
    """Return a field with only some of its XPath expressions.

    An expression stays if it has the same regular expression as the field's first XPath
    expression.
    """
    pattern = column.alternatives[0].pattern
    alternatives = tuple(
        alternative
        for alternative in column.alternatives
        if alternative.pattern == pattern
    )
    return replace(column, alternatives=alternatives)


def dotted_xpath(path: str) -> str:
    """Return an XPath expression that begins with a dot, as crawl4ai requires.

    For example, return `./a` for `a`. The result selects the same nodes as `path`.
    """
    if path.startswith("//"):
        return f"{ROOT}{path}"
    return path if path.startswith(".") else f"./{path}"


def loose_pattern(pattern: str) -> str:
    """Return a looser regular expression for texts in HTML source.

    `pattern` is a regular expression for displayed texts. In the result, a blank
    matches any white space, and a match may end within a word.
    """
    for end in ENDS:  # The text of the next element follows without a blank.
        pattern = pattern.removesuffix(end)
    is_in_lookbehind = [False]  # A value for each open group.
    loose_parts: list[str] = []
    for match in PARTS.finditer(pattern):
        pattern_part, next_character = match[0], pattern[match.end() : match.end() + 1]
        if pattern_part.startswith("("):
            is_in_lookbehind.append(
                is_in_lookbehind[-1] or pattern_part.startswith("(?<")
            )
        elif pattern_part == ")":
            is_in_lookbehind.pop()
        is_quantified = next_character in ("?", "*", "+", "{")
        if pattern_part == " " and not is_in_lookbehind[-1] and not is_quantified:
            pattern_part = r"\s+"
        elif pattern_part == " ":
            pattern_part = r"\s"  # A lookbehind must have a fixed length.
        elif pattern_part.startswith("["):
            pattern_part = pattern_part.replace(" ", r"\s")
        loose_parts.append(pattern_part)
    return "".join(loose_parts)


def group_of(pattern: str) -> int:
    """Return the number of the group that matches the value in a regular expression.

    Return 0 if the whole match is the value.
    """
    return min(1, re.compile(pattern).groups)


def css_or_none(xpath: str) -> str:
    """Return the CSS selector of an XPath expression, or "" if CSS can't express it."""
    try:
        return css_of(xpath)
    except ValueError:
        return ""


def source_losses(field: SelectedColumn) -> Iterator[Diagnostic]:
    """Yield warnings about a field for a tool that reads a field by a single
    expression.

    Such a tool reads the text of an element with the text of its children, and reads
    only one attribute.
    """
    first = field.alternatives[0]
    if first.is_string:
        yield lost(field.name, "reads the text of the whole element with its children")
    if any(
        alternative.attribute != first.attribute for alternative in field.alternatives
    ):
        yield lost(field.name, "its second expression is left out")


def pattern_losses(field: SelectedColumn, tool: str) -> Iterator[Diagnostic]:
    """Yield a warning if a regular expression is needed to find the value of a field.

    `tool` is the name of the tool, which supports no regular expressions.
    """
    if any(alternative.pattern for alternative in field.alternatives):
        yield lost(field.name, f"{WHOLE_TARGET}: {tool} has no patterns")


def untyped(program: Program, tool: str) -> Iterator[Diagnostic]:
    """Yield warnings about parts of a generated file that the tool called `tool` can't
    express.

    The tool has no types, and reads only one page.
    """
    columns = [column for page_list in program.lists for column in page_list.columns]
    if any(column.kind is not ValueKind.TEXT for column in columns):
        yield lost(
            "", f"numbers, dates and links stay as displayed: {tool} has no types"
        )
    if derived := [value.key for column in columns for value in column.derived]:
        yield lost("", f"{', '.join(dict.fromkeys(derived))} have no keys of their own")
    if program.next_page:
        yield lost("", f"{tool} reads one page and doesn't follow next pages")
