"""Make regular expressions for the numbers of a field from sample texts.

The expressions also match other numbers with the same signs and words around them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

from amber_wrap.columns.thresholds import COLUMN
from amber_wrap.domain.schema import ValueKind
from amber_wrap.lowering.currency_signs import FIGURE_PATTERNS, signs_of_unit
from amber_wrap.lowering.sample_cases import Case
from amber_wrap.lowering.thresholds import LOWERING
from amber_wrap.values.numbers_and_prices import PLAIN, SIGN, find_figure
from amber_wrap.values.texts import common_prefix
from amber_wrap.values.units import unit_of

PLAIN_NUMBER = r"\d[\d.,]*"
"""The pattern of a number, whose decimal separator is recognised later."""

SPACED_NUMBER = r"\d{1,3}(?:[ '’]\d{3})*[\d.,]*"
"""The pattern of a number that may have blanks or apostrophes between thousands."""

ARABIC_NUMBER = r"\d[\d\u066b\u066c]*"
"""The pattern of a number with Arabic separators of decimals and thousands."""

SHORT_DECIMAL = r"(?<![\w.,])\d\d?[.,]\d(?![\d.,]*\d)"
"""The pattern of a number with one decimal place, such as the litres of an engine."""

IN_THOUSANDS = r"\d[\d.,]*(?: ?[kK]\b)?"
"""The pattern of a number that may be in thousands, such as "12k"."""

_SCALE = (
    r"(?:(?:p| ?(?i:k|m|mn|mln|mio|milli?[a-z]+|t(?:sd|housand|ausend|ys|is)|bn|m[lr]d)"
    r")\b|¢)"
)
"""The pattern of a word or sign that scales an amount, such as the "p" of "85p"."""

MAYBE_SCALED = rf"\d[\d.,]*{_SCALE}?"
"""The pattern of an amount that may be in pence, thousands, millions or billions."""

_YEAR = r"(?:19|20)\d\d"

_NO_SIGN = r"^[^-–−\d]*"
"""The pattern of the text before the first number. The text has no minus sign."""

SYMBOL = "[$£€¥₹₽₺]"
"""The pattern of a currency symbol."""

SIGN_BEFORE = rf"(?:{SYMBOL}|\b[A-Z]{{3}}|\bkr\.?)"
"""The pattern of a currency sign before a number."""

SIGN_AFTER = rf"(?:{SYMBOL}|[A-Z]{{3}}\b|kr\b|zł|Kč|Ft\b|円)"
"""The pattern of a currency sign behind a number, for the currencies of any page."""

DASH = "(?: ?[-–~] ?| (?:to|bis|a|do) | ?[+x] ?)"
"""The pattern of the text between two numbers of a range or a sum."""

_BEFORE = re.compile(r"(?:[^\W\d_]+|[^\w\s(])(?: ?[:.])? ?$")
"""Matches the word or sign at the end of the text before a number."""

_AFTER = re.compile(r"[ -]?(?:[^\W\d_]+[^\W_]?|[^\w\s,;|)])")
"""Matches the word or sign at the beginning of the text behind a number."""


_PLURAL = re.compile(r"^([ -]?[^\W\d_]{3,}?)(?:ies|e?[ns]|[aeiy])$")
"""Matches a word behind a number, such as "beds". The group is the stem, with which the
singular begins, too."""


class Surroundings(NamedTuple):
    """The words and signs around a number in a text."""

    before: str
    """The word or sign right before the number, or ""."""
    after: str
    """The word or sign right behind the number, or ""."""
    rest: str
    """All text behind the number."""
    is_alone: bool
    """Whether there is no text around the number."""
    is_short_decimal: bool
    """Whether the number has one decimal place."""


def signed_number_patterns(cases: Iterable[Case]) -> Iterator[str]:
    """Yield regular expressions for texts such as "-3.5%", the simplest first.

    The first group of each expression is the number with its plus or minus sign.
    `cases` has the texts of sample records.
    """
    found = [_surroundings_of(case, ValueKind.NUMBER) for case in cases if case.shown]
    after = alternatives({text.after for text in found if text}, "after")
    for number in (PLAIN_NUMBER, SPACED_NUMBER):
        yield f"^({SIGN}?{number}){after or '$'}"


def number_patterns(
    cases: Sequence[Case], kind: ValueKind, is_whole: bool = False
) -> Iterator[str]:
    """Yield regular expressions for the numbers in sample texts, the simplest first.

    The first group of each expression is the number. `is_whole` is true if the
    wrapper's regular expression matches only whole texts.
    """
    surroundings = [
        surrounding
        for case in cases
        if case.shown and (surrounding := _surroundings_of(case, kind))
    ]
    if not surroundings:
        return
    words_before = {surrounding.before for surrounding in surroundings}
    words_after = {surrounding.after for surrounding in surroundings}
    if kind is ValueKind.QUANTITY:
        if len({word.strip(" -") for word in words_after}) > 1:
            words_after = {
                word if unit_of(word.strip(" -")) else "" for word in words_after
            }
    elif kind is not ValueKind.MONEY:
        # An amount of money beside the number is another value.
        words_before = {
            "" if re.match(SIGN_BEFORE, word) else word for word in words_before
        }
        words_after = {
            "" if re.match(SIGN_AFTER, word.strip()) else word for word in words_after
        }
    is_counted = kind in (ValueKind.COUNT, ValueKind.NUMBER)
    if is_counted and not any(case.form and case.form[0] == 1 for case in cases):
        words_after = {_PLURAL.sub(r"\1", word) for word in words_after}
    before = alternatives(words_before, "before")
    after = alternatives(words_after, "after")
    sides = [(before, after)]
    if kind is ValueKind.QUANTITY and (unit := signs_of_unit(words_after)):
        sides.insert(0, (before, f" ?{unit}"))
    if kind is ValueKind.MONEY:
        for sign in (SYMBOL, SIGN_BEFORE):
            if before and all(re.match(sign, text.before) for text in surroundings):
                sides.insert(0, (f"{sign} ?", ""))
        if after and all(
            re.match(SIGN_AFTER, text.after.strip()) for text in surroundings
        ):
            sides.insert(0, ("", f" ?{SIGN_AFTER}"))
    numbers = (_YEAR,) if kind is ValueKind.YEAR else (PLAIN_NUMBER, SPACED_NUMBER)
    if any(re.search("[\u066b\u066c]", case.shown) for case in cases):
        numbers = (ARABIC_NUMBER,)
    if kind is ValueKind.COUNT and any(
        re.search(r"\d ?[kK]\b", case.shown) for case in cases
    ):
        numbers = (*numbers, IN_THOUSANDS)
    if kind is ValueKind.MONEY and any(
        re.search(rf"\d{_SCALE}", case.matched) for case in cases
    ):
        numbers = (*numbers, MAYBE_SCALED)
    is_alone = all(surrounding.is_alone for surrounding in surroundings)
    for number, (before, after) in product(numbers, sides):
        if is_alone or kind is ValueKind.YEAR:  # Few other numbers look like years.
            yield f"^({number})$" if is_whole else f"({number})"
        # On other pages a sign may precede the number, as in "-3%": not its value.
        # Words may: "only 5 in stock".
        starts = (_NO_SIGN, "") if is_whole and not before else ("", "^")
        yield from _patterns_of_number(kind, number, before, after, starts)
    has_decimals = kind in (ValueKind.NUMBER, ValueKind.QUANTITY)
    if has_decimals and all(text.is_short_decimal for text in surroundings):
        yield f"({SHORT_DECIMAL})"  # Words beside it differ more than the number.
    rest = common_prefix([surrounding.rest for surrounding in surroundings])
    if len(rest) >= COLUMN.shortest_stem:
        yield f"({SPACED_NUMBER}){re.escape(rest)}".replace(r"\ ", " ")


def _patterns_of_number(
    kind: ValueKind, number: str, before: str, after: str, starts: Sequence[str]
) -> Iterator[str]:
    """Yield regular expressions for a number and the text around it, the simplest
    first.

    `number`, `before` and `after` are patterns of the number and of the words beside
    it. `starts` has patterns for the text from the start up to these words.
    """
    # Patterns before a second number; "" if there is none.
    dashes = [""]
    if kind is not ValueKind.YEAR:
        sign = r"\D{,5}" if kind is ValueKind.MONEY else " ?"
        any_dash = optional(after) + DASH + optional(before)
        dashes = [f" ?[-–]{sign}", any_dash, ""]
    for start, dash in product(starts, dashes):
        figure = loose_figure = f"({number})"
        if dash:
            figure = f"({number}(?:{dash}{number})?)"
            # If nothing must follow, one digit is enough to recognise a range.
            loose_figure = rf"({number}(?:{dash}\d)?)"
        if after:
            yield f"{start}{figure}{after}"
        if before:
            yield f"{start}{before}{loose_figure}"
        if before and after:
            yield f"{start}{before}{figure}{after}"
        yield start + loose_figure
        if after and kind is ValueKind.MONEY:
            yield rf"{start}{figure}{after}(?!\.?/)"
    if before and kind is ValueKind.MONEY:
        # The last amount; the first may be an old price.
        yield rf"^.*(?<![-–])(?<![-–] ){before}({number}(?: ?[-–]\D{{,5}}\d)?)"


def optional(pattern: str) -> str:
    """Return a regular expression for an optional pattern, such as `(?:x)?` for `x`.

    Return "" for "".
    """
    return f"(?:{pattern})?" if pattern else ""


def _surroundings_of(case: Case, kind: ValueKind) -> Surroundings | None:
    """Return the words and signs around the number in a sample text.

    Return None if the value has no number.
    """
    figures = find_figure(FIGURE_PATTERNS.get(kind, PLAIN), case.matched)
    if figures is None:
        return None
    figure, range_end = figures
    text, number = case.text, figure["number"]
    value_start = max(0, text.find(case.matched))
    start = text.find(number, value_start + figure.start("number"))
    if start < 0:
        return None
    end = start + len(number)
    if range_end:
        end_number = range_end["number"]
        end = text.find(end_number, end) + len(end_number)
    before, after = _BEFORE.search(text[:start]), _AFTER.match(text, end)
    return Surroundings(
        before[0] if before else "",
        after[0] if after else "",
        text[end:],
        not (text[:start] + text[end:]).strip(),
        not range_end and bool(re.fullmatch(SHORT_DECIMAL, number)),
    )


def alternatives(words: Iterable[str], side: str) -> str:
    """Return a pattern for any of the words beside numbers, such as `(?:€|£) ?`.

    `side` says whether the words are before or after the number. Return "" if there are
    no words or too many.
    """
    bare = sorted({word.strip(" -") for word in words} - {""})
    if not bare:
        return ""
    folded = sorted({word.casefold() for word in bare})
    is_after = side == "after"
    separators = {word[:1] if is_after else word[-1:] for word in words}
    gap = "[ -]?" if {" ", "-"} <= separators else " ?"
    has_long_words = any(word.isalpha() and len(word) > 1 for word in bare)
    stem = common_prefix(folded)
    if is_after and len(folded) > 1 and len(stem) >= COLUMN.shortest_stem:
        folded, bare = [stem], [stem]
    if len(folded) > LOWERING.most_listed:
        return ""
    longest_first = sorted(folded if has_long_words else bare, key=len, reverse=True)
    joined = "|".join(map(re.escape, longest_first)).replace(r"\ ", " ")
    if has_long_words:
        joined = f"(?i:{joined})"
    elif len(bare) > 1:
        joined = f"(?:{joined})"
    return f"{gap}{joined}" if is_after else f"{joined}{gap}"
