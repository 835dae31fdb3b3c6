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
from amber_wrap.columns.cells import Cell
from amber_wrap.dom.page import NodeId, Page

CELL_TAG = "td"
"""The HTML tag of table cells."""
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

        Return None if only `node` itself displays the text, or if the outermost element
        is a link. Return None as well if the outermost element is no table cell, and
        the record has several elements with the outermost element's tag path. `row` is
        a top-level node of the record.
        """
        page, outer = self._page, node
        while outer != row and (parent := page.parent[outer]) != row:
            if page.text_length(parent) != page.text_length(node):
                break
            outer = parent
        if outer == node or page.tag[outer] == "a":
            return None
        path = self._paths[outer]
        is_cell_of_row = self._is_single_row and page.parent[outer] == row
        if is_cell_of_row and (place := table_column(page, outer)):
            return OuterElement(place, outer)
        if self._path_counts[path] > 1:
            return None
        return OuterElement(self._places.text(path), outer)


def table_column(page: Page, node: NodeId) -> str:
    """Return the tag and the index of a table cell, for example `td 2`, or "" for other
    elements."""
    if page.tag[node] != CELL_TAG:
        return ""
    row_cells = list(page.child_elements(page.parent[node]))
    return f"{CELL_TAG} {row_cells.index(node)}"


def columns_to_join(
    columns: Mapping[Key, Sequence[Cell]],
    outer_cells: Mapping[tuple[Key, Key], Sequence[Cell]],
) -> Iterator[tuple[Key, list[Key], list[Cell]]]:
    """Yield (outer key, keys, cells) for each group of columns to be joined.

    An outer element displays only the text of one element within it. Columns are joined
    if all their texts are in outer elements with the same key, such as a tag path.
    `outer key` is this key, and becomes the key of the joined column. `keys` are the
    keys of the columns in the group. `cells` are the texts of the joined column. If
    `columns` already has a column with the outer key, its texts are included in
    `cells`. No record may have two texts of the group.

    `columns` maps keys to columns. `outer_cells` maps a pair (key of a column, key of
    outer elements) to the column's texts in these outer elements.
    """
    keys_by_outer: dict[Key, list[Key]] = defaultdict(list)
    for (key, outer_key), cells in outer_cells.items():
        if len(cells) == len(columns.get(key, ())):
            keys_by_outer[outer_key].append(key)
    for outer_key, keys in keys_by_outer.items():
        joined = [outer_cells[key, outer_key] for key in keys]
        if outer_column := columns.get(outer_key):
            joined.append(outer_column)
        cells = list(chain.from_iterable(joined))
        if len(joined) > 1 and len({cell.record for cell in cells}) == len(cells):
            yield outer_key, keys, cells
