"""The ways to write a date, of which a file has those that its samples show."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from types import FunctionType

from amber_wrap.lowering.cases import Case
from amber_wrap.lowering.helpers import helpers
from amber_wrap.values.dates import MONTHS

ENGLISH = tuple("jan feb mar apr may jun jul aug sep oct nov dec".split())
NAME = r"(?P<month>[^\W\d]{3,})[.,]*"
DAY = r"(?P<day>\d\d?)(?:st|nd|rd|th|er|[.\u00ba])?"
YEAR = r"(?P<year>\d{4})"
FORMS = (
    r"(?P<year>\d{4})[-/.\u5e74] ?(?P<month>\d\d?)[-/.\u6708] ?(?P<day>\d\d?)",
    rf"\b{DAY}[ /-](?:of |de )?{NAME}[ /-](?:del? )?{YEAR}",
    rf"\b{NAME} {DAY},? {YEAR}",
    r"\b(?P<day>\d\d?)[-/.] ?(?P<month>\d\d?)[-/.] ?(?P<year>\d{4})",
    r"\b(?P<month>\d\d?)[-/](?P<day>\d\d?)[-/](?P<year>\d{4})",
)


@dataclass(frozen=True, slots=True)
class Calendar:
    """Regular expressions for dates, and those for the names of the months."""

    forms: tuple[str, ...] = ()
    months: tuple[str, ...] = ()

    def date(self, shown: str | None) -> str | None:
        """What `date` of a generated file with this calendar gives."""
        own = {"DATES": self.forms, "MONTHS": " ".join(self.months)}
        date = FunctionType(helpers().date.__code__, helpers().__dict__ | own)
        found: str | None = date(shown)
        return found


NO_DATES = Calendar()


def calendar_of(cases: Sequence[Case]) -> Calendar:
    """The forms that read the dates of the cases; English months where these do."""
    dates = [(case.shown, case.form[0]) for case in cases if case.form]
    dates = [(shown, iso) for shown, iso in dates if iso != shown]
    made = [of_forms(dates, months) for months in (ENGLISH, tuple(MONTHS))]
    return max(made, key=lambda one: count(dates, one))


def of_forms(dates: Iterable[tuple[str, object]], months: tuple[str, ...]) -> Calendar:
    """The calendar of the forms that read dates, and none of them wrong."""
    pairs = list(dates)
    forms = [one for one in FORMS if is_right(pairs, Calendar((one,), months))]
    named = any(
        not match["month"].isdecimal()
        for form in forms
        for shown, _ in pairs
        if (match := re.search(form, shown, re.IGNORECASE))
    )
    return Calendar(tuple(forms), months if named else ())


def is_right(dates: Iterable[tuple[str, object]], calendar: Calendar) -> bool:
    """Whether a calendar reads some of the dates, and those right."""
    read = [(calendar.date(shown), shown, iso) for shown, iso in dates]
    found = [(date, iso) for date, shown, iso in read if date != shown]
    return bool(found) and all(date == iso for date, iso in found)


def count(dates: Iterable[tuple[str, object]], calendar: Calendar) -> int:
    """How many dates a calendar reads right."""
    return sum(calendar.date(shown) == iso for shown, iso in dates)
