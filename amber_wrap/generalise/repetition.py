"""What is said twice: columns that are, are part of, or hold what others say."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Final

from amber_wrap.dom.page import OWN_TEXT, TEXT, NodeId
from amber_wrap.generalise.column_kinds import TIME, find_date
from amber_wrap.generalise.worth import Cell
from amber_wrap.values.typed import ITEM_END

NEARLY_ALL: Final = 0.9
"""The share of a column's records in which another one says the same."""
FEW: Final = 0.1
"""The share of its records up to which what else a column says are a few words."""
MOST: Final = 3
"""Texts that are a few at most."""
TIME_OR_NUMBER: Final = re.compile(r"[\d ]+(?:[ap] ?m )?")
BETWEEN_DIGITS: Final = re.compile(r"(?<=\d) (?=\d)")
WORDS: Final = re.compile(r"\w+")
Place = tuple[int, NodeId]
"""A record, by its page and start."""
Said = Mapping[Place, str]
"""By record what is said there, as words with blanks around each."""


def words_in(text: str) -> str:
    """The words of a text in lower case, else its signs, with blanks around each."""
    plain = text.replace(ITEM_END, " ").casefold()
    return f" {' '.join(WORDS.findall(plain) or plain.split())} "


def said_in(column: Sequence[Cell]) -> Said:
    """What a column says, by record."""
    return {(id(one.page), one.start): words_in(one.text) for one in column}


def unrepeated(
    columns: Sequence[list[Cell]],
    typed: Mapping[str, Said],
    dates: Collection[str],
    is_named: Callable[[Sequence[Cell]], bool],
) -> list[list[Cell]]:
    """The columns without what is said twice, those of `typed` and of each other.

    Of what holds another one and a label, the other one stays; of what holds more, both
    do, if the part has a name of its own; numbers in dates go in any case.
    """
    found = _dated_left_out(columns, [typed[name] for name in dates])
    found = _composed_left_out(found, typed)
    found = [_own(column, found) for column in found]
    found = _composed_left_out(found, typed)
    said = list(map(said_in, found))
    kept = list(range(len(found)))
    for at in list(kept):
        wholes = [said[one] for one in kept if _is_larger(one, at, said)]
        is_part = any(_holds(one, said[at]) for one in (*typed.values(), *wholes))
        if is_part and not is_named(found[at]):
            kept.remove(at)
    return [found[one] for one in kept]


def _dated_left_out(
    columns: Sequence[list[Cell]], dates: Sequence[Said]
) -> list[list[Cell]]:
    """The columns without the numbers and times of dates that are told as a whole."""
    wholes = [*dates, *(said_in(one) for one in columns if _tells_dates(one))]

    def is_part(column: Sequence[Cell]) -> bool:
        said = said_in(column)
        is_count = all(TIME_OR_NUMBER.fullmatch(one) for one in said.values())
        return is_count and any(_holds(one, said) for one in wholes)

    return [column for column in columns if not is_part(column)]


def _composed_left_out(
    columns: Sequence[list[Cell]], typed: Mapping[str, Said]
) -> list[list[Cell]]:
    """The columns without those of which others say all but a few words."""
    said = list(map(said_in, columns))
    kept = list(range(len(columns)))
    for at in range(len(columns)):
        others = [*typed.values(), *(said[one] for one in kept if one != at)]
        if _is_composed(said[at], others):
            kept.remove(at)
    return [columns[one] for one in kept]


def _tells_dates(column: Sequence[Cell]) -> bool:
    """Whether most cells hold a date; some may be of today."""
    return 2 * sum(find_date(cell.text) is not None for cell in column) > len(column)


def _is_larger(one: int, other: int, said: Sequence[Said]) -> bool:
    """Whether it says more, or the same and comes first."""
    mine, its = (sum(map(len, said[i].values())) for i in (one, other))
    return (mine, -one) > (its, -other)


def _holds(whole: Said, part: Said) -> bool:
    """Whether one says what the other does in nearly all records of that."""
    held = sum(text in whole.get(record, "") for record, text in part.items())
    return held >= NEARLY_ALL * len(part)


def _is_composed(whole: Said, parts: Sequence[Said]) -> bool:
    """Whether others say in nearly all its records what a column does, but for a few
    words that are always the same, or a time."""
    held = [one for one in parts if _is_held(whole, one)]
    if not held:
        return False
    rests: Counter[str] = Counter()
    for record, text in whole.items():
        found = [one[record] for one in held if record in one]
        rests[rest_of(text, found) if found else text] += 1
    usual = rests.most_common(max(1, min(MOST, int(FEW * len(whole)))))
    few = sum(count for rest, count in usual if not any(map(str.isdigit, rest)))
    timed = sum(n for rest, n in rests.items() if is_clock(rest))
    return max(few, timed) >= NEARLY_ALL * len(whole)


def _is_held(whole: Said, part: Said) -> bool:
    """Whether it is said in nearly all records that have both, and these are most."""
    both = [record for record in part if record in whole]
    held = sum(part[record] in whole[record] for record in both)
    return held >= NEARLY_ALL * len(whole)


def is_clock(words: str) -> bool:
    """Whether words are a time of day."""
    return bool(TIME.fullmatch(BETWEEN_DIGITS.sub(":", words.strip())))


def rest_of(text: str, parts: Sequence[str]) -> str:
    """What is left of a text without its parts, the longest first."""
    for part in sorted(parts, key=len, reverse=True):
        text = text.replace(part, " ", 1)
    return text


def _own(column: list[Cell], columns: Sequence[Sequence[Cell]]) -> list[Cell]:
    """The column without what others say of the elements within its own, if these are
    all there is in them."""
    inner = {
        (id(cell.page), cell.node)
        for other in columns
        if other is not column
        for cell in other
        if cell.source == TEXT
    }

    def parts_of(cell: Cell) -> list[NodeId]:
        children = cell.page.child_elements(cell.node)
        return [one for one in children if cell.page.text_length(one)]

    def own(cell: Cell) -> str:
        parts = parts_of(cell)
        is_apart = all((id(cell.page), one) in inner for one in parts)
        return cell.page.source_text(cell.node, OWN_TEXT) if is_apart else ""

    usual = sum(map(bool, map(parts_of, column)))
    texts = [own(cell) for cell in column if cell.source == TEXT]
    if 2 * usual <= len(column) or sum(map(bool, texts)) < len(column):
        return column
    pairs = zip(column, texts, strict=True)
    return [replace(one, text=text, source=OWN_TEXT) for one, text in pairs]
