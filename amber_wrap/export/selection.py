"""A program as plain XPath 1.0: what tools that run no code of ours can select."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from amber_wrap.domain.schema import ValueKind
from amber_wrap.errors import Diagnostic
from amber_wrap.export.target import lost
from amber_wrap.lowering.cases import OWN
from amber_wrap.lowering.program import Column, List, Program

ATTRIBUTE: Final = re.compile(r"^(?P<element>.*)/@(?P<name>[\w:-]+)$", re.DOTALL)
STRINGS: Final = re.compile(r"^(?P<element>.*)/text\(\)(?:\[[^\[\]]*\])*$", re.DOTALL)
SHOWN: Final = (
    '[not(ancestor-or-self::*[@hidden or contains(translate(@style, "DISPLAYNOE ", '
    '"displaynoe"), "display:none")])]'
)
"""Holds of what is displayed, as in generated files."""


@dataclass(frozen=True, slots=True)
class Way:
    """One expression for a column, from the record, and the pattern of its values.

    `element` selects elements whose text, or whose `attribute`, is taken; those that
    have none are not selected.  With `is_string` it is the text right in the element
    that counts, and the expression of the strings is `path`.  `plain` selects the
    elements, also those without a text.
    """

    path: str
    element: str
    plain: str
    attribute: str = ""
    pattern: str = ""
    is_string: bool = False


@dataclass(frozen=True, slots=True)
class Selected:
    """A column: its ways, in turn; with `several` all that is selected is the value."""

    name: str
    kind: ValueKind
    ways: tuple[Way, ...]
    several: bool = False

    @property
    def nodes(self) -> str:
        """One expression for the nodes, those of a way where no way before it selects
        any; from the record, for XPath 1.0 engines of all kinds."""
        return in_turn([one.path for one in self.ways])

    @property
    def elements(self) -> str:
        """The same for the elements that hold the nodes: all ways have one attribute,
        or none."""
        first = self.ways[0]
        alike = [one for one in self.ways if one.attribute == first.attribute]
        return in_turn([one.element for one in alike])

    @property
    def text(self) -> str:
        """An expression for the text of the first node, as a string."""
        return f"normalize-space({self.nodes})"


@dataclass(frozen=True, slots=True)
class Selection:
    """The main list of a program: `records` selects its records on a page."""

    records: str
    fields: tuple[Selected, ...]
    next_page: str = ""


def selection(program: Program) -> tuple[Selection, list[Diagnostic]]:
    """What plain XPath can say of a program, and what it can't."""
    main = max(program.lists, key=lambda one: len(one.columns))
    columns = {one.name: one for one in main.columns}
    ordered = [columns[key] for key in program.keys if key in columns]
    fields = tuple(selected(one) for one in ordered)
    return Selection(records_of(main), fields, program.next_page), [
        *_lost(program, main, ordered)
    ]


def records_of(one: List) -> str:
    """The expression for the records of a list."""
    shown = SHOWN if one.is_shown else ""
    path = one.records[0]
    return f"({path}){shown}" if shown and " | " in path else f"{path}{shown}"


def selected(column: Column) -> Selected:
    """A column as expressions that select only what has a text."""
    ways = tuple(way(one.xpath, one.pattern) for one in column.reads)
    if column.convert == "own":
        ways = tuple(
            Way(one.element, one.element, one.plain, pattern=one.pattern)
            for one in ways
        )
    return Selected(column.name, column.kind, ways, column.convert == "texts")


def way(path: str, pattern: str = "") -> Way:
    """The way of an expression as generated files have it."""
    if found := ATTRIBUTE.match(path):
        element, name = found["element"], found["name"]
        return Way(
            f"{filled(element, f'@{name}')}/@{name}",
            filled(element, f"@{name}"),
            element,
            name,
            pattern,
        )
    if found := STRINGS.match(path):
        element = found["element"]
        return Way(filled(path), filled(element), element, "", pattern, True)
    return Way(filled(path), filled(path), path, pattern=pattern)


def filled(path: str, what: str = "") -> str:
    """An expression for those of the nodes that have a text."""
    test = f"[normalize-space({what})]"
    if path == ".":
        return f"self::*{test}"
    return f"({path}){test}" if " | " in path else f"{path}{test}"


def in_turn(paths: Sequence[str]) -> str:
    """One expression for several: what the first selects, else what the next does.

    From the record; one that begins elsewhere, or a union, isn't followed.
    """
    first, *others = dict.fromkeys(paths)
    if not is_step(first):
        return first
    found, before = [first], [first]
    for path in filter(is_step, others):
        nothing = "".join(f"[not({one})]" for one in before)
        rest = path[1:] if path.startswith("./") else f"/{path}"
        found.append(f"self::*{nothing}{rest}")
        before.append(path)
    return " | ".join(found)


def is_step(path: str) -> bool:
    """Whether an expression is a path from the record, not a union, nor of the page."""
    return not path.startswith(("(", "/")) and " | " not in path


def _lost(
    program: Program, main: List, columns: Sequence[Column]
) -> Iterator[Diagnostic]:
    """What plain XPath can't say of a program, whatever the tool."""
    for other in program.lists:
        if other is not main:
            yield lost("", f"the records of {other.name}: one list only")
    if len(main.records) > 1:
        yield lost("", "the second way to the records, for when the first breaks")
    if main.least > 1:
        yield lost("", f"records with fewer than {main.least} values are not left out")
    for name in program.constants:
        yield lost(name, "a constant: add it where the records are used")
    for column in columns:
        if column.convert == "own":
            yield lost(
                column.name,
                "the text of the whole element, also of what is in it",
            )
        paths = [one.xpath.removesuffix(OWN) for one in column.reads]
        if any(not is_step(one) for one in paths[1:]):
            yield lost(column.name, "its second way")
