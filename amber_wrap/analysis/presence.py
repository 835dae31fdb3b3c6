"""Whether a page is a list at all: an article has a menu, too."""

from __future__ import annotations

import json
from collections.abc import Iterator

from amber_wrap.dom.page import Page

LEAST_ITEMS = 3
"""Objects in an array of JSON that may be records."""
SCRIPTS = "//script[contains(@type, 'json') or @id='__NEXT_DATA__']"


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
