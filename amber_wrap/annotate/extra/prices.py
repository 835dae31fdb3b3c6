"""Annotate prices for which two parsers find the same amount.

The parsers are the library price-parser and the function `money` of this project.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from price_parser import Price

from amber_wrap.annotate.plugin_annotators import MatchSpan
from amber_wrap.values.currencies import CURRENCY_CODES
from amber_wrap.values.numbers_and_prices import RANGE, money

_CURRENCY_CODE: Final = "|".join(CURRENCY_CODES.split())
_SIGN: Final = (
    rf"(?:[A-Z]{{0,3}} ?[$€£¥₹₽₺₴₪₩₦₱฿₫]|{_CURRENCY_CODE}|[Kk]r\.?|zł|Kč|Ft|lei|Rs\.?)"
)
_AMOUNT: Final = (
    r"\d{1,3}(?:[ ,.'’]\d{2,3})*(?:[ ,.'’]\d{3})(?:[.,]\d\d)?|\d+(?:[.,]\d\d)?"
)
_AFTER: Final = 24
"""The number of characters that are read behind a price.

For example, " million" or " - £300,000" changes the meaning of a price.
"""
_PATTERN: Final = (
    rf"(?=\D{{0,6}}\d)(?<![\w.,$€£-])(?:{_SIGN} ?(?:{_AMOUNT})(?![.,]?\d|\w)"
    rf"|(?:{_AMOUNT}) ?{_SIGN}(?!\w))"
)


def prices(text: str) -> Iterator[MatchSpan]:
    """Yield the (start, end) offsets of the prices with a currency in a text.

    Ranges, and amounts that price-parser and `money` read differently, are left out.
    """
    previous_end = 0
    for match in re.finditer(_PATTERN, text):
        start, end = match.span()
        is_end_of_range = RANGE.fullmatch(text, previous_end, start)
        amount, _, _ = money(text[start : end + _AFTER])
        price = Price.fromstring(match[0])
        if price.currency and price.amount_float == amount and not is_end_of_range:
            yield start, end
        previous_end = end


prices.pattern = _PATTERN  # type: ignore[attr-defined]
