"""Add columns with the displayed texts of values that can't be converted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from amber_wrap.analysis.extraction_typing import Attribute, Record
from amber_wrap.dom.page import Page
from amber_wrap.domain.schema import AttributeType, ValueKind
from amber_wrap.selectors.area_groups import TypedPage, attributes_on, with_attributes
from amber_wrap.values.dates import date, day_or_month_first
from amber_wrap.values.numbers_and_prices import factor_of_amount, money

_READ_TOGETHER: Final = frozenset({1, 10**3, 10**6})
"""The factors of number units that one column may mix: "9", "9k" and "1.2m". Amounts
with other units, such as "92 Lac", aren't read together."""


def displayed_text_names(kinds: Iterable[AttributeType]) -> set[str]:
    """Return the names of the types for displayed texts of dates and amounts of money.

    For example, the name is `posted_text` for the type `posted` of dates.
    """
    return {
        _text_name(kind.name)
        for kind in kinds
        if kind.kind in (ValueKind.DATE, ValueKind.MONEY)
    }


def _text_name(name: str) -> str:
    """Return the name of the type for displayed texts, such as `posted_text` for
    `posted`."""
    return f"{name}_text"


def with_displayed_texts(
    typed_pages: Sequence[TypedPage], kinds: Sequence[AttributeType]
) -> tuple[tuple[TypedPage, ...], tuple[AttributeType, ...]]:
    """Return the sample pages with displayed texts of dates and amounts added as
    values, and the types of these texts.

    A text is added if it can't be converted to a date or a number, such as "3 hours
    ago".
    """
    used_keys = {key for kind in kinds for key in kind.keys}
    text_types: dict[str, AttributeType] = {}
    for kind in kinds:
        name = _text_name(kind.name)
        if name in used_keys or name not in displayed_text_names([kind]):
            continue
        values = [
            (typed_page.page, attribute)
            for typed_page in typed_pages
            for attribute in attributes_on(typed_page)
            if attribute.type == kind.name
        ]
        if _are_unreadable(kind.kind, [attribute for _, attribute in values]):
            text_types[kind.name] = _text_type(name, kind, values)

    def with_texts(
        page: Page, record: Record, attributes: Sequence[Attribute]
    ) -> list[Attribute]:
        changed = []
        for attribute in attributes:
            changed.append(attribute)
            if text_type := text_types.get(attribute.type):
                changed.append(_as_text(attribute, text_type))
        return changed

    if not text_types:
        return tuple(typed_pages), ()
    with_added = tuple(
        with_attributes(typed_page, with_texts) for typed_page in typed_pages
    )
    return with_added, tuple(text_types.values())


def _are_unreadable(kind: ValueKind, values: Sequence[Attribute]) -> bool:
    """Return whether dates or amounts of money must be kept as texts.

    Return True if a date, or most of the amounts, can't be converted. Also return True
    for amounts in different large units, such as "9 Lac" and "2 Crore".
    """
    if kind is ValueKind.DATE:
        texts = [value.text or "" for value in values]
        first = day_or_month_first(texts)
        return not all(date(text, first) for text in texts)
    amounts = [value.matched or "" for value in values]
    readable = sum(money(amount)[0] is not None for amount in amounts)
    factors = set(map(factor_of_amount, amounts))
    mixes_units = len(factors - _READ_TOGETHER) > 1
    return 2 * readable < len(values) or mixes_units


def _text_type(
    name: str, kind: AttributeType, values: Sequence[tuple[Page, Attribute]]
) -> AttributeType:
    """Return the type `name` for the displayed texts of `values`, which have the type
    `kind`.

    The new type has the patterns of `kind` if the elements also hold other texts.
    """
    if all(
        page.source_text(value.node, value.source) == value.text
        for page, value in values
    ):
        return AttributeType(name, ValueKind.TEXT, whole=True)
    return replace(kind, name=name, kind=ValueKind.TEXT)


def _as_text(attribute: Attribute, text_type: AttributeType) -> Attribute:
    """Return the displayed text of a value as a value of the type `text_type`."""
    if text_type.whole and not text_type.is_recognised:
        return replace(
            attribute, type=text_type.name, matched=attribute.text, recogniser=None
        )
    return replace(attribute, type=text_type.name)
