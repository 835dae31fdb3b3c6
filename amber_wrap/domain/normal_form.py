"""The normal form of a displayed value: "£1,200 pcm" is 1200, GBP, month."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from amber_wrap.domain.schema import ValueKind
from amber_wrap.values import dates, typed

Value = float | str | list[str] | None
NormalForm = tuple[Value, ...]
BETWEEN_ITEMS: Final = "; "


NORMAL_FORMS: Final[Mapping[ValueKind, Callable[[str, str, str], NormalForm]]] = {
    ValueKind.MONEY: lambda text, matched, base: typed.money(matched),
    ValueKind.COUNT: lambda text, matched, base: (typed.whole_number(text),),
    ValueKind.NUMBER: lambda text, matched, base: (typed.number(text),),
    ValueKind.QUANTITY: lambda text, matched, base: typed.quantity(text),
    ValueKind.YEAR: lambda text, matched, base: (dates.year(text),),
    ValueKind.DATE: lambda text, matched, base: (dates.date(text),),
    ValueKind.URL: lambda text, matched, base: (typed.url(text, base),),
    ValueKind.TEXT: lambda text, matched, base: (typed.text(text),),
    ValueKind.TEXTS: lambda text, matched, base: (typed.items(text),),
}
"""By kind what gives the values of its record keys (`AttributeType.keys`), in order.

Of the displayed text of a value, all that was recognised around it (what an amount is
paid for stands there), and the address that relative URLs are resolved against, "" for
none.
"""


def shown_as_one(value: Value) -> Value:
    """Return a value where there is room for one text only: the items of a list in
    a row.
    """
    return BETWEEN_ITEMS.join(value) if isinstance(value, list) else value
