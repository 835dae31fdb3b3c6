"""Write the statements of a generated file, and name its constants and variables.

A sign is a currency symbol, a unit or a period, such as "per month".
"""

from __future__ import annotations

import keyword
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache

from amber_wrap.codegen.helper_library import helper_library
from amber_wrap.codegen.python_source import (
    Call,
    Code,
    assign,
    identifier,
    in_one_line,
    python_literal,
)
from amber_wrap.domain.schema import CURRENCY_SUFFIX, ValueKind
from amber_wrap.lowering.date_patterns import DATE_HELPERS
from amber_wrap.lowering.program import Column, Derived, List, Program
from amber_wrap.lowering.sample_cases import OWN
from amber_wrap.lowering.xpath_simplification import short

MANY_SIGNS = 4
"""The least number of currency signs that are written as one string instead of a
dictionary."""
PAIR, WIDE_PAIR = r'r"(\S+)=(\w+)"', r'r"(\S[^=]*)=(\w+)"'
"""The Python source of regular expressions for a sign and a currency code in a string
such as "€=EUR £=GBP". `WIDE_PAIR` also matches signs with blanks, such as "A $"."""
ENTRY, STATEMENT = " " * 8, " " * 4
"""The indentation of an entry in the dictionary of a record, and of a statement in a
function."""
_TYPES = {
    **dict.fromkeys((ValueKind.MONEY, ValueKind.NUMBER, ValueKind.QUANTITY), "float"),
    **dict.fromkeys((ValueKind.COUNT, ValueKind.YEAR), "int"),
    ValueKind.TEXTS: "list[str]",
}
"""The Python type of each kind of value, such as `float`. Values of other kinds are
texts."""


SHORT, LONG = 24, 28
"""The greatest lengths of regular expressions that aren't assigned to a constant.
`SHORT` is for expressions that are used several times, and `LONG` for other
expressions."""
TABLES = {CURRENCY_SUFFIX: "CURRENCIES", "period": "PERIODS", "unit": "UNITS"}
"""The names of the constants that map signs, such as `€`, to values. The keys are the
endings of record keys, such as "unit" for `size_unit`."""
_TERM = (
    r"(?:(?:\[..\]|\w)\(\?i:(?:[^()\\]|\\.)*\)|[^\W\d](?:[^()[\]{}|\\*+?.^$]|\\[&.-])*)"
)
"""A pattern for a part of another regular expression: a word, or a group of words with
the same first letter, such as `[Mm](?i:arch|ay)`."""
LISTED = re.compile(rf"(?:^|(?<=\(\?:)){_TERM}(?:\|{_TERM}){{19,}}(?=\)|$)")
"""Matches a part of another regular expression that lists at least 20 alternative words
or groups of words."""
LOCALS = frozenset("get row url".split())
"""Names that the function that makes a record uses, so that no variable for a value can
have them."""


def entry(key: str, value: object) -> Code:
    """Return the source `"key": value` of an entry in the dictionary of a record.

    `value` is a value or an expression, such as a `Call`.
    """
    start = f"{python_literal(key)}: "
    return Code(start + python_literal(value, ENTRY, len(start), after=1))


def statement(name: str, value: object, indent: str = STATEMENT) -> Code:
    """Return the statement that assigns a value to the local variable `name`.

    The statement has several lines if it is too long for one. `indent` is the
    indentation.
    """
    start = f"{name} = "
    return Code(start + python_literal(value, indent, len(start)))


def with_comment(expected: Code) -> Code:
    """Return the assignment `expected`, which defines the constant EXPECTED, with an
    explaining comment.

    The comment is at the end of the first line, or above an assignment of one line.
    """
    comment = "# The least share of records with a value; its usual form."
    first_line, line_break, next_lines = expected.partition("\n")
    if line_break:
        return Code(f"{first_line}  {comment}\n{next_lines}")
    return Code(f"{comment}\n{first_line}")


def sign_table(name: str, meanings: Mapping[str, str]) -> Code:
    """Return the statement that defines the constant `name`, which maps signs to their
    meanings.

    Many currency signs are written as one string, such as "€=EUR £=GBP".
    """
    if len(meanings) < MANY_SIGNS or "CURRENC" not in name:
        return assign(name, dict(meanings))
    listed = " ".join(f"{sign}={code}" for sign, code in meanings.items())
    pair_pattern = Code(WIDE_PAIR if any(" " in sign for sign in meanings) else PAIR)
    pairs = Call(Code("re.findall"), (pair_pattern, listed))
    table = Call(Code("dict"), (pairs,))
    return Code(f"{name} = {python_literal(table, '', len(name) + 3)}")


def type_of(column: Column, key: str) -> Code:
    """Return the Python type of a key of a record, such as `float | None`.

    `key` is the column's name, or a key that belongs to it, such as `price_currency`.
    """
    value_type = _TYPES.get(column.kind, "str") if key == column.name else "str"
    return Code(f"{value_type} | None")


def get_call(pattern: str, *paths: object) -> Call:
    """Return the call of the function `get`, which tries XPath expressions on a record.

    `pattern` is the regular expression for the text, or "" for none.
    """
    if not pattern:
        return Call(Code("get"), paths)
    argument = Code(f"pattern={in_one_line(pattern)}")
    return Call(Code("get"), (*paths, argument))


def text_variable(column: Column) -> Code:
    """Return the name of the variable for the text of a column, before it is converted.

    For the column `price`, it is `price_shown` if the column has further keys such as
    `price_currency`, else `price`.
    """
    value_variable = local_name(column.name)
    return Code(f"{value_variable}_shown") if column.derived else value_variable


def has_signs(column: Column) -> bool:
    """Return whether a field has a further value that is found by a sign.

    For example, the sign `€` gives the currency of a price.
    """
    return any(derived.pattern for derived in column.derived)


def paths_of(column: Column) -> list[str]:
    """Return a column's XPath expressions in the short notation of generated files.

    For example, `@class~="x"` tests for the class `x`.
    """
    end = OWN if column.convert == "own" else ""
    return [short(read.xpath.removesuffix(end)) for read in column.reads]


def program_columns(program: Program) -> list[Column]:
    """Return the fields of all lists of records that a generated file reads.

    `program` describes the file.
    """
    return [column for page_list in program.lists for column in page_list.columns]


def pattern_names(program: Program) -> dict[str, str]:
    """Return the names of constants for regular expressions, by the expression.

    Only long or repeated expressions get a constant.
    """
    keys_by_pattern: dict[str, list[str]] = {}
    for column in program_columns(program):
        for pattern in dict.fromkeys(read.pattern for read in column.reads):
            keys_by_pattern.setdefault(pattern, []).append(column.name)
        for derived in column.derived:
            keys_by_pattern.setdefault(derived.pattern, []).append(derived.key)
    names: dict[str, str] = {}
    for pattern, keys in keys_by_pattern.items():
        if len(pattern) > LONG or (len(pattern) > SHORT and len(keys) > 1):
            name = f"{constant_prefix(keys[0])}_RE"
            while name in names.values():
                name += "_ELSE"
            names[pattern] = name
    return names


def pattern_parts(names: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Return the parts of each constant's regular expression, by the constant's name.

    A part is a text, or the name of another constant. `names` has the name of the
    constant for each regular expression.
    """
    count = Counter(terms for pattern in names for terms in LISTED.findall(pattern))
    shared = [terms for terms in count if count[terms] > 1]
    constants = {terms: Code(names[terms]) for terms in shared if terms in names}
    parts: dict[str, tuple[str, ...]] = {
        name: (terms,) for terms, name in constants.items()
    }
    for pattern, name in names.items():
        if name in parts:
            continue
        pieces: list[str] = []
        for terms in LISTED.findall(pattern):
            if terms in shared and terms not in constants:
                terms_name = f"{name.partition('_RE')[0]}_TERMS"
                while terms_name in parts:
                    terms_name += "_ELSE"
                constants[terms] = Code(terms_name)
                parts[terms_name] = (terms,)
            if terms in shared:
                before, _, pattern = pattern.partition(terms)
                pieces += (before, constants[terms])
        parts[name] = tuple(filter(None, [*pieces, pattern]))
    return parts


def sign_patterns(columns: Iterable[Column]) -> list[Derived]:
    """Return the rules for the keys of records whose values are found by signs, such as
    `€` for a currency.

    A key with the same value in all records is left out.
    """
    return [
        derived for column in columns for derived in column.derived if derived.pattern
    ]


def table_names(program: Program) -> dict[str, str]:
    """Return the names of the constants with the meanings of signs, by key of a record.

    All currencies share one constant, unless a sign has several meanings.
    """
    tables: dict[str, dict[str, str]] = {}
    names: dict[str, str] = {}
    for derived in sign_patterns(program_columns(program)):
        suffix = derived.key.rpartition("_")[2]
        name = TABLES.get(suffix, TABLES[CURRENCY_SUFFIX])
        table = tables.setdefault(name, {})
        if any(table.get(sign, value) != value for sign, value in derived.meanings):
            name = constant_prefix(derived.key)
        else:
            table.update(derived.meanings)
        names[derived.key] = name
    return names


def date_names(program: Program) -> dict[tuple[str, ...], str]:
    """Return the names of the constants that hold date formats, by the list of
    formats.
    """
    format_lists = dict.fromkeys(
        column.calendar.forms
        for column in program_columns(program)
        if column.convert in DATE_HELPERS
    )
    return {
        formats: f"DATES_{number}" if number > 1 else "DATES"
        for number, formats in enumerate(format_lists, 1)
    }


def sign_name(derived: Derived, page_list: List) -> Code:
    """Return the name of the local variable for the sign that gives the value of a key.

    For the key `price_currency`, it is `currency`, or `price_currency` if the shorter
    name isn't unique.
    """
    suffix = derived.key.rpartition("_")[2]
    same_suffix = [
        sign_pattern
        for sign_pattern in sign_patterns(page_list.columns)
        if sign_pattern.key.endswith(f"_{suffix}")
    ]
    is_taken = any(column.name == suffix for column in page_list.columns)
    return local_name(derived.key if is_taken or len(same_suffix) > 1 else suffix)


def paths_name(column: Column, area_suffix: str) -> str:
    """Return the name of the constant for the XPath expressions of a column.

    `area_suffix` is the ending for one of several lists, such as `_2`, or "" if the
    page has only one list.
    """
    return f"{constant_prefix(column.name)}{area_suffix}_PATHS"


def local_name(name: str) -> Code:
    """Return the name of the local variable for the value of a field.

    It is the name of the field, with the ending `_value` if the generated file uses the
    name for something else.
    """
    is_taken = name in LOCALS or name in global_helpers() or keyword.issoftkeyword(name)
    return identifier(f"{name}_value" if is_taken else name)


@cache
def global_helpers() -> frozenset[str]:
    """Return all names that are defined or imported by the functions for generated
    files.
    """
    library = helper_library()
    defined = {name for item in library.definitions for name in item.names}
    return frozenset(defined | {item.bound for item in library.imported})


def constant_prefix(key: str) -> str:
    """Return the beginning of the names of a field's constants, such as "PRICE"."""
    return identifier(key).upper()
