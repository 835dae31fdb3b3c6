"""Choose the simplest XPath expression and regular expression for each field."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import replace
from itertools import product

from amber_wrap.domain.schema import (
    CURRENCY_SUFFIX,
    DERIVED_KEYS,
    FIGURES,
    ValueKind,
    derived_key,
)
from amber_wrap.lowering.conversions import Conversion, conversions
from amber_wrap.lowering.currency_signs import USUAL_CURRENCIES, look_up, sign_in
from amber_wrap.lowering.date_patterns import (
    WITH_ENGLISH_MONTH,
    has_english_months,
    shape_pattern,
)
from amber_wrap.lowering.helpers import text_found
from amber_wrap.lowering.number_patterns import (
    SIGN_AFTER,
    SYMBOL,
    number_patterns,
    signed_number_patterns,
)
from amber_wrap.lowering.program import Column, Derived, Read
from amber_wrap.lowering.sample_cases import OWN, Case, LocatorCase
from amber_wrap.lowering.thresholds import LOWERING
from amber_wrap.values.numbers_and_prices import SIGN


def lower_field(
    name: str,
    kind: ValueKind,
    locator_cases: Sequence[LocatorCase],
    field_names: Set[str] = frozenset(),
) -> Column | None:
    """Return the simplest rule by which a generated file reads a field, or None if
    there is none.

    The rule must read the right value of each sample record. `locator_cases` has the
    texts that XPath expressions select in the sample records, and the right values. A
    derived key, such as `price_currency`, is left out if its name is in `field_names`.
    """
    choices: list[Sequence[LocatorCase]] = []
    if len(locator_cases) > 1:
        choices = [[locator_case.alone] for locator_case in locator_cases]
    choices.append(locator_cases)
    for has_shapes, chosen in product((False, True), choices):
        for conversion in conversions(kind, chosen):
            reads = lower_locators(kind, chosen, conversion, has_shapes)
            if reads is None:
                continue
            derived = derive(name, kind, reads, chosen, field_names)
            if derived is not None:
                return Column(
                    *(name, kind, reads, conversion.helper, conversion.scale, derived),
                    calendar=conversion.calendar,
                )
    return lower_signs(name, locator_cases) if kind is ValueKind.CURRENCY else None


def lower_signs(name: str, locator_cases: Iterable[LocatorCase]) -> Column | None:
    """Return a column that reads currencies by their symbols, such as `€`.

    Return None if no expression reads the right currency from all sample records.
    """
    for locator_case in locator_cases:
        for path, cases in locator_case.all_cases:
            valued = [(case, case.form[0]) for case in cases if case.form]
            signs = {case.shown: str(code) for case, code in valued if code is not None}
            if not signs:
                continue
            currency = look_up(name, USUAL_CURRENCIES | signs, valued)
            if currency and finds_only_values(currency.pattern, cases):
                read = Read(path, currency.pattern)
                return Column(name, ValueKind.CURRENCY, (read,), derived=(currency,))
    return None


def lower_locators(
    kind: ValueKind,
    locator_cases: Sequence[LocatorCase],
    conversion: Conversion,
    has_shapes: bool,
) -> tuple[Read, ...] | None:
    """Return, for each item of `locator_cases`, an XPath expression and a regular
    expression.

    Together with `conversion`, these expressions must read the right value of all
    sample records. Return None if there are no such expressions for an item. If
    `has_shapes` is true, a regular expression may be made from sample values.
    """
    reads = []
    for locator_case in locator_cases:
        is_last = locator_case is locator_cases[-1]
        read = lower_locator(kind, locator_case, conversion, has_shapes, is_last)
        if read is None:
            return None
        reads.append(read)
    return tuple(reads)


def lower_locator(
    kind: ValueKind,
    locator_case: LocatorCase,
    conversion: Conversion,
    has_shapes: bool,
    is_last: bool,
) -> Read | None:
    """Return an XPath expression and a regular expression that read the right values of
    all sample records.

    Return None if there are none. Unless `is_last`, the regular expression must match
    nothing in records without a value. If `has_shapes`, it may be made from sample
    values.
    """
    for path, cases in locator_case.remaining_cases:
        if (conversion.helper == "own") != path.endswith(OWN):
            continue
        patterns: Iterable[str] = [locator_case.pattern]
        if not (locator_case.pinned and locator_case.pattern):
            patterns = proposals(kind, locator_case.pattern, cases, has_shapes)
        for pattern in patterns:
            if agrees(pattern, cases, conversion) and (
                is_last or finds_only_values(pattern, cases)
            ):
                return Read(path, pattern)
    return None


def proposals(
    kind: ValueKind, full_pattern: str, cases: Sequence[Case], has_shapes: bool
) -> Iterator[str]:
    """Yield regular expressions that may find the values in texts, the simplest first.

    `full_pattern` is the wrapper's regular expression for the values, or "" for whole
    texts. If `has_shapes` is true, the last one is made from the values in `cases`.
    """
    is_date = kind is ValueKind.DATE
    if f"{SIGN}?" in full_pattern:
        yield from signed_number_patterns(cases)
    elif kind in FIGURES:
        is_whole = full_pattern.startswith("^") and full_pattern.endswith("$")
        yield from number_patterns(cases, kind, is_whole)
    elif not (full_pattern and is_date):
        yield ""
    if not full_pattern:
        return
    if len(full_pattern) <= LOWERING.longest_copied_first:
        yield full_pattern
    if is_date:
        dates = [case.shown for case in cases if case.shown]
        if has_english_months(dates):
            if shape := shape_pattern(cases):
                yield shape
            if all(re.fullmatch(WITH_ENGLISH_MONTH, date) for date in dates):
                yield WITH_ENGLISH_MONTH
        yield ""
    if len(full_pattern) <= LOWERING.longest_copied_last:
        yield full_pattern
    if has_shapes and (shape := shape_pattern(cases, kind not in FIGURES)):
        yield shape


def agrees(pattern: str, cases: Iterable[Case], conversion: Conversion) -> bool:
    """Return whether a regular expression and a conversion give the right value in each
    case.

    A case has the texts of a sample record, and its value or none.
    """
    for case in cases:
        try:
            value = conversion(case.texts, pattern)
        except ValueError:
            return False
        if value != (case.form[0] if case.form else None):
            return False
    return True


def finds_only_values(pattern: str, cases: Iterable[Case]) -> bool:
    """Return whether a regular expression matches nothing in records that have no
    value.

    A case has the texts of a sample record, and its value or none.
    """
    return all(case.form or text_found(case.texts, pattern) is None for case in cases)


def derive(
    name: str,
    kind: ValueKind,
    reads: Sequence[Read],
    locator_cases: Sequence[LocatorCase],
    field_names: Set[str],
) -> tuple[Derived, ...] | None:
    """Return the rules for the derived keys of a field, such as `price_currency` of
    `price`.

    Return None if a key has no rule that reads it rightly from all sample records. Keys
    in `field_names` are left out.
    """
    keys = []
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
        if derived is None:
            return None
        keys.append(derived)
    return tuple(keys)


def joined_cases(
    reads: Sequence[Read], locator_cases: Sequence[LocatorCase]
) -> list[Case]:
    """Return, for each sample record, all texts from which a field may be read, and the
    right value.

    `reads` has the chosen expressions for each item of `locator_cases`.
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
