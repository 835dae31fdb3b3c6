"""Drop columns without data, such as buttons."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Final

from amber_wrap.annotate.headers import header_above
from amber_wrap.annotate.labels_and_titles import COLONS, name_words
from amber_wrap.annotate.names import label_in, label_of
from amber_wrap.annotate.spoken_texts import is_spoken
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
    cells_by_record,
    displayed_values,
    is_price_level,
    nodes_with_same_text,
)
from amber_wrap.columns.duplicates import adds_only_words
from amber_wrap.columns.naming.chosen_names import has_own_name
from amber_wrap.columns.naming.forms_of_texts import is_scale
from amber_wrap.columns.page_numbers import are_page_numbers
from amber_wrap.columns.prices_and_dates import is_former_price
from amber_wrap.columns.thresholds import COLUMN
from amber_wrap.columns.words_around_values import particles
from amber_wrap.dom.page import ITEM_PROPERTY, OWN_TEXT, TEXT
from amber_wrap.selectors.area_groups import AreaGroup
from amber_wrap.selectors.node_tests import squeeze
from amber_wrap.values.numbers_and_prices import money

FORM_TAGS: Final = frozenset({"form", "label"})
"""The tags of elements whose texts belong to controls."""
_LABEL: Final = re.compile(r"[^\W\d_]{4}")
"""A regular expression for four letters in a row, which show that an amount has a
label, such as "deposit". Currency codes such as "EUR" have fewer letters."""
_IS_LABEL: Final = "it is the label of another column"
"""The reason, in words for the user, why a column of labels such as "Price:" is
dropped."""
_RecordTexts = dict[RecordKey, str]
"""Texts by record, reduced to letters and digits."""


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


def is_one_word(texts: Collection[str]) -> bool:
    """Return whether all texts are equal, or the singular and plural of one word."""
    shortest = min(texts, key=len)
    return len(texts) == 1 or (
        shortest.isalpha()
        and len(shortest) >= COLUMN.shortest_stem
        and all(
            text.startswith(shortest)
            and len(text) <= len(shortest) + COLUMN.longest_plural_ending
            for text in texts
        )
    )


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
    texts_by_type: dict[str, _RecordTexts] = defaultdict(dict)
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
        if index not in reasons and _is_label_column(
            column, varied_records, known_texts
        ):
            reasons[index] = _IS_LABEL
    return reasons


def behind_labels(
    columns: Sequence[list[Cell]], reasons: Mapping[int, str]
) -> list[list[Cell]]:
    """Return the columns with labels removed from their texts: "3 m" for "Size 3 m".

    The labels are the texts of the columns that are dropped as labels. `reasons` has
    the reason why a column is dropped, by the index of the column.
    """
    labels = {
        (cell.page, cell.node)
        for index, reason in reasons.items()
        if reason == _IS_LABEL
        for cell in columns[index]
    }

    def behind_label(cell: Cell) -> Cell:
        """Return a cell without the label that a child of its element displays."""
        page = cell.page
        is_labelled = cell.source == TEXT and any(
            child == cell.node + 1
            or (is_spoken(page, child) and f" {page.string(child)}" not in cell.text)
            for child in page.child_elements(cell.node)
            if (page, child) in labels
        )
        text = page.source_text(cell.node, OWN_TEXT) if is_labelled else ""
        return replace(cell, text=text, source=OWN_TEXT) if text else cell

    return [list(map(behind_label, column)) for column in columns]


def _texts_by_record(column: Sequence[Cell]) -> _RecordTexts:
    """Return the letters and digits of each text in a column, by record.

    A text of punctuation alone is returned unchanged.
    """
    return {cell.record: squeeze(cell.text) or cell.text for cell in column}


def _spoken_numbers(column: Sequence[Cell]) -> _RecordTexts:
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


def _has_texts_of(texts: _RecordTexts, known: _RecordTexts) -> bool:
    """Return whether, in nearly all records, the text of a column equals the text that
    `known` has for the record."""
    same = sum(known.get(record) == text for record, text in texts.items())
    return same >= COLUMN.nearly_all * len(texts)


def _is_label_column(
    column: Sequence[Cell],
    varied_records: Collection[Collection[RecordKey]],
    known_texts: Sequence[_RecordTexts],
) -> bool:
    """Return whether a column holds only the label of another column, such as "Price:".

    The other column must have differing texts in exactly the same records.
    `varied_records` has the records of each column with differing texts. `known_texts`
    has the texts of each column by record.
    """
    records = frozenset(cell.record for cell in column)
    if records not in varied_records or not is_one_word({cell.text for cell in column}):
        return False
    if column[0].text.endswith(COLONS):
        return True
    is_beside_value = all(_is_beside_value(cell, known_texts) for cell in column)
    is_label = is_beside_value or all(map(_is_label_of_next, column))
    is_called_label = all(map(_is_called_label, column))
    return is_label and (is_called_label or not has_own_name(column))


def _is_called_label(cell: Cell) -> bool:
    """Return whether a text's element has a class with the word "label"."""
    tokens = cell.page.classes(cell.node)
    return any("label" in name_words(token) for token in tokens)


def _is_beside_value(cell: Cell, known_texts: Sequence[_RecordTexts]) -> bool:
    """Return whether the text of `cell` stands alone beside a value, as "Rooms" does in
    `<li><b>Rooms</b> 3</li>`.

    The parent of the cell's element must display only this text and a value in
    `known_texts`. Each item of `known_texts` has the values of one column by record.
    """
    label = squeeze(cell.text)
    shown = squeeze(cell.page.string(cell.page.parent[cell.node]))
    values = {shown, shown.removeprefix(label), shown.removesuffix(label)} - {label}
    is_number = label.isdigit()
    return not is_number and any(it.get(cell.record) in values for it in known_texts)


def _is_label_of_next(cell: Cell) -> bool:
    """Return whether a text is the label of the element or text directly behind it."""
    page, parent = cell.page, cell.page.parent[cell.node]
    following = cell.node + page.size[cell.node]
    if following >= parent + page.size[parent]:
        return False
    is_before_text = page.is_text(following)
    label = label_in(page, parent) if is_before_text else label_of(page, following)
    return label == cell.text
