"""Records by several ways: the first that the contract holds for is taken."""

from collections.abc import Callable, Iterable, Mapping
from typing import Final, NamedTuple

from amber_wrap.dom.expressions import Node, xpath
from amber_wrap.dom.markup import is_hidden
from amber_wrap.engine.contract import is_kept, regular
from amber_wrap.engine.reading import Column, Patterns, Reader, Value, record_rows
from amber_wrap.wrapper.ir import AreaRule, FieldRule, Reading
from amber_wrap.wrapper.xpath import Path

# What leads elsewhere when anything around is moved.
MOVABLE: Final = frozenset({"container", "tag", "position", "passing", "generated"})
# The stem of a class rests on the class.
BASES: Final = {"stem": "class"}


class Found(NamedTuple):
    """A record: its area's name, its rows, and the values that it has."""

    area: str
    rows: list[Node]
    values: dict[str, Value]


def find_records(
    areas: Iterable[AreaRule], root: Node, patterns: Patterns
) -> list[Found]:
    """The records of a page, in document order; without a contract of their area by
    the first reading of each field."""
    found: list[Found] = []
    for area in areas:
        found += apart(area_records(area, root, patterns), found)
    by_start = {record.rows[0]: record for record in found}
    in_document_order = xpath("$nodes/.")(root, nodes=list(by_start))
    return [by_start[start] for start in in_document_order]


def apart(records: Iterable[Found], others: list[Found]) -> list[Found]:
    """Those records that don't overlap with any of the others."""
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


def area_records(area: AreaRule, root: Node, patterns: Patterns) -> list[Found]:
    """The records at the first place, if it leaves none out.

    If it does, those that the next places have are added, as far as they stand among
    those of the first.
    """
    reader = Reader(patterns)
    together: list[Found] = []
    held: list[list[Node]] = []
    double: list[list[Node]] = []
    among: set[Node] = set()
    for place in area.places:
        starts = list(record_rows(place, area.span, root))
        counts, left_out = witnessed(area.witness, starts)
        pairs = list(zip(starts, counts, strict=True))
        starts = [rows for rows, count in pairs if count < 2]
        sure = [i for i, count in enumerate(one for one in counts if one < 2) if count]
        records = read_records(area, starts, reader, sure)
        if not together and records:
            # What holds two witnesses is likely a wrapper around records.
            double = [rows for rows, count in pairs if count > 1]
            if not left_out and not double:
                return records
            among = {around(starts[0][0], starts[-1][0])}
            together, held = records, starts
        elif together:
            inside = (
                record
                for record in records
                if not among.isdisjoint(record.rows[0].iterancestors())
            )
            more = apart(inside, together)
            together += more
            held += [record.rows for record in more]
            if not witnessed(area.witness, held)[1]:
                break
    return together + apart(read_records(area, double, reader), together)


def witnessed(witness: Path | None, found: list[list[Node]]) -> tuple[list[int], bool]:
    """How many witnesses each record holds, and whether one stands among them in none.

    What isn't displayed doesn't count.
    """
    counts = [0] * len(found)
    left_out = False
    if witness is None or not found:
        return counts, left_out
    row_of = {row: i for i, rows in enumerate(found) for row in rows}
    for one in xpath(str(witness))(around(found[0][0], found[-1][0])):
        holder: Node | None = one
        while holder is not None and holder not in row_of:
            holder = holder.getparent()
        if holder is not None:
            counts[row_of[holder]] += 1
        elif not any(map(is_hidden, [one, *one.iterancestors()])):
            left_out = True
    return counts, left_out


def around(first: Node, last: Node) -> Node:
    """The lowest element that holds both and is neither, if there is one."""
    others = set(last.iterancestors())
    return next((one for one in first.iterancestors() if one in others), first)


def read_records(
    area: AreaRule,
    starts: list[list[Node]],
    reader: Reader,
    sure: Iterable[int] = (),
) -> list[Found]:
    """The records that start there: what has too few values, an advert say, is none.

    Where the first reading of a field breaks the contract, the others are asked; and
    also for what holds a witness, hence is a `sure` record, but has too few values.
    """

    def column(reading: Reading) -> Column:
        return reader.column(reading.locators, starts)

    contract = area.contract
    columns = {rule.name: column(rule.readings[0]) for rule in area.fields}
    for rule in area.fields:
        if None in columns[rule.name] and (spare := spare_of(area, rule)):
            columns[rule.name] = either([columns[rule.name], column(spare)])
    kept = with_values(columns, area.least)
    if contract is not None and starts:
        looked_at = kept or range(len(starts))
        for rule in area.fields:

            def keeps(values: Column, name: str = rule.name) -> bool:
                return is_kept(contract, name, values)

            first = columns[rule.name]
            if len(rule.readings) > 1 and not keeps([first[i] for i in looked_at]):
                tried = ((basis(one.family), column(one)) for one in rule.readings)
                is_optional = rule.name not in regular(contract)
                columns[rule.name] = settle(tried, looked_at, keeps, is_optional)
        for i in set(sure).difference(kept):
            for rule in area.fields:
                values = (
                    reader.column(one.locators, [starts[i]])[0] for one in rule.readings
                )
                columns[rule.name][i] = next(filter(None, values), None)
        kept = with_values(columns, area.least)
    return [
        Found(
            area.name,
            starts[i],
            {name: value for name, found in columns.items() if (value := found[i])},
        )
        for i in kept
    ]


def spare_of(area: AreaRule, rule: FieldRule) -> Reading | None:
    """The reading of a field for records in which the first finds nothing."""
    family = area.spares.get(rule.name)
    return next((one for one in rule.readings if one.family == family), None)


def with_values(columns: Mapping[str, Column], least: int) -> list[int]:
    """The numbers of the records that have at least so many values."""
    records = enumerate(zip(*columns.values(), strict=True))
    return [i for i, one in records if len(one) - one.count(None) >= least]


def settle(
    columns: Iterable[tuple[str, Column]],
    looked_at: Iterable[int],
    keeps: Callable[[Column], bool],
    is_optional: bool,
) -> Column:
    """The first column whose values of the records looked at keep the contract.

    If the field `is_optional`, also the first that two readings with different bases
    give: records for which neither has a value have none.  Else of each record the
    value of the first that has one.
    """
    tried: list[Column] = []
    given: dict[tuple[str | None, ...], str] = {}
    for way, column in columns:
        if keeps([column[i] for i in looked_at]):
            return column
        there: Column = [value for value in column if value]
        if is_optional and there and keeps(there):
            shown = tuple(value and value.shown for value in column)
            if given.setdefault(shown, way) != way:
                return column
        tried.append(column)
    return either(tried)


def either(columns: Iterable[Column]) -> Column:
    """Of each record the value of the first column that has one."""
    return [
        next((value for value in values if value is not None), None)
        for values in zip(*columns, strict=True)
    ]


def basis(way: str) -> str:
    """What a reading rests on: "class, any tag" and "another class" on a class."""
    first, _, _ = way.partition(",")
    first = first.split()[-1]
    return "movable" if first in MOVABLE else BASES.get(first, first)
