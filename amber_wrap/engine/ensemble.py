"""Read records by the alternative expressions that a wrapper has for each field."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Final, NamedTuple

from amber_wrap.dom.expressions import Node, xpath
from amber_wrap.engine.reading import (
    ColumnValues,
    PatternLookup,
    ReadValue,
    ValueReader,
    rows_from,
    starts_at,
)
from amber_wrap.wrapper.ir import AreaRule, RecordLocator

# Families of expressions that select another node when elements around are moved.
MOVABLE: Final = frozenset({"container", "tag", "position", "passing", "generated"})
# For a family, the other family that rests on the same feature.
BASES: Final = {"stem": "class"}


class Found(NamedTuple):
    """A record that was found on a page.

    `area` is the name of the record's area. `rows` are the record's sibling nodes.
    `values` maps fields to values. A field without a value is left out.
    """

    area: str
    rows: list[Node]
    values: dict[str, ReadValue]


def find_records(
    areas: Iterable[AreaRule], root: Node, patterns: PatternLookup
) -> list[Found]:
    """Return the records of a page, in document order."""
    found: list[Found] = []
    for area in areas:
        found += apart(area_records(area, root, patterns), found)
    by_start = {record.rows[0]: record for record in found}
    return [by_start[start] for start in in_document_order(by_start, root)]


def in_document_order(nodes: Iterable[Node], root: Node) -> list[Node]:
    """Return the nodes in document order, each node once."""
    return list(xpath("$nodes/.")(root, nodes=list(nodes)))


def apart(records: Iterable[Found], others: list[Found]) -> list[Found]:
    """Return the `records` that overlap with none of the `others`.

    Two records overlap if they have the same first node, or if one first node contains
    the other first node.
    """
    if not others:
        return list(records)
    starts = {record.rows[0] for record in others}
    taken = starts.union(*(start.iterancestors() for start in starts))
    return [
        record
        for record in records
        if record.rows[0] not in taken
        and starts.isdisjoint(record.rows[0].iterancestors())
    ]


def area_records(area: AreaRule, root: Node, patterns: PatternLookup) -> list[Found]:
    """Return the records of an area.

    An element with too few values is left out, since the element may be an advert. The
    value of a field comes from the first alternative expression that finds a value.
    """
    starts = joined_starts(area.followed_places, root)
    records = list(rows_from(starts, area.span))
    reader = ValueReader(patterns)
    columns: dict[str, ColumnValues] = {}
    for rule in area.fields:
        values: ColumnValues = [None] * len(records)
        for one in area.followed_readings(rule):
            if None in values:
                _fill(values, reader.column(one.locators, records))
        columns[rule.name] = values
    found, of_page = [], {rule.name for rule in area.fields if rule.is_of_page}
    for i, rows in enumerate(records):
        there = {name: value for name, of in columns.items() if (value := of[i])}
        if len(there.keys() - of_page) >= area.least:
            found.append(Found(area.name, rows, there))
    return found


def joined_starts(places: Sequence[RecordLocator], root: Node) -> list[Node]:
    """Return the first node of each record that any of the locators selects.

    The nodes are in document order.
    """
    if len(places) == 1:
        return list(starts_at(places[0], root))
    every = {start for place in places for start in starts_at(place, root)}
    return in_document_order(whole(every), root)


def whole(starts: Collection[Node]) -> list[Node]:
    """Return the `starts` that are likely first nodes of records, in the given order.

    A node that contains two or more of the `starts` is dropped, since it holds several
    records. After that, a node within another remaining node is dropped.
    """
    held = Counter(above for one in starts for above in one.iterancestors())
    kept = {one for one in starts if held[one] < 2}
    return [
        one for one in starts if one in kept and kept.isdisjoint(one.iterancestors())
    ]


def _fill(values: ColumnValues, others: ColumnValues) -> None:
    """Replace each None in `values` by the value of the same record in `others`."""
    values[:] = [
        other if value is None else value
        for value, other in zip(values, others, strict=True)
    ]


def basis(way: str) -> str:
    """Return the feature of a page that a family of XPath expressions depends on.

    `way` is the name of the family. For example, "class, any tag" and "another class"
    depend on "class". Return "movable" for a family in `MOVABLE`, such as "position".
    """
    first, _, _ = way.partition(",")
    first = first.split()[-1]
    return "movable" if first in MOVABLE else BASES.get(first, first)
