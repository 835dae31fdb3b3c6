"""Derive the currency, unit and period of a number from signs in its text.

For example, `price_currency` is EUR if the text of `price` has the sign `€`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace

from amber_wrap.domain.schema import (
    CURRENCY_SUFFIX,
    DERIVED_KEYS,
    ValueKind,
    derived_key,
)
from amber_wrap.lowering.helpers import text_found
from amber_wrap.lowering.number_patterns import (
    FIGURE_PATTERNS,
    SIGN_AFTER,
    SYMBOL,
    USUAL_CURRENCIES,
)
from amber_wrap.lowering.program import Derived, Read
from amber_wrap.lowering.sample_cases import Case, LocatorCase
from amber_wrap.values.numbers_and_prices import find_figure, sign_of


def derive(
    name: str,
    kind: ValueKind,
    reads: Sequence[Read],
    locator_cases: Sequence[LocatorCase],
    field_names: Set[str],
) -> Iterator[Derived | None]:
    """Yield the derived keys of a field, such as `price_currency` of `price`.

    `locator_cases` has the test cases for each XPath expression that the wrapper has
    for the field. `reads` has, for each item of `locator_cases`, the expression and the
    pattern in the generated file. `field_names` are the names of all fields. A derived
    key is left out if a field has the same name. Yield None for a key that no pattern
    reads correctly.
    """
    cases = joined_cases(reads, locator_cases)
    valued = [case for case in cases if case.form and case.form[0] is not None]
    reads_any_currency = any(
        sign in read.pattern for sign in (SYMBOL, SIGN_AFTER) for read in reads
    )
    for index, suffix in enumerate(DERIVED_KEYS.get(kind, ()), 1):
        key = derived_key(name, suffix)
        key_cases = [(case, case.form[index]) for case in valued]
        meanings = {meaning for _, meaning in key_cases}
        if meanings <= {None} or key in field_names:
            continue
        is_constant = len(meanings) == 1 and suffix != "period"
        is_any_currency = suffix == CURRENCY_SUFFIX and reads_any_currency
        signs = {
            sign_in(case, kind, suffix): str(meaning)
            for case, meaning in key_cases
            if meaning is not None
        }
        if is_any_currency:
            # "$" may be the currency of an unknown country.
            unknown = {
                sign_in(case, kind, suffix)
                for case, meaning in key_cases
                if meaning is None
            }
            signs = {
                sign: currency
                for sign, currency in (USUAL_CURRENCIES | signs).items()
                if sign not in unknown
            }
        if suffix == "unit":
            signs = {
                spelling: unit
                for sign, unit in signs.items()
                for spelling in (sign, sign.lower(), sign.upper())
            }
        derived = None
        if is_any_currency or not is_constant:
            derived = look_up(key, signs, key_cases)
        if derived is None and is_constant:
            derived = Derived(key, (("", str(meanings.pop())),))
        yield derived


def joined_cases(
    reads: Sequence[Read], locator_cases: Sequence[LocatorCase]
) -> list[Case]:
    """Return a test case for each record, with the texts of all expressions of a field.

    A case has the texts that the chosen expressions select in the record, and the
    field's value. `reads` has the chosen expression for each item of `locator_cases`.
    """
    cases_by_read = [
        dict(locator_case.all_cases)[read.xpath]
        for locator_case, read in zip(locator_cases, reads, strict=True)
    ]
    return [
        replace(
            record_cases[0],
            texts=tuple(text for case in record_cases for text in case.texts),
        )
        for record_cases in zip(*cases_by_read, strict=True)
    ]


def look_up(
    key: str, signs: Mapping[str, str], cases: Sequence[tuple[Case, object]]
) -> Derived | None:
    """Return the derived key `key`, whose value is looked up by a sign in the text.

    A derived key is, for example, `price_currency`. `signs` maps each sign to its
    value, for example `€` to EUR. `cases` are pairs of a test case and the key's right
    value. Return None if no pattern gives the right value in all cases.
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
    """Return the meaning of the sign in a test case's text, for example "EUR" for `€`.

    A derived key, such as `price_currency`, has a pattern for signs and a table of
    their meanings. Return None if the pattern finds no sign of the table.
    """
    sign = text_found(case.texts, derived.pattern)
    return dict(derived.meanings).get(sign or "")


def has_no_other_sign(kind: ValueKind, derived: Derived, case: Case) -> bool:
    """Return whether a derived key gets its right value, or no value, in a test case.

    A derived key is, for example, the currency of a price. It gets a wrong value if its
    pattern finds another sign in the text. `kind` is the kind of the field's value.
    Return True if the key has no pattern, or if the case has no value.
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
    """Return the sign of a currency or unit in a test case's value, such as `€`.

    `kind` is money or quantity. `suffix` is the last word of a derived key, such as
    `price_period`. If it is "period", return the words after the number, such as "per
    month". Return "" if the value has no number.
    """
    figures = find_figure(FIGURE_PATTERNS[kind], case.matched)
    if figures is None:
        return ""
    if suffix != "period":
        return sign_of(figures[0]) or sign_of(figures[1])
    return case.matched[figures[0].end() :].strip(" (")
