"""Texts of dates without an ISO form: "3 hours ago" is read as it is displayed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from amber_wrap.analysis.typing import Attribute, Record
from amber_wrap.dom.page import Page
from amber_wrap.domain.schema import AttributeType, ValueKind
from amber_wrap.generalise.groups import Typed, with_attributes
from amber_wrap.values.dates import date, first_of


def text_name(name: str) -> str:
    """What the texts of dates are called."""
    return f"{name}_text"


def with_date_texts(
    typed: Sequence[Typed], kinds: Sequence[AttributeType]
) -> tuple[tuple[Typed, ...], tuple[AttributeType, ...]]:
    """The typings with the texts of dates beside them, and the types of these.

    Of types some of whose values have no ISO form: the date is None there.
    """
    taken = {key for one in kinds for key in one.keys}
    texts: dict[str, AttributeType] = {}
    for kind in kinds:
        name = text_name(kind.name)
        if kind.kind is ValueKind.DATE and name not in taken:
            shown = list(_shown(typed, kind.name))
            first = first_of(shown)
            if not all(date(one, first) for one in shown):
                texts[kind.name] = replace(kind, name=name, kind=ValueKind.TEXT)

    def more(page: Page, record: Record, found: Sequence[Attribute]) -> list[Attribute]:
        return [
            told for one in found for told in (one, *_as_text(one, texts.get(one.type)))
        ]

    if not texts:
        return tuple(typed), ()
    return tuple(with_attributes(one, more) for one in typed), tuple(texts.values())


def _as_text(one: Attribute, kind: AttributeType | None) -> Iterator[Attribute]:
    if kind:
        yield replace(one, type=kind.name)


def _shown(typed: Sequence[Typed], name: str) -> Iterator[str]:
    for one in typed:
        for area in one.typing.areas:
            for attributes in area.attributes:
                yield from (a.text for a in attributes if a.type == name and a.text)
