"""Choose the regular expressions by which a generated file reads dates.

Texts with numbers and names of months are also generalised to regular expressions, for
example "3 May 2021" to other dates.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from types import FunctionType

from amber_wrap.lowering.helpers import helpers
from amber_wrap.lowering.sample_cases import Case
from amber_wrap.lowering.thresholds import LOWERING
from amber_wrap.values.dates import MONTHS

DATE_HELPERS = "date", "moment"
"""The helpers of a generated file that read dates.  `moment` also reads the time of
day.
"""
ENGLISH = tuple("jan feb mar apr may jun jul aug sep oct nov dec".split())
ENGLISH_WORD = re.compile(
    "january|february|march|april|may|june|july|august|september|october|november"
    f"|december|sept|{'|'.join(ENGLISH)}",
    re.IGNORECASE,
)
_ISO = re.compile(r"(\d{4}-\d\d-\d\d)T")
_IN_NUMBERS = re.compile(r"\b\d\d?([-/.]) ?\d\d?\1 ?\d\d")
"""Matches a date in digits.  The group is the separator."""
_BESIDE_NUMBER = re.compile(
    r"[^\W\d]{3,}(?=[.,]*[ /-](?:del? )?\d)"
    r"|(?:(?<=\d[ /-])|(?<=\d[.\u00ba] )|(?<=\d(?:st|nd|rd|th|er)[ /-])"
    r"|(?<=\d (?:of|de) ))[^\W\d]{3,}"
)
"""Matches a word with a number right before or behind it, as in a date."""
DATED = rf".*\b(?i:{'|'.join(ENGLISH)}).*"
"""The pattern of a text that contains an English name of a month."""
IN_YEAR = re.compile("|".join(MONTHS), re.IGNORECASE)
"""Matches the beginning of a month's name in any known language."""
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
"""Date formats in which the day and the month can't be confused.  The day equals the
month or is over 12.
"""
RUN = re.compile(r"\d+|[^\W\d_]+|.")
WITH_YEAR = re.compile(r"(.*\\d\?.*\(\?i:jan.*|\(\?i:jan.*\\d\?.*?)(,? \\d\{4\})$")
"""Matches the regular expression of a date whose last part is the year."""
ORDINALS = ("st", "nd", "rd", "th")


@dataclass(frozen=True, slots=True)
class Calendar:
    """The date formats and the names of months that a generated file reads.

    `forms` are regular expressions with the groups `year`, `month` and `day`.  `months`
    are the beginnings of names, such as `jan`.
    """

    forms: tuple[str, ...] = ()
    months: tuple[str, ...] = ()

    def date(self, shown: str | None) -> str | None:
        """Return the date that the helper `date` of a generated file reads in a text.

        The date is in ISO format, or None if the text has no date.
        """
        return self.read(shown, "date")

    def read(self, shown: str | None, helper: str) -> str | None:
        """Return the ISO date that a helper of a generated file reads in a text.

        `helper` is one of `DATE_HELPERS`.  Return None if the helper reads no date.
        """
        own = {"MONTHS": " ".join(self.months)}
        known = helpers().__dict__ | own
        for name in DATE_HELPERS:
            known[name] = FunctionType(getattr(helpers(), name).__code__, known)
        found: str | None = known[helper](shown, *self.forms)
        return found


NO_DATES = Calendar()


def calendar_of(cases: Sequence[Case]) -> Calendar:
    """Return a calendar whose formats read the dates of the cases.

    If the cases have only English names of months, the calendar has only English names.
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
        forms.append(FORMS[0])  # So that dates on other pages are read.
    named = any(
        not match["month"].isdecimal()
        for form in forms
        for shown, _ in dates
        if (match := re.search(form, shown, re.IGNORECASE))
    )
    return Calendar(tuple(forms), months if named else ())


def day_of(date: object) -> object:
    """Return the date of an ISO date and time, for example `2021-05-03`.

    Any other value is returned unchanged.
    """
    found = _ISO.match(date) if isinstance(date, str) else None
    return found[1] if found else date


def has_english_months(dates: Iterable[str]) -> bool:
    """Return whether all names of months in the texts are English.

    Only words beside numbers count.  For example, "ago" is a month in Italian, but not
    in "3 hours ago".
    """
    words = {one for shown in dates for one in _BESIDE_NUMBER.findall(shown)}
    return all(ENGLISH_WORD.fullmatch(one) for one in words if IN_YEAR.match(one))


def is_right(dates: Iterable[tuple[str, object]], calendar: Calendar) -> bool:
    """Return whether a calendar reads at least one of the dates, and none wrongly.

    `dates` are pairs of a text and its ISO date.
    """
    read = [(calendar.date(shown), iso) for shown, iso in dates]
    found = [(date, iso) for date, iso in read if date]
    return bool(found) and all(date == iso for date, iso in found)


def shape_pattern(cases: Iterable[Case], has_words: bool = True) -> str:
    """Return a pattern that is generalised from the values of the cases.

    The pattern matches any number where a value has a number.  If `has_words`, it
    matches any word where a value has a capitalised word.  Return "" if there are no
    values, or if more than `LOWERING.shapes` alternatives are needed.
    """
    shapes = {_shape_of(case.shown, has_words) for case in cases if case.shown}
    if not shapes or len(shapes) > LOWERING.shapes:
        return ""
    return "|".join(rf"\b{one}" for one in sorted(shapes, key=lambda one: -len(one)))


def _shape_of(shown: str, has_words: bool = True) -> str:
    """Return a pattern that is generalised from one text.

    Numbers and names of months are generalised.  If `has_words`, capitalised words are
    generalised, too.
    """
    runs = (_generalised(run, has_words) for run in RUN.findall(shown))
    joined = "".join(runs).replace(r"\.?\.", r"\.?")
    return WITH_YEAR.sub(r"\1(?:\2)?", joined)


def _generalised(run: str, has_words: bool) -> str:
    if run.isdecimal():
        return r"\d{4}" if len(run) == 4 else r"\d\d?" if len(run) < 3 else r"\d+"
    if not run.isalpha():
        return re.escape(run).replace(r"\ ", " ")
    if ENGLISH_WORD.fullmatch(run):
        return rf"(?i:{'|'.join(ENGLISH)})\w*\.?"
    if run in ORDINALS:
        return f"(?:{'|'.join(ORDINALS)})"
    if has_words and run.isupper():
        return "[A-Z]+"
    is_word = len(run) == 1 or run.istitle()
    return r"[^\W\d]+" if has_words and is_word else run
