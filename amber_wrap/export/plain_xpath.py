"""Reduce the XPath expressions of a generated file to plain XPath 1.0."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from amber_wrap.domain.schema import ValueKind
from amber_wrap.errors import Diagnostic
from amber_wrap.export.target import lost
from amber_wrap.lowering.program import Column, List, Program, Read
from amber_wrap.lowering.sample_cases import OWN
from amber_wrap.lowering.xpath_simplification import ATTRIBUTE, with_text

_TEXT_NODES: Final = re.compile(r"(?P<element>.*)/text\(\)(?:\[[^\[\]]*\])*", re.DOTALL)

_IF_DISPLAYED: Final = (
    '[not(ancestor-or-self::*[@hidden or contains(translate(@style, "DISPLAYNOE ", '
    '"displaynoe"), "display:none")])]'
)
"""An XPath predicate that holds for an element if neither the element nor an ancestor
is hidden.
"""


@dataclass(frozen=True, slots=True)
class _Alternative:
    """A plain XPath expression for the value of a field, beginning at the record."""

    path: str
    """The XPath expression whose first selected node has the field's value."""
    element: str
    """The XPath expression for the element with the field's value."""
    plain: str
    """A simpler expression than `element`, which may select elements without a
    value.
    """
    attribute: str = ""
    """The attribute with the value, "" for the element's text."""
    pattern: str = ""
    """The regular expression for the value, "" for the whole text."""
    is_string: bool = False
    """Whether the value is only the text directly in the element, without child
    elements.
    """
    is_exact: bool = True
    """Whether `path` selects nothing in records without a value."""


@dataclass(frozen=True, slots=True)
class SelectedColumn:
    """A field of records, and alternative XPath expressions for its value."""

    name: str
    kind: ValueKind
    alternatives: tuple[_Alternative, ...]
    several: bool = False
    """Whether the value is a list of all selected nodes, not the first node."""

    @property
    def nodes(self) -> str:
        """Return one XPath 1.0 expression for the nodes with the field's value.

        A later alternative is used only if the earlier ones select nothing.
        """
        return fallback_union([alternative.path for alternative in self.alternatives])

    @property
    def elements(self) -> str:
        """Return one XPath expression for the elements with the field's values.

        The expression joins the field's alternative expressions. Alternatives that read
        another attribute than the first one are left out.
        """
        first = self.alternatives[0]
        alike = [
            alternative
            for alternative in self.alternatives
            if alternative.attribute == first.attribute
        ]
        return fallback_union([alternative.element for alternative in alike])

    @property
    def text(self) -> str:
        """Return an XPath expression for the text of the first selected node.

        The expression has the form `normalize-space(...)`.
        """
        return f"normalize-space({self.nodes})"


@dataclass(frozen=True, slots=True)
class Selection:
    """Plain XPath expressions for one list of a page, the list with the most fields."""

    records: str
    """The XPath expression for the records that the page displays."""
    rows: str
    """The XPath expression for all records, displayed or not."""
    fields: tuple[SelectedColumn, ...]
    next_page: str = ""
    """The expression for the address of the next page, "" if there is none."""


def selection(program: Program) -> tuple[Selection, list[Diagnostic]]:
    """Return plain XPath expressions for the list with the most fields, and warnings.

    The warnings are on parts of the generated file that plain XPath can't express.
    """
    main_list = max(program.lists, key=lambda page_list: len(page_list.columns))
    by_name = {column.name: column for column in main_list.columns}
    columns = [by_name[key] for key in program.keys if key in by_name]
    selected = [_selected(column) for column in columns]
    selected_columns = tuple(column for column in selected if column is not None)
    xpath_losses = list(_losses(program, main_list, columns))
    records, rows = displayed_records(main_list), main_list.records[0]
    return Selection(records, rows, selected_columns, program.next_page), xpath_losses


def displayed_records(page_list: List) -> str:
    """Return the XPath expression for the records of a list.

    If `page_list.is_shown` is true, the expression excludes records that the page
    doesn't display.
    """
    path = page_list.records[0]
    if not page_list.is_shown:
        return path
    return f"({path}){_IF_DISPLAYED}" if " | " in path else f"{path}{_IF_DISPLAYED}"


def _selected(column: Column) -> SelectedColumn | None:
    """Return plain XPath expressions for a column of the records.

    Return None if plain expressions can't select the column's value.
    """
    if column.convert == "texts":
        items = tuple(map(_items, column.reads))
        return SelectedColumn(column.name, column.kind, items, several=True)
    alternatives = tuple(
        plain_alternative(read, column.convert) for read in column.reads if read.first
    )
    if not alternatives:
        return None
    return SelectedColumn(column.name, column.kind, alternatives)


def plain_alternative(read: Read, convert: str = "") -> _Alternative:
    """Return an XPath expression of a generated file as plain XPath 1.0.

    If `convert` is "own", the value is only the text in the element's own text nodes.
    """
    path, plain = read.first, read.xpath
    if convert == "own":
        plain = plain.removesuffix(OWN)
    pattern, is_exact = read.pattern, read.is_exact
    if match := ATTRIBUTE.fullmatch(path):
        element, attribute = match["element"], match["name"]
        plain = ATTRIBUTE.sub(r"\g<element>", plain)
        return _Alternative(path, element, plain, attribute, pattern, False, is_exact)
    if match := _TEXT_NODES.fullmatch(path):
        element = match["element"]
        return _Alternative(path, element, element, "", pattern, True, is_exact)
    return _Alternative(path, path, plain, "", pattern, convert == "own", is_exact)


def _items(read: Read) -> _Alternative:
    """Return the plain XPath for the items of a field whose value is a list.

    The XPath selects no blank items.
    """
    path = with_text(read.xpath)
    return _Alternative(path, path, read.xpath)


def fallback_union(paths: Sequence[str]) -> str:
    """Return one XPath expression that selects the nodes of the first path with any
    result.

    If the first path is absolute or a union, return the first path alone. Later paths
    that are absolute or unions are left out.
    """
    first_path, *later_paths = dict.fromkeys(paths)
    if not is_combinable(first_path):
        return first_path
    union_paths, earlier_paths = [first_path], [first_path]
    for path in filter(is_combinable, later_paths):
        unless_earlier = "".join(f"[not({before})]" for before in earlier_paths)
        relative = path[1:] if path.startswith("./") else f"/{path}"
        union_paths.append(f"self::*{unless_earlier}{relative}")
        earlier_paths.append(path)
    return " | ".join(union_paths)


def is_combinable(path: str) -> bool:
    """Return whether an XPath expression is a relative path, and not a union."""
    return not path.startswith(("(", "/")) and " | " not in path


def _losses(
    program: Program, main_list: List, columns: Sequence[Column]
) -> Iterator[Diagnostic]:
    """Yield a warning for each part of a generated file that plain XPath can't express.

    `main_list` is the only list that is exported.
    """
    for page_list in program.lists:
        if page_list is not main_list:
            name = page_list.name
            message = f"the records of {name} are left out: only one list is exported"
            yield lost("", message)
    if len(main_list.records) > 1:
        yield lost("", "the second expression for the records is left out")
    if main_list.least > 1:
        yield lost(
            "", f"records with fewer than {main_list.least} values are not left out"
        )
    if program.joins_cents:
        yield lost("", "cents in elements of their own are not joined to their amounts")
    for name in program.constants:
        yield lost(name, "a constant, left out: add it where the records are used")
    for column in columns:
        selected = _selected(column)
        if selected is None:
            yield lost(column.name, "left out: only its pattern finds it")
        elif any(alternative.is_string for alternative in selected.alternatives):
            yield lost(column.name, "reads the text of the whole element")
        elif not all(alternative.is_exact for alternative in selected.alternatives):
            yield lost(column.name, "reads another text in records without a value")
        if selected and len(combinable_paths(selected)) < len(column.reads):
            yield lost(column.name, "its second expression is left out")


def combinable_paths(column: SelectedColumn) -> list[str]:
    """Return the XPath expressions of a field that `fallback_union` can combine.

    If the first expression is absolute or a union, return it alone. Later expressions
    that are absolute or unions are left out.
    """
    first_path, *later_paths = (alternative.path for alternative in column.alternatives)
    if not is_combinable(first_path):
        return [first_path]
    return [first_path, *filter(is_combinable, later_paths)]
