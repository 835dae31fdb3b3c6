"""Drop columns without data, such as forms and words that all records have."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Final

from amber_wrap.annotate.spoken_texts import is_spoken
from amber_wrap.annotate.table_headers import header_above
from amber_wrap.columns.buttons_and_action_links import (
    are_button_links,
    are_links_for_actions,
    element_and_ancestors,
    is_in_button,
    leads_nowhere,
)
from amber_wrap.columns.cells import (
    Cell,
    RecordKey,
    RecordTexts,
    cells_by_record,
    nodes_with_same_text,
)
from amber_wrap.columns.duplicates import adds_only_words
from amber_wrap.columns.elements_with_texts import displayed_values, is_price_level
from amber_wrap.columns.former_prices import is_former_price
from amber_wrap.columns.label_columns import IS_LABEL, is_label_column, is_one_word
from amber_wrap.columns.naming.forms_of_texts import is_scale
from amber_wrap.columns.page_numbers import are_page_numbers
from amber_wrap.columns.thresholds import COLUMN
from amber_wrap.columns.words_around_values import particles
from amber_wrap.dom.page import ITEM_PROPERTY
from amber_wrap.selectors.area_groups import AreaGroup
from amber_wrap.values.numbers_and_prices import money
from amber_wrap.values.texts import squeeze

_LABEL: Final = re.compile(r"[^\W\d_]{4}")
"""A regular expression for four letters in a row, which show that an amount has a
label, such as "deposit". Currency codes such as "EUR" have fewer letters."""

FORM_TAGS: Final = frozenset({"form", "label"})
"""The tags of elements whose texts belong to controls."""


def boilerplate_reason(column: Sequence[Cell], record_count: int) -> str:
    """Return the reason why a column isn't data, or "" if it is data.

    For example, a button isn't data, and neither is a text that is the same in all of
    the `record_count` records.
    """
    texts = {cell.text for cell in column}
    text = column[0].text
    if len(texts) == 1 and (text.casefold() in particles() or is_scale(text)):
        return "it only belongs to another value"
    if len(texts) == 1 and all(map(leads_nowhere, column)):
        return "it is a link that leads to no page"
    if sum(map(is_in_button, column)) > len(column) / 2:
        are_counts = len(texts) > 1 and all(text[:1].isdigit() for text in texts)
        is_name = all(is_spoken(cell.page, cell.node) for cell in column)
        is_data = are_counts or (len(texts) > len(column) / 2 and not is_name)
        return "" if is_data else "it is a button"
    if are_page_numbers(column):
        return "it is a link to another page of the record"
    if are_links_for_actions(column):
        if len(texts) <= max(1, COLUMN.most_action_texts * len(column)):
            return "it is a link with the same text in all records"
        if are_button_links(column):
            return "it is a link in the form of a button"
    is_in_all_records = len(column) >= COLUMN.nearly_all * record_count
    # Currency signs alone are no data, even if only some records show them.
    may_be_constant = is_in_all_records or is_price_level(text)
    is_declared = _is_microdata(column[0]) or _has_header(column[0])
    if is_one_word(texts) and may_be_constant and not is_declared:
        return "all records have the same text"
    return ""


def _is_microdata(cell: Cell) -> bool:
    """Return whether the element of a record's text, or an ancestor within the record,
    has an `itemprop`."""
    return any(
        ITEM_PROPERTY in cell.page.attributes[node]
        for node in element_and_ancestors(cell)
    )


def _has_header(cell: Cell) -> bool:
    """Return whether a record's text is the whole text of a `td` below a table header.

    Return False for a text without letters and digits, and for a text in a form or in a
    control's label. Also return False for a link that opens no page.
    """
    return (
        bool(squeeze(cell.text))
        and not _is_in_form(cell)
        and not leads_nowhere(cell)
        and any(
            cell.page.tag[node] != "th" and header_above(cell.page, node)
            for node in nodes_with_same_text(cell.page, cell.node)
        )
    )


def _is_in_form(cell: Cell) -> bool:
    """Return whether a record's text is within a form, or within the label of a
    control."""
    return any(cell.page.tag[node] in FORM_TAGS for node in element_and_ancestors(cell))


def redundant_columns(
    columns: Sequence[list[Cell]], group: AreaGroup
) -> dict[int, str]:
    """Return a dict from the index of each redundant column to the reason, as a text
    for the user.

    A column is redundant if it repeats other values, or holds the labels of another
    column.
    """
    texts_by_type: dict[str, RecordTexts] = defaultdict(dict)
    cells_by_type: dict[str, dict[RecordKey, Cell]] = defaultdict(dict)
    for page, start, attributes in group.attributes():
        for name, text in displayed_values(attributes):
            texts_by_type[name][page, start] = squeeze(text)
        for attribute in attributes:
            if attribute.text:
                cell = Cell(page, start, attribute.node, attribute.text)
                cells_by_type[attribute.type][page, start] = cell
    known_texts = list(texts_by_type.values())
    former_prices = [column for column in columns if is_former_price(column)]
    known_amounts = [
        (len(former), {**cells, **cells_by_record(former)})
        for cells in cells_by_type.values()
        for former in former_prices
    ]
    reasons: dict[int, str] = {}
    for index, column in enumerate(columns):
        texts = _texts_by_record(column)
        copies = filter(None, (texts, _spoken_numbers(column)))
        if (
            any(_has_texts_of(*it) for it in product(copies, known_texts))
            or any(
                _has_amounts_of(column, cells) or adds_only_words(column, cells)
                for cells in cells_by_type.values()
            )
            or any(
                _has_amounts_of(column, cells)
                for former_count, cells in known_amounts
                if former_count < len(column)
            )
        ):
            reasons[index] = "another column has the same values"
        else:
            known_texts.append(texts)
    varied_records = {
        frozenset(texts) for texts in known_texts if len(set(texts.values())) > 1
    }
    for index, column in enumerate(columns):
        if index not in reasons and is_label_column(
            column, varied_records, known_texts
        ):
            reasons[index] = IS_LABEL
    return reasons


def _texts_by_record(column: Sequence[Cell]) -> RecordTexts:
    """Return the letters and digits of each text in a column, by record.

    A text of punctuation alone is returned unchanged.
    """
    return {cell.record: squeeze(cell.text) or cell.text for cell in column}


def _spoken_numbers(column: Sequence[Cell]) -> RecordTexts:
    """Return the digits of a column's texts by record, such as "1204" for "1204
    reviews".

    Return {} unless all texts are for screen readers only.
    """
    cells = column if all(is_spoken(it.page, it.node) for it in column) else []
    return {cell.record: "".join(filter(str.isdigit, cell.text)) for cell in cells}


def _has_amounts_of(column: Sequence[Cell], known: Mapping[RecordKey, Cell]) -> bool:
    """Return whether nearly all texts of a column repeat the amount of money that
    `known` has for the same record.

    The amounts must be in other elements. A text may add words such as "from", but no
    label such as "deposit".
    """
    same = 0
    for cell in column:
        other = known.get(cell.record)
        words = cell.text.split()
        text = " ".join(word for word in words if word.casefold() not in particles())
        paid = money(text)[:2]
        if other is None or None in paid or _LABEL.search(text):
            continue
        is_elsewhere = cell.part or not cell.page.are_nested(cell.node, other.node)
        if is_elsewhere and money(other.text)[:2] == paid:
            same += 1
    return same >= COLUMN.nearly_all * len(column)


def _has_texts_of(texts: RecordTexts, known: RecordTexts) -> bool:
    """Return whether, in nearly all records, the text of a column equals the text that
    `known` has for the record."""
    same = sum(known.get(record) == text for record, text in texts.items())
    return same >= COLUMN.nearly_all * len(texts)
