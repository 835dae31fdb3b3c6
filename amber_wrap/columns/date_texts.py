"""Add the displayed texts of dates that have no ISO form, such as "3 hours ago"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from amber_wrap.analysis.extraction_typing import Attribute, Record
from amber_wrap.dom.page import Page
from amber_wrap.domain.schema import AttributeType, ValueKind
from amber_wrap.selectors.area_groups import Typed, with_attributes
from amber_wrap.values.dates import date, first_of


def text_name(name: str) -> str:
    """Return the name of the attribute for displayed date texts, for example
    `posted_text` for `posted`."""
    return f"{name}_text"


def with_date_texts(
    typed: Sequence[Typed], kinds: Sequence[AttributeType]
) -> tuple[tuple[Typed, ...], tuple[AttributeType, ...]]:
    """Return the data areas with displayed texts of dates as further attributes, and
    the new attribute types.

    A date type gets an attribute for its texts if at least one text has no ISO form.
    """
    taken = {key for one in kinds for key in one.keys}
    texts: dict[str, AttributeType] = {}
    for kind in kinds:
        name = text_name(kind.name)
        if kind.kind is ValueKind.DATE and name not in taken:
            found = list(_attributes(typed, kind.name))
            first = first_of(one.text or "" for _, one in found)
            if not all(date(one.text or "", first) for _, one in found):
                texts[kind.name] = _text_type(name, kind, found)

    def more(page: Page, record: Record, found: Sequence[Attribute]) -> list[Attribute]:
        return [
            each for one in found for each in (one, *_as_text(one, texts.get(one.type)))
        ]

    if not texts:
        return tuple(typed), ()
    return tuple(with_attributes(one, more) for one in typed), tuple(texts.values())


def _text_type(
    name: str, kind: AttributeType, found: Sequence[tuple[Page, Attribute]]
) -> AttributeType:
    """Return the attribute type `name` for the displayed texts of dates.

    `found` holds the dates of the type `kind`, each with its page. If the elements hold
    nothing but the dates, the new type reads the whole text of an element. Otherwise,
    the new type has the patterns of `kind`.
    """
    if all(page.source_text(one.node, one.source) == one.text for page, one in found):
        return AttributeType(name, ValueKind.TEXT, whole=True)
    return replace(kind, name=name, kind=ValueKind.TEXT)


def _as_text(one: Attribute, kind: AttributeType | None) -> Iterator[Attribute]:
    """Yield the displayed text of a date as an attribute of type `kind`, or nothing if
    `kind` is None."""
    if kind and kind.whole and not kind.is_recognised:
        yield replace(one, type=kind.name, matched=one.text, recogniser=None)
    elif kind:
        yield replace(one, type=kind.name)


def _attributes(typed: Sequence[Typed], name: str) -> Iterator[tuple[Page, Attribute]]:
    """Yield the attributes of a type, each with its page."""
    for one in typed:
        for area in one.typing.areas:
            for attributes in area.attributes:
                for found in attributes:
                    if found.type == name and found.text:
                        yield one.page, found
