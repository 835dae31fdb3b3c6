"""Compare the values of a field with the values of its alternative expressions."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from amber_wrap.dom.expressions import Node
from amber_wrap.engine.ensemble import Found, basis
from amber_wrap.engine.reading import PatternLookup, ReadValue, ValueReader
from amber_wrap.wrapper.ir import FieldReading, FieldRule

# Families of expressions whose votes count half.
LOOSE: Final = frozenset({"movable", "shape"})


class Doubt(NamedTuple):
    """The estimated numbers of a field's wrong and missing values.

    `detoured` is the number of values that the field's preferred XPath expressions
    don't give.
    """

    wrong: float
    missing: float
    detoured: int


def doubt(rule: FieldRule, records: list[Found], patterns: PatternLookup) -> Doubt:
    """Return the estimated numbers of a field's wrong and missing values.

    The field's alternative groups of XPath expressions vote for values. A record's
    value counts as wrong if another value gets more votes. A record without a
    value counts as missing one if any value gets more than one vote. A tie counts as
    half a wrong or missing value.
    """
    reader, rows = ValueReader(patterns), [record.rows for record in records]
    columns = [reader.column(one.locators, rows) for one in rule.readings]
    voters = [basis(one.family) for one in rule.readings]
    wrong = missing = 0.0
    detoured = 0
    for record, values in zip(records, zip(*columns, strict=True), strict=True):
        taken = record.values.get(rule.name)
        # A reading that also selects the value's element is only less exact: it may
        # select an old price before the new one.
        given = [
            None if _also_selects(reader, way, record.rows, value, taken) else value
            for way, value in zip(rule.readings, values, strict=True)
        ]
        votes = weigh(voters, given)
        detoured += taken is not None and taken != values[0]
        # A missing value has the weight of one reading.
        support = votes.pop(taken.shown, 0.0) if taken else 1.0
        against = max(votes.values(), default=0.0)
        share = 0.5 if against == support > 0 else float(against > support)
        if taken:
            wrong += share
        else:
            missing += share
    return Doubt(wrong, missing, detoured)


def _also_selects(
    reader: ValueReader,
    way: FieldReading,
    rows: list[Node],
    value: ReadValue | None,
    taken: ReadValue | None,
) -> bool:
    """Return whether a group of XPath expressions also selects the element of `taken`.

    `taken` is the value in the record. `value` is the value that the group gives.
    Return False if either value is None, or if both are from the same element. A group
    that also selects the element doesn't contradict `taken`.
    """
    if value is None or taken is None or value.node is taken.node:
        return False
    return any(
        taken.node in reader.nodes(str(one.xpath), rows[one.row])
        for one in way.locators
        if one.row < len(rows)
    )


def weigh(voters: list[str], values: Iterable[ReadValue | None]) -> dict[str, float]:
    """Return the weight of each value that the readings of a field find in one record.

    A reading is a group of XPath expressions. `values` has one value for each reading.
    `voters` has for each reading the feature of the page that the reading depends on,
    such as "class". Readings with the same feature share one vote.
    """
    given: dict[str, set[str]] = defaultdict(set)
    for voter, value in zip(voters, values, strict=True):
        if value is not None:
            given[voter].add(value.shown)
    votes: dict[str, float] = defaultdict(float)
    for voter, shown in given.items():
        for one in shown:
            votes[one] += (0.5 if voter in LOOSE else 1.0) / len(shown)
    return votes


def positions(record: Found) -> Mapping[str, int]:
    """Return the position of each field's value in a record, in document order.

    A field is left out if its value is a whole row, or comes from a heading above the
    record.
    """
    nodes = (node for row in record.rows for node in row.iter())
    order = {node: at for at, node in enumerate(nodes)}
    return {
        name: order[value.node]
        for name, value in record.values.items()
        if value.node in order and value.node not in record.rows
    }
