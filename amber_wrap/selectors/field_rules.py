"""Build the rule for reading a field, such as the price, from the records of a list.

The rule consists of several alternative sets of XPath expressions.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from math import ceil
from typing import TypeVar

from amber_wrap.domain.schema import AttributeType
from amber_wrap.engine.locators import PageValueReader
from amber_wrap.selectors.area_groups import TypedRecord
from amber_wrap.selectors.costs_and_limits import COSTS, SEARCH, VETOED
from amber_wrap.selectors.locator_outcome import LocatorCandidate
from amber_wrap.selectors.locator_search import LocatorPool
from amber_wrap.selectors.xpath_candidates import PathGenerator
from amber_wrap.wrapper.ir import FieldReading, FieldRule

T = TypeVar("T")

ANY_TAG = ", any tag"
"""The ending of the name of a set of XPath expressions that accept any tag, such as
"class, any tag" for expressions that test classes."""


def field_rule(
    kind: AttributeType,
    records: Sequence[TypedRecord],
    readout: PageValueReader,
    paths: PathGenerator,
) -> FieldRule | None:
    """Return the rule for reading the values of the type `kind`, such as price, from
    records.

    The rule has alternative sets of XPath expressions, the best first. Return None if
    no expression reads the values.
    """
    pool = LocatorPool(kind, spread(records, SEARCH.most_records), readout, paths)
    pool.fill()
    first_reading = pool.cover(
        pool.candidates, SEARCH.most_locators, SEARCH.tried_at_once
    )
    if not first_reading:
        return None
    loose_copies = pool.loosen()
    first_family = first_reading[0].family
    readings = {first_family: first_reading}
    least_gain = SEARCH.least_gain_share * pool.gain(first_reading)
    loose_reading = tuple(
        dict.fromkeys(loose_copies.get(locator, locator) for locator in first_reading)
    )
    if loose_reading != first_reading and pool.gain(loose_reading) >= least_gain:
        readings[first_family + ANY_TAG] = loose_reading
    used_tests = pool.quoted_tests(first_reading)
    by_family: dict[str, list[LocatorCandidate]] = defaultdict(list)
    for locator in dict.fromkeys(loose_copies.values()):
        by_family[locator.family].append(locator)
    for family in COSTS:
        if family not in by_family or family in VETOED:
            continue
        if len(readings) == SEARCH.most_readings:
            break
        independent = [
            locator
            for locator in by_family[family]
            if not used_tests & pool.quoted_tests([locator])
        ]
        reading = pool.cover(
            independent, SEARCH.most_further_locators, SEARCH.further_tried_at_once
        )
        if reading not in readings.values() and pool.gain(reading) >= least_gain:
            name = f"another {family}" if family == first_family else family
            readings[name] = reading
            used_tests |= pool.quoted_tests(reading)
    return FieldRule(
        kind.name,
        tuple(
            FieldReading(name, tuple(pool.stored_locator(one) for one in reading))
            for name, reading in readings.items()
        ),
    )


def spread(items: Sequence[T], most: int) -> Sequence[T]:
    """Return at most `most` items from a sequence.

    Half of the result is the beginning of the sequence. The other half is spread evenly
    over the remaining items.
    """
    # Evenly spread items alone could miss every second row of a table.
    half = most // 2
    rest = items[half:]
    step = max(1, ceil(len(rest) / (most - half)))
    return [*items[:half], *rest[::step]]
