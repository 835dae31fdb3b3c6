"""Find labels and separators around the values in texts. Recognise the texts that stand
for a missing value, such as "N/A".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from functools import cache
from importlib.resources import files
from typing import Final

from amber_wrap.annotate.labels_and_titles import COLONS
from amber_wrap.annotate.thresholds import ANNOTATION
from amber_wrap.columns.cells import Cell, nodes_with_same_text
from amber_wrap.columns.thresholds import COLUMN

_LEADING: Final = re.compile(r"([-–—,;|>»/])\s+(?=\S)")
"""A regular expression for a separator at the start of a text, such as a dash. The
separator is no part of the value."""
TRAILING: Final = re.compile(r"(?<=\S)(?:\s*([,;|])|\s([-–—/:]))$")
"""A regular expression for a separator at the end of a text, such as a comma. A colon
must stand apart, as in "London :"."""
COMMAS: Final = ",;،、，"
"""Commas and similar signs of several scripts. They separate the items of lists, and
never end a value."""
_LABEL: Final = re.compile(rf"[^\W\d_][^\d{''.join(COLONS)}]*[{''.join(COLONS)}](?!/)")
"""A regular expression for a label with its colon at the start of a text."""
_PHRASE: Final = re.compile(rf"[^\W\d_][^{''.join(COLONS)}]*[{''.join(COLONS)}](?=\s)")
"""A regular expression for a label that may contain numbers, at the start of a text:
"Least in 30 days:"."""


@cache
def lines_of(file_name: str) -> frozenset[str]:
    """Return the lines of a file in the folder `columns/data`, without comments."""
    path = files(__package__).joinpath("data", file_name)
    lines = path.read_text("utf-8").splitlines()
    return frozenset(line for line in lines if line and not line.startswith("#"))


@cache
def particles() -> frozenset[str]:
    """Return prepositions, conjunctions and articles of many languages."""
    return frozenset(
        word for line in lines_of("particles.txt") for word in line.split()
    )


def stands_for_no_value(text: str) -> bool:
    """Return whether a text says that there is no value, such as "N/A"."""
    return text.casefold() in lines_of("no_values.txt")


def stands_for_no_price(text: str) -> bool:
    """Return whether a text in place of a price has no amount, such as "Free" or "On
    request"."""
    return text.casefold().strip(" .!*") in lines_of("no_prices.txt")


def pattern_without_separators(texts: Collection[str]) -> str:
    """Return a regular expression that finds texts without separators, such as "Ann
    Poe" in ", Ann Poe".

    Return "" if few texts have a separator at the start or at the end.
    """
    leading = [match[1] for text in texts if (match := _LEADING.match(text))]
    trailing = [
        match[1] or match[2] for text in texts if (match := TRAILING.search(text))
    ]
    before, after = "", ""
    if 2 * len(leading) > len(texts):
        before = rf"(?:{_any_of(leading)}\s+)?"
    # Several commas at ends come from lists behind the values.
    least = COLUMN.least_records
    are_of_lists = len(trailing) >= least and set(COMMAS).issuperset(trailing)
    if are_of_lists or 2 * len(trailing) > len(texts):
        after = rf"(?:\s*{_any_of(trailing)})*"
    return rf"^{before}(?P<value>.*?\w.*?){after}$" if before or after else ""


def _any_of(signs: Collection[str]) -> str:
    """Return a regular expression that matches any one of the characters in `signs`."""
    return f"[{''.join(map(re.escape, sorted(set(signs))))}]"


def common_label(texts: Sequence[str]) -> str:
    """Return the label that nearly all texts begin with, such as "Rooms:", or ""."""
    label = _common_start(_LABEL, texts)
    return label if _is_short(label) else _common_start(_PHRASE, texts)


def _common_start(pattern: re.Pattern[str], texts: Sequence[str]) -> str:
    """Return the label that nearly all texts begin with, such as "Rooms:", or "".

    `pattern` matches possible labels. Return "" also if few different texts follow the
    label, or if half of these texts contain another label.
    """
    starts = Counter(match[0] for text in texts if (match := pattern.match(text)))
    if not starts:
        return ""
    [(start, count)] = starts.most_common(1)
    rests = [text.removeprefix(start) for text in texts if text.startswith(start)]
    with_further_label = sum(_LABEL.search(rest) is not None for rest in rests)
    is_only_label = 2 * with_further_label < len(rests)
    is_common = count >= COLUMN.nearly_all * len(texts)
    is_varied = len(set(rests)) >= COLUMN.least_records
    return start if is_common and is_varied and is_only_label else ""


def label_before(text: str) -> str:
    """Return the label at the start of a text with its colon, for example `Rooms:` for
    `Rooms: 3`.

    Return "" if the text has no label, or nothing behind the label.
    """
    match = _LABEL.match(text)
    if match is None or match[0] == text or not _is_short(match[0]):
        return ""
    return match[0]


def _is_short(label: str) -> bool:
    """Return whether a label has at least one word, and few words."""
    return 0 < len(label.split()) <= ANNOTATION.most_label_words + 1


def has_words_before(cell: Cell) -> bool:
    """Return whether words are directly before an element, such as "Updated" in
    `Updated <i>2 May</i>`."""
    page = cell.page
    *_, outer = nodes_with_same_text(page, cell.node)
    before = [child for child in page.children(page.parent[outer]) if child < outer]
    is_text = bool(before) and page.is_text(before[-1])
    return is_text and any(map(str.isalpha, page.text[before[-1]]))


def with_prices(column: Sequence[Cell]) -> Sequence[Cell]:
    """Return the texts of a column without words in place of a price, such as "Free" or
    "Price: on request".

    Return the whole column if most of its texts are such words.
    """
    priced = [
        cell
        for cell in column
        if not stands_for_no_price(cell.text.removeprefix(label_before(cell.text)))
    ]
    return priced if 2 * len(priced) > len(column) else column
