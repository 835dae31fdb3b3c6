"""Join columns whose texts have the same place in records, but different inner markup.

For example, a column of a table has the cells `<td><span class="up">3</span></td>`,
`<td><span class="down">2</span></td>` and `<td>0</td>`. At first, each of the texts is
in a column of its own, because the tags and classes around the texts differ. The
columns are joined, because each text fills an outer element in the same place, a
`<td>`.
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
    """An outer element: an element that displays only the text of an element within it.

    `place` is the tag path of the outer element (the tags and classes from the record
    down), or the tag and the index of a table cell, such as "td 2". `node` is the outer
    element itself.
    """

    place: str
    node: NodeId


class OuterElements:
    """Finds the elements of a record that display only the text of an inner element.

    `places` gives the tag path of an element (the tags and classes from the record
    down).
    """

    def __init__(self, page: Page, record: Record, places: Marks) -> None:
        self._page = page
        self._places = places
        self._paths = places.of_record(page, record.nodes)
        self._path_counts = Counter(self._paths.values())
        self._is_single_row = len(record.nodes) == 1

    def around(self, node: NodeId, row: NodeId) -> OuterElement | None:
        """Return the outermost element in a row that displays only the text of `node`.

        `row` is a top-level node of the record. Return None if there is no such element
        but `node` itself, or if the text is in a button or the element is a link.
        Return None, too, if other elements of the record have the same tag path (the
        tags and classes from the record down), except for table cells.
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
    """Return the tag and the index of a table cell, for example `td 2`.

    For an element that isn't a `td`, but has the ARIA role of a table cell, return
    "cell" and a number. Return "" for other elements.
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
    """Yield (keys, joined columns) for each group of columns to be joined.

    An outer element displays only the text of one element within it. Columns are joined
    if all their texts are in outer elements with the same key, such as a tag path (the
    tags and classes from the record down). If the texts of a column are in outer
    elements with several keys, the column is divided among several joined columns.

    `keys` are the keys of the columns in the group. `joined columns` maps the key of
    outer elements to the texts in them. If `columns` already has a column with this
    key, its texts are included.

    Columns stay separate in these cases:

    - a joined column would have two texts of one record,
    - there would be more columns than before,
    - there would be as many columns as before, and no class is common to the elements
      of all columns,
    - all elements of a column are links with the same text, such as "Agenda".

    `columns` maps keys to columns. `outer_cells` maps a pair (key of a column, key of
    outer elements) to the column's texts in these outer elements.
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
    """Yield (keys, outer keys) for each group of columns that share outer elements.

    An outer element displays only the text of one element within it. `outers_by_key`
    maps the key of a column to the keys of the outer elements around its texts. Columns
    with a common outer key are in one group. So are columns that only share outer keys
    with a third column.
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
