"""Whether a page is a list at all: an article has a menu, too."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Final

from amber_wrap.analysis.asides import is_aside
from amber_wrap.analysis.typing import ExtractionTyping
from amber_wrap.dom.page import NodeId, Page

LEAST_SHARE: Final = 0.25
"""The share of a page's text that stands in its records, if they are what it is for."""
MANY_RECORDS, MANY_ATTRIBUTES = 10, 3
"""So many records with so many attributes each are a list all the same."""
LEAST_ITEMS = 3
"""Objects in an array of JSON that may be records."""
SCRIPTS = "//script[contains(@type, 'json') or @id='__NEXT_DATA__']"


def share(page: Page, typing: ExtractionTyping) -> float:
    """The share of the text outside of menus, footers and other asides in records."""
    rows = {row for area in typing.areas for one in area.records for row in one.nodes}
    total = sum(_outside_asides(page, 0, sorted(rows)))
    return sum(map(page.text_length, rows)) / total if total else 0.0


def is_list(page: Page, typing: ExtractionTyping) -> bool:
    """Whether the records are what the page is for."""
    if not typing.record_count:
        return False
    found = sum(len(some) for area in typing.areas for some in area.attributes)
    is_rich = found >= MANY_ATTRIBUTES * typing.record_count
    return share(page, typing) >= LEAST_SHARE or (
        typing.record_count >= MANY_RECORDS and is_rich
    )


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
