"""Write the text of a generated Python file by filling a template.

The values for the template follow from a `Program`, a description of the file's
content.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from jinja2 import Environment

from amber_wrap.codegen.helper_library import (
    global_names,
    helper_library,
    import_block,
    imports_of,
)
from amber_wrap.codegen.python_source import (
    Call,
    Code,
    UnlessNone,
    assign,
    assign_joined,
    assign_union,
    identifier,
    is_identifier,
    python_literal,
)
from amber_wrap.codegen.statements import (
    ENTRY,
    date_names,
    entry,
    get_call,
    has_signs,
    local_name,
    paths_name,
    paths_of,
    pattern_names,
    pattern_parts,
    program_columns,
    sign_name,
    sign_patterns,
    sign_table,
    statement,
    table_names,
    text_variable,
    type_of,
    with_comment,
)
from amber_wrap.domain.schema import AttributeType
from amber_wrap.lowering.date_patterns import DATE_HELPERS
from amber_wrap.lowering.helpers import template_environment
from amber_wrap.lowering.program import Column, List, Program
from amber_wrap.lowering.xpath_simplification import short

TEMPLATE = "python/wrapper.py.jinja"
IMPORTS = """
import json
import re
import sys
from collections import Counter
from functools import partial
from pathlib import Path
from typing import TypedDict
from lxml.etree import _Element
from parsel import Selector
"""
"""The imports that a generated file may need beside those of the functions that are
copied into it."""
_WHOLE = ("own", "texts")
"""The names of the functions in a generated file that read all selected nodes, and not
only the first one that matches."""


def filled_template(
    program: Program,
    command: str,
    constants: PatternConstants,
    separate: frozenset[str] | None = None,
) -> str:
    """Return the source of the generated file for a program, without testing the
    source.

    `separate` has the names of the columns whose texts are first assigned to variables.
    If it is None, `TemplateView` chooses the columns.
    """
    jinja_template = environment().get_template(TEMPLATE)
    view = TemplateView(program, constants, separate)
    values = view.values() | {"command": command}
    body = jinja_template.render(values, imports=Code(), helpers=Code())
    library = helper_library(program.text).needed_by(body)
    used_names = global_names(f"{body}\n{library.code}")
    imports = {item for item in imports_of(IMPORTS) if item.bound in used_names}
    block = Code(import_block(imports | library.imported))
    return jinja_template.render(values, imports=block, helpers=library.code)


@cache
def environment() -> Environment:
    """Return the Jinja environment whose templates can print only `Code`."""
    jinja = template_environment(Code, "data, not code")
    jinja.globals["assign"] = assign
    return jinja


@dataclass(frozen=True, slots=True)
class PatternConstants:
    """The constants of a generated file that hold regular expressions."""

    names: Mapping[str, str]
    """The names of the constants, by regular expression."""
    parts: Mapping[str, tuple[str, ...]]
    """The parts of a constant's regular expression, by the name of the constant. A part
    is a text, or the name of another constant."""

    @classmethod
    def of(cls, program: Program) -> PatternConstants:
        """Return the constants for the regular expressions of a generated file."""
        names = pattern_names(program)
        return cls(names, pattern_parts(names))


class TemplateView:
    """The values that fill the template of a generated file.

    In its methods, `area_suffix` is the ending of the names that belong to one of
    several lists, such as `_2`.
    """

    def __init__(
        self,
        program: Program,
        constants: PatternConstants,
        separate: frozenset[str] | None = None,
    ) -> None:
        self._program = program
        self._constants = constants
        self._tables = table_names(program)
        self._dates = date_names(program)
        self._types = {
            key: type_of(column, key)
            for column in program_columns(program)
            for key in AttributeType(column.name, column.kind).keys
        }
        for key, value in program.constants.items():
            self._types[key] = Code(type(value).__name__)
        self._separate = self.columns_to_separate() if separate is None else separate

    def values(self) -> dict[str, Any]:
        """Return the values that fill the template, by their names in the template."""
        program = self._program
        lists = [
            self._list_values(page_list, index)
            for index, page_list in enumerate(program.lists)
        ]
        keys = [(self._key(key), self._types[key]) for key in program.keys]
        if len(lists) > 1:
            area_key = Code("_area") if self._is_class else Code('"_area"')
            keys.append((area_key, Code("str")))
        has_root = program.joins_cents or program.has_base or len(lists) > 1
        return {
            "most_records": Code(program.most),
            "constants": list(self._constant_assignments()),
            "expected": with_comment(assign("EXPECTED", program.expected)),
            "keys": keys,
            "is_class": self._is_class,
            "has_base": program.has_base,
            "joins_cents": program.joins_cents,
            "root": Code("root" if has_root else "tree(page)"),
            "has_next": bool(program.next_page),
            "is_closed": program.is_closed,
            "lists": lists,
        }

    def columns_to_separate(self) -> frozenset[str]:
        """Return the names of the fields whose texts are assigned to variables.

        A field's text is assigned to a variable if several regular expressions are
        tried for the field, or if the assignment makes the file shorter.
        """
        return frozenset(
            column.name
            for index, page_list in enumerate(self._program.lists)
            for column in page_list.columns
            if column.convert not in _WHOLE
            and (
                len({read.pattern for read in column.reads}) > 1
                or self._is_shorter_separate(column, self._area_suffix(index))
            )
        )

    def _is_shorter_separate(self, column: Column, area_suffix: str) -> bool:
        """Return whether a variable for the text of a column makes the generated file
        shorter.
        """
        if not column.convert or column.derived:
            return False
        text_call = self._get_call(column, column.reads[0].pattern, area_suffix)
        single = entry(column.name, self._converted(column, text_call))
        variable = text_variable(column)
        assignment = statement(variable, text_call)
        short_entry = entry(column.name, self._converted(column, variable))
        separate = f"{assignment}\n{short_entry}"
        return separate.count("\n") < single.count("\n")

    @property
    def _is_class(self) -> bool:
        """Whether all keys of records are identifiers, so that the type of records can
        be a class.
        """
        return all(map(is_identifier, self._program.keys))

    def _key(self, key: str) -> Code:
        """Return a key as Python source.

        The source is an identifier if all keys are identifiers, else a string literal.
        """
        return identifier(key) if self._is_class else python_literal(key)

    def _area_suffix(self, index: int) -> str:
        """Return the ending of the names of constants and functions that belong to a
        list.

        The ending is `_2` for index 1, and "" if the page has only one list.
        """
        return f"_{index + 1}" if len(self._program.lists) > 1 else ""

    def _constant_assignments(self) -> Iterator[Code]:
        """Yield the statements of a generated file that assign constants.

        The constants COMMAND and EXPECTED are left out.
        """
        program = self._program
        for name, parts in self._constants.parts.items():
            yield assign_joined(name, *parts)
        for index, page_list in enumerate(program.lists):
            suffix = self._area_suffix(index)
            record_paths = [short(path) for path in page_list.records]
            yield assign_union(f"RECORDS{suffix}", record_paths)
            for column in filter(has_signs, page_list.columns):
                yield assign(paths_name(column, suffix), paths_of(column))
        if program.next_page:
            yield assign("NEXT_PAGE", short(program.next_page))
        columns = program_columns(program)
        tables: dict[str, dict[str, str]] = {}
        for derived in sign_patterns(columns):
            tables.setdefault(self._tables[derived.key], {}).update(derived.meanings)
        for name, meanings in tables.items():
            yield sign_table(name, meanings)
        for formats, name in self._dates.items():
            yield assign(name, formats[0] if len(formats) == 1 else list(formats))
        if self._dates:
            calendars = (column.calendar for column in columns)
            calendar = max(calendars, key=lambda calendar: len(calendar.months))
            yield assign_joined("MONTHS", calendar.month_groups())

    def _list_values(self, page_list: List, index: int) -> dict[str, Any]:
        """Return the values that fill the template for one list, by name."""
        suffix = self._area_suffix(index)
        has_links = any(column.convert == "link" for column in page_list.columns)
        arguments = "row, url" if has_links else "row"
        return {
            "records": Code(f"RECORDS{suffix}"),
            "has_several": len(page_list.records) > 1,
            "is_shown": page_list.is_shown,
            "shown_condition": Code(" if is_shown(row)" if page_list.is_shown else ""),
            "least": Code(page_list.least),
            "most_missing": Code(len(self._program.expected) - page_list.least),
            "uses_get": any(
                column.convert not in _WHOLE for column in page_list.columns
            ),
            "function": Code(f"record{suffix}"),
            "parameters": Code("row: _Element" + (", url: str" if has_links else "")),
            "call": Code(f"record{suffix}({arguments})"),
            "assignments": list(self._local_assignments(page_list, suffix)),
            "entries": list(self._entries(page_list, suffix)),
        }

    def _entries(self, page_list: List, area_suffix: str) -> Iterator[Code]:
        """Yield the source of each entry of the dict for a record of `page_list`."""
        values: dict[str, object] = dict(self._program.constants)
        for column in page_list.columns:
            variable = local_name(column.name)
            value = self._value(column, area_suffix)
            values[column.name] = variable if column.derived else value
            for derived in column.derived:
                meaning: object = derived.meanings[0][1]
                if derived.pattern:
                    sign = Call(Code("str"), (sign_name(derived, page_list),))
                    meaning = Call(Code(f"{self._tables[derived.key]}.get"), (sign,))
                values[derived.key] = UnlessNone(variable, meaning)
        for key in self._program.keys:
            yield entry(key, values.get(key))
        if len(self._program.lists) > 1:
            yield Code(f'"_area": {python_literal(page_list.name)}')

    def _local_assignments(self, page_list: List, area_suffix: str) -> Iterator[Code]:
        """Yield the assignments to local variables in the function that makes a record.

        The variables hold texts, values, and the symbols of currencies and units, such
        as `€`.
        """
        for column in page_list.columns:
            if column.name in self._separate:
                yield from self._text_statements(column, area_suffix)
            if column.derived:
                value = self._value(column, area_suffix)
                yield statement(local_name(column.name), value)
            for derived in column.derived:
                if derived.pattern:
                    paths = Code(f"*{paths_name(column, area_suffix)}")
                    sign = get_call(self._pattern(derived.pattern), paths)
                    yield statement(sign_name(derived, page_list), sign)

    def _value(self, column: Column, area_suffix: str) -> Call | Code:
        """Return the Python source of the expression for the value of a column."""
        if column.convert in _WHOLE:
            return Call(Code(column.convert), (Code("row"), *paths_of(column)))
        if column.name in self._separate:
            return self._converted(column, text_variable(column))
        text = self._get_call(column, column.reads[0].pattern, area_suffix)
        return self._converted(column, text)

    def _converted(self, column: Column, text: Call | Code) -> Call | Code:
        """Return the Python source that converts a field's text to a value."""
        if not column.convert:
            return text
        arguments: list[object] = [text]
        if column.convert == "link":
            arguments.append(Code("url"))
        elif column.convert in DATE_HELPERS:
            formats = column.calendar.forms
            name = self._dates[formats]
            # A constant for several formats is a list.
            arguments.append(Code(name if len(formats) == 1 else f"*{name}"))
        elif column.scale != 1:
            arguments.append(column.scale)
        return Call(Code(column.convert), tuple(arguments))

    def _text_statements(self, column: Column, area_suffix: str) -> Iterator[Code]:
        """Yield the Python statements that find the text of a column in a record.

        Each statement tries one regular expression. All assign to the same variable.
        """
        variable = text_variable(column)
        first, *others = dict.fromkeys(read.pattern for read in column.reads)
        yield statement(variable, self._get_call(column, first, area_suffix))
        for pattern in others:
            text_call = self._get_call(column, pattern, area_suffix)
            assignment = statement(variable, text_call, ENTRY)
            yield Code(f"if {variable} is None:\n{ENTRY}{assignment}")

    def _get_call(self, column: Column, pattern: str, area_suffix: str) -> Call:
        """Return the call of the function that finds the text of a column by a regular
        expression.

        The call has only the XPath expressions that belong to `pattern`.
        """
        paths: list[object] = [
            path
            for path, read in zip(paths_of(column), column.reads, strict=True)
            if read.pattern == pattern
        ]
        if has_signs(column) and len(paths) == len(column.reads):
            paths = [Code(f"*{paths_name(column, area_suffix)}")]
        return get_call(self._pattern(pattern), *paths)

    def _pattern(self, pattern: str) -> str:
        """Return the name of the constant that holds a regular expression.

        Return the expression itself if there is no such constant.
        """
        name = self._constants.names.get(pattern)
        return Code(name) if name else pattern
