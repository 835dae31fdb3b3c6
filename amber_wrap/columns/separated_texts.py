"""Divide texts at their separators into values, such as "Berlin | Full time | £900".

The values of one kind become a column. They are found by their index among the parts of
a text or, if some texts lack a part, by their form.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from statistics import mean
from typing import Final, NamedTuple
from unicodedata import category

from amber_wrap.annotate.labels_and_titles import in_heading
from amber_wrap.columns.cells import Cell, PartPattern
from amber_wrap.columns.divided_texts import ColumnKey
from amber_wrap.columns.elements_with_texts import CURRENCY
from amber_wrap.columns.naming.forms_of_texts import name_by_form
from amber_wrap.columns.thresholds import COLUMN
from amber_wrap.columns.value_kinds import DIVIDERS, column_form
from amber_wrap.columns.words_around_values import (
    common_label,
    label_before,
)
from amber_wrap.dom.page import OWN_TEXT, TAIL, TEXT
from amber_wrap.domain.normal_form import NORMAL_FORMS
from amber_wrap.domain.schema import FIGURES, ValueKind

_BRACKETS: Final = ("()", "[]")
"""Pairs of brackets around texts."""
_WORD, _NUMBER = re.compile(r"\w+"), re.compile(r"\d+")
"""Regular expressions for a word and for digits."""
_Texts = Sequence[str]
"""The texts of a column, or the parts of one text."""
_Part = tuple[int, str]
"""The index of a part among the parts of its text, and the part."""


class _Slot(NamedTuple):
    """A kind of part that each text of a column may have once."""

    parts: Mapping[int, _Part]
    """The parts by index of their text."""
    forms: _Texts
    """Regular expressions for the forms of the parts, or () for free text."""
    kind: ValueKind
    """The kind of the values."""
    sort: str
    """The kind in a word, such as "size", or "" for texts without a common form."""


def with_separated_values(
    columns: Mapping[ColumnKey, list[Cell]], known_counts: Mapping[ColumnKey, int]
) -> dict[ColumnKey, list[Cell]]:
    """Return the columns, with columns of texts with separators replaced by one column
    per kind of part.

    A column stays whole if more than half of its texts are known values, or if it can't
    be decided which parts are of one kind. `known_counts` has the number of known
    values for each column.
    """
    divided: dict[ColumnKey, list[Cell]] = {}
    for (place, index), column in columns.items():
        is_known = 2 * known_counts.get((place, index), 0) > len(column)
        part_columns = [] if is_known else _part_columns(column)
        if not part_columns:
            divided[place, index] = column
        for number, part_column in enumerate(part_columns):
            divided[f"{place} part {number}", index] = part_column
    return divided


def _part_columns(column: Sequence[Cell]) -> list[list[Cell]]:
    """Return the columns of the parts of a column's texts, or [] to leave it whole."""
    sources = (TEXT, OWN_TEXT, TAIL)
    if not all(cell.source in sources and not cell.label for cell in column):
        return []
    texts = [cell.text for cell in column]
    if not texts or mean(map(len, texts)) > COLUMN.longest_divided:
        return []
    is_one_value = column_form(texts).kind is not ValueKind.TEXT
    is_title = any(
        in_heading(cell.page, cell.node) or cell.page.tag[cell.node] == "a"
        for cell in column
    )
    for sign in DIVIDERS:
        divided = sum(f" {sign} " in text for text in texts)
        if divided < max(COLUMN.least_records, COLUMN.all_with_exceptions * len(texts)):
            continue
        parts_by_text = [_parts(text, sign) for text in texts]
        if max(map(len, parts_by_text)) > COLUMN.most_parts:
            continue
        parts = {part for text_parts in parts_by_text for part in text_parts}
        if is_one_value and all(any(map(str.isdigit, part)) for part in parts):
            continue  # A date and its time are one value.
        slots = _slots(parts_by_text)
        if not _are_values(slots, len(texts), is_title):
            continue
        patterns = [_pattern(slot, slots, texts, sign) for slot in slots]
        if all(patterns):
            return [
                [
                    replace(column[i], text=part, part=pattern)
                    for i, (_, part) in slot.parts.items()
                ]
                for slot, pattern in zip(slots, patterns, strict=True)
            ]
    return []


def _parts(text: str, sign: str) -> list[str]:
    """Return the parts of a text between separators, without brackets around the text.

    Separators at its ends divide nothing.
    """
    text = text[1:-1] if text[0] + text[-1] in _BRACKETS else text
    parts = map(str.strip, f" {text} ".split(f" {sign} "))
    return [part for part in parts if part]


def _slots(parts_by_text: Sequence[_Texts]) -> list[_Slot]:
    """Return the kinds of parts that the texts consist of, in the order of the parts.

    Return [] if it can't be decided which parts are of one kind.
    """
    words = {word for parts in parts_by_text for part in parts for word in part.split()}
    forms = {part: _form(part, words) for parts in parts_by_text for part in parts}
    keys: dict[str, str] = {}
    if len(set(map(len, parts_by_text))) > 1:
        keys = _keys(parts_by_text, forms)
    free = [
        [(n, part) for n, part in enumerate(parts) if part not in keys]
        for parts in parts_by_text
    ]
    placed = _placed(free)
    if len(placed) < COLUMN.nearly_all * len(parts_by_text):
        return []
    found: dict[str | int, dict[int, _Part]] = defaultdict(dict)
    for i, indexes in placed.items():
        for index, numbered in zip(indexes, free[i], strict=True):
            found[index][i] = numbered
        for n, part in enumerate(parts_by_text[i]):
            if part in keys:
                found[keys[part]][i] = n, part
    in_order = sorted(found.values(), key=lambda it: mean(n for n, _ in it.values()))
    return [_slot(parts, forms) for parts in in_order]


def _slot(parts: Mapping[int, _Part], forms: Mapping[str, str]) -> _Slot:
    """Return a slot with the given parts. `forms` has the form of each part, or ""."""
    texts = [part for _, part in parts.values()]
    slot_forms = sorted({forms[part] for part in texts})
    if "" in slot_forms or len(slot_forms) > COLUMN.most_forms:
        slot_forms = []
    form = column_form(texts)
    sort = "" if form.kind is ValueKind.TEXT else form.kind.value
    sort = name_by_form(texts) or sort or common_label(texts)
    if mean(map(len, texts)) >= COLUMN.shortest_description:
        sort = ""  # They are sentences.
    return _Slot(parts, slot_forms, form.kind, sort)


def _keys(parts_by_text: Sequence[_Texts], forms: Mapping[str, str]) -> dict[str, str]:
    """Return a key for each part that has one, equal for parts of one kind.

    The parts of several texts have the key in common, and no text has it twice.
    """
    keys = {part: name_by_form([part]) or form for part, form in forms.items()}
    keys_by_text = [
        Counter(filter(None, (keys[part] for part in parts))) for parts in parts_by_text
    ]
    counts = Counter(key for text_keys in keys_by_text for key in text_keys)
    repeated = {key for it in keys_by_text for key, times in it.items() if times > 1}
    least = COLUMN.least_repeated_share * len(parts_by_text)
    usual = {
        key
        for key, count in counts.items()
        if count >= max(COLUMN.least_records, least) and key not in repeated
    }
    keys = {part: key for part, key in keys.items() if key in usual}
    same = _alternatives(parts_by_text, keys)
    return {part: same.get(key, key) for part, key in keys.items()}


def _alternatives(
    parts_by_text: Sequence[_Texts], keys: Mapping[str, str]
) -> dict[str, str]:
    """Return one key for the keys of parts that stand for each other.

    An example are "Spring 2026" and "Autumn 2027": nearly all texts have one of them,
    at the same index, and they begin with a word.
    """
    indexes: dict[str, set[int]] = defaultdict(set)
    counts: Counter[str] = Counter()
    for parts in parts_by_text:
        for n, part in enumerate(parts):
            if key := keys.get(part):
                indexes[key].add(n)
                counts[key] += part[0].isalpha()
    keys_by_index: dict[int, list[str]] = defaultdict(list)
    for key, key_indexes in indexes.items():
        if len(key_indexes) == 1 and counts[key]:
            keys_by_index[min(key_indexes)].append(key)
    return {
        key: min(group)
        for group in keys_by_index.values()
        if sum(counts[key] for key in group) >= COLUMN.nearly_all * len(parts_by_text)
        for key in group
    }


def _form(part: str, words: Collection[str]) -> str:
    """Return a regular expression for texts with other numbers than `part`, or with
    another text behind its label.

    Return "" for a part without number and label. A plural in `words` has the form of
    its singular.
    """
    if label := label_before(part):
        return f"{re.escape(label)}.+?"
    forms = (_word_form(word, words) for word in part.split())
    is_code = part[0].isalpha() and " " not in part  # Such as "PG-13" beside "PG".
    has_number = any(map(str.isdigit, part))
    return " ".join(forms) if has_number and not is_code else ""


def _word_form(word: str, words: Iterable[str]) -> str:
    """Return a regular expression for a word and its plural, or for any number in its
    place."""
    if any(map(str.isdigit, word)):
        signs = [re.escape(sign) for sign in word if category(sign) == CURRENCY]
        return rf"\S*{signs[0]}\S*" if signs else r"\S*\d\S*"
    stems = [
        stem
        for stem in words
        if len(stem) >= COLUMN.shortest_stem
        and word.startswith(stem)
        and len(word) - len(stem) <= COLUMN.longest_plural_ending
    ]
    return re.escape(min(stems, key=len)) + r"\w*" if stems else re.escape(word)


def _placed(free: Sequence[Sequence[_Part]]) -> dict[int, Sequence[int]]:
    """Return the indexes of slots for the free parts of each text, by its index.

    A text that lacks a part is left out unless the words of its parts show which one.
    """
    most = max(map(len, free))
    vocabulary: dict[int, set[str]] = defaultdict(set)
    for parts in free:
        if len(parts) == most:
            for index, (_, part) in enumerate(parts):
                vocabulary[index].update(_words(part))
    placed: dict[int, Sequence[int]] = {}
    for i, parts in enumerate(free):
        ways = {
            indexes: sum(
                vocabulary[index].issuperset(_words(part))
                for index, (_, part) in zip(indexes, parts, strict=True)
            )
            for indexes in combinations(range(most), len(parts))
        }
        best = max(ways.values())
        chosen = [indexes for indexes, known in ways.items() if known == best]
        if len(chosen) == 1 and (len(ways) == 1 or best > 0):
            placed[i] = chosen[0]
    return placed


def _words(part: str) -> list[str]:
    """Return the words of a part, with zeros in place of its numbers."""
    return _WORD.findall(_NUMBER.sub("0", part))


def _are_values(slots: Sequence[_Slot], text_count: int, is_title: bool) -> bool:
    """Return whether parts are values of their own, and not parts of a name or a
    sentence.

    If the texts are titles or links, most must have a part of a certain kind.
    """
    texts_of_slots = [[part for _, part in slot.parts.values()] for slot in slots]
    varied = sum(len(set(texts)) > 1 for texts in texts_of_slots)
    if varied < 2:
        return False
    free = [
        texts
        for slot, texts in zip(slots, texts_of_slots, strict=True)
        if not slot.sort
    ]
    longest = max((mean(map(len, texts)) for texts in free), default=0)
    slots_of_text = Counter(text for texts in free for text in set(texts))
    free_texts = [text for texts in free for text in texts]
    moving = sum(slots_of_text[text] > 1 for text in free_texts)
    if moving > COLUMN.least_repeated_share * len(free_texts):
        return False  # They are items of a list, such as tags.
    if not is_title:
        return longest < COLUMN.shortest_description
    sorts = [
        slot.sort
        for slot in slots
        if slot.sort and len(slot.parts) >= COLUMN.all_with_exceptions * text_count
    ]
    is_range = not free and len(set(sorts)) == 1
    return bool(sorts) and not is_range and longest <= COLUMN.longest_label


def _pattern(
    slot: _Slot, slots: Sequence[_Slot], texts: _Texts, sign: str
) -> PartPattern | None:
    """Return an expression that finds exactly the parts of a slot in the texts, or
    None."""
    read = NORMAL_FORMS[slot.kind]

    def is_right(pattern: PartPattern) -> bool:
        """Return whether a pattern finds the right part, or none, in each text."""
        regex = re.compile(pattern())
        for i, text in enumerate(texts):
            match, (_, part) = regex.search(text), slot.parts.get(i, (0, ""))
            if (match["value"] if match else "") != part:
                return False
            if match and read(part, match[0], "") != read(part, part, ""):
                return False
        return True

    return next(filter(is_right, _patterns(slot, slots, texts, sign)), None)


def _patterns(
    slot: _Slot, slots: Sequence[_Slot], texts: _Texts, sign: str
) -> Iterator[PartPattern]:
    """Yield expressions that may find the parts of a slot in texts, the simplest
    first."""
    escaped = re.escape(sign)
    between, start, end = f" {escaped} ", "^", f"(?: {escaped} |$)"
    if any(text.startswith(f"{sign} ") for text in texts):
        start = f"^(?:{escaped} )?"
    if any(text.endswith(f" {sign}") for text in texts):
        end = f"(?: {escaped}(?: |$)|$)"
    if any(text[0] + text[-1] in _BRACKETS for text in texts):
        start, end = r"^[(\[]?", f"(?: {escaped} |[)\\]]?$)"
    one = f".+?{between}"
    first = f"(?:{start}|{between})"
    by_form = PartPattern(first, end, "|".join(slot.forms))
    is_number = slot.kind in (*FIGURES, ValueKind.QUANTITY)
    if is_number and slot.forms:
        yield by_form
    before = {n for n, _ in slot.parts.values()}
    behind = {len(_parts(texts[i], sign)) - n - 1 for i, (n, _) in slot.parts.items()}
    after = f"{between}.+?" * min(behind)
    if len(before) == 1:
        yield PartPattern(start + one * min(before), end)
    if len(behind) == 1:
        yield PartPattern(f"{start}(?:.+{between})?", after + end)
    if len(before) == 1:
        yield PartPattern(start + one * min(before), after + end)
    if slot.forms:
        yield by_form
    others = "|".join(form for it in slots if it is not slot for form in it.forms)
    if others:
        skipped = f"(?:(?:{others}){between})*"
        guard = f"(?!(?:{others}){end})"
        yield PartPattern(f"{first}{guard}", end)
        for n in range(1, len(slots)):
            yield PartPattern(start + skipped + f"{one}{skipped}" * n + guard, end)
    terms = Counter(part for _, part in slot.parts.values())
    if len(terms) <= COLUMN.most_forms and min(terms.values()) > 1:
        yield PartPattern(first, end, "|".join(map(re.escape, sorted(terms))))
