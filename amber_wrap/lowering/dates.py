"""The ways to write a date, of which a file has those that its samples show."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from types import FunctionType

from amber_wrap.lowering.cases import Case
from amber_wrap.lowering.helpers import helpers
from amber_wrap.values.dates import MONTHS

DATE_HELPERS = "date", "moment"
"""What reads dates in a generated file: the days, and with the time of day."""
ENGLISH = tuple("jan feb mar apr may jun jul aug sep oct nov dec".split())
ENGLISH_WORD = re.compile(
    "january|february|march|april|may|june|july|august|september|october|november"
    f"|december|sept|{'|'.join(ENGLISH)}",
    re.IGNORECASE,
)
_ISO = re.compile(r"(\d{4}-\d\d-\d\d)T")
_IN_NUMBERS = re.compile(r"\b\d\d?([-/.]) ?\d\d?\1 ?\d\d")
"""A date in numbers, and what stands between them."""
DATED = rf".*\b(?i:{'|'.join(ENGLISH)}).*"
"""A text with the name of a month."""
IN_YEAR = re.compile("|".join(MONTHS), re.IGNORECASE)
"""What may be the name of a month in some language."""
_NAME = r"(?P<month>[^\W\d]{3,})[.,]*"
_DAY = r"(?P<day>\d\d?)(?:st|nd|rd|th|er|[.\u00ba])?"
_YEAR = r"(?P<year>\d{4})"
DOTTED = rf"\b(?P<day>\d\d?)\. ?(?P<month>\d\d?)\. ?{_YEAR}"
FORMS = (
    r"(?P<year>\d{4})[-/.\u5e74] ?(?P<month>\d\d?)[-/.\u6708] ?(?P<day>\d\d?)",
    rf"\b{_DAY}[ /-](?:of |de )?{_NAME}[ /-](?:del? )?{_YEAR}",
    rf"\b{_NAME} {_DAY},? {_YEAR}",
    DOTTED,
    rf"\b(?P<day>\d\d?)[-/](?P<month>\d\d?)[-/]{_YEAR}",
    rf"\b(?P<month>\d\d?)[-/](?P<day>\d\d?)[-/]{_YEAR}",
)
SURE = (
    rf"\b0?(?P<day>(?P<month>\d\d?))[-/]0?(?P=month)[-/]{_YEAR}",
    rf"\b(?P<day>1[3-9]|2\d|3[01])[-/](?P<month>\d\d?)[-/]{_YEAR}",
    rf"\b(?P<month>\d\d?)[-/](?P<day>1[3-9]|2\d|3[01])[-/]{_YEAR}",
)
"""What can be read in one way only, whether days or months come first."""


@dataclass(frozen=True, slots=True)
class Calendar:
    """Regular expressions for dates, and those for the names of the months."""

    forms: tuple[str, ...] = ()
    months: tuple[str, ...] = ()

    def date(self, shown: str | None) -> str | None:
        """Return what `date` of a generated file with this calendar gives."""
        return self.read(shown, "date")

    def read(self, shown: str | None, helper: str) -> str | None:
        """Return the same of one of the helpers that read dates."""
        own = {"MONTHS": " ".join(self.months)}
        known = helpers().__dict__ | own
        for name in DATE_HELPERS:
            known[name] = FunctionType(getattr(helpers(), name).__code__, known)
        found: str | None = known[helper](shown, list(self.forms))
        return found


NO_DATES = Calendar()


def calendar_of(cases: Sequence[Case]) -> Calendar:
    """Return the forms that read the dates of the cases; English months where these
    do, and are called so.
    """
    dates = [(case.shown, day_of(case.form[0])) for case in cases if case.form]
    months = (
        ENGLISH if has_english_months(shown for shown, _ in dates) else tuple(MONTHS)
    )
    forms = [one for one in FORMS if is_right(dates, Calendar((one,), months))]
    signs = {found[1] for shown, _ in dates if (found := _IN_NUMBERS.search(shown))}
    if "." in signs and DOTTED not in forms:
        forms.append(DOTTED)
    if signs - {"."} and not any(one in forms for one in FORMS[-2:]):
        forms += SURE
    if not forms and not any(iso for _, iso in dates):
        forms.append(FORMS[0])  # Another page may have what reads like a date.
    named = any(
        not match["month"].isdecimal()
        for form in forms
        for shown, _ in dates
        if (match := re.search(form, shown, re.IGNORECASE))
    )
    return Calendar(tuple(forms), months if named else ())


def day_of(date: object) -> object:
    """Return the day of a date in ISO form, all of one that is in none."""
    found = _ISO.match(date) if isinstance(date, str) else None
    return found[1] if found else date


def has_english_months(dates: Iterable[str]) -> bool:
    """Return whether no month has a name of another language."""
    words = {one for shown in dates for one in re.findall(r"[^\W\d]{3,}", shown)}
    return all(ENGLISH_WORD.fullmatch(one) for one in words if IN_YEAR.match(one))


def is_right(dates: Iterable[tuple[str, object]], calendar: Calendar) -> bool:
    """Return whether a calendar reads some of the dates, and those right."""
    read = [(calendar.date(shown), iso) for shown, iso in dates]
    found = [(date, iso) for date, iso in read if date]
    return bool(found) and all(date == iso for date, iso in found)
