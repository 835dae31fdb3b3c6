"""Check that no data became code in a generated file.

The file is compared with a second file, in which harmless texts replace the texts that
come from pages. The syntax trees may differ in literals only.
"""

from __future__ import annotations

import ast
from collections import Counter
from dataclasses import replace
from typing import Any

from amber_wrap.codegen.helper_library import bound_names
from amber_wrap.codegen.python_source import is_printable
from amber_wrap.errors import WrapperError
from amber_wrap.lowering.program import Column, Derived, List, Program, Read

HARMLESS = "harmless"
"""The beginning of the texts that replace page texts, as in "harmless3"."""


class HarmlessTexts:
    """A callable that replaces texts of pages by texts that can't be code.

    An example of such a harmless text is "harmless3". Equal texts get the same
    replacement.
    """

    def __init__(self) -> None:
        self._known: dict[str, str] = {"": ""}

    def __call__(self, text: str) -> str:
        """Return the harmless text that replaces `text`, for example "harmless3".

        The empty text is its own replacement.
        """
        return self._known.setdefault(text, f"{HARMLESS}{len(self._known)}")

    def program(self, program: Program) -> Program:
        """Return the content of a generated file (program) with harmless texts, such as
        "harmless3", in place of all texts from pages."""
        expected = {
            key: (share, self(pattern))
            for key, (share, pattern) in program.expected.items()
        }
        lists = tuple(map(self._list, program.lists))
        return replace(
            program,
            lists=lists,
            expected=expected,
            next_page=self(program.next_page),
            constants={
                key: self(value) if isinstance(value, str) else value
                for key, value in program.constants.items()
            },
        )

    def _list(self, page_list: List) -> List:
        """Return a copy of a list of records with harmless texts, such as "harmless3".

        The replaced texts are the list's name, the expressions, and the texts of the
        columns.
        """
        return replace(
            page_list,
            name=self(page_list.name),
            records=tuple(map(self, page_list.records)),
            columns=tuple(map(self._column, page_list.columns)),
        )

    def _column(self, column: Column) -> Column:
        """Return a copy of a column with harmless texts, such as "harmless3", in place
        of all texts.

        The names of the column and of the keys that are derived from it, such as
        `price_currency`, are kept.
        """
        calendar = column.calendar
        return replace(
            column,
            reads=tuple(map(self._read, column.reads)),
            derived=tuple(map(self._derived, column.derived)),
            calendar=replace(
                calendar,
                forms=tuple(map(self, calendar.forms)),
                months=tuple(map(self, calendar.months)),
            ),
        )

    def _read(self, read: Read) -> Read:
        """Return a copy of an expression for a column, with harmless texts.

        Harmless texts, such as "harmless3", replace the XPath expression and the
        regular expression in `read`.
        """
        return Read(self(read.xpath), self(read.pattern))

    def _derived(self, derived: Derived) -> Derived:
        """Return a copy of a derived key with placeholders for the texts from pages.

        A derived key, such as `price_currency`, has a table from signs (`€`) to values
        ("EUR"), and a regular expression that finds the signs. All of them are
        replaced.
        """
        meanings = tuple(
            (self(sign), self(meaning)) for sign, meaning in derived.meanings
        )
        return replace(derived, meanings=meanings, pattern=self(derived.pattern))


def check_literals_only(source: str, reference: str) -> None:
    """Raise WrapperError unless the source differs from the reference in literals only.

    `source` is a generated file. `reference` is the same file with harmless texts in
    place of the texts from pages. Raise WrapperError also if the source has an
    unprintable character, or defines a name twice. Raise SyntaxError or ValueError if
    the source isn't valid Python.
    """
    tree = ast.parse(source.encode())
    if not are_alike(tree, ast.parse(reference.encode())):
        raise WrapperError("the generated file would run data as code")
    for line in source.splitlines():
        if not is_printable(line):
            raise WrapperError(
                f"the generated file would have an unprintable character: {line!r}"
            )
    names = Counter(name for node in tree.body for name in bound_names(node))
    for name, count in names.items():
        if count > 1:
            raise WrapperError(f"the generated file would define {name!r} twice")


def are_alike(tree: ast.Module, other: ast.Module) -> bool:
    """Return whether two syntax trees are equal if all literals are ignored.

    For example, the trees of `x = "a"` and `x = 2` are alike.
    """
    pairs: list[tuple[Any, Any]] = [(tree, other)]
    while pairs:
        first, second = pairs.pop()
        if type(first) is not type(second):
            return False
        if isinstance(first, ast.AST):
            if not isinstance(first, ast.Constant):
                pairs += (
                    (getattr(first, name), getattr(second, name))
                    for name in first._fields
                )
        elif isinstance(first, list):
            if len(first) != len(second):
                return False
            pairs += zip(first, second, strict=True)
        elif first != second:
            return False
    return True
