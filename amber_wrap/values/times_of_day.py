"""Read the times of day behind dates, and recognise ranges of times."""

from __future__ import annotations

import re
from typing import Final

TIMESTAMP: Final = re.compile(
    r"(?P<year>\d{4})-(?P<month>\d\d)-(?P<day>\d\d)[T ]"
    r"(?P<time>(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?)"
    r"(?P<offset>Z|[+-]\d\d:?\d\d)?"
)

# The time of day behind the last digit of a date; a range of times doesn't match.
TIME_BEHIND: Final = re.compile(
    r"(?<!:\d)\d[^\w(]{0,3}(?:[^\W\d]{1,4}[^\w(]{0,2})?"
    r"(?<!\d)([01]?\d|2[0-3]):([0-5]\d)(:[0-5]\d)?"
    r"(?: ?([ap])\.?m)?(?!\.?[:\d]| ?[-–—] ?\d)",
    re.IGNORECASE,
)

# A time of day, such as 10:30 or 2 pm, or the offset of a time zone.
TIME: Final = re.compile(
    r"\d\d?[:.h]\d\d(?::\d\d(?:\.\d+)?)?|\d\d? ?(?:[ap]\.?m|uhr)\b"
    r"|\d\d? ?[時时点點시](?: ?\d\d? ?[分분])?|(?:kl|klo)\.? ?\d\d?\b"
    r"|[+-]\d\d:?\d\d|(?:UTC|GMT) ?[+-]\d\d?",
    re.IGNORECASE,
)

# A range of times of day, such as 10:30-12:00.
_TIME_RANGE: Final = re.compile(
    r"(?<![\d:])\d\d?[:.h]\d\d ?[-–—] ?\d\d?[:.h]\d\d(?!\d)"
)


def has_time_range(text: str) -> bool:
    """Return whether a text has a range of times, such as "10:30-12:00".

    A time zone, such as "-05:00" in "2024-06-10T10:30-05:00", is no end of a range.
    """
    timestamp = TIMESTAMP.fullmatch(text)
    if timestamp and timestamp["offset"]:
        return ends_with_time_range(timestamp)
    return _TIME_RANGE.search(text) is not None


def ends_with_time_range(timestamp: re.Match[str]) -> bool:
    """Return whether a match of `TIMESTAMP` ends with a range of times, such as
    "10:30-12:00".

    Return False if the match ends with the offset of a time zone.
    """
    start, end = timestamp["time"], timestamp["offset"] or ""
    is_plain = len(start) == len("10:30") and "T" not in timestamp[0]
    return is_plain and end[:1] == "-" and ":" in end and end[1:] > start


def time_behind(text: str) -> str:
    """Return the time of day behind the date in a text, for example "T14:30" for "12
    May 2024, 2:30 pm".

    Return "" if there is no time behind the date.
    """
    time_match = TIME_BEHIND.search(text)
    if time_match is None:
        return ""
    hour_digits, minutes, seconds, half_of_day = time_match.groups()
    hour = int(hour_digits)
    if half_of_day and 0 < hour <= 12:
        hour %= 12
        if half_of_day in "pP":
            hour += 12
    return f"T{hour:02}:{minutes}{seconds or ''}"
