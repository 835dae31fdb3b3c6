"""Field rules: from the attributes of one type to an ensemble of ways to read them."""

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
"""Locators that the first reading may have, and any other."""
MAX_READINGS = 5
MAX_TRIED, MAX_OTHERS_TRIED = 32, 8
"""Candidates that are tried at a time for a reading, those of the most records first:
until one of them gains."""
MAX_RECORDS = 60
"""Records that candidates are drawn from and tried on."""
AS_GOOD = 0.9
"""The share of what the first reading gains that another one must."""
ANY_TAG = ", any tag"
"""What a reading of the same family as the first, but on any tag, is called by."""


def field_rule(
    kind: AttributeType,
    records: Sequence[TypedRecord],
    readout: Readout,
    paths: Paths,
) -> FieldRule | None:
    """The readings of a type, best first, each of another family; None without any.

    Diversity is what survives: what a change of the site takes from one family, others
    still have.
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
    """At most `most` of the items: half of them the first, the others evenly spread.

    Evenly spread ones alone could miss every second row of a table, say.
    """
    head, rest = items[: most // 2], items[most // 2 :]
    step = max(1, -(-len(rest) // (most - most // 2)))
    return [*head, *rest[::step]]
