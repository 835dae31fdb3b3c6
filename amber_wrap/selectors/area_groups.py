"""Group the lists of records on all sample pages that have the same structure.

XPath expressions are generated for one group at a time.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from statistics import fmean
from typing import Final, NamedTuple

from amber_wrap.analysis.class_marks import NO_MARKS, marks_without_states
from amber_wrap.analysis.extraction_typing import (
    AreaTyping,
    Attribute,
    ExtractionTyping,
    Record,
)
from amber_wrap.analysis.relative_paths import Marks, stripes
from amber_wrap.annotate.table_headers import CELLS
from amber_wrap.dom.page import NodeId, Page, tags_above

CELL_TAGS = CELLS | {"dd"}
"""HTML tags of cells: those of tables, and `dd` in description lists."""


_ROW_TAG: Final = "tr"
_MOST_DIFFERENCE: Final = 0.5
"""Two table columns are similar if their shares of cells with digits differ by at most
this number. The limit also holds for cells with letters and for cells with links."""
_LEAST_ROWS: Final = 5
"""The least number of table rows with similar columns that form a group of their own.
In all rows of a group, a column has the same meaning."""
_Shares = tuple[float, ...]
"""The shares (0 to 1) of a table column's cells that have digits, letters and links."""
RowKey = tuple[Page, NodeId]
"""A page, and a table row of a record on the page."""


@dataclass(frozen=True, slots=True)
class TypedRecord:
    """A record, with its value of one type, such as the price."""

    page: Page
    rows: tuple[NodeId, ...]
    """The sibling nodes that the record consists of."""
    attribute: Attribute | None
    """The value that was found in the record, or None if the record lacks the value."""

    @property
    def text(self) -> str | None:
        """The text of the record's value, or None if there is no value or no text."""
        return self.attribute.text if self.attribute else None

    def are_in_cell(self, nodes: Iterable[NodeId]) -> bool:
        """Return whether all nodes are in the same table cell as the record's value.

        If the value isn't in a table cell, return True.
        """
        page, node = self.page, self.attribute.node if self.attribute else -1
        while node >= 0 and node not in self.rows:
            if page.tag[node] in CELL_TAGS:
                return all(page.contains(node, other) for other in nodes)
            node = page.parent[node]
        return True

    def row_of(self, attribute: Attribute) -> int | None:
        """Return the index of the node in `rows` that contains a value of the record.

        Return None if the value is outside of the record.
        """
        holds = [self.page.contains(row, attribute.node) for row in self.rows]
        return holds.index(True) if any(holds) else None


@dataclass(frozen=True, slots=True)
class TypedPage:
    """A sample page with the lists, records and values that were found there."""

    page: Page
    typing: ExtractionTyping

    @property
    def attributes(self) -> Iterator[Attribute]:
        """The values that were found in all records of the page."""
        for area in self.typing.areas:
            yield from chain.from_iterable(area.attributes)


def with_attributes(
    typed_page: TypedPage,
    change: Callable[[Page, Record, Sequence[Attribute]], Sequence[Attribute]],
) -> TypedPage:
    """Return a copy of a sample page with new values for each record.

    `change` returns the new values of a record from the page, the record and the old
    values.
    """

    def with_new_attributes(area: AreaTyping) -> AreaTyping:
        new_attributes = tuple(
            tuple(change(typed_page.page, record, attributes))
            for record, attributes in zip(area.records, area.attributes, strict=True)
        )
        return replace(area, attributes=new_attributes)

    areas = tuple(with_new_attributes(area) for area in typed_page.typing.areas)
    return replace(typed_page, typing=replace(typed_page.typing, areas=areas))


@dataclass(frozen=True, slots=True)
class AreaGroup:
    """The lists of records on all sample pages that have the same structure."""

    members: tuple[tuple[Page, AreaTyping], ...]
    """The lists, each with its page."""

    @property
    def attribute_count(self) -> int:
        """The number of values that were found in all records of the lists."""
        return sum(len(attributes) for *_, attributes in self.attributes())

    @property
    def least_values(self) -> int:
        """The least number of values that an element must have to count as a record.

        An element with fewer values is probably an advert.
        """
        value_counts = (
            sum(attribute.text is not None for attribute in attributes)
            for *_, attributes in self.attributes()
        )
        return max(1, min(value_counts) // 2)

    @property
    def span(self) -> int:
        """The number of sibling nodes in the record with the most nodes."""
        return max(len(record.nodes) for _, record in self.records())

    def tag_paths(self, labelled: bool = True) -> Iterator[Marks]:
        """Yield, for each list, an object that gives the tags and classes from a record
        down to each element.

        If `labelled` is true, the result also distinguishes elements by their icons and
        labels.
        """
        areas = [
            (page, [record.nodes for record in area.records])
            for page, area in self.members
        ]
        striped = NO_MARKS.union(*(stripes(page, rows) for page, rows in areas))
        # For each set of classes, the classes that are no state in any area. If no
        # class is left, the classes of the last area are used.
        lasting: dict[frozenset[str], frozenset[str]] = {}
        for page, rows in areas:
            for classes, stable in marks_without_states(page, rows).items():
                lasting[classes] = (lasting.get(classes, stable) & stable) or stable
        for page, rows in areas:
            yield Marks(page, rows, lasting, labelled, striped)

    def records(self) -> Iterator[tuple[Page, Record]]:
        """Yield (page, record) for each record of the lists."""
        for page, area in self.members:
            for record in area.records:
                yield page, record

    def attributes(self) -> Iterator[tuple[Page, NodeId, tuple[Attribute, ...]]]:
        """Yield (page, node, attributes) for each record of the lists.

        `node` is the first node of the record, and `attributes` are the record's
        values.
        """
        for page, area in self.members:
            for record, attributes in zip(area.records, area.attributes, strict=True):
                yield page, record.start, attributes

    def typed_records(self, name: str) -> Iterator[TypedRecord]:
        """Yield each record of the lists with its value of the type `name`.

        The value is None if the record lacks one.
        """
        for page, area in self.members:
            for record, attributes in zip(area.records, area.attributes, strict=True):
                attribute = next((a for a in attributes if a.type == name), None)
                yield TypedRecord(page, record.nodes, attribute)


def groups_of(typed_pages: Sequence[TypedPage]) -> list[AreaGroup]:
    """Return the lists of records on sample pages in groups of equal structure.

    The group with the most values comes first, and lists without records are left out.
    """
    members: dict[tuple[object, ...], list[tuple[Page, AreaTyping]]] = defaultdict(list)
    # Classes of one sample only, such as `page-2`, don't distinguish groups.
    root_classes = [_root_classes(one) for one in typed_pages if one.typing.areas]
    common = frozenset[str]().union(*root_classes).intersection(*root_classes)
    for typed_page in typed_pages:
        page = typed_page.page
        for area in typed_page.typing.areas:
            if area.records:
                members[_features(page, area, common)].append((page, area))
    groups = [AreaGroup(tuple(areas)) for areas in members.values()]
    return sorted(groups, key=lambda group: -group.attribute_count)


def _root_classes(typed_page: TypedPage) -> frozenset[str]:
    """Return the classes of the root elements of the lists on a sample page."""
    roots = (area.segmentation.area.root for area in typed_page.typing.areas)
    return frozenset(token for root in roots for token in typed_page.page.classes(root))


def _features(
    page: Page, area: AreaTyping, classes: frozenset[str]
) -> tuple[object, ...]:
    """Return the features that all lists in one group have in common.

    The features are the number of nodes in a record, the tags above a record, and the
    classes of the list's root element that are also in `classes`.
    """
    root = area.segmentation.area.root
    return (
        area.segmentation.record_length,
        tags_above(page, area.records[0].start),
        classes.intersection(page.classes(root)),
    )


class _RowSet(NamedTuple):
    """A set of table rows that have the same number of cells (`width`).

    `columns` has three shares for each column: of cells with digits, of cells with
    letters, and of cells with links.
    """

    width: int
    columns: Sequence[_Shares]

    def is_like(self, other: _RowSet) -> bool:
        """Return whether two sets of table rows have similar columns.

        Similar columns have similar shares of cells with digits, with letters and with
        links.
        """
        unlike_columns = sum(
            any(
                abs(own_share - other_share) > _MOST_DIFFERENCE
                for own_share, other_share in zip(own, others, strict=True)
            )
            for own, others in zip(self.columns, other.columns, strict=False)
        )
        return unlike_columns <= (1 if self.width == other.width else 0)


def row_kinds(records: Iterable[tuple[Page, Record]]) -> Mapping[RowKey, int]:
    """Return, for each table row in the records, the number of the group of similar
    rows that it belongs to.

    All rows of one group have similar columns, such as dates in the second column.
    """
    rows_by_shape: dict[tuple[int, int, int], list[RowKey]] = defaultdict(list)
    for page, record in records:
        for index, row in enumerate(record.nodes):
            if page.tag[row] == _ROW_TAG:
                width = len(page.child_elements(row))
                rows_by_shape[index, width, page.parent[row]].append((page, row))
    kind_of: dict[RowKey, int] = {}
    kinds_by_index: dict[int, list[_RowSet]] = defaultdict(list)
    largest_first = sorted(rows_by_shape.items(), key=lambda shape: -len(shape[1]))
    for (index, width, _), rows in largest_first:
        row_set, kinds = _RowSet(width, _columns(rows)), kinds_by_index[index]
        new_kind = len(kinds)
        similar = (kind for kind, known in enumerate(kinds) if row_set.is_like(known))
        kind = next(similar, new_kind)
        if kind == new_kind and kinds and len(rows) < _LEAST_ROWS:
            kind = 0
        elif kind == new_kind:
            kinds.append(row_set)
        kind_of |= dict.fromkeys(rows, kind)
    return kind_of


def _columns(rows: Sequence[RowKey]) -> Sequence[_Shares]:
    """Return, for each column of table rows, its shares of cells with digits, of cells
    with letters, and of cells with links."""
    cells_by_column: dict[int, list[tuple[bool, bool, bool]]] = defaultdict(list)
    for page, row in rows:
        for column, cell in enumerate(page.child_elements(row)):
            text = page.string(cell)
            has_digit = any(map(str.isdigit, text))
            has_letter = any(map(str.isalpha, text))
            has_link = any(page.tag[node] == "a" for node in page.elements(cell))
            cells_by_column[column].append((has_digit, has_letter, has_link))
    return [
        tuple(fmean(feature) for feature in zip(*cells, strict=True))
        for cells in cells_by_column.values()
    ]


def attributes_on(typed_page: TypedPage) -> Iterator[Attribute]:
    """Yield the attributes (values) of all records on a sample page.

    Attributes without a text are left out.
    """
    for area in typed_page.typing.areas:
        for attributes in area.attributes:
            for attribute in attributes:
                if attribute.text:
                    yield attribute
