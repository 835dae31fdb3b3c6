"""Determine the kind of a column's values, such as number or date, from the texts.

Texts that differ only in a number, such as "12 comments" and "7 comments", are read as
numbers.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final, NamedTuple

from amber_wrap.columns.naming.usual_fields import usual_field
from amber_wrap.columns.thresholds import COLUMN
from amber_wrap.columns.words_around_values import (
    common_label,
    pattern_without_separators,
    stands_for_no_price,
    stands_for_no_value,
)
from amber_wrap.domain.normal_form import NORMAL_FORMS
from amber_wrap.domain.schema import ValueKind
from amber_wrap.values import dates
from amber_wrap.values.numbers_and_prices import (
    PERIODS,
    PLAIN,
    SCALE,
    SIGN,
    money,
    quantity,
)
from amber_wrap.values.times_of_day import has_time_range
from amber_wrap.values.units import unit_of

IDENTIFIERS: Final = frozenset(
    "id code sku mpn asin ean gtin upc isbn issn zip postcode postal phone tel "
    "telephone fax mobile serial version".split()
)
"""Words in names of identifiers, which are written in digits but are no numbers."""
_NUMBERED: Final = re.compile(
    "(?!total_|average_|mean_|max|min).*[^_](?:_(?:number|no|nr)|nummer|nr|numero)"
)
"""A regular expression for the name of an identifier that ends with "number", such as
"case_number". In contrast, "number_of_rooms" and "total_number" are counts."""
_CODE: Final = re.compile(r"0\d|\d{10}")
"""A regular expression for the start of an identifier, which counts nothing: a zero and
another digit, or ten digits."""
_MONTH: Final = re.compile(r"(?:19|20)\d\d(?:\.(?:0?[1-9]|1[0-2]))?")
"""A regular expression for a year or a month of a year, such as "2007.10", which counts
nothing."""
_TIME_OF_DAY: Final = re.compile(r"(?:[01]?\d|2[0-3])\.[0-5]\d")
"""A regular expression for a time of day with a point, such as "18.45", which looks
like a number."""
_PREFIXED: Final = re.compile(
    r"(?:[kmgtpe]i?(?:b(?:its?|ytes?|ps)?|hz)|bytes?)(?:/s)?|[kmgt]o|[кмгт]б", re.I
)
"""A regular expression for a unit whose prefix varies with the size, such as "MiB"."""
_TIMES: Final = PERIODS.keys() | frozenset(
    "minute min minut minuto minuut minuutti perc dakika минут мин хвилин λεπτ 分钟 "
    "分鐘 分間 second sec seconde sekunde sekund sek segundo secondo secund sekunti "
    "másodperc saniye секунд сек δευτερόλεπτ 秒".split()
)
"""Words for units of time in many languages, such as "minut", without endings and in
lower case."""
DIVIDERS: Final = "|·•∙⋅‧"
"""Signs that divide a text into values, as in "9 May | Oxford"."""
AMBIGUOUS: Final = frozenset({"m", "in", "mil"})
"""Units with a second meaning, which aren't used to recognise quantities. For example,
"m" may stand for minutes."""
_FIGURE: Final = (
    r"(?:\d{1,3}(?:[.,'’ ٬]\d{3})+(?:[.,٫]\d+)?|\d{1,2}(?:,\d\d)+,\d{3}"
    r"|\d*[.,٫]?\d+)"
    r"(?: ?[kK](?![^\W\d_]))?"
)
"""A pattern of a number, perhaps with separated thousands. It allows the Indian groups
of two digits, as in "1,20,000"."""
_SIGNED: Final = re.compile(rf"^{SIGN}(?=\d[\d.,]*(?: ?[^\w\s]|$))")
"""A regular expression for the plus or minus sign before a number, as in "-3" or "+3
%". No word may follow the number."""
SCALED: Final = r"(?: ?/ ?| (?:[^\W\d_]+ ){1,2})(?:5|6|10|20|100)\b\D*"
"""A regular expression for the text behind a score, such as "out of 5" behind "4"."""
DAY: Final = re.compile(r"\d{4}-\d\d-\d\d(?!\d)")
"""A regular expression for an ISO date with year, month and day."""
_WORD: Final = re.compile(r"[^\W\d_]+|\d+|\s+|[^\w\s]+|_+")
"""A regular expression for a run of letters, digits, blanks or other characters."""
MOST_WORDS, MONTH_WORDS = 4, 1
"""`MOST_WORDS` is the greatest number of words in a price. In a date, `MONTH_WORDS`
more words are allowed."""
MANY_WORDS, LAST_REQUIRED = 3, 1
"""A regular expression for a number requires all words behind the number, if there are
at most `MANY_WORDS`. Of more words, as in "3 km from the city centre", those up to the
index `LAST_REQUIRED` are required."""
ENDING = 3
"""The greatest number of letters at the end of a word that may differ between its
forms."""


class ColumnForm(NamedTuple):
    """The kind of a column's values, and a regular expression that finds a value.

    The expression, `pattern`, is "" if the whole text is the value.
    """

    kind: ValueKind
    pattern: str = ""


def column_form(
    texts: Sequence[str],
    names: Collection[str] = (),
    label: str = "",
    is_whole: bool = True,
) -> ColumnForm:
    """Return the kind of a column's values, and the regular expression that finds a
    value in a text.

    `names` are the possible names of the column, and `label` is a label at the start of
    all texts, or "". If `is_whole` is true, separators at the ends of the texts are no
    part of a value.
    """
    common = label or common_label(texts)
    rests = {text: text.removeprefix(common).lstrip() for text in texts}
    missing = {rest for rest in rests.values() if stands_for_no_value(rest)}
    known = [text for text in texts if rests[text] not in missing]
    form = _form_of_known(known or texts, names, label, common, is_whole)
    if form.kind is not ValueKind.TEXT or not (missing and known):
        return form
    words = "|".join(map(_exactly, sorted(missing)))
    value, pattern = "(?P<value>", form.pattern or "^(?P<value>.+)$"
    return ColumnForm(form.kind, pattern.replace(value, f"(?!(?:{words})$){value}"))


def _form_of_known(
    texts: Sequence[str],
    names: Collection[str],
    label: str,
    common: str,
    is_whole: bool,
) -> ColumnForm:
    """Return the kind and the regular expression of a column's values. Each of the
    texts has a value.

    `names`, `label` and `is_whole` are as for `column_form`. `common` is the label that
    nearly all texts begin with, or "".
    """
    if any(map(str.isdigit, common)):
        label = common
    values = [text.removeprefix(common).lstrip() for text in texts]
    pattern = rf"^{_exactly(label)}\s*(?P<value>.+)$" if label else ""
    if are_prices([value for value in values if not stands_for_no_price(value)]):
        return ColumnForm(ValueKind.MONEY, pattern)
    first = dates.day_or_month_first(values)
    are_dates = _share(lambda text: is_date(text, first), values) >= COLUMN.nearly_all
    if are_dates and not dates.differ_beside_dates(values, first):
        return ColumnForm(ValueKind.DATE, pattern)
    if number_form := _number_form(values if label else texts, names):
        if not label:
            return number_form
        number = number_form.pattern[1:-1]
        pattern = rf"^{_exactly(label)}\s*(?P<value>{number})$"
        return ColumnForm(number_form.kind, pattern)
    if _share(_is_quantity, values) >= COLUMN.nearly_all:
        return ColumnForm(ValueKind.QUANTITY, pattern)
    if common and not pattern:
        pattern = rf"^(?:{_exactly(common)}\s*)?(?P<value>.+)$"
    if is_whole and not pattern:
        pattern = pattern_without_separators(texts)
    return ColumnForm(ValueKind.TEXT, pattern)


def are_prices(texts: Collection[str]) -> bool:
    """Return whether nearly all texts are amounts of money with a currency."""
    return _share(_is_price, texts) >= COLUMN.nearly_all


def _is_price(text: str) -> bool:
    """Return whether a text is one amount with its currency, such as "£9 per night".

    A change such as "-£9" is no price, because its minus sign would be lost.
    """
    amount, currency, _ = money(text)
    is_one_number = len(re.findall(_FIGURE, text)) == 1
    has_price = None not in (amount, currency) and not re.match(SIGN, text)
    return has_price and is_one_number and _has_few_words(text)


def is_date(text: str, first: str = "") -> bool:
    """Return whether a text is a date with at most a few more words, such as "Mon, 9
    May 2024".

    `first` says whether numeric dates begin with the day or the month, or is "" if
    unknown.
    """
    is_day = DAY.match(dates.date(text, first) or "") is not None
    if not is_day or _has_other_parts(text) or not _has_few_words(text, MONTH_WORDS):
        return False
    words = re.findall(r"\d+[\W_]*([^\W\d_]*)", dates.without_dates(text))
    return all(map(_is_period, words))


def _is_period(word: str) -> bool:
    """Return whether a word is a unit of time, such as "days", in any form."""
    folded = word.casefold()
    return any(folded[: len(word) - ending] in _TIMES for ending in range(ENDING))


def _has_other_parts(text: str) -> bool:
    """Return whether a text with a date also shows something else.

    It may have a range of times, or a part without digits, such as "Oxford" in "9 May |
    Oxford".
    """
    parts = re.split(f"[{DIVIDERS}]", text)
    return has_time_range(text) or any(
        part.strip() and not re.search(r"\d", part) for part in parts[1:] + parts[:-1]
    )


def _has_few_words(text: str, more: int = 0) -> bool:
    """Return whether a text has at most `MOST_WORDS + more` words.

    Only such a text is short enough to be a date, a price or a number.
    """
    return len(re.findall(r"[^\W\d_]+", text)) <= MOST_WORDS + more


def has_unit(text: str) -> bool:
    """Return whether a text is a number with a unit, such as "12 km" or "3.6 GB"."""
    match = re.fullmatch(rf"{_FIGURE} ?(?P<unit>\D+)", text)
    return match is not None and _is_unit(match["unit"])


def _is_unit(text: str) -> bool:
    """Return whether a text is a unit, perhaps with a full stop or blanks around it."""
    unit = text.strip(" .")
    return unit_of(unit) is not None or _PREFIXED.fullmatch(unit) is not None


def _is_quantity(text: str) -> bool:
    """Return whether a text is a number with a unit, such as "12 km".

    Units with a second meaning, such as "m", are excluded.
    """
    match = re.fullmatch(rf"{_FIGURE} ?(?P<unit>\D+)", text)
    unit = unit_of(match["unit"].strip(" .")) if match else None
    return unit not in (None, *AMBIGUOUS) and quantity(text)[0] is not None


def _share(holds: Callable[[str], bool], texts: Collection[str]) -> float:
    """Return the share of the texts for which `holds` is true; 0 without texts."""
    return sum(map(holds, texts)) / max(1, len(texts))


def _number_form(texts: Sequence[str], names: Collection[str]) -> ColumnForm | None:
    """Return the kind and the regular expression of numbers in texts such as "12
    comments".

    Return None unless most texts have the same words around a plain number. `names` are
    the possible names of the column.
    """
    sign = f"{SIGN}?" if any(map(_SIGNED.match, texts)) else ""
    surroundings = Counter(
        (text[: match.start()], text[match.end() :])
        for text in (_SIGNED.sub("", text) for text in texts)
        if (match := PLAIN.search(text))
    )
    if not surroundings:
        return None
    (before, after), usual = surroundings.most_common(1)[0]
    is_headline = 2 * usual < len(texts) and len(after.split()) > MANY_WORDS
    if is_headline or not _may_stand_around(before, after):
        return None
    pattern = rf"^{sign}{_exactly(before)}(?:{_FIGURE}){_inflected(after)}$"
    matching = [text for text in texts if re.search(pattern, text)]
    has_words = any(map(str.isalpha, before + after))
    least_share = COLUMN.all_with_exceptions if has_words else COLUMN.nearly_all
    counts_others = has_words and any(
        re.search(rf"^{_exactly(before)}(?!1\D){_FIGURE}\D+$", text)
        for text in set(texts).difference(matching)
    )
    if counts_others or len(matching) < least_share * len(texts):
        return None
    numbers = {text: match[0] for text in matching if (match := PLAIN.search(text))}
    if _are_no_quantities(set(numbers.values()), names):
        return None
    if before + after and len(numbers) < COLUMN.least_records:
        return None
    if sign:  # The sign belongs to the number.
        numbers = {text: text for text in matching}
    for kind in (ValueKind.NUMBER,) if sign else (ValueKind.COUNT, ValueKind.NUMBER):
        if _are_read(numbers, kind):
            return ColumnForm(kind, pattern)
    return None


def _may_stand_around(before: str, after: str) -> bool:
    """Return whether a number between the texts `before` and `after` can be a plain
    number.

    Return False for parts of names, words, addresses and times, and for quantities such
    as "5 km".
    """
    is_score = re.fullmatch(SCALED, after) is not None
    is_name = re.search(r"[^\W\d_]\.?\s*$", before) and not is_score
    is_within_number = re.search(r"\d[^\s\d]$|[-−–.]$", before) or re.match(
        r"[^\s\d/]\d", after
    )
    letter = after.removeprefix(".")[:1]
    is_within_word = letter.isupper() or letter.islower()
    words = re.findall(r"[^\W\d_]+", after)
    is_time = bool(words) and _is_period(words[0])
    is_scaled = bool(words) and re.fullmatch(SCALE, words[0], re.IGNORECASE)
    has_more_numbers = any(map(str.isdigit, after)) and not is_score
    return not (
        is_name
        or is_within_number
        or is_within_word
        or is_time
        or is_scaled
        or has_more_numbers
        or _is_unit(after)
    )


def _are_no_quantities(numbers: Collection[str], names: Collection[str]) -> bool:
    """Return whether numbers count nothing, because they are identifiers, months or
    times of day.

    The form of the numbers shows this, or a word in the column's possible `names`.
    """
    words = {word for name in names for word in name.split("_")}
    are_codes = any(map(_CODE.match, numbers)) or any(map(_NUMBERED.fullmatch, names))
    are_years = all(map(_MONTH.fullmatch, numbers))
    are_months = are_years and not all(map(str.isdigit, numbers))
    are_times = all(map(_TIME_OF_DAY.fullmatch, numbers)) and any(
        usual_field(word) == "time" for word in words
    )
    return bool(words & IDENTIFIERS) or are_codes or are_months or are_times


def _are_read(numbers: Mapping[str, str], kind: ValueKind) -> bool:
    """Return whether each text, such as "12 comments", has the same value as its
    number.

    `numbers` maps texts to their numbers, and `kind` is the kind of the values. Return
    False if a text can't be converted.
    """
    read = NORMAL_FORMS[kind]
    return all(
        read(text, text, "") == read(number, number, "") != (None,)
        for text, number in numbers.items()
    )


def _exactly(words: str) -> str:
    """Return a regular expression that matches the words literally.

    Each blank may match any white space.
    """
    return re.escape(words).replace(r"\ ", r"\s")


def _inflected(words: str) -> str:
    """Return a regular expression that matches words with any endings.

    For example, the expression for "comment" also matches "comments". Of many words,
    such as "km from the centre of Oxford", only the first are required.
    """
    parts = _WORD.findall(words)
    word_indexes = [index for index, part in enumerate(parts) if part.isalpha()]
    if len(word_indexes) > MANY_WORDS:
        required = parts[: word_indexes[LAST_REQUIRED] + 1]
        return _inflected("".join(required)) + r"\b\D*"
    expressions = []
    for part in parts:
        if part.isalpha() and len(part) >= COLUMN.shortest_stem:
            stem = part[: max(COLUMN.shortest_stem, len(part) - ENDING)]
            expressions.append(rf"{stem}[^\W\d_]{{0,{2 * ENDING}}}")
        else:
            expressions.append(_exactly(part))
    return "".join(expressions)
