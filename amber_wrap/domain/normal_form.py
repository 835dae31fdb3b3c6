"""The normal form of a displayed value: "£1,200 pcm" is 1200, GBP, month."""

from __future__ import annotations

from amber_wrap.domain.schema import ValueKind
from amber_wrap.embedded import dates, values

Value = float | str | None


def normal_form(
    kind: ValueKind, text: str, matched: str, base: str = ""
) -> tuple[Value, ...]:
    """The values of a kind's record keys (`AttributeType.keys`), in their order.

    `text` is the displayed value, `matched` all that was recognised around it: what an
    amount is paid for stands there.  `base` is the address that relative URLs are
    resolved against, "" for none.
    """
    match kind:
        case ValueKind.MONEY:
            return values.money(matched)
        case ValueKind.COUNT:
            return (values.count(text),)
        case ValueKind.NUMBER:
            return (values.number(text),)
        case ValueKind.QUANTITY:
            return values.quantity(text)
        case ValueKind.YEAR:
            return (dates.year(text),)
        case ValueKind.DATE:
            return (dates.date(text),)
        case ValueKind.URL:
            return (values.url(text, base),)
        case ValueKind.TEXT:
            return (values.text(text),)
