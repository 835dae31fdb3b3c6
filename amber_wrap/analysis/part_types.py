"""Find values of a type that are part of another type's values, such as the postcode in
an address.

AMBER searches the paths of each type separately (section 3.5). But a postcode in a
description may belong to another place. Here the postcode is read from the record's
address, where a short form of the postcode is enough.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from amber_wrap.analysis.extraction_typing import Attribute
from amber_wrap.analysis.record_annotations import PlacedAnnotation, ValuePlace
from amber_wrap.annotate.patterns import displayed_span
from amber_wrap.dom.page import OWN_TEXT, TEXT, Page
from amber_wrap.domain.schema import AttributeType, Schema, ValueKind
from amber_wrap.values.patterns import SEARCHED


class ValuePart(NamedTuple):
    """A value within the value of another type, such as the postcode in an address.

    `text` is the value as displayed. `matched` is the whole match of the pattern.
    `recogniser` is the name of the pattern. `source` is the part of the element's text
    with the value, for example `FIRST_LINE`.
    """

    text: str
    matched: str
    recogniser: str
    source: str


def whole_of(kind: AttributeType, schema: Schema) -> str | None:
    """Return the name of the type whose values contain the values of the type `kind`.

    For example, return the name of the type of addresses for postcodes. Return None if
    no type's values contain values of `kind`.
    """
    if kind.kind is ValueKind.TEXT and not kind.whole:
        for other in schema.types:
            if other.whole and not set(kind.patterns).isdisjoint(other.patterns):
                return other.name
    return None


def wholes_first(schema: Schema) -> Sequence[AttributeType]:
    """Return the types of a schema, with types that are part of other types last."""
    return sorted(schema.types, key=lambda kind: whole_of(kind, schema) is not None)


def part_of(
    page: Page,
    kind: AttributeType,
    whole: Attribute | None,
    patterns: Mapping[str, re.Pattern[str]],
) -> ValuePart | None:
    """Return the value of the type `kind` within the value of the attribute `whole`.

    A short form is enough, for example the first half of a postcode. Return None if
    `whole` contains no value of the type.
    """
    if whole is None or whole.text is None:
        return None
    shown = page.source_text(whole.node, whole.source)
    begin = max(0, shown.find(whole.text))
    for name in (*kind.patterns, *kind.short):
        if match := patterns[name].search(shown, 0, SEARCHED):
            start, end = displayed_span(match)
            if begin <= start and end <= begin + len(whole.text):
                same = patterns[name].search(page.string(whole.node), 0, SEARCHED)
                is_own = whole.source == OWN_TEXT and same and same[0] == match[0]
                source = TEXT if is_own else whole.source
                return ValuePart(shown[start:end], match[0], name, source)
    return None


def are_within(
    page: Page,
    wholes: Sequence[Attribute | None],
    parts: Sequence[ValuePart | None],
    own: Sequence[Iterable[PlacedAnnotation]],
    infer: float,
) -> bool:
    """Return whether the values of one type are parts of the values of another type,
    such as postcodes in addresses.

    In the example, `wholes` has the address of each record, or None. `parts` has the
    postcode in each address, or None. `own` has all annotations of postcodes in each
    record.

    More than the share `infer` of the addresses must contain a postcode. No path
    outside the addresses may have more postcodes than the addresses have.
    """
    if not any(parts):
        return False
    elsewhere = Counter[ValuePlace]()
    for whole, found in zip(wholes, own, strict=True):
        if whole:
            outside = (one for one in found if not page.contains(whole.node, one.node))
            elsewhere.update({one.place for one in outside})
    most = max(elsewhere.values(), default=0)
    count = sum(one is not None for one in parts)
    return count > infer * sum(one is not None for one in wholes) and count >= most
