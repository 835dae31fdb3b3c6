"""Translate the XPath expressions that wrappers use into CSS selectors."""

from __future__ import annotations

import re
from typing import Final

from amber_wrap.wrapper.xpath import (
    After,
    Contains,
    Equals,
    Every,
    HasToken,
    Holds,
    Path,
    Position,
    Step,
    Test,
)
from amber_wrap.wrapper.xpath_parser import parse_path

IDENTIFIER: Final = re.compile(r"-?[A-Za-z_][\w-]*", re.ASCII)
CHILD, DESCENDANT = " > ", " "


def css_of(xpath: str) -> str:
    """Return the CSS selector for an XPath expression.

    For a path to a child, the selector begins with a combinator: `> b`.  Raise
    ValueError if CSS can't express the XPath.
    """
    return _selector(parse_path(xpath))


def _selector(path: Path) -> str:
    """Return the CSS selector of a path.

    Raise ValueError for a path without steps, or if CSS can't express the path.
    """
    if not path.steps:
        raise ValueError("CSS can't select the record itself")
    text = ""
    for at, step in enumerate(path.steps):
        is_start = at == 0
        if is_start:
            combinator = "" if step.deep or path.absolute else CHILD.lstrip()
        else:
            combinator = DESCENDANT if step.deep else CHILD
        text += combinator + compound(step)
    return text


def compound(step: Step) -> str:
    """Return the CSS selector for one step of an XPath expression.

    Raise ValueError if CSS can't express the step.
    """
    if step.tag != "*" and not IDENTIFIER.fullmatch(step.tag):
        raise ValueError(f"CSS can't express the tag {step.tag!r}")
    before, parts = "", [step.tag]
    for at, test in enumerate(step.tests):
        if isinstance(test, After):
            before += f"{compound(test.step)} + "
        elif isinstance(test, Position | Every):
            if at:
                raise ValueError("CSS can't count only the elements that pass a test")
            parts.append(position(test, step.tag))
        else:
            parts.append(condition(test))
    if before and any(isinstance(one, Position | Every) for one in step.tests):
        raise ValueError("CSS can't express a position after a sibling")
    marks = "".join(parts[1:])
    return before + (marks if step.tag == "*" and marks else parts[0] + marks)


def position(test: Position | Every, tag: str) -> str:
    """Return the CSS pseudo-class for a position, for example `:nth-of-type(2)`.

    Only siblings of the same tag are counted.  For the tag `*`, all siblings are
    counted.
    """
    kind = "child" if tag == "*" else "of-type"
    if isinstance(test, Position):
        return f":nth-{kind}({test.index})"
    return f":nth-{kind}({test.period}n+{test.offset + 1})"


def condition(test: Test) -> str:
    """Return the CSS selector for the test of a step, for example `.price` for a class.

    Raise ValueError if CSS can't express the test.
    """
    match test:
        case HasToken("class", token) if IDENTIFIER.fullmatch(token):
            return f".{token}"
        case HasToken(attribute, token) if token and not re.search(r"\s", token):
            return f"[{name(attribute)}~={_quoted(token)}]"
        case Equals(attribute, value):
            return f"[{name(attribute)}={_quoted(value)}]"
        case Contains(attribute, text) if text:
            return f"[{name(attribute)}*={_quoted(text)}]"
        case Holds(path):
            return f":has({_selector(path)})"
    raise ValueError(f"CSS can't express {test}")


def name(attribute: str) -> str:
    """Return an attribute's name; raise ValueError if CSS can't express the name."""
    if not IDENTIFIER.fullmatch(attribute):
        raise ValueError(f"CSS can't express the attribute {attribute!r}")
    return attribute


def _quoted(text: str) -> str:
    """Return a text as a CSS string."""
    text = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + re.sub(r"[\n\r\f]", lambda one: f"\\{ord(one[0]):x} ", text) + '"'
