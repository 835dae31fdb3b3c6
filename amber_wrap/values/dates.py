"""Convert the displayed text of a date or year to a value."""

import datetime
import re
from collections.abc import Iterable
from typing import Final

from amber_wrap.values.typed import LONGEST_VALUE

_YEAR: Final = re.compile(r"(?<!\d)(?:1[89]|20)\d\d(?!\d)")
SHORT_YEAR: Final = re.compile(r"['’‘](\d\d)(?!\d)|(?:^|\d[/.-])(\d\d)$")
YEAR_RANGE: Final = re.compile(rf" ?(?:[-–—]|to|bis|till) ?{_YEAR.pattern}")

# Stems in English, German, French, Spanish, Italian, Portuguese, Dutch, Swedish,
# Norwegian and Danish; in Polish, Czech, Finnish and Russian; then in Estonian,
# Hungarian and Slovak, Lithuanian, Romanian, Turkish, Ukrainian and Greek.
MONTH_STEMS: Final = (
    "jan|ene|gen|sty|led|tammi|янв|jaan|saus|ian|oca|січ|ян|ιαν "
    "f[eé][bv]|lut|únor|helmi|фев|veeb|vas|şub|лют|φεβ "
    "m[aä]r(?!ras)|maa|mrt|břez|мар|már|kov|бер|μαρ "
    "a[bpv]r|kwi|dub|huhti|апр|ápr|bal|nis|кві|απρ "
    "ma[gijy]|mei|květ|touko|ма[йя]|máj|geg|тра|μα[ΐϊ] "
    "jun|juin|giu|cze|červ(?!en[ec])|kesä|июн|juun|j[úū]n|birž|iun|haz|чер|юни|ιουν "
    "jul|juil|lug|lip|červen[ec]|heinä|июл|juul|j[úū]l|liep|iul|tem|лип|юли|ιουλ "
    "aug|ago|ao[uû]|sie|srp|elo|авг|avg|rugp|ağu|сер|αυγ "
    "se[pt]|wrz|září|syys|сен|szep|rugs|eyl|вер|сеп|σεπ "
    "o[ck]t|ott|out|paź|říj|loka|окт|spal|eki|жов|οκτ "
    "nov|lis|marras|ноя|lap|noi|kas|лис|ное|νοε "
    "d[eé][csz]|dic|gru|pros|joulu|дек|dets|ara|гру|δεκ"
)
MONTHS: Final = MONTH_STEMS.split()
_MONTH: Final = rf"(?P<month>(?:{'|'.join(MONTHS)})[^\W\d]*)"
# Two digits without an apostrophe are a year at the end of a text or before a time.
MONTH_OF: Final = (
    rf"(?:of |de )?{_MONTH}\.?,?[ /-](?:del? )?"
    r"(?P<year>\d{4}|['’‘]\d\d|\d\d(?=$|,? \d\d?[:.]\d\d))"
)
# The patterns of dates, in order of preference.
DATES: Final = tuple(
    re.compile(rf"(?<![\w/.–—-]){way}(?!\d|[-/.]\d)", re.IGNORECASE)
    for way in (
        r"(?P<year>\d{4})[-/.年년] ?(?P<month>\d\d?)[-/.月월] ?(?P<day>\d\d?)",
        rf"(?P<year>\d{{4}})(?:\.| m\.) {_MONTH} (?P<day>\d\d?)",
        rf"(?P<year>\d{{4}})\. ?g(?:ada|\.) (?P<day>\d\d?)\. ?{_MONTH}",
        r"(?P<day>\d\d?)([-/.]) ?(?P<month>\d\d?)\2 ?(?P<year>\d{4})",
        r"(?P<month>\d\d?)([-/])(?P<day>\d\d?)\2(?P<year>\d{4})",
        rf"(?P<day>\d\d?)(?:st|nd|rd|th|er|\.|º)?[ /-]{MONTH_OF}",
        rf"{_MONTH}\.? (?P<day>\d\d?)(?:st|nd|rd|th)?,? (?P<year>\d{{4}}|['’‘]\d\d)",
    )
)
DAYS_BEFORE, MONTHS_BEFORE = DATES[3:5]
# The separator before a date that ends a range: "30 May - 2 June 2019".
RANGE_BEFORE: Final = re.compile(r"\d\D*[-–—] ?$")
TIMESTAMP: Final = re.compile(
    r"(?P<year>\d{4})-(?P<month>\d\d)-(?P<day>\d\d)[T ]"
    r"(?P<time>(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)"
)
# The time of day behind the last digit of a date; a range of times doesn't match.
TIME_BEHIND: Final = re.compile(
    r"(?<!:\d)\d[^\w(]{0,3}(?:[^\W\d]{1,4}[^\w(]{0,2})?"
    r"(?<!\d)([01]?\d|2[0-3]):([0-5]\d)(:[0-5]\d)?"
    r"(?: ?([ap])\.?m)?(?!\.?[:\d]| ?[-–—] ?\d)",
    re.IGNORECASE,
)


def year(shown: str) -> int | None:
    """Return the year in a text: 2022 for "08/2022", 2019 for "'19".

    Return None for a range, or if there is no year.
    """
    shown = shown[:LONGEST_VALUE]
    if found := _YEAR.search(shown):
        return None if YEAR_RANGE.match(shown, found.end()) else int(found[0])
    if not (short := SHORT_YEAR.search(shown)):
        return None
    digits = int(short[1] or short[2])
    return digits + (2000 if digits < 50 else 1900)


def iso_date(one: re.Match[str]) -> str | None:
    """Return the date of a match of `DATES` in ISO form, for example "2019-06-02".

    Return None for a date that doesn't exist, such as 31 June.
    """
    month = one["month"]
    if not month.isdecimal():
        names = enumerate(MONTHS, start=1)
        named = (n for n, stem in names if re.match(stem, month, re.IGNORECASE))
        month = str(next(named))
    try:
        # "'12" and "12" are years, too.
        number = int(one["year"] if len(one["year"]) == 4 else year(one["year"]) or 0)
        return datetime.date(number, int(month), int(one["day"])).isoformat()
    except ValueError:
        return None


DAY_FIRST, MONTH_FIRST = "day", "month"
"""The names of the part that numeric dates begin with."""
# Dates with full stops are left out: nobody writes these with the month first.
_IN_NUMBERS: Final = re.compile(r"(?<![\w/.-])(\d\d?)([-/])(\d\d?)\2\d{4}(?!\d)")


def first_of(dates: Iterable[str]) -> str:
    """Return whether the numeric dates of a column begin with the day or the month.

    The result is `DAY_FIRST` for "13/05/2019", and `MONTH_FIRST` for "05/13/2019".
    Return "" if no date decides, or if dates contradict each other.
    """
    found = [one for shown in dates for one in _IN_NUMBERS.finditer(shown)]
    firsts = {DAY_FIRST for one in found if int(one[1]) > 12}
    firsts |= {MONTH_FIRST for one in found if int(one[3]) > 12}
    return firsts.pop() if len(firsts) == 1 else ""


def date(shown: str, first: str = "") -> str | None:
    """Return the date in a text in ISO form, for example "2019-06-02" or
    "2019-06-02T14:30".

    `first` tells whether "05/06/2019" begins with the day or the month. The value is
    `DAY_FIRST`, `MONTH_FIRST`, or "" if unknown. Return None for an ambiguous date, a
    range, or a text without a date.
    """
    shown = shown[:LONGEST_VALUE]
    if stamp := TIMESTAMP.fullmatch(shown):
        day = iso_date(stamp)
        return f"{day}T{stamp['time']}" if day else None
    found = [one for way in DATES for one in way.finditer(shown)]
    if any(RANGE_BEFORE.search(shown[: one.start()]) for one in found):
        return None
    if first and _IN_NUMBERS.search(shown):
        other = MONTHS_BEFORE if first == DAY_FIRST else DAYS_BEFORE
        found = [one for one in found if one.re is not other]
    days = {iso_date(one) for one in found} - {None}
    return f"{days.pop()}{time_behind(shown)}" if len(days) == 1 else None


def time_behind(shown: str) -> str:
    """Return the time of day behind the date in a text, for example "T14:30" for "12
    May 2024, 2:30 pm".

    Return "" if there is no time.
    """
    if not (found := TIME_BEHIND.search(shown)):
        return ""
    hour, half = int(found[1]), (found[4] or "").lower()
    if half and 0 < hour <= 12:
        hour = hour % 12 + 12 * (half == "p")
    return f"T{hour:02}:{found[2]}{found[3] or ''}"
