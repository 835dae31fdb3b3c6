"""How much of what a domain expects a typing covers (AMBER, section 3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Set
from math import ceil, sqrt

from amber_wrap.analysis.typing import ExtractionTyping
from amber_wrap.domain.schema import Schema

COMMON = 0.6
"""The share of records from which on a type counts as covered."""
TELLING = 0.25
"""The share of a domain's own types that tell it."""
UNRECOGNISED = 0.25
"""What the values of a domain are worth that nothing on the page is typical of."""


def coverage(
    typing: ExtractionTyping, schema: Schema, competing: Collection[Schema]
) -> float:
    """The values found, weighted by the share of the types that are common.

    The paper suggests to run with several pivots and keep the typing that covers most
    attributes.  Weighted by the root of the share, domains of different sizes compete:
    neither the one that expects least wins, nor the one that finds most by chance.
    What several of the `competing` schemas, this one among them, expect speaks for each
    of them the less.  0 for a typing without records.
    """
    filled = Counter(
        attribute.type
        for area in typing.areas
        for attributes in area.attributes
        for attribute in attributes
        if attribute.text is not None
    )
    expected = Counter(kind.name for one in competing for kind in one.types)
    common = {
        kind.name
        for kind in schema.types
        if filled[kind.name] >= COMMON * typing.record_count > 0
    }
    found = sum(count / expected[name] for name, count in filled.items())
    share = len(common) / len(schema.types)
    typical = _is_typical(common, schema, expected, len(competing))
    return found * sqrt(share) * (1 if typical else UNRECOGNISED)


def _is_typical(
    common: Set[str], schema: Schema, expected: Mapping[str, int], rivals: int
) -> bool:
    """Whether common types tell the domain from its rivals.

    A quarter of the types that no rival expects do; or one beside the regular types, if
    most rivals lack one of these; for a domain that has hardly any of its own, the
    regular types do.
    """
    own = [kind.name for kind in schema.types if expected[kind.name] == 1]
    known = sum(name in common for name in own)
    regular = [kind.name for kind in schema.types if kind.regular]
    rare = any(2 * expected[name] <= rivals for name in regular)
    if common >= set(regular) and (len(own) < 2 or (known and rare)):
        return True
    return known >= max(2, ceil(TELLING * len(own)))
