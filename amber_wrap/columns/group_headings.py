"""Find headings above groups of records.

A heading becomes a value of each record below the heading.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from functools import cache
from typing import Final

from amber_wrap.analysis.extraction_typing import AreaTyping, Record
from amber_wrap.annotate.table_headers import HEADERS
from amber_wrap.columns.naming.distinct_names import UNNAMED
from amber_wrap.columns.naming.usual_fields import has_usual_word
from amber_wrap.columns.thresholds import COLUMN
from amber_wrap.dom.page import NodeId, Page

HEADING_TAGS: Final = frozenset(
    {"h1", "h2", "h3", "h4", "h5", "h6", "dt", "legend", "caption"}
)
"""HTML tags of headings above groups of records."""


def group_headings(page: Page, area: AreaTyping) -> dict[NodeId, NodeId]:
    """Return the heading above each record of a list, by the first node of the record.

    Return {} if some records have no heading, or if no two records share one.
    """
    rows = {row for record in area.records for row in record.nodes}

    @cache
    def headings_within(parent: NodeId, is_row: bool) -> list[NodeId]:
        """Return the headings among the child elements of `parent`.

        If `is_row` is true, a table row with a single cell counts as a heading.
        """
        children = (node for node in page.child_elements(parent) if node not in rows)
        headings = (_heading_in(page, node, is_row) for node in children)
        return [heading for heading in headings if heading >= 0]

    heading_of = {}
    for record in area.records:
        heading = _heading_above(page, record, headings_within)
        if heading is not None:
            heading_of[record.start] = heading
    tags = {page.tag[heading] for heading in heading_of.values()}
    texts = {page.string(heading) for heading in heading_of.values()}
    count = len(set(heading_of.values()))
    are_groups = len(tags) == 1 and len(texts) > 1 and count < len(heading_of)
    are_usual = len(heading_of) >= COLUMN.nearly_all * len(area.records)
    return heading_of if are_groups and are_usual else {}


def _heading_above(
    page: Page,
    record: Record,
    headings_within: Callable[[NodeId, bool], list[NodeId]],
) -> NodeId | None:
    """Return the nearest heading above a record, or None.

    `headings_within` returns the headings among the children of a node. The search ends
    after `COLUMN.heading_levels` ancestors with several child elements.
    """
    node, levels = record.start, 0
    while levels < COLUMN.heading_levels and (parent := page.parent[node]) >= 0:
        candidates = headings_within(parent, page.tag[node] == "tr")
        if index := bisect_left(candidates, node):
            return candidates[index - 1]
        levels += len(page.child_elements(parent)) > 1
        node = parent
    return None


def _heading_in(page: Page, node: NodeId, is_row: bool) -> NodeId:
    """Return the heading that is all of an element's content, or -1 if there is none.

    If `is_row` is true, a table row with a single cell counts as a heading.
    """
    if not 0 < page.text_length(node) <= COLUMN.longest_heading:
        return -1
    if page.tag[node] == "tr" and is_row:
        return node if len(page.child_elements(node)) == 1 else -1
    while page.tag[node] not in HEADING_TAGS:
        children = list(page.children(node))
        if len(children) != 1 or page.is_text(children[0]):
            return -1
        [node] = children
    return node


def names_only_heading(name: str) -> bool:
    """Return whether a name says only that a text is a heading, such as `group_header`.

    Return False for a name that also describes the content, such as `category_header`.
    """
    words = name.split("_")
    is_heading = not set(HEADERS).isdisjoint(words) and not has_usual_word(words)
    return name == UNNAMED or is_heading
