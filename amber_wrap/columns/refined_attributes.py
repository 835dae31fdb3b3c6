"""Replace values of records, such as dates, by more exact texts of columns.

For example, such a text adds the time to a date.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from statistics import mean
from typing import Final

from amber_wrap.analysis.extraction_typing import Attribute, Record
from amber_wrap.columns.cells import LINK, Cell, RecordKey, cells_by_record
from amber_wrap.columns.naming.forms_of_texts import TIMELY, is_clock, name_by_form
from amber_wrap.columns.naming.names_in_headers import headers_of
from amber_wrap.columns.spaced_texts import spaced_words, without_parts
from amber_wrap.columns.thresholds import COLUMN
from amber_wrap.dom.page import TEXT, NodeId, Page
from amber_wrap.domain.schema import ValueKind
from amber_wrap.selectors.area_groups import AreaGroup
from amber_wrap.values.dates import date
from amber_wrap.values.times_of_day import TIMESTAMP

WORD_BEFORE_TIME: Final = re.compile(r"^[^\W\d]{1,4} ")
"""A regular expression for a short word between a date and a time, such as "at"."""
_TIME_ZONE: Final = re.compile(
    r"(?<=:\d\d)(?:Z|[+-]\d{4}|\+\d\d:\d\d|(?<=:\d\d:\d\d)-\d\d:\d\d| ?(?:UTC|GMT))$"
)
"""A regular expression for a time zone behind a time of day. A range of times, such as
"10:30-12:00", has no time zone."""
_BLOCKS: Final = frozenset({"p", "div", "h1", "h2", "h3", "h4", "h5", "h6"})
"""HTML tags of paragraphs, headings and other blocks, which may divide the content of a
link."""
_AMOUNTS: Final = frozenset(
    {ValueKind.MONEY, ValueKind.COUNT, ValueKind.NUMBER, ValueKind.QUANTITY}
)
"""The kinds of values that are numbers. Their texts often have words such as
"bedrooms"."""
_Column = list[Cell]
"""A column: texts of records, one for each record, in elements with the same tags and
classes."""
_AttributesByRecord = Mapping[RecordKey, tuple[Page, Attribute]]
"""For each record, its page and its value of one type, such as a date."""
Refinements = Mapping[str, Mapping[RecordKey, Cell]]
"""More exact texts that replace values of records, such as dates with times. They are
stored by the type of the value, then by record."""


def take_refinements(
    columns: Sequence[_Column], group: AreaGroup, types: Mapping[str, ValueKind]
) -> tuple[list[_Column], Refinements]:
    """Separate the columns that improve known values, such as dates with times, from
    the other columns.

    Return the other columns, and the improved values by type and record. `types` maps
    the name of each type of known values to its kind, such as date.
    """
    link_targets: dict[RecordKey, set[str]] = defaultdict(set)
    by_type: dict[str, dict[RecordKey, tuple[Page, Attribute]]] = defaultdict(dict)
    for page, start, attributes in group.attributes():
        for attribute in attributes:
            is_stamp = _is_stamp(attribute, types)
            if attribute.text and (attribute.source == TEXT or is_stamp):
                by_type[attribute.type][page, start] = page, attribute
            elif attribute.text and attribute.source == LINK:
                link_targets[page, start].add(attribute.text)
    typed_texts = [
        [
            Cell(page, start, attribute.node, attribute.text or "")
            for (page, start), (_, attribute) in attributes_by_record.items()
        ]
        for name, attributes_by_record in by_type.items()
        if types[name] is ValueKind.TEXT
    ]
    unused_columns = list(columns)
    linking = [column for column in columns if _links_to_records(column, link_targets)]
    refinements: dict[str, Mapping[RecordKey, Cell]] = {}
    for name, attributes_by_record in by_type.items():
        finer: _Column = []
        if types[name] is ValueKind.DATE:
            stamps = [
                _whole_text(page, start, attribute)
                for (page, start), (_, attribute) in attributes_by_record.items()
            ]
            timed = (
                column
                for column in (*unused_columns, *typed_texts, _with_times(stamps))
                if _adds_time(column, attributes_by_record)
            )
            finer = next(timed, [])
        elif types[name] is ValueKind.TEXT:
            finer = _main_part(unused_columns, attributes_by_record, linking)
        if finer:
            unused_columns = [
                column for column in unused_columns if column is not finer
            ]
            refinements[name] = cells_by_record(finer)
    return unused_columns, refinements


def typed_texts(
    group: AreaGroup, types: Mapping[str, ValueKind], refined: Refinements
) -> tuple[dict[str, dict[RecordKey, str]], list[str]]:
    """Return the texts of known values by type and record, and the names of the types
    that are dates.

    `types` maps the name of each type to its kind. The texts in `refined` replace the
    known values of their type and record. Amounts with words, such as "£900 pcm", are
    added under keys such as "rent with words".
    """
    texts: dict[str, dict[RecordKey, str]] = defaultdict(dict)
    with_words: dict[str, dict[RecordKey, str]] = defaultdict(dict)
    for page, start, attributes in group.attributes():
        for attribute in attributes:
            name = attribute.type
            is_shown = not attribute.source.startswith("@")
            if attribute.text and (is_shown or types[name] is ValueKind.DATE):
                texts[name][page, start] = spaced_words(attribute.text)
                if attribute.matched and types[name] in _AMOUNTS:
                    words = spaced_words(attribute.matched)
                    with_words[f"{name} with words"][page, start] = words
    for name, cells in refined.items():
        texts[name] = {
            record: spaced_words(cell.text) for record, cell in cells.items()
        }
    dates = [name for name in texts if types[name] is ValueKind.DATE]
    return texts | with_words, dates


def refine_attributes(
    page: Page, record: Record, attributes: Sequence[Attribute], refined: Refinements
) -> list[Attribute]:
    """Return the values of a record, changed by the texts in `refined`.

    A text of a type in `refined` replaces the record's value of this type. If the
    record has no such value, the text is added.
    """
    key = page, record.start
    new_attributes = [
        attribute
        for attribute in attributes
        if key not in refined.get(attribute.type, ())
    ]
    for name, cells in refined.items():
        if (cell := cells.get(key)) is not None:
            supports = [
                attribute.support for attribute in attributes if attribute.type == name
            ]
            new_attributes.append(attribute_of(name, cell, max(supports, default=0)))
    return new_attributes


def column_pattern(name: str) -> str:
    """Return the name of a column's regular expression, such as `column:rooms`."""
    return f"column:{name}"


def attribute_of(name: str, cell: Cell, support: float) -> Attribute:
    """Return the text of `cell` as a value of its record, with the type `name`.

    `support` is the share of records with a value of the type, from 0 to 1.
    """
    return Attribute(
        type=name,
        node=cell.node,
        source=cell.source,
        text=cell.text,
        matched=cell.text,
        recogniser=column_pattern(name) if cell.part else None,
        support=support,
        origin="inferred",
    )


def _adds_time(column: _Column, dates: _AttributesByRecord) -> bool:
    """Return whether a column repeats the dates in `dates`, and adds a time of day to
    most of them.

    A time zone may follow the time.
    """
    cells = cells_by_record(column)
    with_time = without_time = 0
    labels: Counter[str] = Counter()
    for record, (_, attribute) in dates.items():
        if record not in cells:
            continue
        date_words = spaced_words(attribute.text or "")
        cell_words = spaced_words(_without_time_zone(cells[record].text))
        if date_words in cell_words:
            rest = without_parts(cell_words, [date_words]).strip()
            label, _, behind = map(str.strip, cell_words.partition(date_words))
            if _is_clock_behind(rest):
                with_time += 1
            elif not rest:
                without_time += 1
            elif _is_clock_behind(behind) and len(label) <= COLUMN.longest_name:
                labels[label] += 1
    with_time += max(labels.values(), default=0)
    count = max(len(dates), len(column))
    repeats_dates = with_time + without_time >= COLUMN.nearly_all * count
    return repeats_dates and 2 * with_time > count


def _is_clock_behind(words: str) -> bool:
    """Return whether the words behind a date are a time of day, such as "at 10 30"."""
    return is_clock(WORD_BEFORE_TIME.sub("", words))


def _is_stamp(attribute: Attribute, types: Mapping[str, ValueKind]) -> bool:
    """Return whether a value is a date from an HTML attribute, such as `datetime`.

    `types` maps the name of each type of values to its kind, such as date or money.
    """
    is_date = types[attribute.type] is ValueKind.DATE
    return is_date and attribute.source.startswith("@")


def _whole_text(page: Page, start: NodeId, attribute: Attribute) -> Cell:
    """Return the whole text or HTML attribute in which a value was found, as a cell.

    `start` is the first node of the record.
    """
    node, source = attribute.node, attribute.source
    return Cell(page, start, node, page.source_text(node, source), source)


def _with_times(stamps: _Column) -> _Column:
    """Return a column of dates with times, or [] if all dates have the same time.

    A site that stores no times writes the same time for all dates, such as midnight.
    """
    times = {(date(cell.text) or "")[len("2024-05-12") :] for cell in stamps}
    return stamps if len(times) > 1 else []


def _without_time_zone(text: str) -> str:
    """Return a date with time, without the time zone at its end.

    For example, return "2024-05-12 12:30:00" for "2024-05-12T12:30:00Z". A fraction of
    a second is dropped, too.
    """
    if not (stamp := TIMESTAMP.fullmatch(text)):
        return _TIME_ZONE.sub("", text)
    day = text[: stamp.start("time") - 1]
    return f"{day} {stamp['time'].partition('.')[0]}"


def _main_part(
    columns: Sequence[_Column],
    attributes: _AttributesByRecord,
    linking: Sequence[_Column],
) -> _Column:
    """Return the column with the main part of known values, such as "Title" in "Title,
    9 May".

    Return [] if there is no such column. `attributes` has the value of each record, and
    `linking` the columns that link to the pages of records.
    """
    parts = [column for column in columns if _is_part(column, attributes)]
    linking_parts = [
        part for part in parts if any(part is column for column in linking)
    ]
    has_one_link = len(linking_parts) == 1
    has_times = any(
        name_by_form([cell.text for cell in part]) in TIMELY for part in parts
    )
    are_blocks = all(map(_are_blocks_of_links, parts))
    if len(parts) < 2 or not (has_one_link or has_times or are_blocks):
        return []
    cells_of_parts = [cells_by_record(part) for part in parts]
    composed = 0
    for record, (_, attribute) in attributes.items():
        part_words = [
            spaced_words(cells[record].text)
            for cells in cells_of_parts
            if record in cells
        ]
        if not without_parts(spaced_words(attribute.text or ""), part_words).strip():
            composed += 1
    if composed < COLUMN.all_with_exceptions * len(attributes):
        return []
    if has_one_link:
        return linking_parts[0]
    if are_blocks and not has_times:
        in_order = sorted(parts, key=lambda part: part[0].node)
        return next(filter(_are_different, in_order), [])
    return max(parts, key=lambda part: mean(len(cell.text) for cell in part))


def _are_blocks_of_links(column: _Column) -> bool:
    """Return whether all elements of a column are unlabelled blocks directly within
    links.

    A block is a paragraph, a heading or a `div`.
    """
    return all(
        cell.page.tag[cell.node] in _BLOCKS
        and cell.page.tag[cell.page.parent[cell.node]] == "a"
        and not any(headers_of(cell))
        for cell in column
    )


def _are_different(column: _Column) -> bool:
    """Return whether at least half of the texts of a column are different."""
    return 2 * len({cell.text for cell in column}) >= len(column)


def _is_part(column: _Column, attributes: _AttributesByRecord) -> bool:
    """Return whether the texts of a column are parts of the values in `attributes`,
    such as "Title" in "Title, 9 May".

    `attributes` has the value of each record. In most records, the column's element
    must be inside the element of the value.
    """
    cells = cells_by_record(column)
    within = sum(
        record in cells
        and cells[record].node != attribute.node
        and page.contains(attribute.node, cells[record].node)
        for record, (page, attribute) in attributes.items()
    )
    return within >= COLUMN.all_with_exceptions * len(attributes)


def _links_to_records(
    column: _Column, link_targets: Mapping[RecordKey, set[str]]
) -> bool:
    """Return whether each element of a column links to a target that `link_targets` has
    for the element's record."""
    return all(
        cell.page.attributes[cell.node].get("href") in link_targets.get(record, ())
        for record, cell in cells_by_record(column).items()
    )
