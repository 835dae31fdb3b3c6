"""Check whether the fields of records are in the order that the contract demands.

The contract has conditions that hold on the samples and must hold on other pages.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from amber_wrap.engine.contract_report import (
    ContractFinding,
    wilson_interval,
)
from amber_wrap.engine.ensemble import (
    FoundRecord,
    family_basis,
    value_positions,
)
from amber_wrap.wrapper.ir import AreaRule, Contract, FieldRule


def judge_order(
    area: AreaRule, contract: Contract, records: list[FoundRecord]
) -> Iterator[ContractFinding]:
    """Yield a finding for each pair of fields whose values have another order than
    before.

    In more than half of the records, the values must have another order than on the
    sample pages (`contract.order`). Only pairs of fields for which `depend_on_position`
    is True are compared.
    """
    rules = {rule.name: rule for rule in area.fields}
    ordered_rules = [rules[name] for name in contract.order if name in rules]
    positions_of_records = [value_positions(record) for record in records]
    for rule, next_rule in combinations(ordered_rules, 2):
        if not depend_on_position(contract, rule, next_rule):
            continue
        first, second = rule.name, next_rule.name
        pairs = [
            (positions[first], positions[second])
            for positions in positions_of_records
            if first in positions and second in positions
        ]
        total = len(pairs)
        reordered = sum(position > next_position for position, next_position in pairs)
        if wilson_interval(reordered, total)[0] > 0.5:
            message = f"the value follows {second} in {reordered} of {total} records"
            yield ContractFinding("order", first, message, wrong=2 * reordered)


def depend_on_position(contract: Contract, first: FieldRule, second: FieldRule) -> bool:
    """Return whether two fields can only be told apart by the positions of their
    values.

    Return True if all these conditions hold:

    - both fields are read through the same regular expression,
    - values of both fields have a common shape, such as "number 4" (`contract.shapes`),
    - an expression selects one of the fields by its position or surroundings.
    """
    readings = first.readings[0], second.readings[0]
    locators = [reading.locators[0] for reading in readings]
    if len({(locator.source, locator.pattern) for locator in locators}) > 1:
        return False
    first_shapes = set(contract.shapes.get(first.name, ()))
    if first_shapes.isdisjoint(contract.shapes.get(second.name, ())):
        return False
    return any(family_basis(reading.family) == "movable" for reading in readings)
