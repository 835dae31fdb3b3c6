"""Find headings above groups of records.

A heading becomes an attribute of each record below the heading.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from functools import cache
from typing import Final

from amber_wrap.analysis.extraction_typing import AreaTyping, Record
from amber_wrap.columns.thresholds import COLUMN
from amber_wrap.dom.page import NodeId, Page

TAGS: Final = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "dt", "legend", "caption"})
_ROW: Final = "tr"


def headings(page: Page, area: AreaTyping) -> dict[NodeId, NodeId]:
    """Return the heading above each record, by the first node of the record.

    Return an empty dictionary if the headings don't divide the records into groups.
    Nearly all records must have a heading. All headings must have the same tag, and at
    least two texts must differ. Some records must share a heading.
    """
    rows = {row for record in area.records for row in record.nodes}

    @cache
    def within(parent: NodeId, is_row: bool) -> list[NodeId]:
        """Return the headings among the children of the element `parent`.

        If `is_row` is true, a table row with a single cell may also be a heading.
        """
        children = (one for one in page.child_elements(parent) if one not in rows)
        return [one for one in children if _is_heading(page, one, is_row)]

    found = {}
    for record in area.records:
        above = _above(page, record, within)
        if above is not None:
            found[record.start] = above
    tags = {page.tag[one] for one in found.values()}
    texts = {page.string(one) for one in found.values()}
    count = len(set(found.values()))
    is_parted = len(tags) == 1 and len(texts) > 1 and count < len(found)
    is_usual = len(found) >= COLUMN.nearly_all * len(area.records)
    return found if is_parted and is_usual else {}


def _above(
    page: Page, record: Record, within: Callable[[NodeId, bool], list[NodeId]]
) -> NodeId | None:
    """Return the nearest heading above a record, or None.

    The heading is a preceding sibling of the record or of an ancestor of the record.
    `within` returns the headings among the children of an element. The second argument
    of `within` tells whether the headings are siblings of a table row.
    """
    node = record.start
    for _ in range(COLUMN.heading_levels):
        parent = page.parent[node]
        if parent < 0:
            return None
        found = within(parent, page.tag[node] == _ROW)
        if at := bisect_left(found, node):
            return found[at - 1]
        node = parent
    return None


def _is_heading(page: Page, node: NodeId, is_row: bool) -> bool:
    """Return whether the tag and the text length of an element allow it to be a
    heading.

    If `is_row` is true, a table row with a single cell may also be a heading.
    """
    if not 0 < page.text_length(node) <= COLUMN.longest_heading:
        return False
    if page.tag[node] == _ROW and is_row:
        return len(list(page.child_elements(node))) == 1
    return page.tag[node] in TAGS
