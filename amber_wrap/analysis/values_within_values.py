"""Find values within longer values of another type, such as postcodes in addresses.

AMBER looks for the values of each type separately (AMBER paper, section 3.5).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from amber_wrap.analysis.extraction_typing import Attribute
from amber_wrap.analysis.record_annotations import (
    AnnotationsByRecord,
    ValuePlace,
)
from amber_wrap.annotate.pattern_annotator import displayed_span
from amber_wrap.dom.page import OWN_TEXT, TEXT, Page
from amber_wrap.domain.schema import AttributeType, Schema, ValueKind
from amber_wrap.values.regular_expressions import SEARCHED


class ValuePart(NamedTuple):
    """A value within a value of another type, such as the postcode in an address."""

    text: str
    """The value as displayed."""
    matched: str
    """The whole match of the pattern, which may include a label."""
    recogniser: str
    """The name of the pattern."""
    source: str
    """Where in the element the value is, such as `FIRST_LINE`."""


def containing_type(kind: AttributeType, schema: Schema) -> str | None:
    """Return the name of the type whose values contain values of `kind`, as addresses
    contain postcodes.

    Return None if no type's values contain them.
    """
    if kind.kind is ValueKind.TEXT and not kind.whole:
        for candidate in schema.types:
            if candidate.whole and not set(kind.patterns).isdisjoint(
                candidate.patterns
            ):
                return candidate.name
    return None


def containing_types_first(schema: Schema) -> Sequence[AttributeType]:
    """Return the types of a schema, with the types of partial values at the end.

    For example, the type of postcodes comes after that of addresses.
    """
    return sorted(
        schema.types, key=lambda kind: containing_type(kind, schema) is not None
    )


def part_within(
    page: Page,
    kind: AttributeType,
    whole: Attribute | None,
    patterns: Mapping[str, re.Pattern[str]],
) -> ValuePart | None:
    """Return the value of the type `kind` in the value `whole`, such as the postcode in
    an address.

    Return None if `whole` is None or contains no such value.
    """
    if whole is None or whole.text is None:
        return None
    source_text = page.source_text(whole.node, whole.source)
    begin = max(0, source_text.find(whole.text))
    end = begin + len(whole.text)
    # In an address, the first half of a postcode is enough.
    for recogniser in (*kind.patterns, *kind.short):
        pattern = patterns[recogniser]
        match = pattern.search(source_text, 0, SEARCHED)
        if match is None:
            continue
        part_begin, part_end = displayed_span(match)
        if begin <= part_begin and part_end <= end:
            source = whole.source
            if source == OWN_TEXT:
                # The whole text of the element is the simpler source.
                first = pattern.search(page.string(whole.node), 0, SEARCHED)
                if first and first[0] == match[0]:
                    source = TEXT
            text = source_text[part_begin:part_end]
            return ValuePart(text, match[0], recogniser, source)
    return None


def part_attribute(
    kind: AttributeType,
    whole: Attribute,
    part: ValuePart,
    parts: Sequence[ValuePart | None],
) -> Attribute:
    """Return a part of a longer value, such as the postcode in an address, as a
    separate value of the record.

    `parts` has the part in each record, or None. The share of records with a part
    becomes the value's `support`.
    """
    part_count = sum(part_or_none is not None for part_or_none in parts)
    return Attribute(
        type=kind.name,
        node=whole.node,
        source=part.source,
        text=part.text,
        matched=part.matched,
        recogniser=part.recogniser,
        support=part_count / len(parts),
        origin="annotated",
    )


def are_parts_of_values(
    page: Page,
    wholes: Sequence[Attribute | None],
    parts: Sequence[ValuePart | None],
    type_claims: AnnotationsByRecord,
    infer: float,
) -> bool:
    """Return whether most values of a type are parts of longer values, as postcodes are
    parts of addresses.

    `wholes` has the longer value of each record, and `parts` the part in it. More than
    the share `infer` of the longer values must have a part.
    """
    part_count = sum(part is not None for part in parts)
    if not part_count:
        return False
    elsewhere = Counter[ValuePlace]()
    for whole, claims in zip(wholes, type_claims, strict=True):
        if whole:
            outside = [
                claim.place
                for claim in claims
                if not page.contains(whole.node, claim.node)
            ]
            elsewhere.update(set(outside))
    most_elsewhere = max(elsewhere.values(), default=0)
    whole_count = sum(whole is not None for whole in wholes)
    return part_count > infer * whole_count and part_count >= most_elsewhere
