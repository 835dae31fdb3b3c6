"""Drop columns whose texts are labels of the values beside them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Final

from amber_wrap.annotate.element_labels import label_in, label_of
from amber_wrap.annotate.labels_and_titles import COLONS, name_words
from amber_wrap.annotate.spoken_texts import is_spoken
from amber_wrap.columns.cells import Cell, RecordKey, RecordTexts
from amber_wrap.columns.naming.chosen_names import has_own_name
from amber_wrap.columns.thresholds import COLUMN
from amber_wrap.dom.page import OWN_TEXT, TEXT
from amber_wrap.values.texts import squeeze

IS_LABEL: Final = "it is the label of another column"
"""The reason, in words for the user, why a column of labels such as "Price:" is
dropped."""


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
        if reason == IS_LABEL
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


def is_label_column(
    column: Sequence[Cell],
    varied_records: Collection[Collection[RecordKey]],
    known_texts: Sequence[RecordTexts],
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


def _is_beside_value(cell: Cell, known_texts: Sequence[RecordTexts]) -> bool:
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
