"""Drop columns that repeat the dates of other columns, or that show only a part of
these dates, such as the month."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import compress
from typing import Final

from amber_wrap.columns.cells import Cell, RecordKey
from amber_wrap.columns.naming.chosen_names import is_named_in_words
from amber_wrap.columns.naming.forms_of_texts import find_date
from amber_wrap.columns.spaced_texts import (
    SpacedTexts,
    contains_texts,
    texts_by_record,
)
from amber_wrap.columns.thresholds import COLUMN
from amber_wrap.columns.value_kinds import is_date
from amber_wrap.columns.words_around_values import has_words_before
from amber_wrap.values.dates import date, day_or_month_first, differ_beside_dates

_TIME_OR_NUMBER: Final = re.compile(r"[\d ]+(?:[ap] ?m )?")
"""A regular expression for a number or a time of day, such as " 10 30 pm ", which may
be a part of a date. Each word has blanks around it."""
_DAY_AND_MONTH: Final = 2
"""The number of words in a day with its month, such as "9 May"."""


def without_date_parts(
    columns: Sequence[list[Cell]], dates: Sequence[SpacedTexts]
) -> list[list[Cell]]:
    """Return the columns without those that show only parts of dates, such as "10:30"
    or "May".

    The dates are in other columns, or are known dates. Each item of `dates` has the
    known dates of one type, by record.
    """
    have_dates = [_holds_dates(column) for column in columns]
    date_columns = compress(columns, have_dates)
    date_texts = [*dates, *map(texts_by_record, date_columns)]

    def is_date_part(column: Sequence[Cell]) -> bool:
        texts = texts_by_record(column)
        are_numbers = all(_TIME_OR_NUMBER.fullmatch(text) for text in texts.values())
        return any(
            (are_numbers and contains_texts(dates, texts)) or _have_days(dates, texts)
            for dates in date_texts
        )

    return [
        column
        for column, has_dates in zip(columns, have_dates, strict=True)
        if not (
            any(_are_same_dates(known, column) for known in dates)
            if has_dates
            else is_date_part(column)
        )
    ]


def _holds_dates(column: Sequence[Cell]) -> bool:
    """Return whether more than half of a column's texts hold a date."""
    return 2 * sum(find_date(cell.text) is not None for cell in column) > len(column)


def _are_same_dates(known: SpacedTexts, column: Sequence[Cell]) -> bool:
    """Return whether nearly all texts of a column show the dates in `known`, perhaps in
    another notation.

    Return False if a label or header names the column, for example "Last day". Such
    dates may differ from the known dates on other pages. Return False, too, if other
    values, such as authors, stand beside the dates.
    """
    if is_named_in_words(column) or all(map(has_words_before, column)):
        return False
    stamps = _stamps(known)
    texts = [cell.text for cell in column]
    first = day_or_month_first(texts)
    if differ_beside_dates(texts, first):
        return False
    same = sum(
        is_date(cell.text, first)
        and stamps.get(cell.record, "").startswith(date(cell.text, first) or "-")
        for cell in column
    )
    return same >= COLUMN.nearly_all * len(column)


def _have_days(dates: SpacedTexts, parts: SpacedTexts) -> bool:
    """Return whether nearly all texts in `parts` show the day or the month, or both, of
    the record's date in `dates`."""
    stamps = _stamps(dates)
    same = sum(_is_of_date(text, stamps.get(key, "")) for key, text in parts.items())
    return same >= COLUMN.nearly_all * len(parts)


def _stamps(dates: SpacedTexts) -> dict[RecordKey, str]:
    """Return the dates in ISO form, by record. A text that can't be read as a date
    gives ""."""
    joined = {key: "-".join(text.split()[:3]) for key, text in dates.items()}
    first = day_or_month_first(joined.values())
    return {
        key: date(" ".join(text.split())) or date(joined[key], first) or ""
        for key, text in dates.items()
    }


def _is_of_date(part: str, stamp: str) -> bool:
    """Return whether `part` is the day or the month of an ISO date, or both.

    For example, "9", "May" and "9 May" are parts of "2026-05-09".
    """
    iso_day, year, day = stamp[:10], stamp[:4], stamp[8:10]
    is_short = len(part.split()) <= _DAY_AND_MONTH
    days = {date(f"{part.strip()} {year}"), date(f"{day} {part.strip()} {year}")}
    is_of_day = part.strip().zfill(2) == day or iso_day in days
    return is_short and bool(stamp) and is_of_day
