"""From a program to the text of a generated file, checked before it is handed out."""

from __future__ import annotations

import keyword
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined

from amber_wrap.codegen.blocks import (
    global_names,
    import_block,
    imports_of,
    library,
)
from amber_wrap.codegen.guard import Blank, check
from amber_wrap.codegen.layout import Call, laid_out
from amber_wrap.codegen.literals import (
    Code,
    assign,
    code_only,
    identifier,
    in_parts,
    is_identifier,
    literal,
)
from amber_wrap.domain.schema import AttributeType, ValueKind
from amber_wrap.errors import WrapperError
from amber_wrap.lowering.dates import merged
from amber_wrap.lowering.helpers import helpers, template
from amber_wrap.lowering.paths import short
from amber_wrap.lowering.program import Column, List, Program

TEMPLATE = "python/wrapper.py.jinja"
SHORT, LONG = 24, 88
"""Characters of patterns that get a name if they are used twice, and that always do."""
ENTRY, STATEMENT = " " * 8, " " * 4
IMPORTS = """
from __future__ import annotations
import json
import re
import sys
from pathlib import Path
from typing import TypedDict
from lxml.etree import _Element
from parsel import Selector
"""
"""What every generated file imports."""
WHOLE = ("joined", "texts")
"""The helpers that take all that an expression selects, instead of `find`."""
TYPES = {
    **dict.fromkeys((ValueKind.MONEY, ValueKind.NUMBER, ValueKind.QUANTITY), "float"),
    **dict.fromkeys((ValueKind.COUNT, ValueKind.YEAR), "int"),
    ValueKind.TEXTS: "list[str]",
}
LOCALS = frozenset("row seen url".split())
"""Names in the function that makes a record."""


def render(program: Program, command: str) -> str:
    """The Python file of a program; `command` is what makes it again.

    Same input, same bytes.  Raises WrapperError rather than give out a file in which
    data became code, or that is broken in another way.
    """
    try:
        names = pattern_names(program)
        source = fill(program, command, names)
        blank = Blank()
        harmless = {blank(pattern): name for pattern, name in names.items()}
        reference = fill(blank.program(program), blank(command), harmless)
        check(source, reference)
    except (SyntaxError, ValueError) as error:
        raise WrapperError(f"the generated file would be no Python: {error}") from error
    return source


# --- templates ------------------------------------------------------------------


def pattern_names(program: Program) -> dict[str, str]:
    """The patterns that stand apart, under names: long ones, and those of several
    ways."""
    used: dict[str, list[str]] = {}
    for column in (column for one in program.lists for column in one.columns):
        for pattern in (one.pattern for one in column.reads):
            used.setdefault(pattern, []).append(column.name)
        for derived in column.derived:
            used.setdefault(derived.pattern, []).append(derived.key)
    names: dict[str, str] = {}
    for pattern, fields in used.items():
        if len(pattern) > LONG or (len(pattern) > SHORT and len(fields) > 1):
            name = f"{constant(fields[0])}_PATTERN"
            while name in names.values():
                name += "_ELSE"
            names[pattern] = name
    return names


def fill(program: Program, command: str, names: Mapping[str, str]) -> str:
    """The text that the template makes of a program, unchecked."""
    page = environment().get_template(TEMPLATE)
    known = View(program, names).values() | {"command": command}
    body = page.render(known, imports=Code(), helpers=Code())
    copied = library(program.text).needed_by(body)
    used = global_names(f"{body}\n{copied.code}")
    imports = {
        one
        for one in imports_of(IMPORTS)
        if one.bound in used or one.module == "__future__"
    }
    block = Code(import_block(imports | copied.imported))
    return page.render(known, imports=block, helpers=copied.code)


@cache
def environment() -> Environment:
    """Jinja, set up so that a template prints code only."""
    jinja = Environment(
        loader=FunctionLoader(template),
        finalize=code_only,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )
    jinja.globals["assign"] = assign
    return jinja


class View:
    """What the template prints of a program."""

    def __init__(self, program: Program, names: Mapping[str, str]) -> None:
        self._program = program
        self._names = names
        self._types = {
            key: type_of(column, key)
            for one in program.lists
            for column in one.columns
            for key in AttributeType(column.name, column.kind).keys
        }

    def values(self) -> dict[str, Any]:
        """The values by name."""
        program = self._program
        lists = [self._list(one, at) for at, one in enumerate(program.lists)]
        name = Code("_area") if self._is_class else Code('"_area"')
        area = [(name, Code("str"))] if len(lists) > 1 else []
        return {
            "text": helpers().TEXT,
            "most": Code(program.most),
            "constants": list(self._constants()),
            "expected": program.expected,
            "keys": [(self._key(key), self._types[key]) for key in program.keys] + area,
            "is_class": self._is_class,
            "has_base": program.has_base,
            "lists": lists,
        }

    @property
    def _is_class(self) -> bool:
        """Whether the type of the records is a class: all keys are identifiers."""
        return all(map(is_identifier, self._program.keys))

    def _key(self, key: str) -> Code:
        return identifier(key) if self._is_class else literal(key)

    def _suffix(self, at: int) -> str:
        return f"_{at + 1}" if len(self._program.lists) > 1 else ""

    def _constants(self) -> Iterator[Code]:
        program = self._program
        for pattern, name in self._names.items():
            yield in_parts(name, pattern)
        for at, one in enumerate(program.lists):
            end = self._suffix(at)
            for start, path in zip(("RECORDS", "INNER"), one.records, strict=False):
                yield assign(f"{start}{end}", short(path))
            if fields := fields_of(one, self._names):
                yield assign(f"FIELDS{end}", fields)
        columns = [column for one in program.lists for column in one.columns]
        named: dict[str, dict[str, str]] = {}
        for derived in (one for column in columns for one in column.derived):
            if derived.pattern:
                named.setdefault(constant(derived.key), {}).update(derived.meanings)
        for name, meanings in named.items():
            yield assign(name, meanings)
        calendars = [one.calendar for one in columns if one.convert == "date"]
        if calendars:
            forms, months = merged(calendars).forms, merged(calendars).months
            yield assign("DATES" if forms else "DATES: list[str]", list(forms))
            yield in_parts("MONTHS", " ".join(months))

    def _list(self, one: List, at: int) -> dict[str, Any]:
        end = self._suffix(at)
        has_links = any(column.convert == "link" for column in one.columns)
        given = "row, url" if has_links else "row"
        return {
            "records": Code(f"RECORDS{end}"),
            "inner": Code(f"INNER{end}"),
            "has_several": len(one.records) > 1,
            "is_shown": one.is_shown,
            "least": Code(one.least) if one.least else Code(),
            "finds": any(column.convert not in WHOLE for column in one.columns),
            "fewest": Code(one.least),
            "function": Code(f"record{end}"),
            "parameters": Code("row: _Element" + (", url: str" if has_links else "")),
            "call": Code(f"record{end}({given})"),
            "assignments": list(self._assignments(one, end)),
            "entries": list(self._entries(one, end)),
        }

    def _entries(self, one: List, end: str) -> Iterator[Code]:
        values: dict[str, object] = {}
        for column in one.columns:
            name = local(column.name)
            values[column.name] = name if column.derived else value_of(column, end)
            for derived in column.derived:
                meaning = literal(derived.meanings[0][1])
                values[derived.key] = Code(f"None if {name} is None else {meaning}")
                if derived.pattern:
                    sign = Code(self._names.get(derived.pattern, "")) or derived.pattern
                    fields = Code(f"FIELDS{end}[{literal(column.name)}]")
                    shown = Call(
                        Code("find"), (Code("row"), fields, Code("seen"), sign)
                    )
                    meaning = Code(f"{constant(derived.key)}.get")
                    told = Call(meaning, (Call(Code("str"), (shown,)),))
                    values[derived.key] = Call(Code("given"), (name, told))
        for key in self._program.keys:
            start = f"{literal(key)}: "
            yield Code(start + laid_out(values.get(key), ENTRY, len(start), after=1))
        if len(self._program.lists) > 1:
            yield Code(f'"_area": {literal(one.name)}')

    def _assignments(self, one: List, end: str) -> Iterator[Code]:
        """The values that further keys go with."""
        for column in one.columns:
            if column.derived:
                start = f"{local(column.name)} = "
                value = laid_out(value_of(column, end), STATEMENT, len(start))
                yield Code(start + value)


def type_of(column: Column, key: str) -> Code:
    """The type of a key of a record."""
    kind = TYPES.get(column.kind, "str") if key == column.name else "str"
    return Code(f"{kind} | None")


def fields_of(one: List, names: Mapping[str, str]) -> dict[str, list[str | list[str]]]:
    """What is found in each record, by name: the ways to it, each an expression, and a
    pattern unless the whole text is taken."""

    def way(path: str, pattern: str) -> str | list[str]:
        if not pattern:
            return short(path)
        return [short(path), Code(names.get(pattern, "")) or pattern]

    found: dict[str, list[str | list[str]]] = {}
    for column in one.columns:
        if column.convert not in WHOLE:
            found[column.name] = [
                way(read.xpath, read.pattern) for read in column.reads
            ]
    return found


def value_of(column: Column, end: str) -> object:
    """The expression that gives a value."""
    if column.convert in WHOLE:
        paths = (short(one.xpath) for one in column.reads)
        return Call(Code(column.convert), (Code("row"), *paths))
    value = found(column.name, end)
    if not column.convert:
        return value
    more: tuple[object, ...] = (Code("url"),) if column.convert == "link" else ()
    more = (column.scale,) if column.scale != 1 else more
    return Call(Code(column.convert), (value, *more))


def found(name: str, end: str) -> Code:
    """What is found for a field."""
    return Code(f"find(row, FIELDS{end}[{literal(name)}], seen)")


def local(name: str) -> Code:
    """The local variable of a field."""
    taken = name in LOCALS or name in global_helpers() or keyword.issoftkeyword(name)
    return identifier(f"{name}_value" if taken else name)


@cache
def global_helpers() -> frozenset[str]:
    """The names of all helpers, and of what they import."""
    found = library()
    names = (name for one in found.definitions for name in one.names)
    return frozenset([*names, *(one.bound for one in found.imported)])


def constant(key: str) -> str:
    """The name of the constant for the signs of a key."""
    return identifier(key).upper()
