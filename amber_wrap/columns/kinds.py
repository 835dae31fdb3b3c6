"""Kinds of columns: what all texts of one are, and what words they have in common.

"12 comments", "Replies: 3" and "1 889" are numbers; what stands around the values of a
column is the same in all of its texts, and no part of them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final, NamedTuple

from amber_wrap.annotate.words import COLONS, LABEL_WORDS
from amber_wrap.domain.normal_form import NORMAL_FORMS
from amber_wrap.domain.schema import ValueKind
from amber_wrap.values import dates
from amber_wrap.values.typed import PERIODS, PLAIN, money, quantity, unit_of

_NEARLY_ALL: Final = 0.9
"""The share of the texts that must be of the kind; others have no value."""
_MOST: Final = 0.75
"""The same where words around the values say what these are."""
_LEAST: Final = 2
"""Different values that tell them from what stands around them."""
IDENTIFIERS: Final = frozenset(
    "id code sku mpn asin ean gtin upc isbn issn zip postcode postal phone tel "
    "telephone fax mobile serial version".split()
)
"""Words of names of what is written in digits and is no number: nobody adds it up."""
_CODE: Final = re.compile(r"0\d|\d{10}")
"""What begins with a nought, or with so many digits in a row, is none either."""
AMBIGUOUS: Final = frozenset({"m", "in", "mil"})
"""Units whose signs stand for other things as well: minutes, millions."""
_FIGURE: Final = (
    r"(?:\d{1,3}(?:[.,'’ ]\d{3})+(?:[.,]\d+)?|\d{1,2}(?:,\d\d)+,\d{3}|\d*[.,]?\d+)"
    r"(?: ?[kK](?![^\W\d_]))?"
)
"""A number that is written as one; in India there are pairs of digits."""
SCALED: Final = r"(?: ?/ ?| (?:[^\W\d_]+ ){1,2})(?:5|6|10|20|100)\b\D*"
"""What stands behind a mark: "out of 5"."""
DAY: Final = re.compile(r"\d{4}-\d\d-\d\d(?!\d)")
_LEADING: Final = re.compile(r"([-–—,;|>»/])\s+(?=\S)")
TRAILING: Final = re.compile(r"(?<=\S)(?:\s*([,;|])|\s([-–—/]))$")
"""Signs that part a text from others, and are no part of it."""
_LABEL: Final = re.compile(rf"[^\W\d_][^\d{''.join(COLONS)}]*[{''.join(COLONS)}](?!/)")
_WORD: Final = re.compile(r"[^\W\d_]+|\d+|\s+|[^\w\s]+|_+")
FEW, MONTH = 4, 1
"""Words of a price at most, its currency included; of a date there is the month's."""
MANY_WORDS, TELLING = 3, 1
"""Words behind a number that are many, and the place of the last that must be there."""
STEM, ENDING = 3, 3
"""Letters that the forms of a word have in common at least, and that are its ending."""


class ColumnForm(NamedTuple):
    """How the texts of a column are read: of which kind they are, and the pattern that
    values fit, "" if all do.  Words around a number are displayed with it; a label is
    no part of a text."""

    kind: ValueKind
    pattern: str = ""


_TEXT: Final = ColumnForm(ValueKind.TEXT)


def column_form(
    texts: Sequence[str],
    names: Collection[str] = (),
    label: str = "",
    is_whole: bool = True,
) -> ColumnForm:
    """How the texts of a column are read that may be called by the `names`.

    All texts begin with the `label`, if it tells them from others at their place.
    Those that are not `is_whole` elements may come in parts, and keep their separators.
    """
    common = label or common_label(texts)
    values = [one.removeprefix(common).lstrip() for one in texts]
    behind = rf"^{_exactly(label)}\s*(?P<value>.+)$" if label else ""
    if are_prices(values):
        return ColumnForm(ValueKind.MONEY, behind)
    if _share(_is_date, values) >= _NEARLY_ALL:
        return ColumnForm(ValueKind.DATE, behind)
    if found := _numbers(values if label else texts, names):
        number = rf"^{_exactly(label)}\s*(?P<value>{found.pattern[1:-1]})$"
        return ColumnForm(found.kind, number) if label else found
    if _share(_is_quantity, values) >= _NEARLY_ALL:
        return ColumnForm(ValueKind.QUANTITY, behind)
    if common and not behind:
        behind = rf"^(?:{_exactly(common)}\s*)?(?P<value>.+)$"
    if is_whole and not behind:
        behind = _between_separators(texts)
    return ColumnForm(ValueKind.TEXT, behind)


def _between_separators(texts: Collection[str]) -> str:
    """The pattern of what most texts have separators before or behind: ", Ann Poe";
    "" where few have any."""
    ahead = [found[1] for text in texts if (found := _LEADING.match(text))]
    behind = [found[1] or found[2] for one in texts if (found := TRAILING.search(one))]
    before = rf"(?:{_any_of(ahead)}\s+)?" if 2 * len(ahead) > len(texts) else ""
    after = rf"(?:\s*{_any_of(behind)})?" if 2 * len(behind) > len(texts) else ""
    return rf"^{before}(?P<value>.*?\w.*?){after}$" if before or after else ""


def _any_of(signs: Collection[str]) -> str:
    """A pattern for one of the signs."""
    return f"[{''.join(map(re.escape, sorted(set(signs))))}]"


def are_prices(texts: Collection[str]) -> bool:
    """Whether texts are amounts of money, and say of which currency."""
    return _share(_is_price, texts) >= _NEARLY_ALL


def _is_price(text: str) -> bool:
    """Whether a text is one amount with its currency, and what it is paid for."""
    amount, currency, _ = money(text)
    is_one = len(re.findall(_FIGURE, text)) == 1 and _is_little(text)
    return is_one and amount is not None and currency is not None


def _is_date(text: str) -> bool:
    """Whether a text is a date, maybe with its weekday and time."""
    return bool(DAY.match(dates.date(text) or "")) and _is_little(text, MONTH)


def _is_little(text: str, more: int = 0) -> bool:
    """Whether a text has so few words that what is read there is all it says."""
    return len(re.findall(r"[^\W\d_]+", text)) <= FEW + more


def _is_quantity(text: str) -> bool:
    """Whether a text is a number with its unit."""
    found = re.fullmatch(rf"{_FIGURE} ?(?P<unit>\D+)", text)
    unit = unit_of(found["unit"].strip(" .")) if found else None
    return unit not in (None, *AMBIGUOUS) and quantity(text)[0] is not None


def _share(holds: Callable[[str], bool], texts: Collection[str]) -> float:
    return sum(map(holds, texts)) / max(1, len(texts))


def _numbers(texts: Sequence[str], names: Collection[str]) -> ColumnForm | None:
    """How numbers are read that stand between the same words; None if it isn't that
    what the texts are."""
    around = Counter(
        (text[: one.start()], text[one.end() :])
        for text in texts
        if (one := PLAIN.search(text))
    )
    if not around:
        return None
    (before, after), _ = around.most_common(1)[0]
    if not _may_stand_around(before, after):
        return None
    pattern = rf"^{_exactly(before)}(?:{_FIGURE}){_inflected(after)}$"
    fits = [text for text in texts if re.search(pattern, text)]
    is_told = any(map(str.isalpha, before + after))
    if len(fits) < (_MOST if is_told else _NEARLY_ALL) * len(texts):
        return None
    numbers = {one: found[0] for one in fits if (found := PLAIN.search(one))}
    if _are_codes(set(numbers.values()), names) or (is_told and len(numbers) < _LEAST):
        return None
    kinds = ValueKind.COUNT, ValueKind.NUMBER
    kind = next((kind for kind in kinds if _are_read(numbers, kind)), None)
    return ColumnForm(kind, pattern) if kind else None


def _may_stand_around(before: str, after: str) -> bool:
    """Whether a number may stand between these, and not what is written with one: a
    name ("Line 5", "No. 5"), part of a word, a time, a quantity."""
    is_mark = re.fullmatch(SCALED, after) is not None
    is_name = re.search(r"[^\W\d_]\.?\s*$", before) and not is_mark
    is_part = re.search(r"\d[^\s\d]$|[-−–.]$", before) or re.match(r"[^\s\d/]\d", after)
    is_glued = after[:1].isupper() or after[:1].islower()
    first = next(iter(re.findall(r"[^\W\d_]+", after.casefold())), "")
    is_time = any(first[: len(first) - n] in PERIODS for n in range(ENDING) if first)
    has_more = any(map(str.isdigit, after)) and not is_mark
    is_unit = unit_of(after.strip(" .")) is not None
    return not (is_name or is_part or is_glued or is_time or has_more or is_unit)


def _are_codes(numbers: Collection[str], names: Collection[str]) -> bool:
    """Whether what is written in digits is no number."""
    words = {word for name in names for word in name.split("_")}
    return bool(words & IDENTIFIERS) or any(map(_CODE.match, numbers))


def _are_read(numbers: Mapping[str, str], kind: ValueKind) -> bool:
    """Whether the kind reads the number of each text, and no other word of it."""
    read = NORMAL_FORMS[kind]
    return all(
        read(text, text, "") == read(number, number, "") != (None,)
        for text, number in numbers.items()
    )


def common_label(texts: Sequence[str]) -> str:
    """The label that nearly all texts begin with: some words and a colon; else "".

    What has several is a passage.
    """
    heads = Counter(found[0] for text in texts if (found := _LABEL.match(text)))
    label, count = heads.most_common(1)[0] if heads else ("", 0)
    rests = [one.removeprefix(label) for one in texts if one.startswith(label)]
    is_alone = 2 * sum(_LABEL.search(one) is not None for one in rests) < len(rests)
    is_one = count >= _NEARLY_ALL * len(texts) and len(set(rests)) >= _LEAST
    return (
        label if is_one and is_alone and len(label.split()) <= LABEL_WORDS + 1 else ""
    )


def label_before(text: str) -> str:
    """The label that a text begins with, and more; else ""."""
    found = _LABEL.match(text)
    is_label = found and len(found[0].split()) <= LABEL_WORDS + 1
    return found[0] if found and is_label and found[0] != text else ""


def _exactly(words: str) -> str:
    """A pattern for words as they are."""
    return re.escape(words).replace(r"\ ", r"\s")


def _inflected(words: str) -> str:
    """A pattern for words in any of their forms: one comment, many comments.

    Of many, "km from the centre of Oxford", the first tell what the number is, and
    others may stand behind them on another page.
    """
    parts = _WORD.findall(words)
    spoken = [at for at, one in enumerate(parts) if one.isalpha()]
    if len(spoken) > MANY_WORDS:
        return _inflected("".join(parts[: spoken[TELLING] + 1])) + r"\b\D*"
    return "".join(
        rf"{one[: max(STEM, len(one) - ENDING)]}[^\W\d_]{{0,{2 * ENDING}}}"
        if one.isalpha() and len(one) >= STEM
        else _exactly(one)
        for one in parts
    )
