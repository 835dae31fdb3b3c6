"""Records by several ways: the first that the contract holds for is taken."""

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple, TypedDict

from amber_wrap.embedded.contract import Contract, is_kept
from amber_wrap.embedded.markup import is_hidden
from amber_wrap.embedded.reading import (
    Locator,
    Node,
    Patterns,
    Place,
    Value,
    read_first,
    record_rows,
    xpath,
)

Column = list[Value | None]
"""A field's values, one for each record."""
Readings = dict[str, list[Locator]]
"""The ways to a field's value, best first, by what they rest on."""


class Area(TypedDict):
    """One kind of data area: the ways to its records, and in these to the values.

    A record spans up to `span` rows, has at least `least` values, and holds one node
    that `witness` selects, "" for none.
    """

    name: str
    places: dict[str, Place]
    witness: str
    span: int
    least: int
    fields: dict[str, Readings]


class Found(NamedTuple):
    """A record: its area's name, its rows, and the values that it has."""

    area: str
    rows: list[Node]
    values: dict[str, Value]


def find_records(
    areas: Iterable[Area],
    contracts: Mapping[str, Contract],
    root: Node,
    patterns: Patterns,
) -> list[Found]:
    """The records of a page, in document order."""
    found: list[Found] = []
    for area in areas:
        contract = contracts.get(area["name"])
        found += apart(area_records(area, contract, root, patterns), found)
    by_start = {record.rows[0]: record for record in found}
    in_document_order = xpath("$nodes/.")(root, nodes=list(by_start))
    return [by_start[start] for start in in_document_order]


def apart(records: Iterable[Found], others: list[Found]) -> list[Found]:
    """Those records that don't overlap with any of the others."""
    starts = {record.rows[0] for record in others}
    above = {one for start in starts for one in start.iterancestors()}
    return [
        record
        for record in records
        if record.rows[0] not in starts | above
        and starts.isdisjoint(record.rows[0].iterancestors())
    ]


def area_records(
    area: Area, contract: Contract | None, root: Node, patterns: Patterns
) -> list[Found]:
    """The records at the first place that leaves none out.

    If all do, they are put together, as far as they stand among those of the first.
    """
    together: list[Found] = []
    among: set[Node] = set()
    for place in area["places"].values():
        starts = list(record_rows(place, area["span"], root))
        records = read_records(area, contract, starts, patterns)
        if records and holds_all(area["witness"], starts):
            return records
        if records and not together:
            top = around(starts[0][0], starts[-1][0])
            among.update(top.iterdescendants())
        inside = (record for record in records if record.rows[0] in among)
        together += apart(inside, together)
    return together


def around(first: Node, last: Node) -> Node:
    """The lowest element that holds both and is neither."""
    others = set(last.iterancestors())
    return next(one for one in first.iterancestors() if one in others)


def holds_all(witness: str, found: list[list[Node]]) -> bool:
    """Whether no witness of a record stands among the records, but in none of them."""
    if not witness:
        return True
    held = {row for rows in found for row in rows}
    for one in xpath(witness)(around(found[0][0], found[-1][0])):
        outer = [one, *one.iterancestors()]
        if held.isdisjoint(outer) and not any(map(is_hidden, outer)):
            return False
    return True


def read_records(
    area: Area, contract: Contract | None, starts: list[list[Node]], patterns: Patterns
) -> list[Found]:
    """The records that start there: what has too few values, an advert say, is none.

    Where the first reading of a field breaks the contract, the others are asked.
    """

    def column(locators: list[Locator]) -> Column:
        return [read_first(locators, rows, patterns) for rows in starts]

    columns = {
        name: column(next(iter(readings.values())))
        for name, readings in area["fields"].items()
    }
    kept = with_values(columns, area["least"])
    if contract is not None and starts:
        looked_at = kept or range(len(starts))
        for name, readings in area["fields"].items():

            def keeps(found: Column, name: str = name) -> bool:
                return is_kept(contract, name, [found[i] for i in looked_at])

            if len(readings) > 1 and not keeps(columns[name]):
                columns[name] = settle(map(column, readings.values()), keeps)
        kept = with_values(columns, area["least"])
    return [
        Found(
            area["name"],
            starts[i],
            {name: value for name, found in columns.items() if (value := found[i])},
        )
        for i in kept
    ]


def with_values(columns: Mapping[str, Column], least: int) -> list[int]:
    """The numbers of the records that have at least so many values."""
    counts = [
        sum(value is not None for value in values)
        for values in zip(*columns.values(), strict=True)
    ]
    return [i for i, count in enumerate(counts) if count >= least]


def settle(columns: Iterable[Column], keeps: Callable[[Column], bool]) -> Column:
    """The first column that keeps the contract.

    Where none does, of each record the value of the first that has one.
    """
    tried: list[Column] = []
    for column in columns:
        if keeps(column):
            return column
        tried.append(column)
    return [
        next((value for value in values if value is not None), None)
        for values in zip(*tried, strict=True)
    ]
