"""How much of what a domain expects a typing covers (AMBER, section 3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Set
from math import ceil, sqrt

from amber_wrap.analysis.extraction_typing import ExtractionTyping
from amber_wrap.domain.schema import Schema

_COMMON = 0.6
"""The share of records from which on a type counts as covered."""
_TELLING = 0.25
"""The share of a domain's own types that tell it."""
LIKELY, UNRECOGNISED = 0.6, 0.25
"""What the values of a domain are worth that one type alone, or none, tells."""


def coverage(
    typing: ExtractionTyping, schema: Schema, competing: Collection[Schema]
) -> float:
    """Return the values found, weighted by the share of the types that are common.

    The paper suggests to run with several pivots and keep the typing that covers most
    attributes.  Weighted by the root of the share, domains of different sizes compete:
    neither the one that expects least wins, nor the one that finds most by chance.
    What several of the `competing` schemas, this one among them, expect speaks for each
    of them the less.  0 for a typing without records.
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
        if filled[kind.name] >= _COMMON * typing.record_count > 0
    }
    found = sum(count / expected[name] for name, count in filled.items())
    share = len(common) / len(schema.types)
    varied = {name for name in common if different[name] > 1}
    return found * sqrt(share) * _typicality(common, varied, schema, expected)


def _typicality(
    common: Set[str], varied: Set[str], schema: Schema, expected: Mapping[str, int]
) -> float:
    """Return how well common types tell the domain from its rivals, up to 1.

    A quarter of the types that no rival expects do, unless all records show the same of
    each ("Shop", a button); for a domain that has hardly any of its own, the regular
    types do.  One beside these makes it likely.
    """
    own = {kind.name for kind in schema.types if expected[kind.name] == 1}
    known = len(own & common) if own & varied else 0
    is_regular = common >= {kind.name for kind in schema.types if kind.regular}
    if known >= max(2, ceil(_TELLING * len(own))) or (is_regular and len(own) < 2):
        return 1.0
    return LIKELY if is_regular and known else UNRECOGNISED
