"""Find the signs and codes of currencies beside the numbers of a field."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from amber_wrap.domain.schema import DERIVED_KEYS, ValueKind
from amber_wrap.lowering.helpers import text_found
from amber_wrap.lowering.program import Derived
from amber_wrap.lowering.sample_cases import Case
from amber_wrap.lowering.thresholds import LOWERING
from amber_wrap.values.currencies import CURRENCIES
from amber_wrap.values.numbers_and_prices import PRICE, SIZE, find_figure, sign_of
from amber_wrap.values.units import UNITS, unit_of

FIGURE_PATTERNS = {ValueKind.MONEY: PRICE, ValueKind.QUANTITY: SIZE}
"""The regular expressions that find a number with its currency or its unit, by the kind
of value."""

USUAL_CURRENCIES = {sign: CURRENCIES[sign] for sign in "$£¥€₹₽"}
"""The codes of the usual currencies for frequent currency signs, such as "EUR" for
"€"."""


def signs_of_unit(words: Iterable[str]) -> str:
    """Return a pattern for all spellings of a unit, for example for `mi` and `miles`.

    Return "" if the `words` are spellings of several units, or if the pattern is too
    long.
    """
    unit, *others = {unit_of(word.strip(" -")) for word in words}
    signs = UNITS[unit] if unit and not others else ""
    if not 0 < len(signs) <= LOWERING.longest_unit_pattern:
        return ""
    # An abbreviation with a full stop belongs to another column.
    return rf"(?i:{signs})(?![.\w])"


def look_up(
    key: str, signs: Mapping[str, str], cases: Sequence[tuple[Case, object]]
) -> Derived | None:
    """Return a rule for a derived key, such as the currency of a price, that finds its
    values by signs.

    `signs` has the meanings of the signs, such as "EUR" for "€". Return None if no
    regular expression finds the right sign in all cases.
    """
    longest_first = sorted(signs, key=lambda sign: (-len(sign), sign))
    any_sign = "|".join(map(re.escape, longest_first)).replace(r"\ ", " ")
    if len(signs) > 1 and all(len(sign) == 1 for sign in signs):
        any_sign = f"[{''.join(sorted(signs))}]"
    patterns = [any_sign, rf"\d ?({any_sign})", rf"\d.{{0,4}}?({any_sign})"]
    if all(sign.isalpha() for sign in signs):
        patterns.insert(0, rf"\d ?({any_sign})\b")
    for pattern in patterns:
        derived = Derived(key, tuple(sorted(signs.items())), pattern)
        if all(meaning_of_sign(derived, case) == meaning for case, meaning in cases):
            return derived
    return None


def meaning_of_sign(derived: Derived, case: Case) -> str | None:
    """Return the meaning of the symbol or word that `derived.pattern` finds in a sample
    text.

    For example, return "EUR" for "€". Return None if the pattern finds nothing.
    """
    sign = text_found(case.texts, derived.pattern)
    return dict(derived.meanings).get(sign or "")


def has_no_other_sign(kind: ValueKind, derived: Derived, case: Case) -> bool:
    """Return whether `derived` reads the right currency or unit from a sample text, or
    none.

    For example, return False if `derived` reads "USD" from "A$ 5", which is "AUD".
    """
    if not derived.pattern or not case.form or case.form[0] is None:
        return True
    (meaning,) = (
        meaning
        for suffix, meaning in zip(DERIVED_KEYS[kind], case.form[1:], strict=True)
        if derived.key.endswith(f"_{suffix}")
    )
    return meaning_of_sign(derived, case) in (None, meaning)


def sign_in(case: Case, kind: ValueKind, suffix: str) -> str:
    """Return the sign of the currency or unit in a sample value, such as `€`.

    If `suffix` is "period", return the words after the number, such as "per month".
    Return "" if the value has no number.
    """
    figures = find_figure(FIGURE_PATTERNS[kind], case.matched)
    if figures is None:
        return ""
    if suffix != "period":
        return sign_of(figures[0]) or sign_of(figures[1])
    return case.matched[figures[0].end() :].strip(" (")
