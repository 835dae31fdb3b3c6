"""Find names of columns in the JSON-LD items that describe the records."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from amber_wrap.analysis.extraction_typing import Record
from amber_wrap.columns.cells import Cell, RecordKey
from amber_wrap.columns.naming.names_in_attributes_and_classes import names_of_words
from amber_wrap.columns.thresholds import COLUMN
from amber_wrap.dom.json_in_scripts import JSON_LD, JsonItem, item_lists, item_values
from amber_wrap.dom.page import ITEM_PROPERTY, NodeId, Page
from amber_wrap.selectors.area_groups import AreaGroup
from amber_wrap.values.dates import date
from amber_wrap.values.numbers_and_prices import number
from amber_wrap.values.texts import squeeze

_MOST_ITEMS: Final = 200
"""The limit for the JSON-LD items that are compared with a page's records. It is also
the limit for these records."""

_NAMING_PROPERTIES: Final = ("name", "headline", "title")
"""The schema.org properties whose texts distinguish one item from others."""

_SHORTEST_NAME: Final = 4
"""The least number of letters and digits of a text that distinguishes an item."""

_NUMBER: Final = re.compile(r"\d{1,15}(?:\.\d+)?")
"""A regular expression for a JSON-LD value that is a number."""

_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d(?!\d)")
"""A regular expression for a JSON-LD value that begins with an ISO date."""

_ITEM_PREFIX: Final = "item."
"""The prefix of the properties of an item within a schema.org ListItem."""

_PLAIN_PROPERTIES: Final = frozenset({"name", "value", "text", "url", "@id", "@value"})
"""JSON-LD properties whose names are too general for a column. For example, the `name`
of an `author` is an author."""

PropertyValues = Sequence[tuple[str, object]]
"""The properties and values of a JSON-LD item, as pairs (path of the property,
value)."""

JsonLdValues = Mapping[RecordKey, PropertyValues]
"""The properties and values of the JSON-LD item of each record."""


def json_ld_values(group: AreaGroup) -> JsonLdValues:
    """Return the properties and values of the JSON-LD item that describes each record.

    The items come from the first JSON-LD list on a page that describes at least half of
    the page's records. Records that this list doesn't describe are left out.
    """
    records_by_page: dict[Page, list[Record]] = {}
    for page, record in group.records():
        records_by_page.setdefault(page, []).append(record)
    linked: dict[RecordKey, PropertyValues] = {}
    for page, records in records_by_page.items():
        for item_list in item_lists(page):
            if item_list.script != JSON_LD:
                continue
            items = item_list.items[:_MOST_ITEMS]
            matched = _values_by_record(page, records[:_MOST_ITEMS], items)
            if len(matched) >= COLUMN.half * len(records):
                linked |= {(page, start): values for start, values in matched.items()}
                break
    return linked


def property_names(values: PropertyValues, text: str) -> Iterator[str]:
    """Yield the names of the JSON-LD properties in `values` whose values equal a
    displayed text."""
    for key, value in values:
        if _is_same(text, value) and (name := _property_name(key)):
            yield name


def names_by_property(cell: Cell, linked: JsonLdValues) -> Iterator[str]:
    """Yield the names of the record's JSON-LD properties whose value is the text of
    `cell`.

    `linked` has the JSON-LD properties of each record.
    """
    values = linked.get(cell.record, ())
    yield from names_of_words(property_names(values, cell.text), ITEM_PROPERTY)


def _values_by_record(
    page: Page, records: Sequence[Record], items: Sequence[JsonItem]
) -> dict[NodeId, PropertyValues]:
    """Return the JSON-LD properties and values of each record, by the record's first
    node.

    A record has the properties of the JSON-LD item whose name it displays. Records
    without an item are left out.
    """
    values_of_items = [list(item_values(item)) for item in items]
    names_of_items = [list(_identifying_texts(values)) for values in values_of_items]
    record_texts = [
        squeeze(" ".join(map(page.string, record.nodes))) for record in records
    ]
    shows_name = [
        [any(name in text for name in names) for names in names_of_items]
        for text in record_texts
    ]
    # The greatest number of pairs among the records and items from these indexes on.
    pairs = [[0] * (len(items) + 1) for _ in range(len(records) + 1)]
    for row in reversed(range(len(records))):
        for column in reversed(range(len(items))):
            with_pair = shows_name[row][column] + pairs[row + 1][column + 1]
            pairs[row][column] = max(
                with_pair, pairs[row + 1][column], pairs[row][column + 1]
            )
    values_by_record: dict[NodeId, PropertyValues] = {}
    column = 0
    for row, record in enumerate(records):
        pairs_left = pairs[row][column]
        if pairs_left == pairs[row + 1][column]:
            continue
        while pairs[row][column + 1] == pairs_left:
            column += 1
        values_by_record[record.start] = values_of_items[column]
        column += 1
    return values_by_record


def _identifying_texts(values: PropertyValues) -> Iterator[str]:
    """Yield the names and titles of a JSON-LD item, reduced to lower-case letters and
    digits.

    Names and titles with fewer than `_SHORTEST_NAME` letters and digits are left out.
    """
    for key, value in values:
        is_name = key.removeprefix(_ITEM_PREFIX) in _NAMING_PROPERTIES
        if is_name and isinstance(value, str):
            text = squeeze(value)
            if len(text) >= _SHORTEST_NAME:
                yield text


def _is_same(text: str, value: object) -> bool:
    """Return whether a displayed text and a JSON-LD value are the same text, number or
    date.

    `value` is the value of a JSON-LD property.
    """
    wanted = str(value)
    if squeeze(text) == squeeze(wanted) != "":
        return True
    if _NUMBER.fullmatch(wanted):
        return number(text) == float(wanted)
    return bool(_DAY.match(wanted)) and (date(text) or "")[:10] == wanted[:10]


def _property_name(key: str) -> str:
    """Return the part of a JSON-LD property's path that may name a column, or "".

    For example, return "author" for "author.name".
    """
    parts = key.removeprefix(_ITEM_PREFIX).split(".")
    while len(parts) > 1 and parts[-1] in _PLAIN_PROPERTIES:
        parts.pop()
    return "" if parts[-1].startswith("@") else parts[-1]
