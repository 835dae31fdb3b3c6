"""Build field rules: from the attributes of one type to independent readings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import TypeVar

from amber_wrap.domain.schema import AttributeType
from amber_wrap.engine.readout import Readout
from amber_wrap.selectors.locator_search import Contender, Pool, TypedRecord
from amber_wrap.selectors.robustness_costs import COSTS, VETOED
from amber_wrap.selectors.xpath_candidates import Paths
from amber_wrap.wrapper.ir import FieldReading, FieldRule

T = TypeVar("T")

MAX_LOCATORS, MAX_OTHERS = 4, 2
"""The number of locators that the first reading may have, and that any other may have.
"""
MAX_READINGS = 5
MAX_TRIED, MAX_OTHERS_TRIED = 32, 8
"""The number of candidates that are tried at a time, those drawn from the most records
first, until one of them gains values. The second number is for readings after the
first."""
MAX_RECORDS = 60
"""The number of records that candidates are drawn from and tried on, at most."""
AS_GOOD = 0.9
"""The share of the first reading's gain that another reading must reach."""
ANY_TAG = ", any tag"
"""The suffix of a reading's name if the reading has the family of the first one, but
accepts any tag."""


def field_rule(
    kind: AttributeType,
    records: Sequence[TypedRecord],
    readout: Readout,
    paths: Paths,
) -> FieldRule | None:
    """Return the readings of a type, the best first, or None if there are none.

    Each reading rests on another family of features. A change of the site that breaks
    one family leaves the others intact.
    """
    pool = Pool(kind, spread(records, MAX_RECORDS), readout, paths)
    pool.fill()
    first = pool.cover(pool.ways, MAX_LOCATORS, MAX_TRIED)
    if not first:
        return None
    loosened = pool.loosen()
    family = first[0].family
    found = {family: first}
    least = AS_GOOD * pool.gain(first)
    loose = tuple(dict.fromkeys(loosened.get(one, one) for one in first))
    if loose != first and pool.gain(loose) >= least:
        found[family + ANY_TAG] = loose
    used = pool.quoted(first)
    by_family: dict[str, list[Contender]] = defaultdict(list)
    for one in dict.fromkeys(loosened.values()):
        by_family[one.family].append(one)
    for other in (one for one in COSTS if one in by_family and one not in VETOED):
        if len(found) == MAX_READINGS:
            break
        free = [one for one in by_family[other] if not used & pool.quoted([one])]
        locators = pool.cover(free, MAX_OTHERS, MAX_OTHERS_TRIED)
        if locators not in found.values() and pool.gain(locators) >= least:
            found[f"another {other}" if other == family else other] = locators
            used |= pool.quoted(locators)
    return FieldRule(
        kind.name,
        tuple(
            FieldReading(name, tuple(map(pool.locator, chosen)))
            for name, chosen in found.items()
        ),
    )


def spread(items: Sequence[T], most: int) -> Sequence[T]:
    """Return at most `most` items: the first ones for one half, evenly spread ones for
    the other half.

    Evenly spread items alone could miss every second row of a table.
    """
    head, rest = items[: most // 2], items[most // 2 :]
    step = max(1, -(-len(rest) // (most - most // 2)))
    return [*head, *rest[::step]]
