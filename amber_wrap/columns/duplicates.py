"""Drop columns that repeat other columns.

The texts of a dropped column equal texts, or parts of texts, of another column, or
combine texts of several columns.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Final

from amber_wrap.annotate.labels_and_titles import COLONS
from amber_wrap.annotate.spoken_texts import is_spoken
from amber_wrap.columns.cells import LINK, Cell, RecordKey
from amber_wrap.columns.date_parts import without_date_parts
from amber_wrap.columns.naming.forms_of_texts import are_ranks, is_clock
from amber_wrap.columns.naming.labels_and_nouns import LABEL_BEFORE
from amber_wrap.columns.naming.names_in_headers import headers_of
from amber_wrap.columns.naming.usual_fields import usual_field
from amber_wrap.columns.spaced_texts import (
    SpacedTexts,
    contains_texts,
    spaced_words,
    texts_by_record,
    without_parts,
)
from amber_wrap.columns.thresholds import COLUMN
from amber_wrap.columns.value_kinds import has_unit, is_date
from amber_wrap.columns.words_around_values import (
    particles,
    with_prices,
)
from amber_wrap.dom.displayed_texts import INLINE
from amber_wrap.dom.page import LISTS, OWN_TEXT, TEXT, NodeId
from amber_wrap.values.dates import differ_beside_dates
from amber_wrap.values.numbers_and_prices import PERIODS, RATES
from amber_wrap.values.texts import DIGIT

SINGULAR_AND_PLURAL: Final = 2
"""The greatest number of different texts that still count as one label: a singular and
a plural, such as "comment" and "comments"."""
_WORD: Final = re.compile(r"[^\W\d_]{2,}")
"""A regular expression for a word of at least two letters."""
_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)?")
"""A regular expression for a number without a currency or unit. Another column may show
the same number with words."""


def without_repetitions(
    columns: Sequence[list[Cell]],
    texts_by_type: Mapping[str, SpacedTexts],
    dates: Collection[str],
    is_named: Callable[[Sequence[Cell]], bool],
) -> list[list[Cell]]:
    """Drop the columns that repeat texts of other columns or known values.

    Return the other columns. A column whose texts are parts of longer texts is kept if
    `is_named` returns True for the column. `texts_by_type` has the texts of known
    values by type, such as "price", and by record. `dates` has the names of the types
    of dates.
    """
    remaining = without_date_parts(columns, [texts_by_type[name] for name in dates])
    remaining = _without_composed(remaining, texts_by_type)
    known = {
        (record, words)
        for texts in texts_by_type.values()
        for record, words in texts.items()
    }
    remaining = [_own_texts_only(column, remaining, known) for column in remaining]
    remaining = _without_composed(remaining, texts_by_type)
    texts = list(map(texts_by_record, remaining))
    kept_indexes = list(range(len(remaining)))
    for index in list(kept_indexes):
        larger_columns = [
            texts[other]
            for other in kept_indexes
            if _is_larger(other, index, texts)
            and _are_nested(remaining[other], remaining[index])
        ]
        is_part = any(
            contains_texts(whole, texts[index])
            for whole in (*texts_by_type.values(), *larger_columns)
        )
        if is_part and not is_named(remaining[index]):
            kept_indexes.remove(index)
    return _without_stand_ins([remaining[index] for index in kept_indexes])


def _without_stand_ins(columns: Sequence[list[Cell]]) -> list[list[Cell]]:
    """Return the columns without those that show a constant text in place of a link.

    For example, records without a link may show "Not available" in the table column in
    which other records have a link.
    """
    headers = [next(headers_of(column[0]), "") for column in columns]
    records = [{cell.record for cell in column} for column in columns]
    links = [index for index, column in enumerate(columns) if column[0].source == LINK]

    def is_stand_in(index: int) -> bool:
        is_constant = len({cell.text for cell in columns[index]}) == 1
        return is_constant and any(
            headers[index] == headers[link] != ""
            and records[index].isdisjoint(records[link])
            for link in links
        )

    return [column for index, column in enumerate(columns) if not is_stand_in(index)]


def _without_composed(
    columns: Sequence[list[Cell]], texts_by_type: Mapping[str, SpacedTexts]
) -> list[list[Cell]]:
    """Return the columns without those that only combine texts of other columns or
    known values.

    For example, "Price: £9" is dropped beside "£9".
    """
    texts = list(map(texts_by_record, columns))
    kept_indexes = list(range(len(columns)))
    for index, column in enumerate(columns):
        other_indexes = [other for other in kept_indexes if other != index]
        other_texts = [
            *texts_by_type.values(),
            *(texts[other] for other in other_indexes),
        ]
        list_texts = [
            texts[other] for other in kept_indexes if columns[other][0].source in LISTS
        ]
        if _is_composed(with_prices(column), other_texts) or _shows_list(
            texts[index], list_texts
        ):
            kept_indexes.remove(index)
    return [columns[index] for index in kept_indexes]


def adds_only_words(column: Sequence[Cell], known: Mapping[RecordKey, Cell]) -> bool:
    """Return whether the texts of a column only add constant words to the numbers in
    `known`, as in "Rated 4.5 of 5 stars".

    Nearly all records must have the same words.
    """
    if _adds_only_periods(column, known):
        return True
    numbers: set[str] = set()
    rests: Counter[str] = Counter()
    for cell in column:
        value = known.get(cell.record)
        if value and cell.page.contains(cell.node, value.node):
            before, _, after = cell.text.partition(value.text)
            if _NUMBER.fullmatch(value.text) and value.text in cell.text:
                numbers.add(value.text)
                rests[f"{before} {after}"] += 1
    usual = max(rests.values(), default=0)
    return len(numbers) > 1 and usual >= COLUMN.nearly_all * len(column)


def _adds_only_periods(column: Sequence[Cell], known: Mapping[RecordKey, Cell]) -> bool:
    """Return whether the texts of a column only add a period of time to the amounts in
    `known`, as in "from £9 a night"."""
    period_words = PERIODS.keys() | RATES.keys() | particles()
    periods = 0
    for cell in column:
        value = known.get(cell.record)
        if value and cell.page.contains(cell.node, value.node):
            rest = cell.text.replace(value.text, " ", 1).casefold()
            words = _WORD.findall(rest)
            if (
                words
                and rest != cell.text.casefold()
                and not DIGIT.search(rest)  # "to £15 an hour" adds an amount.
                and period_words.issuperset(words)
            ):
                periods += 1
    return periods >= COLUMN.nearly_all * len(column)


def _is_larger(index: int, other: int, texts: Sequence[SpacedTexts]) -> bool:
    """Return whether the column at index `index` has more characters than the column at
    index `other`.

    If both have the same number of characters, return whether `index` is lower.
    """
    length = sum(map(len, texts[index].values()))
    other_length = sum(map(len, texts[other].values()))
    return (length, -index) > (other_length, -other)


def _are_nested(column: Sequence[Cell], other: Sequence[Cell]) -> bool:
    """Return whether, in at least one record, the element of one column contains the
    element of the other column.
    """
    cells = {cell.record: cell for cell in column}
    return any(
        (cell := cells.get(other_cell.record)) is not None
        and cell.page.are_nested(cell.node, other_cell.node)
        for other_cell in other
    )


def _is_composed(column: Sequence[Cell], others: Sequence[SpacedTexts]) -> bool:
    """Return whether the texts of `column` only combine texts of `others`, in nearly
    all records.

    Each of the `others` has the texts of one column by record. The texts of `column`
    may also have a label, a time, or a word beside a date.
    """
    whole = texts_by_record(column)
    are_spoken = all(is_spoken(cell.page, cell.node) for cell in column)
    parts = [other for other in others if are_spoken or _is_covered(whole, other)]
    is_single_part = len({frozenset(part.items()) for part in parts}) == 1
    are_labels = not differ_beside_dates(cell.text for cell in column)
    beside_date = 0
    numbers: list[Cell] = []
    rests: Counter[str] = Counter()
    for cell in column:
        texts = [part[cell.record] for part in parts if cell.record in part]
        repeated = [text for text in texts if text in whole[cell.record]]
        if repeated:
            rest = without_parts(whole[cell.record], repeated)
            is_label = _is_label_before(cell.text, rest) or (
                is_single_part and _is_label(cell.text, rest)
            )
            has_words = any(map(str.isalpha, "".join(repeated)))
            if is_single_part and has_words and rest.strip().isdecimal():
                numbers.append(replace(cell, text=rest.strip()))
            if not rest.strip() or is_label or are_spoken:
                rests[rest] += 1
            if is_clock(rest) or (are_labels and _is_beside_date(cell.text, rest)):
                beside_date += 1
    with_label = sum(count for _, count in rests.most_common(SINGULAR_AND_PLURAL))
    numbered = len(numbers) if are_ranks(numbers) else 0
    return max(with_label, beside_date, numbered) >= COLUMN.nearly_all * len(column)


def _shows_list(whole: SpacedTexts, lists: Sequence[SpacedTexts]) -> bool:
    """Return whether the texts of `whole` are lists of another column, with constant
    words added.

    For example, "Tags: red, blue" adds "Tags" to "red, blue". Each item of `lists` has
    the lists of one column by record.
    """
    for items in lists:
        if items is whole or not _is_covered(whole, items):
            continue
        rests = {
            without_parts(text, [items.get(record, "")])
            for record, text in whole.items()
        }
        if len(rests) == 1:
            return True
    return False


def _is_label(text: str, rest: str) -> bool:
    """Return whether `rest` is a label in `text`, such as "comments" in "12 comments".

    Any words beside a date count as a label.
    """
    return _is_label_before(text, rest) or bool(usual_field(rest)) or is_date(text)


def _is_label_before(text: str, rest: str) -> bool:
    """Return whether a text begins with `rest` and a colon."""
    label = LABEL_BEFORE.match(text)
    return label is not None and spaced_words(label[1]) == spaced_words(rest)


def _is_beside_date(text: str, rest: str) -> bool:
    """Return whether `rest` is one word beside the date in a text, such as "Mon" in
    "Mon, 9 May 2026".
    """
    return rest.strip().isalpha() and is_date(text)


def _is_covered(whole: SpacedTexts, part: SpacedTexts) -> bool:
    """Return whether nearly all texts of `whole` contain the text of `part` in the same
    record.

    Both arguments have texts by record.
    """
    common = [record for record in part if record in whole]
    contained = sum(part[record] in whole[record] for record in common)
    return contained >= COLUMN.nearly_all * len(whole)


def _own_texts_only(
    column: list[Cell],
    columns: Sequence[Sequence[Cell]],
    known: Collection[tuple[RecordKey, str]],
) -> list[Cell]:
    """Return a column with only the texts that are directly in its elements.

    Return the column unchanged unless `columns` or `known` have the texts of the child
    elements. `known` has pairs of a record and the text of a known value.
    """
    other_texts = {
        (cell.record, cell.text)
        for other in columns
        if other is not column
        for cell in other
    }
    read_elsewhere = {
        (cell.page, cell.node)
        for other in columns
        if other is not column
        for cell in other
        if cell.source == TEXT
    }

    def children_with_text(cell: Cell) -> list[NodeId]:
        """Return the children of the cell's element that contain text."""
        children = cell.page.child_elements(cell.node)
        return [child for child in children if cell.page.text_length(child)]

    link_texts = Counter(
        cell.page.string(child)
        for cell in column
        for child in children_with_text(cell)
        if cell.page.tag[child] == "a"
    )
    actions = {text for text, count in link_texts.items() if 2 * count > len(column)}

    def is_known_block(cell: Cell, child: NodeId) -> bool:
        """Return whether a child element is a block that holds a value in `known`."""
        page = cell.page
        words = spaced_words(page.string(child))
        return page.tag[child] not in INLINE and (cell.record, words) in known

    def own_text(cell: Cell) -> str:
        """Return the text of an element without the texts of its child elements.

        Return "" if a child element divides the text, or has a text that no other
        column has.
        """
        text = cell.page.source_text(cell.node, OWN_TEXT)
        # "Acme" begins the sentence "Acme is looking for a weaver".
        is_sentence = text[:1].islower()
        if any(
            cell.page.string(child) not in actions
            and (cell.page, child) not in read_elsewhere
            and not is_known_block(cell, child)
            and (
                is_sentence
                or (cell.record, cell.page.source_text(child, TEXT)) not in other_texts
            )
            for child in children_with_text(cell)
        ):
            return ""
        return text if text in cell.text else ""  # Not two texts around a child.

    children = list(map(children_with_text, column))
    with_children = sum(map(bool, children))
    tags = {
        cell.page.tag[child]
        for cell, nodes in zip(column, children, strict=True)
        for child in nodes
    }
    # Few texts may have a badge, but not the paragraphs of a description.
    least = 1 if INLINE.issuperset(tags) else len(column) // 2 + 1
    own_texts = [own_text(cell) for cell in column if cell.source == TEXT]
    with_own_text = sum(map(bool, own_texts))
    forms, are_counts = len(set(own_texts)), all(it.text[:1].isdigit() for it in column)
    are_labels = any(text.endswith(COLONS) for text in own_texts) or (
        2 * forms < len(own_texts) if are_counts else forms <= SINGULAR_AND_PLURAL
    )
    if with_children < least or with_own_text < len(column) or are_labels:
        return column
    if 2 * sum(has_unit(cell.text) for cell in column) > len(column):
        return column
    return [
        replace(cell, text=text, source=OWN_TEXT)
        for cell, text in zip(column, own_texts, strict=True)
    ]
