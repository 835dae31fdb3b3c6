"""Collect the texts at each tag path in the records of a list as columns.

A tag path is the tags and classes from a record down to an element.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from amber_wrap.analysis.extraction_typing import Record
from amber_wrap.analysis.relative_paths import Marks
from amber_wrap.annotate.labels_and_titles import COLONS
from amber_wrap.annotate.spoken_texts import is_spoken
from amber_wrap.columns.attribute_values import attribute_columns
from amber_wrap.columns.buttons_and_action_links import are_action_links
from amber_wrap.columns.cells import Cell
from amber_wrap.columns.column_notes import ColumnNote, dropped_notes
from amber_wrap.columns.currencies_of_prices import is_part_of_number
from amber_wrap.columns.divided_texts import (
    ColumnKey,
    own_cell,
    own_text,
    own_texts_beside_children,
    texts_behind_records,
    with_lines,
)
from amber_wrap.columns.dropped_columns import boilerplate_reason, redundant_columns
from amber_wrap.columns.elements_with_texts import (
    displayed_values,
    emphasised_parts,
    leaf_elements,
    shows_content,
    squeezed_texts,
    without_glyph,
)
from amber_wrap.columns.former_prices import is_former_price
from amber_wrap.columns.group_headings import group_headings
from amber_wrap.columns.item_lists import whole_lists
from amber_wrap.columns.label_columns import behind_labels
from amber_wrap.columns.labels_beside_values import Labels, find_labels
from amber_wrap.columns.link_targets import with_link_targets
from amber_wrap.columns.outer_elements import (
    OuterElement,
    OuterElements,
    columns_to_join,
    table_column,
)
from amber_wrap.columns.separated_texts import with_separated_values
from amber_wrap.columns.thresholds import COLUMN
from amber_wrap.columns.words_around_values import with_prices
from amber_wrap.dom.displayed_texts import shows_value
from amber_wrap.dom.page import TAIL, Page
from amber_wrap.domain.schema import ValueKind
from amber_wrap.selectors.area_groups import AreaGroup
from amber_wrap.values.texts import squeeze

_HEADING: ColumnKey = ("heading", 0)
"""The key of the column of headings above records."""


class _RecordText(NamedTuple):
    """A text of a record, before the texts of all records are joined into columns."""

    key: ColumnKey
    """The key of the text's column. It has the tags and classes from the record down,
    the labels, and an index."""
    bare_place: str
    """The tags and classes from the record down. In contrast to `key`, it doesn't
    depend on icons and labels in other elements."""
    cell: Cell
    is_part: bool
    """Whether the text is an emphasised part of a longer text."""
    outer: OuterElement | None = None
    """An element around the text's element that displays only this text, or None."""


@dataclass
class _CollectedTexts:
    """The texts of all records of similar lists on the sample pages."""

    record_count: int = 0
    """The number of all records."""
    columns: dict[ColumnKey, list[Cell]] = field(
        default_factory=lambda: defaultdict(list)
    )
    known_counts: Counter[ColumnKey] = field(default_factory=Counter)
    """For each column, the number of texts that equal a value of a known type in their
    record, such as the price."""
    own_texts: dict[ColumnKey, list[Cell]] = field(
        default_factory=lambda: defaultdict(list)
    )
    """The texts directly in elements that also have child elements, by column."""
    rows: dict[str, list[list[Cell]]] = field(default_factory=lambda: defaultdict(list))
    """For each path of tags and classes, the texts of each record. Emphasised parts of
    texts are left out."""
    part_counts: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    """For each path of tags and classes, a list with the number of emphasised parts in
    each record. Records without emphasised parts are left out."""
    bare_keys: dict[ColumnKey, ColumnKey] = field(default_factory=dict)
    """For the key of each column, the key that it has if icons and labels are ignored.
    """
    outer_cells: dict[tuple[ColumnKey, ColumnKey], list[Cell]] = field(
        default_factory=lambda: defaultdict(list)
    )
    """The texts by (key of the column, key of outer elements). An outer element
    displays only the text of one element within it."""
    outer_known_counts: Counter[tuple[ColumnKey, ColumnKey]] = field(
        default_factory=Counter
    )
    """The number of the texts in `outer_cells` that equal a value of a known type in
    their record, such as the price."""


def find_text_columns(
    group: AreaGroup, types: Mapping[str, ValueKind]
) -> tuple[list[list[Cell]], list[ColumnNote]]:
    """Return the columns of similar lists on the sample pages, and messages on the
    dropped columns.

    Columns of texts come first, and columns of HTML attributes follow. `types` maps the
    name of each type of known values, such as "rent", to its kind, such as money.
    """
    unlabelled = list(group.tag_paths(labelled=False))
    texts = _collected_texts(group, types, unlabelled)
    columns, count = texts.columns, texts.record_count
    _join_lists(texts)
    _join_in_outer_elements(texts)
    for key, bare_key in _unlabelled_columns(columns, texts.bare_keys):
        columns[bare_key] += columns.pop(key)
        texts.known_counts[bare_key] += texts.known_counts[key]
    least = COLUMN.least(count)
    for key, own_cells in texts.own_texts.items():
        whole_cells = columns.get(key, [])
        if len(own_cells) >= least and all(map(own_text, whole_cells)):
            columns[key] = [*map(own_cell, whole_cells), *own_cells]

    def refusal(key: ColumnKey, column: Sequence[Cell]) -> str:
        """Return the reason why the column `key` is dropped, or "" if it is kept."""
        if len(column) < least:
            return "too few records have it"
        if not _is_regular(texts.part_counts[key[0]], count):
            return "only some records have it in an element of its own"
        if 2 * texts.known_counts[key] > len(with_prices(column)):
            return "another column has the same values"
        return boilerplate_reason(column, count)

    kept: list[list[Cell]] = []
    notes: list[ColumnNote] = []
    lines = with_lines(columns, texts.known_counts)
    for key, column in with_separated_values(lines, texts.known_counts).items():
        if not column:
            continue
        if reason := refusal(key, column):
            notes += dropped_notes([column], (), count, reason)
        else:
            kept.append(column)
    kept.sort(key=lambda it: (-len(it), is_spoken(it[0].page, it[0].node)))
    redundant = redundant_columns(kept, group)
    for index, reason in sorted(redundant.items()):
        notes += dropped_notes([kept[index]], (), count, reason)
    text_columns = [
        with_link_targets(column)
        for index, column in enumerate(behind_labels(kept, redundant))
        if index not in redundant
    ]
    html_columns = attribute_columns(group, unlabelled, text_columns, least)
    return [*text_columns, *html_columns], notes


def _collected_texts(
    group: AreaGroup, types: Mapping[str, ValueKind], unlabelled: Sequence[Marks]
) -> _CollectedTexts:
    """Return the texts of all records of similar lists by column, without parts of
    prices.

    `types` maps the name of each type of known values to its kind, such as money.
    `unlabelled` gives the tags and classes above elements, without icons and labels.
    """
    texts = _CollectedTexts()
    labelled = list(group.tag_paths())
    labels = find_labels(group, labelled)
    for (page, area), places, bare_places in zip(
        group.members, labelled, unlabelled, strict=True
    ):
        for record, attributes in zip(area.records, area.attributes, strict=True):
            texts.record_count += 1
            known = {squeeze(text) for _, text in displayed_values(attributes)}
            prices = [
                attribute
                for attribute in attributes
                if types[attribute.type] is ValueKind.MONEY
            ]
            part_counts: Counter[str] = Counter()
            row: dict[str, list[Cell]] = defaultdict(list)
            for key, bare_place, cell, is_part, outer in _record_texts(
                page, record, places, bare_places, labels[page]
            ):
                place, index = key
                texts.bare_keys[key] = bare_place, index
                if not shows_content(cell) or is_part_of_number(cell, prices):
                    continue
                texts.columns[key].append(cell)
                is_known = not known.isdisjoint(squeezed_texts(cell))
                texts.known_counts[key] += is_known
                if outer:
                    outer_cell = replace(cell, node=outer.node)
                    texts.outer_cells[key, (outer.place, 0)].append(outer_cell)
                    texts.outer_known_counts[key, (outer.place, 0)] += is_known
                if is_part:
                    part_counts[place] += 1
                else:
                    row[place].append(cell)
            for key, cell in own_texts_beside_children(page, record, places):
                texts.own_texts[key].append(cell)
            for place, part_count in part_counts.items():
                texts.part_counts[place].append(part_count)
            for place, cells in row.items():
                texts.rows[place].append(cells)
        for key, cell in texts_behind_records(page, area):
            texts.columns[key].append(cell)
        for start, node in group_headings(page, area).items():
            texts.columns[_HEADING].append(Cell(page, start, node, page.string(node)))
    return texts


def _join_lists(texts: _CollectedTexts) -> None:
    """Join the items of lists within records, such as tags, into one column, and drop
    links for actions, such as "edit".

    The columns are changed in `texts`.
    """
    lists = {place: whole_lists(rows) for place, rows in texts.rows.items()}
    actions = {place for place, rows in texts.rows.items() if are_action_links(rows)}
    for place, index in list(texts.columns):
        if place in actions:
            texts.columns[place, index] = []
        elif list_cells := lists.get(place):
            texts.columns[place, index] = list_cells if index == 0 else []
            texts.known_counts[place, index] = 0


def _join_in_outer_elements(texts: _CollectedTexts) -> None:
    """Join columns whose texts fill similar outer elements, such as table cells, in
    `texts`.

    An outer element displays only the text of an element within it.
    """
    for keys, joined in list(columns_to_join(texts.columns, texts.outer_cells)):
        for key in keys:
            texts.columns[key] = []
        for outer_key, cells in joined.items():
            texts.columns[outer_key] = cells
            texts.known_counts[outer_key] += sum(
                texts.outer_known_counts[key, outer_key] for key in keys
            )


def _is_regular(part_counts: Sequence[int], record_count: int) -> bool:
    """Return whether nearly all records have the same number of emphasised parts, or no
    record has any.

    `part_counts` has the number of emphasised parts in each record with at least one.
    `record_count` is the number of all records.
    """
    if not part_counts:
        return True
    [(_, usual)] = Counter(part_counts).most_common(1)
    return usual >= COLUMN.nearly_all * record_count


def _unlabelled_columns(
    columns: Mapping[ColumnKey, Sequence[Cell]],
    bare_keys: Mapping[ColumnKey, ColumnKey],
) -> list[tuple[ColumnKey, ColumnKey]]:
    """Return (key, bare key) for each pair of columns that hold the same field.

    The texts of the first column have icons or labels beside them, and those of the
    second column have none.
    """
    keys_by_bare: dict[ColumnKey, list[ColumnKey]] = defaultdict(list)
    for key, bare_key in bare_keys.items():
        if key != bare_key and columns[key]:
            keys_by_bare[bare_key].append(key)

    def are_one_field(key: ColumnKey, bare_key: ColumnKey) -> bool:
        """Return whether two columns hold the same field.

        This is so if both read the same part of their elements, and no record has a
        text in both.
        """
        column, bare_column = columns[key], columns.get(bare_key)
        if not bare_column or column[0].source != bare_column[0].source:
            return False
        records = {cell.record for cell in bare_column}
        return records.isdisjoint(cell.record for cell in column)

    return [
        (keys[0], bare_key)
        for bare_key, keys in keys_by_bare.items()
        if len(keys) == 1 and are_one_field(keys[0], bare_key)
    ]


def _record_texts(
    page: Page, record: Record, places: Marks, bare_places: Marks, labels: Labels
) -> Iterator[_RecordText]:
    """Yield each text of a record, without the labels in `labels`.

    `places` and `bare_places` give the tags and classes above each element. Only
    `places` also distinguishes elements by the icons and labels beside them.
    """
    paths = places.of_record(page, record.nodes)
    bare_paths = bare_places.of_record(page, record.nodes)
    outer_elements = OuterElements(page, record, places)
    seen: Counter[str] = Counter()
    for row in record.nodes:
        for node in page.elements(row):
            label = labels.tails.get(node)
            if not label:
                continue
            text = page.source_text(node, TAIL)
            if shows_value(text.lstrip("".join(COLONS))):
                place = f"{label} {places.text(paths[node])}"
                colon = text[0] if text.startswith(COLONS) else ""
                cell = Cell(page, record.start, node, text, TAIL, colon)
                yield _RecordText((place, seen[place]), place, cell, False)
                seen[place] += 1
        for leaf in leaf_elements(page, row):
            if leaf in labels.split:
                continue
            for node in (leaf, *emphasised_parts(page, leaf)):
                if node in labels.words or labels.is_behind_label(page, leaf, node):
                    continue
                label, cell = labels.split_label(page, record.start, node)
                cell = without_glyph(cell)
                place = places.text(paths[cell.node])
                bare_place = bare_places.text(bare_paths[cell.node])
                if label:
                    place = bare_place = f"{label} {place}"
                elif cell_place := table_column(page, node):
                    place = bare_place = cell_place
                if is_former_price([cell]):
                    place = bare_place = f"old {place}"
                is_part = node != leaf
                outer = None if is_part or label else outer_elements.around(node, row)
                yield _RecordText(
                    (place, seen[place]), bare_place, cell, is_part, outer
                )
                seen[place] += 1
