"""Choose the functions that convert texts to values in a generated Python file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from amber_wrap.domain.schema import ValueKind
from amber_wrap.lowering.date_patterns import (
    DATE_HELPERS,
    NO_DATES,
    Calendar,
    calendar_of,
)
from amber_wrap.lowering.helpers import helpers, text_found
from amber_wrap.lowering.program import Column
from amber_wrap.lowering.sample_cases import Case, LocatorCase
from amber_wrap.values.numbers_and_prices import SIGN

_SCALES = (1, 1000, 10_000, 10**6)
"""The factors that are tried for a number in a text, for example 1000 for prices in
thousands."""

CONVERSIONS: dict[ValueKind, tuple[str, ...]] = {
    ValueKind.MONEY: ("number", "amount"),
    ValueKind.NUMBER: ("number", "decimal", "signed"),
    ValueKind.QUANTITY: ("number", "decimal"),
    ValueKind.COUNT: ("count", "thousands"),
    ValueKind.YEAR: ("count",),
    ValueKind.URL: ("link",),
    ValueKind.TEXT: ("",),
    ValueKind.DATE: ("date", "", "moment"),
    ValueKind.TEXTS: ("texts",),
    ValueKind.CURRENCY: ("",),
}
"""For each kind of value, the names of the functions of a generated file that convert
texts to such values, the simplest first. The name "" stands for no conversion."""


@dataclass(frozen=True, slots=True)
class Conversion:
    """A conversion of a text to a value by a function of the generated file."""

    helper: str
    """The name of the function, or "" for none."""
    scale: int = 1
    """The factor by which a number is multiplied."""
    calendar: Calendar = NO_DATES
    """The date formats, for a function that reads dates."""

    def __call__(self, texts: Sequence[str], pattern: str) -> object:
        """Return the value that a generated file reads from the texts, or None.

        `pattern` is the regular expression for the text to convert.
        """
        if self.helper == "texts":
            return [text for text in texts if text_found([text], "")] or None
        found_text = text_found(texts, pattern)
        if self.helper in ("", "link", "own"):
            return found_text
        if self.helper in DATE_HELPERS:
            return self.calendar.read(found_text, self.helper)
        helper = getattr(helpers(), self.helper)
        if self.scale == 1:
            return helper(found_text)
        return helper(found_text, self.scale)


def conversions(
    kind: ValueKind, locator_cases: Sequence[LocatorCase]
) -> Iterator[Conversion]:
    """Yield the conversions that may turn texts into values of a kind, the simplest
    first.

    Dates in the sample records decide which date formats a conversion reads.
    """
    if kind is ValueKind.TEXT and any(case.joins for case in locator_cases):
        yield Conversion("own")
    # Without its sign, a number of another page would be wrong.
    is_signed = kind is ValueKind.NUMBER and any(
        f"{SIGN}?" in case.pattern for case in locator_cases
    )
    for helper in CONVERSIONS[kind]:
        if (helper == "signed") != is_signed:
            continue
        if helper in DATE_HELPERS:
            dates: list[Case] = []
            for locator_case in locator_cases:
                _, cases = locator_case.remaining_cases[0]
                dates += cases
            calendar = calendar_of(dates)
            if calendar.forms:
                yield Conversion(helper, calendar=calendar)
        else:
            for scale in _SCALES if helper == "number" else (1,):
                yield Conversion(helper, scale)


def conversion_of(column: Column) -> Conversion:
    """Return the conversion of texts to values for a column."""
    return Conversion(column.convert, column.scale, column.calendar)
