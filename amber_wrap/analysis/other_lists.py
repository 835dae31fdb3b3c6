"""What lists a page holds beside the one that was chosen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from amber_wrap.analysis.prospects import Prospect
from amber_wrap.analysis.selection import left_out
from amber_wrap.analysis.typing import AreaTyping
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.dom.selector import selector_of
from amber_wrap.errors import Diagnostic

MOST_LISTS = 3
"""Lists that are told of, those of most records first."""


def other_lists(
    page: Page,
    areas: Sequence[Prospect],
    chosen: Sequence[AreaTyping],
    is_open: bool,
) -> Iterator[Diagnostic]:
    """A finding for each list that was not chosen: how to have it.

    It `is_open` whether lists of other things are sought, too.
    """
    starts = [record.start for area in chosen for record in area.records]
    others = left_out(page, areas, chosen, is_open)
    for area in sorted(others, key=lambda one: -len(one.records))[:MOST_LISTS]:
        place = selector_of(page, _place(page, area, starts))
        yield Diagnostic(
            "info",
            "another-list",
            f"a list of {len(area.records)} other records is left out: "
            f"--within '{place}' has it",
        )


def _place(page: Page, area: AreaTyping, starts: Sequence[NodeId]) -> NodeId:
    """What holds the area, and no record of those that were chosen."""
    root = area.segmentation.area.root
    if any(page.contains(root, start) for start in starts):
        return page.parent[area.records[0].start]
    return root
