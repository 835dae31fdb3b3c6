"""How much of what a domain expects a typing covers (AMBER, section 3)."""

from __future__ import annotations

from collections import Counter
from math import sqrt

from amber_wrap.analysis.typing import ExtractionTyping
from amber_wrap.domain.schema import Schema

COMMON = 0.5
"""The share of records from which on a type counts as covered."""


def coverage(typing: ExtractionTyping, schema: Schema) -> float:
    """The number of values found, weighted by the share of the types that are common.

    The paper suggests to run with several pivots and keep the typing that covers most
    attributes.  Weighted by the root of the share, domains of different sizes compete:
    neither the one that expects least wins, nor the one that finds most by chance.  0
    for a typing without records.
    """
    filled = Counter(
        attribute.type
        for area in typing.areas
        for attributes in area.attributes
        for attribute in attributes
        if attribute.text is not None
    )
    common = sum(
        filled[kind.name] >= COMMON * typing.record_count > 0 for kind in schema.types
    )
    return filled.total() * sqrt(common / len(schema.types))
