"""Choose the regular expressions by which a generated Python file reads dates."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from types import FunctionType

from amber_wrap.lowering.helpers import helpers
from amber_wrap.lowering.sample_cases import Case
from amber_wrap.lowering.thresholds import LOWERING
from amber_wrap.values.dates import (
    CLOCK_AND_ZONE,
    MONTHS,
    SHORT_DAY_FIRST,
    SHORT_MONTH_FIRST,
    VIETNAMESE,
)

DATE_HELPERS = "date", "moment"
"""The names of the two functions by which a generated Python file reads dates. `moment`
also reads the time of day."""
ENGLISH = tuple("jan feb mar apr may jun jul aug sep oct nov dec".split())
"""The first three letters of the English names of months."""
ENGLISH_WORD = re.compile(
    "january|february|march|april|may|june|july|august|september|october|november"
    f"|december|sept|{'|'.join(ENGLISH)}",
    re.IGNORECASE,
)
"""Matches an English name of a month, or the short form of a name."""
_ISO = re.compile(r"(\d{4}-\d\d-\d\d)T")
"""Matches the beginning of an ISO date and time.  The group is the date."""
_IN_NUMBERS = re.compile(r"\b\d\d?([-/.]) ?\d\d?\1 ?\d\d")
"""Matches a date in digits.  The group is the separator."""
_BESIDE_NUMBER = re.compile(
    r"[^\W\d]{3,}(?=[.,]*[ /-](?:del? )?\d)"
    r"|(?:(?<=\d[ /-])|(?<=\d[.\u00ba] )|(?<=\d(?:st|nd|rd|th|er)[ /-])"
    r"|(?<=\d (?:of|de) ))[^\W\d]{3,}"
)
"""Matches a word directly before or behind a number, such as the month in a date."""
WITH_ENGLISH_MONTH = rf".*\b(?i:{'|'.join(ENGLISH)}).*"
"""The pattern of a text with a word that begins like an English name of a month."""
MONTH_STEM = re.compile("|".join(MONTHS), re.IGNORECASE)
"""Matches the beginning of a month's name in any known language."""
_NAME = r"(?P<month>[^\W\d]{3,})[.,]*"
_DAY = r"(?P<day>\d\d?)(?:st|nd|rd|th|er|[.\u00ba])?"
_YEAR = r"(?P<year>\d{4})"
DOTTED = rf"\b(?P<day>\d\d?)\. ?(?P<month>\d\d?)\. ?{_YEAR}"
"""The pattern of a date such as "3.5.2021"."""
SLASHED = rf"\b(?P<day>\d\d?)[-/](?P<month>\d\d?)[-/]{_YEAR}"
"""The pattern of a date with the day first, such as "3/5/2021" or "3-5-2021"."""
FORMS = (
    r"(?P<year>\d{4})[-/.\u5e74] ?(?P<month>\d\d?)[-/.\u6708] ?(?P<day>\d\d?)",
    rf"\b{_DAY}[ /-](?:of |de )?{_NAME}[ /-](?:del? )?{_YEAR}",
    rf"\b{_NAME} {_DAY},? {_YEAR}",
    rf"\b{_NAME} {_DAY} {CLOCK_AND_ZONE} {_YEAR}",
    rf"\b{_YEAR}[. -]+{_NAME}[ -]{_DAY}",
    rf"\b{VIETNAMESE}",
    rf"\b{_DAY} {_NAME}\u060c {_YEAR}",
    rf"\b{SHORT_DAY_FIRST}(?!\d)",
    rf"\b{SHORT_MONTH_FIRST}(?!\d)",
    DOTTED,
    SLASHED,
    rf"\b(?P<month>\d\d?)[-/](?P<day>\d\d?)[-/]{_YEAR}",
)
"""Regular expressions for the dates that a generated file may read. The last one
matches the same texts as `SLASHED`, but reads the month before the day."""
UNAMBIGUOUS_FORMS = (
    rf"\b0?(?P<day>(?P<month>\d\d?))[-/]0?(?P=month)[-/]{_YEAR}",
    rf"\b(?P<day>1[3-9]|2\d|3[01])[-/](?P<month>\d\d?)[-/]{_YEAR}",
    rf"\b(?P<month>\d\d?)[-/](?P<day>1[3-9]|2\d|3[01])[-/]{_YEAR}",
)
"""Regular expressions for dates in digits whose day and month can't be confused. The
day equals the month or is over 12."""
RUN = re.compile(r"\d+|[^\W\d_]+|.")
"""Matches one part of a text: a number, a word, or a single other character."""
YEAR_LAST = re.compile(r"(.*\\d\?.*\(\?i:jan.*|\(\?i:jan.*\\d\?.*?)(,? \\d\{4\})$")
"""Matches the source of a regular expression for dates that end with the year. The
second group is the source for the year, which can then be made optional."""
ORDINALS = ("st", "nd", "rd", "th")
"""The endings of English ordinal numbers."""


_CLOCK_LAST = re.compile(
    rf"(?<=\w)(\W{{1,3}}(?:(?!{'|'.join(MONTHS)})[^\W\d]{{1,4}} )?)"
    r"\d\d?(?::\d\d)+( ?[ap]\.?m\.?| [^\W\d]+)?$",
    re.IGNORECASE,
)
"""Matches a time of day behind a date at the end of a text. The groups are the text
between them, and "am" or "pm" or another word at the end."""
_HALF_OF_DAY = r"(?i: ?[ap]\.?m\.?)?"
"""A regular expression for "am" and "pm"."""


@dataclass(frozen=True, slots=True)
class Calendar:
    """The regular expressions for dates, and the names of months, that a generated
    Python file uses.
    """

    forms: tuple[str, ...] = ()
    """The regular expressions for dates, with the groups `year`, `month` and `day`."""
    months: tuple[str, ...] = ()
    """The beginnings of the names of months, such as `jan`."""

    def month_groups(self) -> str:
        """Return a regular expression with a group for each month, such as
        `(jan)|(feb)`.
        """
        return "|".join(f"({month})" for month in self.months)

    def read(self, text: str | None, helper: str = "date") -> str | None:
        """Return the ISO date that a generated file reads from a text, or None if it
        reads none.

        `helper` is the name of the file's function for dates, one of `DATE_HELPERS`.
        """
        # The helpers read the names of months by the global constant MONTHS.
        file_globals = helpers().__dict__ | {"MONTHS": self.month_groups()}
        for name in DATE_HELPERS:
            code = getattr(helpers(), name).__code__
            file_globals[name] = FunctionType(code, file_globals)
        iso_date: str | None = file_globals[helper](text, *self.forms)
        return iso_date


NO_DATES = Calendar()
"""A calendar without date formats and names of months, for columns without dates."""


def calendar_of(cases: Sequence[Case]) -> Calendar:
    """Return the date formats and the names of months that read the dates of sample
    records.

    A date format must read at least one of the dates, and none wrongly. Usual date
    formats may be added, because other pages may have other dates.
    """
    dates = [(case.shown, day_of(case.form[0])) for case in cases if case.form]
    texts = [text for text, _ in dates]
    months = ENGLISH if has_english_months(texts) else tuple(MONTHS)
    forms = [form for form in FORMS if reads_rightly(dates, Calendar((form,), months))]
    separators = {
        match[1] for text in texts if (match := _IN_NUMBERS.search(text)) is not None
    }
    if "." in separators and DOTTED not in forms:
        forms.append(DOTTED)
    if separators - {"."} and not any(form in forms for form in FORMS[-2:]):
        forms += UNAMBIGUOUS_FORMS
    if not forms and not any(iso_date for _, iso_date in dates):
        forms.append(FORMS[0])  # So that dates on other pages are read.
    has_month_names = any(
        not match["month"].isdecimal()
        for form in forms
        for text in texts
        if (match := re.search(form, text, re.IGNORECASE))
    )
    return Calendar(tuple(forms), months if has_month_names else ())


def day_of(date: object) -> object:
    """Return the date of an ISO date and time, such as "2021-05-03T12:00".

    Any other value is returned unchanged.
    """
    match = _ISO.match(date) if isinstance(date, str) else None
    return match[1] if match else date


def has_english_months(texts: Iterable[str]) -> bool:
    """Return whether all names of months in the texts are English.

    A word counts only beside a number. Otherwise, "ago" in "3 hours ago" would be the
    Italian "agosto".
    """
    words = {word for text in texts for word in _BESIDE_NUMBER.findall(text)}
    return all(ENGLISH_WORD.fullmatch(word) for word in words if MONTH_STEM.match(word))


def reads_rightly(dates: Iterable[tuple[str, object]], calendar: Calendar) -> bool:
    """Return whether the date formats in `calendar` read at least one date, and none
    wrongly.

    `dates` has pairs of a text and the right ISO date.
    """
    found = [
        date == iso_date for text, iso_date in dates if (date := calendar.read(text))
    ]
    return bool(found) and all(found)


def shape_pattern(cases: Iterable[Case], has_words: bool = True) -> str:
    """Return a regular expression for the values of sample records and for similar
    texts.

    Similar texts have other numbers and, if `has_words` is true, other capitalised
    words. Return "" if there are no values, or if they differ too much.
    """
    shapes = {_shape_of(case.shown, has_words) for case in cases if case.shown}
    # The time of day is optional, so a date with it also matches the date alone.
    shapes -= {(date, "") for date, clock in shapes if clock}
    if not shapes or len(shapes) > LOWERING.most_shapes:
        return ""
    patterns = (date + clock for date, clock in shapes)
    longest_first = sorted(patterns, key=lambda pattern: (-len(pattern), pattern))
    return "|".join(rf"\b{pattern}" for pattern in longest_first)


def _shape_of(text: str, has_words: bool) -> tuple[str, str]:
    """Return a regular expression for a text and for similar texts, and an optional one
    for the time of day behind it, or "".

    Similar texts have other numbers or months and, if `has_words` is true, other
    capitalised words.
    """
    clock = _CLOCK_LAST.search(text)
    shape = _joined(text[: clock.start()] if clock else text, has_words)
    shape = YEAR_LAST.sub(r"\1(?:\2)?", shape)
    if not clock:
        return shape, ""
    between, word = _joined(clock[1], has_words), clock[2] or ""
    is_half = re.fullmatch(_HALF_OF_DAY, word)
    behind = _HALF_OF_DAY if is_half else _joined(word, has_words)
    return shape, rf"(?:{between}[\d:]+{behind})?"


def _joined(text: str, has_words: bool) -> str:
    """Return a regular expression for a text and for similar texts, as `_generalised`
    defines them.
    """
    patterns = (_generalised(run, has_words) for run in RUN.findall(text))
    return "".join(patterns).replace(r"\.?\.", r"\.?")


def _generalised(run: str, has_words: bool) -> str:
    r"""Return a regular expression for `run` and for similar texts.

    `run` is a number, a word or another character. For example, `\d\d?` matches "12"
    and other numbers of one or two digits. If `has_words` is true, a capitalised word
    stands for any capitalised word.
    """
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
