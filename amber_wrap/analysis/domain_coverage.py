"""Rate how well an extraction typing covers the types of a domain (AMBER, section 3).

The ratings serve to choose among domains.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Set
from math import ceil, sqrt

from amber_wrap.analysis.extraction_typing import ExtractionTyping
from amber_wrap.analysis.thresholds import SELECTION
from amber_wrap.domain.schema import Schema


def coverage(
    typing: ExtractionTyping, schema: Schema, competing: Collection[Schema]
) -> float:
    """Return how well a typing covers the types of a domain, or 0 for a typing without
    records.

    The result is the number of values times a weight. A value counts less if several of
    the `competing` schemas have its type. The weight grows with the share of the
    domain's types that most records have. The weight is also higher if most records
    have types that no other competing schema has.
    """
    shown = Counter(
        (attribute.type, attribute.text)
        for area in typing.areas
        for attributes in area.attributes
        for attribute in attributes
        if attribute.text is not None
    )
    filled, different = Counter[str](), Counter(name for name, _ in shown)
    for (name, _), count in shown.items():
        filled[name] += count
    expected = Counter(kind.name for one in competing for kind in one.types)
    common = {
        kind.name
        for kind in schema.types
        if filled[kind.name] >= SELECTION.common_type * typing.record_count > 0
    }
    found = sum(count / expected[name] for name, count in filled.items())
    share = len(common) / len(schema.types)
    varied = {name for name in common if different[name] > 1}
    return found * sqrt(share) * _typicality(common, varied, schema, expected)


def _typicality(
    common: Set[str], varied: Set[str], schema: Schema, expected: Mapping[str, int]
) -> float:
    """Return how well the common types distinguish the domain from competing domains, 0
    to 1.

    `common` has the types that most records have. `varied` has the common types whose
    values differ between records. `expected` has the number of competing schemas with
    each type. The domain is distinguished by types that no other schema has.
    """
    own = {kind.name for kind in schema.types if expected[kind.name] == 1}
    # A text that is the same in all records, such as "Shop" on each button, is no
    # sign of the domain.
    known = len(own & common) if own & varied else 0
    is_regular = common >= {kind.name for kind in schema.types if kind.regular}
    enough = max(2, ceil(SELECTION.own_types * len(own)))
    if known >= enough or (is_regular and len(own) < 2):
        return 1.0
    return SELECTION.likely if is_regular and known else SELECTION.unrecognised
