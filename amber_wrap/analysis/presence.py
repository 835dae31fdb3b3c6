"""Whether a page is a list at all: an article has a menu, too."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from amber_wrap.analysis.asides import is_aside
from amber_wrap.analysis.cells import texts
from amber_wrap.analysis.typing import ExtractionTyping, Record
from amber_wrap.annotate.builtin import headline_links
from amber_wrap.dom.page import NodeId, Page

LEAST_SHARE, LEAST_RICH_SHARE = 0.25, 0.2
"""The share of a page's text that stands in its records, if they are what it is for;
and where the records have many attributes."""
MANY_RECORDS, MANY_ATTRIBUTES = 10, 3
"""So many records with so many attributes each are a list all the same."""
LEAST_RECORDS, LEAST_ROWS = 3, 5
"""Records that a list has; rows that it has where these have no links."""
SHORT = 40
"""Characters of a text in a row, in the mean."""
MOST = 0.5
"""The share of the records that have links, or are parts of a form."""
LEAST_LINK = 0.05
"""The share of a record's text that a link to the whole of it shows."""
CONTROLS: Final = frozenset({"input", "select", "textarea"})
PARTS: Final = frozenset({"nav", "footer", "aside", "header"})
ROLES: Final = frozenset({"navigation", "contentinfo", "complementary", "banner"})
LEAST_ITEMS = 3
"""Objects in an array of JSON that may be records."""
SCRIPTS = "//script[contains(@type, 'json') or @id='__NEXT_DATA__']"


def share(page: Page, typing: ExtractionTyping) -> float:
    """The share of the text outside of menus, footers and other asides in records."""
    rows = {row for area in typing.areas for one in area.records for row in one.nodes}
    total = sum(_outside_asides(page, 0, sorted(rows)))
    return min(1.0, sum(map(page.text_length, rows)) / total) if total else 0.0


def is_list(page: Page, typing: ExtractionTyping) -> bool:
    """Whether the records are what the page is for.

    Sections of a text have headings, too, but no links of their own; the fields of a
    form have labels.
    """
    records = [record for area in typing.areas for record in area.records]
    if len(records) < LEAST_RECORDS or _stands_aside(page, records[0].start):
        return False
    found = sum(len(some) for area in typing.areas for some in area.attributes)
    is_rich = found >= MANY_ATTRIBUTES * len(records)
    if is_rich and len(records) >= MANY_RECORDS:
        return True
    if _share_linked(page, records) < MOST and (
        _share_of_forms(page, records) > MOST or not _is_tabular(page, records)
    ):
        return False
    return share(page, typing) >= (LEAST_RICH_SHARE if is_rich else LEAST_SHARE)


def _stands_aside(page: Page, node: NodeId) -> bool:
    """Whether an element is in a menu or the like; of words that classes are made of
    some may mean another thing here."""
    while (node := page.parent[node]) >= 0:
        if page.tag[node] in PARTS or page.attributes[node].get("role") in ROLES:
            return True
    return False


def _elements(page: Page, record: Record) -> Iterator[NodeId]:
    for row in record.nodes:
        yield from page.elements(row)


def _share_of_forms(page: Page, records: Sequence[Record]) -> float:
    held = [
        any(page.tag[one] in CONTROLS for one in _elements(page, record))
        for record in records
    ]
    return sum(held) / len(held)


def _share_linked(page: Page, records: Sequence[Record]) -> float:
    """The share of the records with a link, to another page, that no other has.

    It is a headline, or says a part of what the record says: one in a passage is no
    link to its whole.
    """
    headed = {node for node, _ in headline_links(page)}
    links = [
        {
            target
            for one in _elements(page, record)
            if (target := page.attributes[one].get("href", "")) and target[0] != "#"
            if one in headed
            or page.text_length(one) >= LEAST_LINK * _length(page, record)
        }
        for record in records
    ]
    counts = Counter(target for some in links for target in some)
    return sum(any(counts[one] == 1 for one in some) for some in links) / len(links)


def _length(page: Page, record: Record) -> int:
    return sum(map(page.text_length, record.nodes))


def _is_tabular(page: Page, records: Sequence[Record]) -> bool:
    """Whether there are some records of short texts: rows rather than paragraphs."""
    shown = [
        page.text_length(one)
        for record in records
        for row in record.nodes
        for one in texts(page, row)
    ]
    is_short = sum(shown) <= SHORT * len(shown)
    is_single = all(len(record.nodes) == 1 for record in records)
    has_several = len(shown) > len(records) >= LEAST_ROWS
    return is_single and is_short and has_several


def _outside_asides(page: Page, node: NodeId, rows: Sequence[NodeId]) -> Iterator[int]:
    """The lengths of the texts that stand under no aside; what holds rows is none."""
    for child in page.children(node):
        if page.is_text(child):
            yield page.text_length(child)
        elif page.text_length(child):
            after = bisect_left(rows, child)
            holds = after < len(rows) and page.contains(child, rows[after])
            if holds or not is_aside(page, child):
                yield from _outside_asides(page, child, rows)


def holds_json_records(page: Page) -> bool:
    """Whether a script holds an array of objects that all have the same keys."""
    for node in page.select(SCRIPTS):
        try:
            data = json.loads(page.element_of(node).text or "")
        except ValueError:
            continue
        if any(map(_are_records, _arrays(data))):
            return True
    return False


def _arrays(data: object) -> Iterator[list[object]]:
    pending = [data]
    while pending:
        one = pending.pop()
        if isinstance(one, list):
            yield one
            pending += one
        elif isinstance(one, dict):
            pending += one.values()


def _are_records(items: list[object]) -> bool:
    objects = [one for one in items if isinstance(one, dict)]
    shared = set.intersection(*map(set, objects)) if objects else set()
    return len(objects) >= LEAST_ITEMS and len(shared) > 1
