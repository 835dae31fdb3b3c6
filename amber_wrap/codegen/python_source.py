"""Convert data to Python literals and calls, for the template of generated files.

The source is in black's style, and unprintable characters are escaped.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from amber_wrap.domain.schema import TYPE_NAME, is_column_name
from amber_wrap.errors import WrapperError

LINE = 88
"""The greatest length of a line in a generated file, in characters, as in black's
style."""
LONG_LINE = 160
"""The greatest length of a line with a long regular expression or XPath union, in
characters."""
INDENT = "    "
"""One level of indentation."""


class Code(str):
    """Python source text, as opposed to data."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Call:
    """The call of a function in Python source.

    An argument is another call, source text, or a value to be written as a literal.
    """

    function: Code
    arguments: tuple[object, ...]


@dataclass(frozen=True, slots=True)
class UnlessNone:
    """A conditional expression: `None if name is None else value`."""

    name: Code
    value: object


def identifier(name: str) -> Code:
    """Return a field's name as a Python identifier, such as `price` for "price".

    Raise WrapperError if `name` can't be the name of a field.
    """
    if not is_column_name(name):
        raise WrapperError(f"{name!r} can't be a name in a generated file")
    if TYPE_NAME.fullmatch(name):
        return Code(name)
    return Code("column_" + name.encode("punycode").decode("ascii").replace("-", "_"))


def is_identifier(name: str) -> bool:
    """Return whether a field's name is the same as the Python identifier for it."""
    return identifier(name) == name


def assign(target: str, value: object) -> Code:
    """Return the Python statement that assigns a value to `target`.

    `target` is a name, with or without a type annotation.
    """
    line = python_literal(value, before=len(target) + 3)
    is_long = isinstance(value, str) and len(target) + 3 + width(line) > LINE
    # Black puts a long string into parentheses if the target has a type annotation, or
    # if the string then fits into a line.
    if is_long and (":" in target or len(INDENT) + width(line) <= LINE):
        line = Code(f"(\n{INDENT}{line}\n)")
    return Code(f"{target} = {line}")


def width(text: str) -> int:
    """Return the width of a text in columns, as black counts it.

    A wide character, for example a Chinese character, takes two columns.
    """
    return sum(
        2 if unicodedata.east_asian_width(character) in "WF" else 1
        for character in text
    )


def python_literal(
    value: object, indent: str = "", before: int = 0, after: int = 0
) -> Code:
    """Return the Python source of a value or expression, in several lines if it is too
    long for one.

    `before` and `after` are the numbers of characters in the same line before and
    behind the source. Raise WrapperError for a value of an unknown type.
    """
    line = in_one_line(value)
    if len(indent) + before + width(line) + after <= LINE:
        return Code(line)
    inner = indent + INDENT
    match value:
        case dict() if value:
            keys = [f"{in_one_line(key)}: " for key in value]
            lines = [
                f"{key}{python_literal(item, inner, len(key), after=1)},"
                for key, item in zip(keys, value.values(), strict=True)
            ]
            opening, closing = "{}"
        case list() | tuple() if value:
            lines = [f"{python_literal(item, inner, after=1)}," for item in value]
            opening, closing = "[]" if isinstance(value, list) else "()"
        case Call(function, arguments):
            body = ", ".join(map(in_one_line, arguments))
            if len(arguments) == 1:
                lines = [python_literal(arguments[0], inner)]
            elif len(inner) + width(body) <= LINE:
                lines = [body]
            else:
                lines = [
                    f"{python_literal(item, inner, after=1)}," for item in arguments
                ]
            opening, closing = f"{function}(", ")"
        case UnlessNone(name, other):
            lines = [line]
            if len(inner) + width(line) > LINE:
                lines = ["None", f"if {name} is None", f"else {in_one_line(other)}"]
            opening, closing = "()"
        case _:
            return Code(line)
    body_lines = [inner + body_line for body_line in lines]
    return Code("\n".join([opening, *body_lines, indent + closing]))


def assign_joined(target: str, text: str, *more_texts: str) -> Code:
    """Return the statement that assigns a text, joined from parts, to `target`.

    The parts are `text` and `more_texts`. A part of type `Code` is the name of a
    constant.
    """
    operands = [_lines_of(operand) for operand in (text, *more_texts)]
    is_whole = all(len(lines) < 2 for lines in operands)
    if is_whole and not more_texts:
        return assign(target, text)
    line = " + ".join(part for lines in operands for part in lines)
    if is_whole and len(target) + 3 + width(line) <= LINE:
        return Code(f"{target} = {line}")
    if is_whole and len(INDENT) + width(line) <= LINE:
        return Code(f"{target} = (\n{INDENT}{line}\n)")
    # Black breaks between the parts of texts first. Then it breaks a line that is too
    # long before each "+".
    sums = [[part] for part in operands[0]]
    for first_line, *next_lines in operands[1:]:
        sums[-1].append(first_line)
        sums += ([part] for part in next_lines)
    body = []
    for terms in sums:
        line = " + ".join(terms)
        fits = len(INDENT) + width(line) <= LINE
        body += [line] if fits else [terms[0], *(f"+ {term}" for term in terms[1:])]
    return Code("\n".join([f"{target} = (", *(INDENT + part for part in body), ")"]))


def _lines_of(text: str) -> list[str]:
    """Return the string literals that together give a long text, one for each line.

    A text of type `Code` is returned as it is.
    """
    if isinstance(text, Code):
        return [text]
    lines: list[str] = []
    while text:
        end = len(text)
        while end > 1 and len(INDENT) + width(_string(text[:end])) > LONG_LINE:
            before_bar = text.rfind("|", 1, end)
            behind_blank = text.rfind(" ", 0, end - 1) + 1
            break_at = max(before_bar, behind_blank)
            end = break_at if break_at > 1 else end - 1
        lines.append(_string(text[:end]))
        text = text[end:]
    return lines or [_string("")]


def assign_union(target: str, paths: Sequence[str]) -> Code:
    """Return the statement that assigns the union of XPath expressions to `target`.

    Each expression gets a line of its own if the union is too long for one line.
    """
    union = " | ".join(paths)
    if len(paths) == 1 or width(f"{target} = {_string(union)}") <= LONG_LINE:
        return assign(target, union)
    operands = [paths[0], *(f" | {path}" for path in paths[1:])]
    lines = "\n".join(f"{INDENT}{_string(operand)}" for operand in operands)
    return Code(f"{target} = (\n{lines}\n)")


def in_one_line(value: object) -> str:
    """Return the source of a value or expression in one line.

    Raise WrapperError for a value of an unknown type.
    """
    match value:
        case Code():
            return value
        case str():
            return _string(value)
        case None | bool() | int():
            return repr(value)
        case float() if math.isfinite(value):
            return repr(value).replace("e+", "e")
        case list():
            return f"[{', '.join(map(in_one_line, value))}]"
        case tuple():
            inner = ", ".join(map(in_one_line, value))
            return f"({inner},)" if len(value) == 1 else f"({inner})"
        case dict():
            entries = (
                f"{in_one_line(key)}: {in_one_line(item)}"
                for key, item in value.items()
            )
            return f"{{{', '.join(entries)}}}"
        case Call(function, arguments):
            return f"{function}({', '.join(map(in_one_line, arguments))})"
        case UnlessNone(name, other):
            return f"None if {name} is None else {in_one_line(other)}"
    raise WrapperError(f"{value!r} has no literal")


def is_printable(text: str) -> bool:
    """Return whether all characters of a text may be in source code without an escape.

    Such a character is visible, below U+10000, and not of a right-to-left script.
    """
    return (text.isascii() and text.isprintable()) or all(map(_is_plain, set(text)))


def _is_plain(character: str) -> bool:
    """Return whether a character may stand in source code unescaped."""
    if character > "\uffff":  # Few fonts have these; tools disagree on their width.
        return False
    is_visible = unicodedata.category(character)[0] in "LNPS" or character == " "
    return is_visible and unicodedata.bidirectional(character) not in ("R", "AL")


def _escaped(character: str) -> str:
    """Return a character as it stands in a string literal, escaped if necessary."""
    return character if _is_plain(character) else ascii(character)[1:-1]


def _string(text: str) -> str:
    """Return the literal of a string, raw if that saves backslashes.

    The literal has double quotes, unless the string has more double than single quotes.
    """
    quote = "'" if text.count('"') > text.count("'") else '"'
    # Black would replace the quotes of r'\"'.
    awkward = quote in text or '\\"' in text or text.endswith("\\")
    if "\\" in text and is_printable(text) and not awkward:
        return f"r{quote}{text}{quote}"
    escaped = "".join(map(_escaped, text.replace("\\", "\\\\")))
    return quote + escaped.replace(quote, f"\\{quote}") + quote
