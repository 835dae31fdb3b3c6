"""Convert values as displayed on a page to normal form (values for programs).

For example, the normal form of the price "£1,200 pcm" is 1200, "GBP" and "month".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from amber_wrap.domain.schema import ValueKind
from amber_wrap.values import (
    currencies,
    dates,
    numbers_and_prices,
    texts,
    urls,
)

Value = float | str | list[str] | None
"""A value as a program uses it, or None for a text that can't be converted."""
NormalForm = tuple[Value, ...]
"""A displayed value, converted to one or several values for programs.

For example, a price gives the values for the keys "price", "price_currency" and
"price_period" of a record (`AttributeType.keys`).
"""
BETWEEN_ITEMS: Final = "; "
"""The text between the items of a list that is printed as one text."""

NORMAL_FORMS: Final[Mapping[ValueKind, Callable[[str, str, str], NormalForm]]] = {
    ValueKind.MONEY: lambda text, matched, base: numbers_and_prices.money(matched),
    ValueKind.COUNT: lambda text, matched, base: (
        numbers_and_prices.whole_number(text),
    ),
    ValueKind.NUMBER: lambda text, matched, base: (numbers_and_prices.number(text),),
    ValueKind.QUANTITY: lambda text, matched, base: numbers_and_prices.quantity(text),
    ValueKind.YEAR: lambda text, matched, base: (dates.year(text),),
    ValueKind.DATE: lambda text, matched, base: (dates.date(text),),
    ValueKind.URL: lambda text, matched, base: (urls.url(text, base),),
    ValueKind.TEXT: lambda text, matched, base: (texts.text(text),),
    ValueKind.TEXTS: lambda text, matched, base: (texts.items(text),),
    ValueKind.CURRENCY: lambda text, matched, base: (currencies.currency(text),),
}
"""The functions that convert a displayed value for programs, by the kind of value.

The arguments are the displayed value, the whole match of a pattern, and the address for
relative URLs, or "". The match may contain more than the value, for example "pcm" after
a price.
"""


def with_joined_items(value: Value) -> Value:
    """Return a list as one text with the items joined by "; ".

    Return any other value unchanged.
    """
    return BETWEEN_ITEMS.join(value) if isinstance(value, list) else value
