"""What JSON-LD says of displayed records: a value that both have has a name there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from amber_wrap.analysis.extraction_typing import Record
from amber_wrap.dom.islands import JSON_LD, JsonItem, item_lists, own_values
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.selectors.area_groups import Group
from amber_wrap.selectors.node_tests import squeeze
from amber_wrap.values.dates import date
from amber_wrap.values.typed import number

_MOST_ITEMS: Final = 200
"""Items that are looked for among the records: each is sought in the texts of these."""
_LEAST_SHARE: Final = 0.5
"""The share of the records that must be in a list that speaks of them."""
AGREED: Final = 0.8
"""The share of a column's values that a property has: adverts among them have none."""
_NAMES: Final = ("name", "headline", "title")
"""What schema.org calls the texts that tell one item from others."""
_SHORTEST: Final = 4
"""Letters and digits of such a text."""
_NUMBER: Final = re.compile(r"\d{1,15}(?:\.\d+)?")
_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d(?!\d)")
WITHIN: Final = "item."
"""Where a ListItem has what it lists."""
_PLAIN: Final = frozenset({"name", "value", "text", "url", "@id", "@value"})
"""Properties that say nothing themselves: an author's name is the author."""

Values = Sequence[tuple[str, object]]
Linked = Mapping[tuple[Page, NodeId], Values]
"""The values of an item by their property, for a page (its `id`) and a record."""


def linked_of(group: Group) -> Linked:
    """What JSON-LD says of each record, where a list of it speaks of most of them."""
    records: dict[Page, list[tuple[Page, Record]]] = {}
    for page, record in group.records():
        records.setdefault(page, []).append((page, record))
    found: dict[tuple[Page, NodeId], Values] = {}
    for key, some in records.items():
        page = some[0][0]
        for one in (one for one in item_lists(page) if one.script == JSON_LD):
            matched = _matched(some[:_MOST_ITEMS], one.items[:_MOST_ITEMS])
            if len(matched) >= _LEAST_SHARE * len(some):
                found |= {(key, start): values for start, values in matched.items()}
                break
    return found


def property_names(values: Values, text: str) -> Iterator[str]:
    """What the properties are called that have a displayed value."""
    for key, value in values:
        if _is_same(text, value) and (name := _name(key)):
            yield name


def _matched(
    records: Sequence[tuple[Page, Record]], items: Sequence[JsonItem]
) -> dict[NodeId, Values]:
    """The values of the items that records display the names of, by the records'
    starts: the most there are in the order of both, some of either without another."""
    values = [list(own_values(one)) for one in items]
    names = [list(_told_by(one)) for one in values]
    shown = [
        squeeze(" ".join(map(page.string, record.nodes))) for page, record in records
    ]
    is_told = [[any(one in text for one in some) for some in names] for text in shown]
    # How many pairs there are from a record and an item on.
    count = [[0] * (len(items) + 1) for _ in range(len(records) + 1)]
    for row in reversed(range(len(records))):
        for at in reversed(range(len(items))):
            pair = is_told[row][at] + count[row + 1][at + 1]
            count[row][at] = max(pair, count[row + 1][at], count[row][at + 1])
    found: dict[NodeId, Values] = {}
    at = 0
    for row, (_, record) in enumerate(records):
        left = count[row][at]
        if left == count[row + 1][at]:
            continue
        while count[row][at + 1] == left:
            at += 1
        found[record.start], at = values[at], at + 1
    return found


def _told_by(values: Values) -> Iterator[str]:
    """The texts that tell an item from others, as they are sought."""
    for key, value in values:
        if key.removeprefix(WITHIN) in _NAMES and isinstance(value, str):
            text = squeeze(value)
            if len(text) >= _SHORTEST:
                yield text


def _is_same(text: str, value: object) -> bool:
    """Whether a displayed text is a value of JSON-LD, as a text, a number or a date."""
    said = str(value)
    if squeeze(text) == squeeze(said) != "":
        return True
    if _NUMBER.fullmatch(said):
        return number(text) == float(said)
    return bool(_DAY.match(said)) and (date(text) or "")[:10] == said[:10]


def _name(key: str) -> str:
    """The last part of a property's path that says something, "" if none does."""
    parts = key.removeprefix(WITHIN).split(".")
    while len(parts) > 1 and parts[-1] in _PLAIN:
        parts.pop()
    return "" if parts[-1].startswith("@") else parts[-1]
