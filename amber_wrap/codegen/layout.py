"""Format calls as source text, broken into lines as black breaks them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from amber_wrap.codegen.literals import INDENT, LINE, Code, one_line, width


@dataclass(frozen=True, slots=True)
class Call:
    """The call of a function.

    An argument is another call, code, or a value to be written as a literal.
    """

    function: Code
    arguments: tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Given:
    """A conditional expression: `None if name is None else value`."""

    name: Code
    value: object


def in_one_line(expression: object) -> str:
    """Return the source of an expression without a line break."""
    match expression:
        case Code():
            return expression
        case Call():
            inner = ", ".join(map(in_one_line, expression.arguments))
            return f"{expression.function}({inner})"
        case Given(name, value):
            return f"None if {name} is None else {in_one_line(value)}"
    return one_line(expression)


def laid_out(expression: object, indent: str, before: int = 0, after: int = 0) -> Code:
    """Return the source of an expression, broken into several lines if necessary.

    `before` is the number of characters in front of the expression in its first line.
    `after` is the number of characters behind it in its last line.
    """
    line = in_one_line(expression)
    is_short = len(indent) + before + width(line) + after <= LINE
    inner = indent + INDENT
    if not is_short and isinstance(expression, Given):
        parts = [line]
        if len(inner) + width(line) > LINE:
            head, value = f"if {expression.name} is None", in_one_line(expression.value)
            parts = ["None", head, f"else {value}"]
        return Code("\n".join(["(", *(inner + one for one in parts), f"{indent})"]))
    if is_short or not isinstance(expression, Call):
        return Code(line)
    body = ", ".join(map(in_one_line, expression.arguments))
    if len(expression.arguments) == 1:
        rows: Iterable[str] = [laid_out(expression.arguments[0], inner)]
    elif len(inner) + width(body) <= LINE:
        rows = [body]
    else:
        rows = (f"{laid_out(one, inner, after=1)}," for one in expression.arguments)
    return Code(
        "\n".join(
            [f"{expression.function}(", *(inner + one for one in rows), f"{indent})"]
        )
    )
