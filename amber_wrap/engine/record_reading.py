"""Read records by alternative groups of XPath expressions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Final, NamedTuple

from amber_wrap.dom.expressions import Node, xpath
from amber_wrap.engine.locators import (
    ColumnValues,
    PatternLookup,
    ReadValue,
    TreeValueReader,
    record_starts_in_tree,
    rows_from,
)
from amber_wrap.wrapper.ir import AreaRule, RecordLocator

MOVABLE: Final = frozenset({"container", "tag", "position", "passing", "generated"})
"""The kinds of features, such as positions, by which XPath expressions may select
another element after a redesign of the page."""

BASES: Final = {"stem": "class"}
"""The kind of feature on which a group of XPath expressions depends, by the name of the
group. A group that isn't listed depends on the feature after which it is named."""

LOOSE: Final = frozenset({"movable", "shape"})
"""The kinds of features, such as positions, by which XPath expressions often find wrong
values. Together, all expressions that depend on one such feature have half a vote on
the value of a field."""


class FoundRecord(NamedTuple):
    """A record that was found on a page."""

    area: str
    """The name of the list that has the record."""
    rows: list[Node]
    """The sibling nodes that the record consists of."""
    values: dict[str, ReadValue]
    """The values by field, without the fields that have none."""


def find_records(
    areas: Iterable[AreaRule], root: Node, patterns: PatternLookup
) -> list[FoundRecord]:
    """Return the records of all lists on a page, in document order.

    A record that overlaps with a record of an earlier list is left out. `patterns`
    returns a compiled regular expression by its name.
    """
    records: list[FoundRecord] = []
    for area in areas:
        records += without_overlaps(area_records(area, root, patterns), records)
    by_start = {record.rows[0]: record for record in records}
    return [by_start[start] for start in in_document_order(by_start, root)]


def in_document_order(nodes: Iterable[Node], root: Node) -> list[Node]:
    """Return the nodes of a page in document order, each node once."""
    return list(xpath("$nodes/.")(root, nodes=list(nodes)))


def without_overlaps(
    records: Iterable[FoundRecord], others: list[FoundRecord]
) -> list[FoundRecord]:
    """Return the `records` that don't overlap with any of the records in `others`.

    Two records overlap if their first nodes are equal, or if one record contains the
    other.
    """
    if not others:
        return list(records)
    other_starts = {record.rows[0] for record in others}
    ancestors = (start.iterancestors() for start in other_starts)
    starts_and_ancestors = other_starts.union(*ancestors)
    return [
        record
        for record in records
        if record.rows[0] not in starts_and_ancestors
        and other_starts.isdisjoint(record.rows[0].iterancestors())
    ]


def area_records(
    area: AreaRule, root: Node, patterns: PatternLookup
) -> list[FoundRecord]:
    """Return the records of one list on a page.

    An element with fewer than `area.least` values is left out, since it may be an
    advert. `patterns` returns a compiled regular expression by its name.
    """
    starts = joined_starts(area.followed_places, root)
    rows_of_records = list(rows_from(starts, area.span))
    reader = TreeValueReader(patterns)
    columns: dict[str, ColumnValues] = {}
    for rule in area.fields:
        column: ColumnValues = [None] * len(rows_of_records)
        for reading in area.followed_readings(rule):
            if None in column:
                further = reader.column(reading.locators, rows_of_records)
                column = [a or b for a, b in zip(column, further, strict=True)]
        columns[rule.name] = column
    page_fields = {rule.name for rule in area.fields if rule.is_of_page}
    records = []
    for i, rows in enumerate(rows_of_records):
        values = {
            name: value for name, column in columns.items() if (value := column[i])
        }
        if len(values.keys() - page_fields) >= area.least:
            records.append(FoundRecord(area.name, rows, values))
    return records


def joined_starts(locators: Sequence[RecordLocator], root: Node) -> list[Node]:
    """Return the first nodes of the records that any of the XPath expressions selects,
    in document order.

    A node that contains several records is left out.
    """
    if len(locators) == 1:
        return list(record_starts_in_tree(locators[0], root))
    starts = {
        start for locator in locators for start in record_starts_in_tree(locator, root)
    }
    return in_document_order(single_record_starts(starts), root)


def single_record_starts(starts: Collection[Node]) -> list[Node]:
    """Return the `starts` that are probably the first nodes of single records.

    A node that contains several other `starts` is left out. If it contains only one,
    the inner node is left out.
    """
    starts_within = Counter(
        ancestor for start in starts for ancestor in start.iterancestors()
    )
    remaining = {start for start in starts if starts_within[start] < 2}
    return [
        start
        for start in starts
        if start in remaining and remaining.isdisjoint(start.iterancestors())
    ]


def family_basis(family: str) -> str:
    """Return the kind of feature that a group of XPath expressions tests, such as
    "class".

    `family` is the name of the group, such as "another class". Return "movable" for the
    kinds in `MOVABLE`, such as "position".
    """
    basis = family.partition(",")[0].split()[-1]
    return "movable" if basis in MOVABLE else BASES.get(basis, basis)


def shown_values(name: str, records: Iterable[FoundRecord]) -> list[str]:
    """Return the displayed values of a field in the records that have a value."""
    return [record.values[name].shown for record in records if name in record.values]
