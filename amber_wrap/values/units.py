"""Recognise units of measurement, such as "m²" and "km"."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from amber_wrap.values.currencies import CURRENCY_SIGNS, any_of_words

UNITS: Final = {
    "m²": r"mt?s?\^?[²2]|㎡|平米|平方米|τ\.?μ|kv\.? ?m|sq[ .]*m"
    r"|sq(?:uare|\.)? met(?:er|re)s?|qm|kvm|mq|neliötä|м[²2]|кв\.? ?м|м\.? ?кв"
    r"|m\.? ?k[vw]|négyzetméter|metrekare|ruutmeetrit",
    "sq ft": r"sq[ .]*f(?:ee)?t|square f(?:ee|oo)t|ft[²2]|sf",
    "acre": "ac|acres?",
    "ha": "ha|hectares?|hektar|га",
    "cm³": "cm[³3]|ccm?",
    "l": "l|lit(?:er|re)s?|ltr|л",
    "km": "kms?|kilomet(?:er|re)s?|км|χλμ|公里|㎞",
    "mi": "mi|miles?",
    "mil": "mil",  # the Scandinavian mile, 10 km
    "m": "m|met(?:er|re)s?",
    "cm": "cm",
    "mm": "mm",
    "ft": "f(?:ee|oo)?t",
    "in": "in|inch(?:es)?",
    "kg": "kgs?",
    "g": "g|grams?",
    "lb": "lbs?",
    "kW": "kw",
    "hp": "b?hp",
    "PS": "ps",
}

UNIT: Final = "|".join(UNITS.values())

UNIT_NAMES: Final = any_of_words(
    sign.lower() for sign in CURRENCY_SIGNS if re.fullmatch(UNIT, sign.lower())
)


@cache
def unit_of(sign: str) -> str | None:
    """Return the standard name of a unit, such as "m²" for "sqm", or None if it is
    unknown.
    """
    for unit, names in UNITS.items():
        if re.fullmatch(names, sign, re.IGNORECASE):
            return unit
    return None
