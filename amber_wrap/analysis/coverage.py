"""Rate an analysis of a page by the number of values that it explains."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Set
from math import ceil, sqrt

from amber_wrap.analysis.extraction_typing import ExtractionTyping
from amber_wrap.analysis.thresholds import SELECTION
from amber_wrap.annotate.name_annotator import NAME
from amber_wrap.domain.schema import Schema, ValueKind


def coverage(
    typing: ExtractionTyping, schema: Schema, competing: Collection[Schema]
) -> float:
    """Return a score for a schema, which is higher if the values of a page fit the
    schema better.

    A schema describes a kind of records, such as cars. The score is 0 for a page
    without records. `competing` are all schemas to compare, including `schema`.
    """
    value_counts = Counter(
        (attribute.type, attribute.text)
        for area in typing.areas
        for attributes in area.attributes
        for attribute in attributes
        if attribute.text is not None
    )
    schemas_with = Counter(kind.name for rival in competing for kind in rival.types)
    # Shops of all kinds have a class `brand`, but no living areas or mileages.
    quantities = {
        kind.name
        for kind in schema.types
        if kind.kind is ValueKind.QUANTITY and schemas_with[kind.name] == 1
    }
    named = _types_known_by_name(typing)
    if any(type_name in quantities - named for type_name, _ in value_counts):
        named = frozenset()
    counts_by_type = Counter[str]()
    for (type_name, _), count in value_counts.items():
        if type_name not in named:
            counts_by_type[type_name] += count
    different_values = Counter(type_name for type_name, _ in value_counts)
    common = {
        kind.name
        for kind in schema.types
        if counts_by_type[kind.name]
        >= SELECTION.common_type_share * typing.record_count
        > 0
    }
    varied = {type_name for type_name in common if different_values[type_name] > 1}
    typicality = _typicality(common, varied, schema, schemas_with)
    counted = set(counts_by_type)
    if typicality == SELECTION.unrecognised_weight:
        # Only types that all competing domains have are sure.
        counted = {name for name in counted if schemas_with[name] == len(competing)}
    weighted_count = sum(counts_by_type[name] / schemas_with[name] for name in counted)
    common_share = len(common & counted) / len(schema.types)
    # Types that several domains have count less, and rare types count little.
    return weighted_count * sqrt(common_share) * typicality


def _types_known_by_name(typing: ExtractionTyping) -> Set[str]:
    """Return the types whose values were recognised only by names in the markup, such
    as the class `brand`.
    """
    recognisers = defaultdict[str, set[str | None]](set)
    for area in typing.areas:
        for attributes in area.attributes:
            for attribute in attributes:
                recognisers[attribute.type].add(attribute.recogniser)
    return {
        type_name
        for type_name, names in recognisers.items()
        if NAME in names <= {NAME, None}
    }


def _typicality(
    common: Set[str], varied: Set[str], schema: Schema, schemas_with: Mapping[str, int]
) -> float:
    """Return a weight up to 1, which is high if most records have values of types that
    no other schema has.

    `common` are the types of which most records have a value, and `varied` those of
    `common` with different values. `schemas_with` has the number of schemas with each
    type.
    """
    own_types = {kind.name for kind in schema.types if schemas_with[kind.name] == 1}
    # A text that is the same in all records, such as "Shop" on each button, is no
    # sign of the domain.
    known_count = len(own_types & common) if own_types & varied else 0
    has_regular = common >= {kind.name for kind in schema.types if kind.regular}
    enough = max(2, ceil(SELECTION.least_own_types * len(own_types)))
    if known_count >= enough or (has_regular and len(own_types) < 2):
        return 1.0
    return (
        SELECTION.likely_weight
        if has_regular and known_count
        else SELECTION.unrecognised_weight
    )
