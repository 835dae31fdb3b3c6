"""Rate how well a typing covers the types of a domain, to choose among domains (AMBER,
section 3).
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
    """Return how well a typing covers the types of a domain; 0 for a typing without
    records.

    The paper suggests to run with several pivots and to keep the typing that covers
    most attributes. The result is the number of values times a weight. A value counts
    less if several of the `competing` schemas have its type. A type is common if most
    records have a value of it. The weight grows with the root of the share of common
    types, so that domains of different sizes can compete. The weight is less if the
    common types don't distinguish the domain from the `competing` ones.
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
    """Return how well the common types distinguish the domain from competing ones, 0 to
    1.

    An own type is one that no competing domain has. `expected` is the number of schemas
    with each type. `varied` are the common types with different values. Own types count
    only if one of them is in `varied`, unlike "Shop" on each button. Return 1 if a
    quarter of the own types, and two or more, are common. Return 1 also if all regular
    types are common and the domain has at most one own type. Return `SELECTION.likely`
    if all regular types and one own type are common. Return `SELECTION.unrecognised`
    otherwise.
    """
    own = {kind.name for kind in schema.types if expected[kind.name] == 1}
    known = len(own & common) if own & varied else 0
    is_regular = common >= {kind.name for kind in schema.types if kind.regular}
    enough = max(2, ceil(SELECTION.own_types * len(own)))
    if known >= enough or (is_regular and len(own) < 2):
        return 1.0
    return SELECTION.likely if is_regular and known else SELECTION.unrecognised
