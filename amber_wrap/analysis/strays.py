"""The pass `complete`: records that stand apart from the others of their area.

A featured result above the list, the last ones in a box of their own: their parents
differ, and so does their depth.  But they are made by the same code as the others,
and bear its marks.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace

from amber_wrap.analysis.places import marks_of
from amber_wrap.analysis.typing import AreaTyping, DataArea, Record, Segmentation
from amber_wrap.dom.measure import lowest_common_ancestor
from amber_wrap.dom.page import NodeId, Page

LEAST_STRAY = 0.5
"""The share of an area's attributes per record that a stray must have."""
LEAST_RECORDS = 3
"""Records from which on what they share is more than chance."""


def complete(
    page: Page,
    areas: Sequence[AreaTyping],
    align: Callable[[Segmentation], AreaTyping],
) -> Iterator[AreaTyping]:
    """The areas, each with the strays that have about as many attributes as the rest.

    `align` types a segmentation; strays are aligned together with the others.
    """
    taken = [record.start for area in areas for record in area.records]
    for area in areas:
        strays = list(find_strays(page, area, taken))
        if not 0 < len(strays) <= len(area.records):
            yield area
            continue
        typed = align(_with(page, area, strays))
        found = {
            record.start: attributes
            for record, attributes in zip(typed.records, typed.attributes, strict=True)
        }
        count = {
            start: sum(attribute.text is not None for attribute in attributes)
            for start, attributes in found.items()
        }
        known = sum(count[record.start] for record in area.records)
        enough = LEAST_STRAY * known / len(area.records)
        kept = [stray for stray in strays if count[stray] >= enough]
        taken += kept
        # What the others are is not in question: a type that strays lack stays theirs.
        found |= {
            record.start: attributes
            for record, attributes in zip(area.records, area.attributes, strict=True)
        }
        whole = _with(page, area, kept)
        attributes = tuple(found[record.start] for record in whole.records)
        yield replace(area, segmentation=whole, attributes=attributes)


def find_strays(
    page: Page, area: AreaTyping, taken: Collection[NodeId]
) -> Iterator[NodeId]:
    """Elements that bear all marks that the records of an area share.

    None of them holds a taken one, is within one, or holds another stray.
    """
    if area.segmentation.record_length > 1 or len(area.records) < LEAST_RECORDS:
        return
    tag, marks = _shared(page, [record.start for record in area.records])
    if not marks:
        return
    free = [True] * len(page)
    for start in taken:
        free[start : start + page.size[start]] = [False] * page.size[start]
        while start >= 0:
            free[start] = False
            start = page.parent[start]
    last = len(page)
    for node in reversed(list(page.elements())):
        bears = free[node] and page.tag[node] == tag and marks_of(page, node) >= marks
        if bears and node + page.size[node] <= last:
            last = node
            yield node


def _shared(page: Page, starts: Sequence[NodeId]) -> tuple[str, frozenset[str]]:
    """The tag and marks that all starts share, else all their only children."""
    nodes: Sequence[NodeId] = starts
    while len({page.tag[node] for node in nodes}) == 1:
        marks = frozenset.intersection(*(marks_of(page, node) for node in nodes))
        if marks:
            return page.tag[nodes[0]], marks
        children = [list(page.child_elements(node)) for node in nodes]
        if any(len(found) != 1 for found in children):
            break
        nodes = [found[0] for found in children]
    return "", frozenset()


def _with(page: Page, area: AreaTyping, strays: Sequence[NodeId]) -> Segmentation:
    """The segmentation of an area with strays among its records."""
    found = area.segmentation
    records = sorted(
        (*found.records, *(Record((stray,)) for stray in strays)),
        key=lambda record: record.start,
    )
    parents = tuple(dict.fromkeys(page.parent[record.start] for record in records))
    root = lowest_common_ancestor(page, parents)
    whole = DataArea(root, found.area.pivots, parents)
    return Segmentation(whole, tuple(records), found.record_length, found.trials)
