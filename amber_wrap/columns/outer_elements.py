"""Join columns whose texts have the same place in records, but different inner markup.

For example, `<td><b class="up">3</b></td>` and `<td>0</td>` are joined, because both
fill the same `<td>`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple, TypeVar

from amber_wrap.analysis.extraction_typing import Record
from amber_wrap.analysis.relative_paths import Marks
from amber_wrap.annotate.aria_tables import aria_column
from amber_wrap.columns.cells import Cell
from amber_wrap.dom.page import NodeId, Page

CELL_TAG = "td"
"""The HTML tag of table cells, whose position in the row identifies a column."""
_CONTROL_TAGS = frozenset({"a", "button"})
"""The HTML tags of links and buttons, which aren't used as outer elements."""
Key = TypeVar("Key", bound=Hashable)


class OuterElement(NamedTuple):
    """An element that displays only the text of an element within it."""

    place: str
    """The tags and classes from the record down, or "td 2" for a table cell."""
    node: NodeId


class OuterElements:
    """A finder of elements in a record that display only the text of an element within
    them.

    `places` gives the tags and classes from the record down to an element.
    """

    def __init__(self, page: Page, record: Record, places: Marks) -> None:
        self._page = page
        self._places = places
        self._paths = places.of_record(page, record.nodes)
        self._path_counts = Counter(self._paths.values())
        self._is_single_row = len(record.nodes) == 1

    def around(self, node: NodeId, row: NodeId) -> OuterElement | None:
        """Return the outermost element below `row` that displays only the text of
        `node`.

        `row` is a top element of the record. Return None if there is no such element,
        or if the element is a link or in a button. Also return None if other elements
        of the record have the same tags and classes.
        """
        page, outer = self._page, node
        while outer != row and (parent := page.parent[outer]) != row:
            if page.tag[outer] == "button":
                return None
            if page.text_length(parent) != page.text_length(node):
                break
            outer = parent
        if outer == node or page.tag[outer] in _CONTROL_TAGS:
            return None
        path = self._paths[outer]
        is_cell_of_row = self._is_single_row and page.parent[outer] == row
        if is_cell_of_row and (place := table_column(page, outer)):
            return OuterElement(place, outer)
        if self._path_counts[path] > 1:
            return None
        return OuterElement(self._places.text(path), outer)


def table_column(page: Page, node: NodeId) -> str:
    """Return the tag and the index of a table cell, such as `td 2`.

    Return "cell" and a number for an element with the ARIA role of a cell, and "" for
    any other element.
    """
    if page.tag[node] != CELL_TAG:
        number = aria_column(page, node)
        return number and f"cell {number}"
    row_cells = list(page.child_elements(page.parent[node]))
    return f"{CELL_TAG} {row_cells.index(node)}"


def columns_to_join(
    columns: Mapping[Key, Sequence[Cell]],
    outer_cells: Mapping[tuple[Key, Key], Sequence[Cell]],
) -> Iterator[tuple[list[Key], dict[Key, list[Cell]]]]:
    """Yield (keys, joined columns) for each group of columns to join.

    The elements of a group's columns lie within similar outer elements, such as table
    cells. An outer element displays only the text of one element within it. The joined
    columns replace the columns with the yielded keys. `outer_cells` maps (key of a
    column, key of outer elements) to the column's texts in these outer elements.
    """
    outers_by_key: dict[Key, list[Key]] = defaultdict(list)
    for key, outer_key in outer_cells:
        outers_by_key[key].append(outer_key)
    for keys, outer_keys in _connected(
        {
            key: outer_keys
            for key, outer_keys in outers_by_key.items()
            if sum(len(outer_cells[key, outer]) for outer in outer_keys)
            == len(columns.get(key, ()))
            and not _are_one_link(columns[key])
        }
    ):
        joined = {
            outer: [
                *chain.from_iterable(outer_cells.get((key, outer), ()) for key in keys),
                *columns.get(outer, ()),
            ]
            for outer in outer_keys
        }
        column_count = len(keys) + sum(bool(columns.get(key)) for key in outer_keys)
        is_simpler = len(joined) < column_count or (
            len(joined) == column_count and _share_class([columns[key] for key in keys])
        )
        if is_simpler and not any(map(_repeat_record, joined.values())):
            in_order = sorted(joined.items(), key=lambda item: _first_offset(item[1]))
            yield keys, dict(in_order)


def _are_one_link(cells: Sequence[Cell]) -> bool:
    """Return whether all elements of a column are links with the same text."""
    are_links = all(cell.page.tag[cell.node] == "a" for cell in cells)
    return are_links and len({cell.text for cell in cells}) == 1


def _connected(
    outers_by_key: Mapping[Key, Sequence[Key]],
) -> Iterator[tuple[list[Key], list[Key]]]:
    """Yield (keys, outer keys) for each group of columns that outer keys connect.

    `outers_by_key` maps the key of each column to the keys of the elements around its
    elements, its outer keys. For example, `{"a": ["x"], "b": ["x", "y"], "c": ["y"]}`
    gives one group, since "a" and "c" share an outer key with "b".
    """
    groups: list[tuple[list[Key], list[Key]]] = []
    for key, outer_keys in outers_by_key.items():
        apart = [group for group in groups if not set(group[1]) & set(outer_keys)]
        shared = [group for group in groups if set(group[1]) & set(outer_keys)]
        keys = [*chain.from_iterable(group[0] for group in shared), key]
        outers = [*chain.from_iterable(group[1] for group in shared), *outer_keys]
        groups = [*apart, (keys, list(dict.fromkeys(outers)))]
    yield from groups


def _share_class(columns: Sequence[Sequence[Cell]]) -> bool:
    """Return whether there are several columns, and the first elements of all columns
    have a class in common."""
    tokens = [set(cells[0].page.classes(cells[0].node)) for cells in columns]
    return len(columns) > 1 and bool(set.intersection(*tokens))


def _first_offset(cells: Sequence[Cell]) -> int:
    """Return the index of a column's first element among the nodes of its record."""
    return min(cell.node - cell.start for cell in cells)


def _repeat_record(cells: Sequence[Cell]) -> bool:
    """Return whether two of the `cells` belong to the same record."""
    return len({cell.record for cell in cells}) < len(cells)
