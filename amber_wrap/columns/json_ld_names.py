"""Name columns by JSON-LD properties whose values equal the texts of the columns."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from amber_wrap.analysis.extraction_typing import Record
from amber_wrap.columns.thresholds import COLUMN
from amber_wrap.dom.json_in_scripts import JSON_LD, JsonItem, item_lists, own_values
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.selectors.area_groups import Group
from amber_wrap.selectors.node_tests import squeeze
from amber_wrap.values.dates import date
from amber_wrap.values.typed import number

_MOST_ITEMS: Final = 200
"""The greatest number of JSON-LD items, and of records, that are compared with each
other."""
_NAMES: Final = ("name", "headline", "title")
"""The schema.org properties whose texts distinguish one item from others."""
_SHORTEST: Final = 4
"""The least number of letters and digits of a text that distinguishes an item."""
_NUMBER: Final = re.compile(r"\d{1,15}(?:\.\d+)?")
_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d(?!\d)")
WITHIN: Final = "item."
"""The prefix of the properties of an item within a schema.org ListItem."""
_PLAIN: Final = frozenset({"name", "value", "text", "url", "@id", "@value"})
"""Properties whose names have no meaning of their own. For example, the `name` of an
`author` is an author."""

Values = Sequence[tuple[str, object]]
LinkedValues = Mapping[tuple[Page, NodeId], Values]
"""The properties and values of a JSON-LD item, by page and first node of a record."""


def json_ld_values(group: Group) -> LinkedValues:
    """Return the JSON-LD properties and values of the group's records, by page and
    first node of the record.

    The values come from a JSON-LD list that has items for at least half of a page's
    records. Records of pages without a list of this kind are left out.
    """
    records: dict[Page, list[Record]] = {}
    for page, record in group.records():
        records.setdefault(page, []).append(record)
    found: dict[tuple[Page, NodeId], Values] = {}
    for page, some in records.items():
        for one in (one for one in item_lists(page) if one.script == JSON_LD):
            matched = _matched(page, some[:_MOST_ITEMS], one.items[:_MOST_ITEMS])
            if len(matched) >= COLUMN.half * len(some):
                found |= {(page, start): values for start, values in matched.items()}
                break
    return found


def property_names(values: Values, text: str) -> Iterator[str]:
    """Yield the names of the properties whose values equal a displayed text."""
    for key, value in values:
        if _is_same(text, value) and (name := _name(key)):
            yield name


def _matched(
    page: Page, records: Sequence[Record], items: Sequence[JsonItem]
) -> dict[NodeId, Values]:
    """Return the properties and values of the JSON-LD item for each record, by the
    record's first node.

    A record must display the name of its item. Records and items are paired in order,
    as many as possible. Records without an item are left out.
    """
    values = [list(own_values(one)) for one in items]
    names = [list(_identifying_texts(one)) for one in values]
    shown = [squeeze(" ".join(map(page.string, one.nodes))) for one in records]
    is_named = [[any(one in text for one in some) for some in names] for text in shown]
    # The greatest number of pairs among the records and items from these indexes on.
    count = [[0] * (len(items) + 1) for _ in range(len(records) + 1)]
    for row in reversed(range(len(records))):
        for at in reversed(range(len(items))):
            pair = is_named[row][at] + count[row + 1][at + 1]
            count[row][at] = max(pair, count[row + 1][at], count[row][at + 1])
    found: dict[NodeId, Values] = {}
    at = 0
    for row, record in enumerate(records):
        left = count[row][at]
        if left == count[row + 1][at]:
            continue
        while count[row][at + 1] == left:
            at += 1
        found[record.start], at = values[at], at + 1
    return found


def _identifying_texts(values: Values) -> Iterator[str]:
    """Yield the names, headlines and titles of an item, as lower-case letters and
    digits.

    Short texts are left out, since several items may share a short text.
    """
    for key, value in values:
        if key.removeprefix(WITHIN) in _NAMES and isinstance(value, str):
            text = squeeze(value)
            if len(text) >= _SHORTEST:
                yield text


def _is_same(text: str, value: object) -> bool:
    """Return whether a displayed text and a JSON-LD value are the same text, number or
    date."""
    wanted = str(value)
    if squeeze(text) == squeeze(wanted) != "":
        return True
    if _NUMBER.fullmatch(wanted):
        return number(text) == float(wanted)
    return bool(_DAY.match(wanted)) and (date(text) or "")[:10] == wanted[:10]


def _name(key: str) -> str:
    """Return the last meaningful part of a property's path, for example "author" for
    "author.name".

    Return "" if the path has no meaningful part.
    """
    parts = key.removeprefix(WITHIN).split(".")
    while len(parts) > 1 and parts[-1] in _PLAIN:
        parts.pop()
    return "" if parts[-1].startswith("@") else parts[-1]
