"""Write the statements and expressions of a generated file."""

from __future__ import annotations

from collections.abc import Mapping

from amber_wrap.codegen.python_source import (
    Call,
    Code,
    assign,
    expression_in_one_line,
    laid_out,
    python_literal,
)
from amber_wrap.codegen.variable_names import local_name
from amber_wrap.domain.schema import ValueKind
from amber_wrap.lowering.program import Column
from amber_wrap.lowering.sample_cases import OWN
from amber_wrap.lowering.xpath_simplification import short

MANY_SIGNS = 4
"""If a table has this many currency signs or more, it is written as one string."""
PAIR, WIDE_PAIR = r'r"(\S+)=(\w+)"', r'r"(\S[^=]*)=(\w+)"'
"""The source of patterns for a sign and its currency in a string like "€=EUR £=GBP".
`WIDE_PAIR` also matches signs with blanks, such as "A $".
"""
ENTRY, STATEMENT = " " * 8, " " * 4
"""The indentation of an entry of a record's dict, and of a statement of a function."""
_TYPES = {
    **dict.fromkeys((ValueKind.MONEY, ValueKind.NUMBER, ValueKind.QUANTITY), "float"),
    **dict.fromkeys((ValueKind.COUNT, ValueKind.YEAR), "int"),
    ValueKind.TEXTS: "list[str]",
}
"""The Python types of the kinds of value.  Other kinds are texts."""


def entry(key: str, value: object) -> Code:
    """Return the source `"key": value` of an entry in the dict of a record.

    `value` is a value or an expression, such as a `Call`.
    """
    start = f"{python_literal(key)}: "
    return Code(start + laid_out(value, ENTRY, len(start), after=1))


def statement(name: str, value: object, indent: str = STATEMENT) -> Code:
    """Return the statement that assigns a value to the local variable `name`.

    The first line isn't indented. `indent` is the indentation of further lines.
    """
    start = f"{name} = "
    return Code(start + laid_out(value, indent, len(start)))


def with_comment(expected: Code) -> Code:
    """Return the assignment of the constant EXPECTED with a comment that explains it.

    `expected` is the assignment. The comment is at the end of the first line. If the
    assignment has only one line, the comment is above this line.
    """
    comment = "# The least share of records with a value; its usual form."
    first_line, line_break, next_lines = expected.partition("\n")
    if line_break:
        return Code(f"{first_line}  {comment}\n{next_lines}")
    return Code(f"{comment}\n{first_line}")


def sign_table(name: str, meanings: Mapping[str, str]) -> Code:
    """Return the statement that assigns `meanings` to the constant `name`.

    `meanings` maps signs to values, for example `€` to EUR.  If there are `MANY_SIGNS`
    currency signs or more, the statement makes the dict from one string.
    """
    if len(meanings) < MANY_SIGNS or "CURRENC" not in name:
        return assign(name, dict(meanings))
    listed = " ".join(f"{sign}={code}" for sign, code in meanings.items())
    pair_pattern = Code(WIDE_PAIR if any(" " in sign for sign in meanings) else PAIR)
    pairs = Call(Code("re.findall"), (pair_pattern, listed))
    table = Call(Code("dict"), (pairs,))
    return Code(f"{name} = {laid_out(table, '', len(name) + 3)}")


def type_of(column: Column, key: str) -> Code:
    """Return the Python type of a key of a record, such as `float | None`.

    `key` is the column's name, or a key derived from it, such as `price_currency`.
    """
    value_type = _TYPES.get(column.kind, "str") if key == column.name else "str"
    return Code(f"{value_type} | None")


def get_call(pattern: str, *paths: object) -> Call:
    """Return the call of the helper `get`, which finds a text in a record.

    `paths` are the XPath expressions to try.  `pattern` is the regular expression for
    the text, "" for none.
    """
    if not pattern:
        return Call(Code("get"), paths)
    argument = Code(f"pattern={expression_in_one_line(pattern)}")
    return Call(Code("get"), (*paths, argument))


def text_variable(column: Column) -> Code:
    """Return the name of the variable for a column's text before conversion.

    The name is `price_shown` if further keys, such as the currency, are derived from
    `price`. Otherwise the name is `price`.
    """
    value_variable = local_name(column.name)
    return Code(f"{value_variable}_shown") if column.derived else value_variable


def has_signs(column: Column) -> bool:
    """Return whether a key of a column, such as its currency, is found by a sign like
    `€`."""
    return any(derived.pattern for derived in column.derived)


def paths_of(column: Column) -> list[str]:
    """Return the XPath expressions of a column in the notation of generated files.

    In this notation, `@class~="x"` tests for the class `x`. For a column with the
    helper `own`, which reads child text nodes, the final `/text()` is left out.
    """
    end = OWN if column.convert == "own" else ""
    return [short(read.xpath.removesuffix(end)) for read in column.reads]
