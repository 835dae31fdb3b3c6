"""Convert the displayed text of a date or year to a value."""

from __future__ import annotations

import datetime
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

from amber_wrap.values.texts import LONGEST_VALUE
from amber_wrap.values.times_of_day import (
    TIME,
    TIMESTAMP,
    ends_with_time_range,
    time_behind,
)

_YEAR: Final = re.compile(r"(?<!\d)(?:1[89]|20)\d\d(?!\d)")

SHORT_YEAR: Final = re.compile(r"['’‘](\d\d)(?!\d)|(?:^|\d[/.-])(\d\d)$")

YEAR_RANGE: Final = re.compile(rf" ?(?:[-–—]|to|bis|till) ?{_YEAR.pattern}")

# The first letters of the names of the months, one line for each month. The languages
# are English, German, French, Spanish, Italian, Portuguese, Dutch, Swedish, Norwegian,
# Danish and Icelandic; Polish, Czech, Croatian, Finnish and Russian; Estonian,
# Hungarian, Slovak, Lithuanian, Romanian, Turkish, Azerbaijani, Ukrainian, Serbian and
# Greek; Indonesian, Malay, Hebrew and Arabic. Behind the full stop of an ordinal,
# "listopada" and "lip" are Croatian: October and June. In Polish they are November and
# July.
MONTH_STEMS: Final = (
    r"j[aä]n|ene|gen|sty|led|tammi|янв|jaan|saus|ian|oca|січ|ян|ιαν|sij|yan|јан"
    r"|ב?ינו|ينا|كانون.الث "
    r"f[eé][bv]|lut|úno|helmi|фев|veeb|vas|şub|лют|φεβ|velj|феб|ב?פבר|فبر|شباط "
    r"m[aä]r(?!ras)|maa|mr[tz]|bře|мар|már|kov|бер|μ[αά]ρ|ožu|mac(?!\w)"
    r"|ב?מר[ץס]|مار|[آا]ذار "
    r"a[bpv]r|kwi|dub|huhti|апр|ápr|bal|nis|кві|απρ|tra(?:v|(?!\w))"
    r"|ב?אפר|[أاإ]بر|نيسان "
    r"ma[gijyí]|mei|kvě|touko|ма[йяј]|máj|geg|тра|μ[αά][ΐϊίι]|svi(?:b|(?!\w))"
    r"|ב?מאי|مايو|[أا]يار "
    r"jun|juin|giu|cze|červ(?!en[ec])|čvn|kesä|июн|juun|j[úū]n|birž|iun|haz|чер|юни"
    r"|ιο[υύ]ν|lip(?:anj|nja)|(?<=\.\s)lip(?!\w)|iyun|јун|ב?יונ|يوني|حزيران "
    r"jul|juil|lug|lip|červen[ec]|čvc|heinä|июл|juul|j[úū]l|liep|iul|tem|лип|юли"
    r"|ιο[υύ]λ|srp(?:anj|nja)|iyul|јул|ב?יול|يولي|تموز "
    r"aug|ago|ao[uû]|sie|srp|elo|авг|avg|rugp|ağu|сер|α[υύ]γ|kol(?:ov|(?!\w))|avq"
    r"|ágú|agu|agt|ogos?(?!\w)|ב?אוג|[أا]غسط|آب(?!\w) "
    r"se[pt]|wrz|zář|syys|сен|szep|rugs|eyl|вер|сеп|σεπ|ruj|senty|ב?ספט|سبت|[أا]يلول "
    r"o[ck]t|ott|out|paź|říj|loka|окт|spal|eki|жов|οκτ|(?<=\.\s)listopada|ב?אוק"
    r"|[أا]كتو|تشرين.ال[أا] "
    r"n[oó]v|lis|marras|ноя|lap|noi|kas|лис|νο[εέ]|ное|stu(?:d|(?!\w))|noy|нов"
    r"|ב?נוב|نوف|تشرين.الث "
    r"d[eé][cksz]|dic|gru|pros|joulu|дек|dets|ara|гру|δεκ|dis(?:e|(?!\w))|дец"
    r"|ב?דצמ|ديس|كانون.ال[أا]"
)

MONTHS: Final = MONTH_STEMS.split()

_STEMS: Final = [re.compile(stem, re.IGNORECASE) for stem in MONTHS]

_MONTH: Final = rf"(?P<month>(?:{'|'.join(MONTHS)})[^\W\d]*)"

# Two digits without an apostrophe are a year at the end of a text or before a time.
MONTH_OF: Final = (
    rf"(?:of |de )?{_MONTH}\.?[,،]?[ /-](?:del? )?"
    r"(?P<year>\d{4}|['’‘]\d\d|\d\d(?=$|,? \d\d?[:.]\d\d))"
)

# The time and the time zone between day and year in "Thu May 30 14:30:00 UTC 2019", as
# the C function asctime and the command date write it.
CLOCK_AND_ZONE: Final = r"\d\d:\d\d:\d\d(?: (?:[A-Z]{3,4}|[+-]\d{4}))?"

# The pattern of "12 tháng 3, 2024": the months have numbers.
VIETNAMESE: Final = (
    r"(?P<day>\d\d?) (?:tháng|thg) (?P<month>\d\d?),?(?: năm)? (?P<year>\d{4})"
)

# The patterns of dates, in order of preference.
DATES: Final = tuple(
    re.compile(rf"(?<![\w/.–—-]){notation}(?!\d|[-/.]\d)", re.IGNORECASE)
    for notation in (
        r"(?P<year>\d{4})[-/.年년] ?(?P<month>\d\d?)[-/.月월] ?(?P<day>\d\d?)",
        rf"(?P<year>\d{{4}})(?:\.| m\.|(?<=19..|20..))[ -]{_MONTH}[ -](?P<day>\d\d?)",
        rf"(?P<year>\d{{4}})\. ?g(?:ada|\.) (?P<day>\d\d?)\. ?{_MONTH}",
        r"(?P<day>\d\d?)([-/.]) ?(?P<month>\d\d?)\2 ?(?P<year>\d{4})",
        r"(?P<month>\d\d?)([-/])(?P<day>\d\d?)\2(?P<year>\d{4})",
        rf"(?P<day>\d\d?)(?:st|nd|rd|th|er|\.|º)?[ /-]{MONTH_OF}",
        rf"{_MONTH}\.? (?P<day>\d\d?)(?:st|nd|rd|th)?,? (?P<year>\d{{4}}|['’‘]\d\d)",
        rf"{_MONTH} (?P<day>\d\d?) {CLOCK_AND_ZONE} (?P<year>\d{{4}})",
        VIETNAMESE,
    )
)

# The patterns of 13/05/2019 and of 05/13/2019.
DAYS_BEFORE, MONTHS_BEFORE = DATES[3:5]

# The patterns whose year comes first. "#2-1 - " before their dates begins no range.
_YEAR_FIRST: Final = DATES[:3]

# The text before a date that ends a range: "30 May - " in "30 May - 2 June 2019".
RANGE_BEFORE: Final = re.compile(r"\d\D*[-–—] ?$")

_NUMERIC_RANGE_BEFORE: Final = re.compile(r"\d[./]\d\d?\D*[-–—] ?$")


def year(text: str) -> int | None:
    """Return the year in a text: 2022 for "08/2022", 2019 for "'19".

    Return None for a range of years, and for a text without a year.
    """
    text = text[:LONGEST_VALUE]
    if year_match := _YEAR.search(text):
        is_range = YEAR_RANGE.match(text, year_match.end())
        return None if is_range else int(year_match[0])
    short_year = SHORT_YEAR.search(text)
    if short_year is None:
        return None
    two_digits = int(short_year[1] or short_year[2])
    return two_digits + (2000 if two_digits < 50 else 1900)


def iso_date(date_match: re.Match[str]) -> str | None:
    """Return a date matched by `DATES` in ISO form, such as "2019-06-02" for "2 June
    2019".

    Return None for a date that doesn't exist, such as 31 June.
    """
    month = date_match["month"]
    if not month.isdecimal():
        month = str(_month_number(date_match))
    digits = date_match["year"]
    try:
        # The year may have two digits: "'12" or "12".
        full_year = int(digits) if len(digits) == 4 else year(digits) or 0
        day = datetime.date(full_year, int(month), int(date_match["day"]))
    except ValueError:
        return None
    return day.isoformat()


def _month_number(date_match: re.Match[str]) -> int:
    """Return the number of the month in a matched date, 1 to 12, by its name.

    Raise StopIteration if the name begins with none of the stems in `MONTHS`.
    """
    text, start = date_match.string, date_match.start("month")
    return next(
        number for number, stem in enumerate(_STEMS, start=1) if stem.match(text, start)
    )


DAY_FIRST, MONTH_FIRST = "day", "month"
"""The two parts that a numeric date such as "05/06/2019" may begin with."""

# Dates with full stops are left out, because nobody writes the month first in them.
_NUMERIC_DATE: Final = re.compile(r"(?<![\w/.-])(\d\d?)([-/])(\d\d?)\2\d{4}(?!\d)")

# Dates with a year of two digits: "13/05/24", and with full stops only "03.05.24",
# because "3.5.24" is a version.
SHORT_DAY_FIRST: Final = (
    r"(?P<day>\d\d?)(?P<mark>/|(?<=\d\d)\.)(?P<month>\d\d?)(?P=mark)(?<!\.\d\.)"
    r"(?P<year>[0-4]\d)"
)

SHORT_MONTH_FIRST: Final = r"(?P<month>\d\d?)/(?P<day>\d\d?)/(?P<year>[0-4]\d)"

_SHORT_DATES: Final = {
    first: re.compile(rf"(?<![\w/.–—-]){notation}(?!\d|[-/.:]\d)")
    for first, notation in (
        (DAY_FIRST, SHORT_DAY_FIRST),
        (MONTH_FIRST, SHORT_MONTH_FIRST),
    )
}

_DAYS: Final = frozenset(range(1, 32))

_MONTH_NUMBERS: Final = frozenset(range(1, 13))

# The least number of different days by which days are told from years.
_LEAST_DAYS: Final = 3


def day_or_month_first(date_texts: Iterable[str]) -> str:
    """Return `DAY_FIRST` for dates such as "13/05/2019", and `MONTH_FIRST` for
    "05/13/2019".

    Return "" if all dates are ambiguous, or if dates contradict each other.
    """
    first_parts: set[str] = set()
    short_dates: list[re.Match[str]] = []
    for date_text in date_texts:
        for first_number, _, second_number in _NUMERIC_DATE.findall(date_text):
            if int(first_number) > 12:
                first_parts.add(DAY_FIRST)
            if int(second_number) > 12:
                first_parts.add(MONTH_FIRST)
        short_dates += _SHORT_DATES[DAY_FIRST].finditer(date_text)
    first_parts |= _first_parts_of_short_dates(short_dates)
    return first_parts.pop() if len(first_parts) == 1 else ""


def _first_parts_of_short_dates(short_dates: Sequence[re.Match[str]]) -> set[str]:
    """Return whether day or month comes first in dates such as "13/05/19", as a set.

    `short_dates` are matches of `SHORT_DAY_FIRST`. The set has `DAY_FIRST` or
    `MONTH_FIRST`, or is empty if neither is clear.
    """
    # In "24.05.13" the year may come first. It comes last if there are fewer years than
    # days. Nobody writes the month first with full stops. Results such as "19/0/11" are
    # no dates.
    parts: set[str] = set()
    firsts = {int(match["day"]) for match in short_dates}
    seconds = {int(match["month"]) for match in short_dates}
    years = {match["year"] for match in short_dates}
    if firsts <= _MONTH_NUMBERS and seconds <= _DAYS and not seconds <= _MONTH_NUMBERS:
        parts.add(MONTH_FIRST)
    are_days = firsts <= _DAYS and seconds <= _MONTH_NUMBERS
    can_be_days = are_days and len(years) < len(firsts) >= _LEAST_DAYS
    have_stops = all(match["mark"] == "." for match in short_dates)
    if can_be_days and (not firsts <= _MONTH_NUMBERS or have_stops):
        parts.add(DAY_FIRST)
    return parts


def date(text: str, first: str = "") -> str | None:
    """Return the date in a text in ISO form, such as "2019-06-02" or
    "2019-06-02T14:30".

    `first` is `DAY_FIRST`, `MONTH_FIRST` or "", and decides about dates such as
    "05/06/2019". Return None for an ambiguous date, a range, or a text without a date.
    """
    text = text[:LONGEST_VALUE]
    timestamp = TIMESTAMP.fullmatch(text)
    if timestamp and not ends_with_time_range(timestamp):
        day = iso_date(timestamp)
        if day and timestamp["offset"]:
            return text  # RFC 3339 allows a blank in place of the T.
        return f"{day}T{timestamp['time']}" if day else None
    date_matches = [match for pattern in DATES for match in pattern.finditer(text)]
    if first:
        date_matches += _SHORT_DATES[first].finditer(text)
    if any(
        (_NUMERIC_RANGE_BEFORE if match.re in _YEAR_FIRST else RANGE_BEFORE).search(
            text[: match.start()]
        )
        for match in date_matches
    ):
        return None
    if first and _NUMERIC_DATE.search(text):
        wrong_order = MONTHS_BEFORE if first == DAY_FIRST else DAYS_BEFORE
        date_matches = [match for match in date_matches if match.re is not wrong_order]
    days = {iso_date(match) for match in date_matches} - {None}
    return f"{days.pop()}{time_behind(text)}" if len(days) == 1 else None


def without_dates(text: str) -> str:
    """Return a text with a blank in place of each date, time and time zone."""
    for pattern in (*DATES, *_SHORT_DATES.values(), TIME):
        text = pattern.sub(" ", text)
    return text


_LETTERS: Final = re.compile(r"[^\W\d_]+")

# The most different labels that may stand beside the dates of one column, such as
# "Posted", "Edited" and "Closed".
_MOST_LABELS: Final = 3


def differ_beside_dates(texts: Iterable[str], first: str = "") -> bool:
    """Return whether the words beside the dates of texts are values of their own, such
    as the author in "Jane Doe, 12 May 2024".

    A few labels and the names of the weekdays are no values. `first` is as for `date`.
    """
    weekdays_by_words: dict[str, set[int]] = defaultdict(set)
    words_by_weekday: dict[int, set[str]] = defaultdict(set)
    for text in texts:
        if iso := date(text, first):
            words = " ".join(_LETTERS.findall(without_dates(text)))
            weekday = datetime.date.fromisoformat(iso[: len("2024-05-12")]).weekday()
            weekdays_by_words[words].add(weekday)
            words_by_weekday[weekday].add(words)
    are_names_of_weekdays = all(
        len(group) == 1
        for groups in (weekdays_by_words, words_by_weekday)
        for group in groups.values()
    )
    return len(weekdays_by_words) > _MOST_LABELS and not are_names_of_weekdays
