"""Write the statements and expressions of a generated file."""

from __future__ import annotations

from collections.abc import Mapping

from amber_wrap.codegen.python_source import (
    Call,
    Code,
    assign,
    in_one_line,
    laid_out,
    python_literal,
)
from amber_wrap.codegen.variable_names import local
from amber_wrap.domain.schema import ValueKind
from amber_wrap.lowering.program import Column
from amber_wrap.lowering.sample_cases import OWN
from amber_wrap.lowering.xpath_simplification import short

MANY_SIGNS = 4
"""The smallest number of currency signs that are written as one string."""
PAIR, WIDE_PAIR = r'r"(\S+)=(\w+)"', r'r"(\S[^=]*)=(\w+)"'
"""Patterns for a sign and its currency in the string of all currency signs.
`WIDE_PAIR` also matches signs with blanks, such as "A $".
"""
ENTRY, STATEMENT = " " * 8, " " * 4
_TYPES = {
    **dict.fromkeys((ValueKind.MONEY, ValueKind.NUMBER, ValueKind.QUANTITY), "float"),
    **dict.fromkeys((ValueKind.COUNT, ValueKind.YEAR), "int"),
    ValueKind.TEXTS: "list[str]",
}


def entry(key: str, value: object) -> Code:
    """Return the entry `"key": value` in the dict of a record."""
    start = f"{python_literal(key)}: "
    return Code(start + laid_out(value, ENTRY, len(start), after=1))


def statement(name: str, value: object, indent: str = STATEMENT) -> Code:
    """Return the assignment of a value to a local variable."""
    start = f"{name} = "
    return Code(start + laid_out(value, indent, len(start)))


def with_comment(expected: Code) -> Code:
    """Return the assignment of EXPECTED with a comment that explains its values.

    The comment is at the end of the first line.  If the assignment has only one line,
    the comment is above it.
    """
    about = "# The least share of records with a value; its usual form."
    first, *others = expected.split("\n")
    lines = [f"{first}  {about}", *others] if others else [about, first]
    return Code("\n".join(lines))


def sign_table(name: str, meanings: Mapping[str, str]) -> Code:
    """Return the statement that assigns `meanings` to the constant `name`.

    `meanings` maps signs to values, for example `€` to EUR.  If there are many
    currencies, the generated file parses the dict from one string (`MANY_SIGNS`).
    """
    if len(meanings) < MANY_SIGNS or "CURRENC" not in name:
        return assign(name, dict(meanings))
    listed = " ".join(f"{sign}={code}" for sign, code in meanings.items())
    pair = Code(WIDE_PAIR if any(" " in sign for sign in meanings) else PAIR)
    pairs = Call(Code("dict"), (Call(Code("re.findall"), (pair, listed)),))
    return Code(f"{name} = {laid_out(pairs, '', len(name) + 3)}")


def type_of(column: Column, key: str) -> Code:
    """Return the Python type of a key of a record, such as `float | None`."""
    kind = _TYPES.get(column.kind, "str") if key == column.name else "str"
    return Code(f"{kind} | None")


def found(pattern: str, *ways: object) -> Call:
    """Return the call that finds a text in a record.

    `ways` are XPath expressions.  `pattern` is the regular expression, "" for none.
    """
    read = (Code(f"pattern={in_one_line(pattern)}"),) if pattern else ()
    return Call(Code("get"), (*ways, *read))


def shown_name(column: Column) -> Code:
    """Return the name of the variable for a column's text before conversion."""
    return Code(f"{local(column.name)}{'_shown' * bool(column.derived)}")


def has_signs(column: Column) -> bool:
    """Return whether a derived key of a column is looked up by a sign (`€`)."""
    return any(one.pattern for one in column.derived)


def paths_of(column: Column) -> list[str]:
    """Return the XPath expressions of a column in the notation of generated files.

    For a column with the helper `own`, the final `/text()` is left out.
    """
    end = OWN if column.convert == "own" else ""
    return [short(one.xpath.removesuffix(end)) for one in column.reads]
