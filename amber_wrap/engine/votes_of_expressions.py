"""Estimate errors of XPath expressions by what alternative expressions select."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from amber_wrap.dom.expressions import Node
from amber_wrap.engine.locators import PatternLookup, ReadValue, TreeValueReader
from amber_wrap.engine.record_reading import LOOSE, FoundRecord, family_basis
from amber_wrap.wrapper.ir import FieldReading, FieldRule


class ErrorEstimate(NamedTuple):
    """The estimated numbers of wrong and missing values of a field on a page."""

    wrong: float
    missing: float
    by_fallback: int
    """The number of values that the first group of XPath expressions doesn't find, but
    another group finds."""


def estimate_errors(
    rule: FieldRule, records: list[FoundRecord], patterns: PatternLookup
) -> ErrorEstimate:
    """Return the estimated numbers of a field's wrong and missing values in the
    records.

    The groups of XPath expressions for the field vote for the values that they find. A
    value with fewer votes than another value is wrong, and one with equally many votes
    is half wrong.
    """
    reader, rows = TreeValueReader(patterns), [record.rows for record in records]
    columns = [reader.column(reading.locators, rows) for reading in rule.readings]
    voters = [family_basis(reading.family) for reading in rule.readings]
    wrong = missing = 0.0
    by_fallback = 0
    for record, values in zip(records, zip(*columns, strict=True), strict=True):
        record_value = record.values.get(rule.name)
        # A reading that also selects the value's element is only less exact: it may
        # select an old price before the new one.
        contradicting_or_equal = [
            None
            if _also_selects(reader, reading, record.rows, value, record_value)
            else value
            for reading, value in zip(rule.readings, values, strict=True)
        ]
        votes = count_votes(voters, contradicting_or_equal)
        if record_value is not None and record_value != values[0]:
            by_fallback += 1
        # A missing value has the weight of one reading.
        support = votes.pop(record_value.shown, 0.0) if record_value else 1.0
        against = max(votes.values(), default=0.0)
        error = 0.5 if against == support > 0 else float(against > support)
        wrong += error if record_value else 0.0
        missing += 0.0 if record_value else error
    return ErrorEstimate(wrong, missing, by_fallback)


def _also_selects(
    reader: TreeValueReader,
    reading: FieldReading,
    rows: list[Node],
    value: ReadValue | None,
    record_value: ReadValue | None,
) -> bool:
    """Return whether a group of expressions also selects the node of the record's
    value, `record_value`.

    `value` is the value that the group reads from another node. Return False if `value`
    or `record_value` is None.
    """
    if value is None or record_value is None or value.node is record_value.node:
        return False
    return any(
        record_value.node in reader.nodes(str(locator.xpath), rows[locator.row])
        for locator in reading.locators
        if locator.row < len(rows)
    )


def count_votes(
    voters: list[str], values: Iterable[ReadValue | None]
) -> dict[str, float]:
    """Return the number of votes for each value of a field in one record.

    Each of the `values` was found by a kind of feature in `voters`, such as "class". A
    kind of feature has one vote, which its different values share.
    """
    texts_by_voter: dict[str, set[str]] = defaultdict(set)
    for voter, value in zip(voters, values, strict=True):
        if value is not None:
            texts_by_voter[voter].add(value.shown)
    votes: dict[str, float] = defaultdict(float)
    for voter, texts in texts_by_voter.items():
        for text in texts:
            votes[text] += (0.5 if voter in LOOSE else 1.0) / len(texts)
    return votes


def value_positions(record: FoundRecord) -> Mapping[str, int]:
    """Return, for each field, the index of its value's node among all nodes of the
    record.

    A value is left out if it is read from a top node of the record, or from outside of
    the record.
    """
    nodes = (node for row in record.rows for node in row.iter())
    position_of = {node: position for position, node in enumerate(nodes)}
    return {
        name: position_of[value.node]
        for name, value in record.values.items()
        if value.node in position_of and value.node not in record.rows
    }


def position_pairs(
    positions: Iterable[Mapping[str, int]], first: str, second: str
) -> list[tuple[int, int]]:
    """Return pairs of the indexes of two fields' values, for each record with both
    values.

    `positions` has the result of `value_positions` for each record.
    """
    return [
        (by_name[first], by_name[second])
        for by_name in positions
        if first in by_name and second in by_name
    ]
