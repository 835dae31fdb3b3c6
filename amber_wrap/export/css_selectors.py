"""Convert plain XPath expressions to CSS selectors."""

from __future__ import annotations

import re
from typing import Final

from amber_wrap.wrapper.xpath import (
    Contains,
    Equals,
    EveryNth,
    HasToken,
    Path,
    PathExists,
    Position,
    PreviousMatches,
    Step,
    Test,
)
from amber_wrap.wrapper.xpath_parser import parse_path

IDENTIFIER: Final = re.compile(r"-?[A-Za-z_][\w-]*", re.ASCII)
"""Matches a name that CSS can hold without escapes."""

CHILD, DESCENDANT = " > ", " "
"""The combinators of CSS between an element and its children or descendants."""


def css_of(xpath: str) -> str:
    """Return the CSS selector for an XPath expression, such as `> b` for the child `b`.

    Raise ValueError if CSS can't express the XPath.
    """
    return _selector(parse_path(xpath))


def _selector(path: Path) -> str:
    """Return the CSS selector of a path.

    Raise ValueError for a path without steps, or if CSS can't express the path.
    """
    if not path.steps:
        raise ValueError("CSS can't select the record itself")
    css_selector = ""
    for number, step in enumerate(path.steps):
        if number == 0:
            combinator = "" if step.deep or path.absolute else CHILD.lstrip()
        else:
            combinator = DESCENDANT if step.deep else CHILD
        css_selector += combinator + compound_selector(step)
    return css_selector


def compound_selector(step: Step) -> str:
    """Return the CSS selector for one step of an XPath expression, such as `li.item`.

    Raise ValueError if CSS can't express the step.
    """
    if step.tag != "*" and not IDENTIFIER.fullmatch(step.tag):
        raise ValueError(f"CSS can't express the tag {step.tag!r}")
    sibling_selectors, condition_selectors = "", ""
    for test_number, test in enumerate(step.tests):
        if isinstance(test, PreviousMatches):
            sibling_selectors += f"{compound_selector(test.step)} + "
        elif isinstance(test, Position | EveryNth):
            if test_number:
                raise ValueError("CSS can't count only the elements that pass a test")
            condition_selectors += position_selector(test, step.tag)
        else:
            condition_selectors += condition_selector(test)
    if sibling_selectors and any(
        isinstance(test, Position | EveryNth) for test in step.tests
    ):
        raise ValueError("CSS can't express a position after a sibling")
    tag_selector = "" if step.tag == "*" and condition_selectors else step.tag
    return f"{sibling_selectors}{tag_selector}{condition_selectors}"


def position_selector(test: Position | EveryNth, tag: str) -> str:
    """Return the CSS pseudo-class for a position, such as `:nth-of-type(2)`.

    For the tag `*`, return a pseudo-class such as `:nth-child(2)`.
    """
    kind = "child" if tag == "*" else "of-type"
    if isinstance(test, Position):
        return f":nth-{kind}({test.index})"
    return f":nth-{kind}({test.period}n+{test.offset + 1})"


def condition_selector(test: Test) -> str:
    """Return the CSS selector for the test of a step, for example `.price` for a class.

    Raise ValueError if CSS can't express the test.
    """
    match test:
        case HasToken("class", token) if IDENTIFIER.fullmatch(token):
            return f".{token}"
        case HasToken(attribute, token) if token and not re.search(r"\s", token):
            return f"[{attribute_name(attribute)}~={_quoted(token)}]"
        case Equals(attribute, value):
            return f"[{attribute_name(attribute)}={_quoted(value)}]"
        case Contains(attribute, text) if text:
            return f"[{attribute_name(attribute)}*={_quoted(text)}]"
        case PathExists(path):
            return f":has({_selector(path)})"
    raise ValueError(f"CSS can't express {test}")


def attribute_name(attribute: str) -> str:
    """Return the name of an attribute if CSS can express it.

    Raise ValueError if CSS can't express the name.
    """
    if not IDENTIFIER.fullmatch(attribute):
        raise ValueError(f"CSS can't express the attribute {attribute!r}")
    return attribute


def _quoted(text: str) -> str:
    """Return a text as a CSS string, in quotes."""
    text = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + re.sub(r"[\n\r\f]", lambda match: f"\\{ord(match[0]):x} ", text) + '"'
