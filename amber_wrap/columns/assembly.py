"""Add texts of records to the values of known types, such as prices, as columns with
names.

A column holds texts of the records in a list, one for each record. The texts have the
same tags and classes around them.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from amber_wrap.analysis.extraction_typing import Attribute, Record
from amber_wrap.columns.cells import LINK, Cell, RecordKey
from amber_wrap.columns.column_notes import ColumnNote, dropped_notes, make_column_note
from amber_wrap.columns.currencies_of_prices import with_currencies
from amber_wrap.columns.decimal_points import with_decimal_points
from amber_wrap.columns.duplicates import without_repetitions
from amber_wrap.columns.former_prices import FORMER_PRICE, is_former_price
from amber_wrap.columns.group_headings import names_only_heading
from amber_wrap.columns.item_lists import names_without_items
from amber_wrap.columns.link_targets import common_scheme, record_folders
from amber_wrap.columns.naming.chosen_names import (
    ITS_CLASS,
    NAMELESS,
    OF_TEXTS,
    has_own_name,
    names_with_origins,
)
from amber_wrap.columns.naming.distinct_names import (
    UNNAMED,
    distinct_names,
    names_with_free_keys,
)
from amber_wrap.columns.naming.json_ld import JsonLdValues, json_ld_values
from amber_wrap.columns.naming.names_in_attributes_and_classes import class_name_counts
from amber_wrap.columns.naming.spelling import in_ascii, name_of_label
from amber_wrap.columns.naming.usual_fields import usual_field
from amber_wrap.columns.refined_attributes import (
    Refinements,
    attribute_of,
    column_pattern,
    refine_attributes,
    take_refinements,
    typed_texts,
)
from amber_wrap.columns.text_columns import find_text_columns
from amber_wrap.columns.texts_of_values import with_displayed_texts
from amber_wrap.columns.thresholds import COLUMN
from amber_wrap.columns.value_kinds import ColumnForm, column_form
from amber_wrap.columns.words_around_values import common_label
from amber_wrap.dom.page import LISTS, OWN_TEXT, TEXT, Page
from amber_wrap.domain.schema import AttributeType, ValueKind
from amber_wrap.errors import SelectionError
from amber_wrap.selectors.area_groups import (
    TypedPage,
    groups_of,
    with_attributes,
)

TYPED, ALL = "typed", "all"
"""The two special values of the parameter `fields` of `with_fields`. "typed" selects
the values of known types, such as price. "all" selects these values and every column.
"""
_HEADING = "heading"
"""The name of a column of headings above records, if nothing else names the column."""
_SCHEME = "the scheme of its address"
"""The words that tell the user that a column, such as "phone", is named after the
scheme of its links, such as `tel:`."""


class SampleFields(NamedTuple):
    """The sample pages, with the values that a wrapper reads from their records."""

    typed_pages: tuple[TypedPage, ...]
    kinds: tuple[AttributeType, ...]
    """The types of the values, such as price and date."""
    patterns: Mapping[str, str]
    """Regular expressions that find values in the texts of columns, by a name such as
    `column:rooms`."""
    notes: tuple[ColumnNote, ...] = ()
    """Messages for the user on why each column was kept or dropped."""


class _GroupColumn(NamedTuple):
    """A column of similar lists, and the source of the column's name."""

    cells: Sequence[Cell]
    support: float
    """The share of the records that have a text in the column, from 0 to 1."""
    record_count: int
    """The number of all records of the lists."""
    origin: str
    """The source of the column's name in words for the user, such as "its class"."""


class _NamedColumns(NamedTuple):
    """The columns of all lists on the sample pages, and more exact texts for values
    such as dates."""

    columns: Mapping[str, Sequence[_GroupColumn]]
    """The columns by name. Each group of similar lists may have a column of the name.
    """
    refinements: Refinements
    """More exact texts that replace known values, such as a date with its time. They
    are stored by the type of the value, then by record."""
    notes: Sequence[ColumnNote]
    """Messages for the user on the dropped columns."""


def with_fields(
    typed_pages: Sequence[TypedPage],
    kinds: Sequence[AttributeType],
    fields: str,
    examples: Iterable[str] = (),
    ascii_names: bool = False,
) -> SampleFields:
    """Return the sample pages with the values that the user wants of each record.

    `fields` is one of these texts:

    - "typed" for the values of the types in `kinds`,
    - "all" for the values of these types and of all columns,
    - a list of names of types and columns, separated by commas.

    `examples` has further names for the list. Raise SelectionError if a name is neither
    that of a type nor that of a column.
    """
    if fields == TYPED:
        typed_pages, kinds, _ = with_currencies(typed_pages, kinds, ())
        return SampleFields(typed_pages, kinds, {})
    typed_pages, kinds, patterns, notes = with_columns(typed_pages, kinds, ascii_names)
    types_with_text = {
        attribute.type
        for typed_page in typed_pages
        for attribute in typed_page.attributes
        if attribute.text is not None
    }
    known = [kind.name for kind in kinds if kind.name in types_with_text]
    names = known
    if fields != ALL:
        names = [*(name.strip() for name in fields.split(",")), *examples]
    for name in names:
        if name not in known:
            raise SelectionError(
                f"no field {name!r} was found: the fields are {', '.join(known)}"
            )

    wanted = {key for kind in kinds if kind.name in names for key in kind.keys}

    def wanted_attributes(
        page: Page, record: Record, attributes: Sequence[Attribute]
    ) -> list[Attribute]:
        """Return the attributes of a record whose types the user selected."""
        return [attribute for attribute in attributes if attribute.type in wanted]

    wanted_kinds = tuple(kind for kind in kinds if kind.name in wanted)
    typed_pages = tuple(
        with_attributes(typed_page, wanted_attributes) for typed_page in typed_pages
    )
    return SampleFields(typed_pages, wanted_kinds, patterns, notes)


def with_columns(
    typed_pages: Sequence[TypedPage],
    kinds: Sequence[AttributeType],
    ascii_names: bool = False,
) -> SampleFields:
    """Return the sample pages, with the texts of columns added to the values of the
    records.

    A type in `kinds` is dropped if no record has a value of it. Its name is then free
    for a column.
    """
    found = {attr.type for typed_page in typed_pages for attr in typed_page.attributes}
    kinds = tuple(kind for kind in kinds if kind.name in found)
    types = {kind.name: kind.kind for kind in kinds}
    columns_by_name, refinements, dropped = _named_columns(
        typed_pages, types, ascii_names
    )
    notes = list(dropped)
    column_attributes: dict[RecordKey, list[Attribute]] = defaultdict(list)
    column_types: list[AttributeType] = []
    patterns = {
        column_pattern(name): cell.part()
        for name, cells in refinements.items()
        for cell in cells.values()
        if cell.part
    }
    forms = {
        name: _form(name, [cell for column in columns for cell in column.cells])
        for name, columns in columns_by_name.items()
    }
    column_kinds = {name: form.kind for name, form in forms.items()}
    unique_names = names_with_free_keys(column_kinds, kinds)
    for found_name, columns in columns_by_name.items():
        name, form = unique_names[found_name], forms[found_name]
        first = columns[0]
        notes.append(
            make_column_note(name, first.cells, first.record_count, first.origin)
        )
        pattern_names: tuple[str, ...] = ()
        if form.pattern:
            pattern_names = (column_pattern(name),)
            patterns[column_pattern(name)] = form.pattern
        column_types.append(
            AttributeType(
                name, form.kind, patterns=pattern_names, whole=not pattern_names
            )
        )
        for column in columns:
            for cell, attribute in _attributes(name, column, form):
                column_attributes[cell.record].append(attribute)

    def with_column_attributes(
        page: Page, record: Record, attributes: Sequence[Attribute]
    ) -> list[Attribute]:
        """Return the known values of a record and its texts in columns, in document
        order.

        A known value is replaced if a column has a more exact text, such as the date
        with the time.
        """
        added = column_attributes.get((page, record.start), ())
        refined = refine_attributes(page, record, attributes, refinements)
        return sorted((*refined, *added), key=lambda attribute: attribute.node)

    typed_pages = tuple(
        with_attributes(typed_page, with_column_attributes)
        for typed_page in typed_pages
    )
    typed_pages, text_types = with_displayed_texts(typed_pages, (*kinds, *column_types))
    typed_pages, all_types, currency_columns = with_currencies(
        typed_pages, (*kinds, *column_types, *text_types), unique_names.values()
    )
    final_notes = (
        replace(column_note, name="", reason="it is the currency of a price")
        if column_note.name in currency_columns
        else column_note
        for column_note in notes
    )
    return SampleFields(typed_pages, all_types, patterns, tuple(final_notes))


def _named_columns(
    typed_pages: Sequence[TypedPage], types: Mapping[str, ValueKind], ascii_names: bool
) -> _NamedColumns:
    """Find and name the columns of all lists on the sample pages.

    Known values are those that were found before, such as prices. `types` maps the name
    of each of their types, such as "rent", to a kind, such as money. With
    `ascii_names`, the names of the columns are in ASCII.
    """
    columns_by_name: dict[str, list[_GroupColumn]] = defaultdict(list)
    refined: dict[str, dict[RecordKey, Cell]] = defaultdict(dict)
    notes: list[ColumnNote] = []
    for group in groups_of(typed_pages):
        count = sum(1 for _ in group.records())
        text_columns, dropped = find_text_columns(group, types)
        notes += dropped
        columns, refinements = take_refinements(text_columns, group, types)
        for name, cells_by_record in refinements.items():
            refined[name] |= cells_by_record
        known_texts, date_types = typed_texts(group, types, refinements)
        unrepeated = without_repetitions(columns, known_texts, date_types, has_own_name)
        reason = "other columns have the same values"
        notes += dropped_notes(columns, unrepeated, count, reason)
        columns = unrepeated[: COLUMN.most_columns]
        reason = f"{COLUMN.most_columns} other columns are in more records"
        notes += dropped_notes(unrepeated, columns, count, reason)
        class_counts = class_name_counts(group.records())
        own_folders = record_folders(group)
        linked = json_ld_values(group)
        origins = [
            valid_names(column, class_counts, own_folders, linked) for column in columns
        ]
        possible = [in_ascii(names) if ascii_names else [*names] for names in origins]
        for name, origin_of, column in zip(
            distinct_names(possible, types), origins, columns, strict=True
        ):
            origin = origin_of.get(name) or next(iter(origin_of.values()))
            support = len(column) / count
            columns_by_name[name].append(_GroupColumn(column, support, count, origin))
    return _NamedColumns(columns_by_name, refined, notes)


def _form(name: str, cells: Sequence[Cell]) -> ColumnForm:
    """Return the kind of a column's values, such as number, and the regular expression
    that finds the values.

    `name` is the name of the column, and `cells` are its texts.
    """
    if any(cell.source in LISTS for cell in cells):
        return ColumnForm(ValueKind.TEXTS)  # All areas have lists if one has.
    if all(cell.source == LINK for cell in cells):
        return ColumnForm(ValueKind.URL)
    labels = {cell.label for cell in cells}
    label = labels.pop() if len(labels) == 1 else ""
    is_whole = all(cell.source in (TEXT, OWN_TEXT) for cell in cells)
    form = column_form([cell.text for cell in cells], [name], label, is_whole)
    form = with_decimal_points(form, cells)
    part = cells[0].part
    return form._replace(pattern=part(form.pattern)) if part else form


def _attributes(
    name: str, column: _GroupColumn, form: ColumnForm
) -> Iterator[tuple[Cell, Attribute]]:
    """Yield each text of a column with the value in it, as an attribute of the type
    `name`.

    The regular expression of `form` finds the value in the text. Without an expression,
    the value is the whole text.
    """
    if not form.pattern:
        for cell in column.cells:
            yield cell, attribute_of(name, cell, column.support)
        return
    pattern = re.compile(form.pattern)
    group = "value" if "value" in pattern.groupindex else 0
    for cell in column.cells:
        text = cell.page.source_text(cell.node, cell.source) if cell.part else cell.text
        if match := pattern.search(text):
            yield (
                cell,
                replace(
                    attribute_of(name, cell, column.support),
                    text=match[group],
                    matched=match[0],
                    recogniser=column_pattern(name),
                ),
            )


def valid_names(
    column: Sequence[Cell],
    class_counts: Counter[str],
    own_folders: Collection[str],
    linked: JsonLdValues,
) -> dict[str, str]:
    """Return a dict from the possible names of a column, the best first, to their
    sources.

    A source is a text for the user. `class_counts` has the number of elements with a
    class for a name. `own_folders` has the first folders of links to the records'
    pages, such as "books" for `/books/17`. `linked` has the JSON-LD properties of each
    record.
    """
    if is_former_price(column):
        reason = "a price that is struck out or labelled as a former price"
        return {FORMER_PRICE: reason}
    cell = column[0]
    scheme = common_scheme(column)
    if scheme and cell.source == LINK:
        return {scheme: _SCHEME}
    names = names_with_origins(column, class_counts, own_folders, linked)
    if cell.part:  # The element has several values, so its own names come last.
        own = {name: origin for name, origin in names.items() if origin in OF_TEXTS}
        names = own | names
    name, origin = next(iter(names.items()))
    if scheme and origin == ITS_CLASS and not usual_field(name):
        names = {scheme: _SCHEME, **names}
    texts = [column_cell.text for column_cell in column]
    # The "https:" of addresses is no label.
    label = "" if cell.source == LINK else cell.label or common_label(texts)
    if label_name := name_of_label(label):
        others = {
            name: origin
            for name, origin in names.items()
            if name not in (label_name, UNNAMED)
        }
        names = {label_name: "its label", **others}
    if cell.source in LISTS:
        suitable = names_without_items(list(names), column)
        names = {name: names[name] for name in suitable} or dict(NAMELESS)
    is_within = cell.page.contains(cell.start, cell.node)
    is_behind = cell.node > cell.start  # It may be in a further row.
    if is_within or is_behind:
        return names
    # Words such as "section-header" only say that it is a heading.
    said = {name: names[name] for name in names if not names_only_heading(name)}
    return said or {_HEADING: "it is above the records"}
