"""The pass `complete`: records that stand apart from the others of their area.

A featured result above the list, the last ones in a box of their own: their parents
differ, and so does their depth.  But they are made by the same code as the others,
and bear its marks.  The box itself may have been taken for a record.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import compress

from amber_wrap.analysis.asides import asides_above, is_beside
from amber_wrap.analysis.places import marks_of
from amber_wrap.analysis.typing import AreaTyping, DataArea, Record, Segmentation
from amber_wrap.dom.measure import lowest_common_ancestor
from amber_wrap.dom.page import NodeId, Page

LEAST_STRAY = 0.75
"""The share of an area's attributes per record that a stray must have."""
LEAST_SIBLING = 0.25
"""The same for a sibling of a record: what one loop made, with less to say."""
AS_GOOD = 0.8
"""The share of the attributes that strays have as an area of their own."""
NEARLY_ALL = 0.8
"""The share of an area's records that must bear a mark for it to be theirs."""
LEAST_RECORDS = 3
"""Records from which on what they share is more than chance."""


def complete(
    page: Page,
    areas: Sequence[AreaTyping],
    align: Callable[[Segmentation], AreaTyping],
) -> tuple[AreaTyping, ...]:
    """The areas, each with the strays that have about as many attributes as the rest.

    `align` types a segmentation; strays are aligned together with the others.  The
    largest area comes first: what strays of it make by themselves is no area, unless
    more is known of them there.
    """
    pending = sorted(areas, key=lambda one: -sum(map(len, one.attributes)))
    taken: list[NodeId] = []
    done: list[AreaTyping] = []
    while pending:
        area, *pending = pending
        area = _without_asides(page, _unboxed(page, area))
        taken += _rows(area)
        strays = list(find_strays(page, area, taken))
        if 0 < len(strays) <= len(area.records):
            typed = align(_with(page, area, strays))
            count = _counts(typed)
            usual = _mean(count[one.start] for one in area.records)
            parents = {page.parent[one.start] for one in area.records}
            kept = {
                stray
                for stray in strays
                if count[stray] >= max(1, usual * _least(page, stray, parents))
            }
            for other in pending[:]:
                rows = _rows(other)
                shared = {one for one in kept if _overlap(page, one, rows)}
                alone = _mean(_counts(other).values())
                if (
                    shared
                    and _all_hold(page, other, shared)
                    and _mean(count[one] for one in shared) >= AS_GOOD * alone
                ):
                    pending.remove(other)
                else:
                    kept -= shared
            taken += kept
            area = _joined(page, area, typed, kept)
        done.append(area)
    return tuple(sorted(done, key=lambda area: area.records[0].start))


def _least(page: Page, stray: NodeId, parents: Collection[NodeId]) -> float:
    """The share of a record's attributes that a stray must have."""
    return LEAST_SIBLING if page.parent[stray] in parents else LEAST_STRAY


def _unboxed(page: Page, area: AreaTyping) -> AreaTyping:
    """The area without what is a box around several elements that look like records."""
    if not _has_strays(area):
        return area
    chain, marks = _shared(page, [record.start for record in area.records])
    kept = [
        not marks or len(list(_bearers(page, record.start, chain[-1], marks))) < 2
        for record in area.records
    ]
    return _only(page, area, kept)


def _without_asides(page: Page, area: AreaTyping) -> AreaTyping:
    """The area without records in asides, if most are in none.

    What is recommended beside the results is shown by the same code.
    """
    kept = [not asides_above(page, page.parent[one.start]) for one in area.records]
    return _only(page, area, kept) if 2 * sum(kept) > len(kept) else area


def _only(page: Page, area: AreaTyping, kept: Sequence[bool]) -> AreaTyping:
    """The area with these of its records, unless too few are left."""
    if all(kept) or sum(kept) < LEAST_RECORDS:
        return area
    return replace(
        area,
        segmentation=_segmented(page, area, compress(area.records, kept)),
        attributes=tuple(compress(area.attributes, kept)),
    )


def _bearers(
    page: Page, node: NodeId, tag: str, marks: frozenset[str]
) -> Iterator[NodeId]:
    """The outermost elements of a tag that bear the marks, from a node on down."""
    end = 0
    for one in page.elements(node):
        if one >= end and page.tag[one] == tag and marks_of(page, one) >= marks:
            end = one + page.size[one]
            yield one


def _overlap(page: Page, node: NodeId, rows: Iterable[NodeId]) -> bool:
    return any(page.contains(row, node) or page.contains(node, row) for row in rows)


def _all_hold(page: Page, area: AreaTyping, strays: Collection[NodeId]) -> bool:
    """Whether every record of an area holds a stray."""
    return all(
        any(page.contains(row, stray) for row in record.nodes for stray in strays)
        for record in area.records
    )


def _joined(
    page: Page, area: AreaTyping, typed: AreaTyping, strays: Collection[NodeId]
) -> AreaTyping:
    """The area with strays, typed as they are together with it.

    What its own records are is not in question: a type that strays lack stays theirs.
    """
    attributes = {
        record.start: found
        for one in (typed, area)
        for record, found in zip(one.records, one.attributes, strict=True)
    }
    whole = _with(page, area, sorted(strays))
    found = tuple(attributes[record.start] for record in whole.records)
    noise = {**typed.noise, **area.noise}
    return replace(area, segmentation=whole, attributes=found, noise=noise)


def _counts(area: AreaTyping) -> dict[NodeId, int]:
    """The number of values of each record, by its start."""
    return {
        record.start: sum(attribute.text is not None for attribute in found)
        for record, found in zip(area.records, area.attributes, strict=True)
    }


def _mean(counts: Iterable[int]) -> float:
    found = list(counts)
    return sum(found) / len(found)


def _rows(area: AreaTyping) -> list[NodeId]:
    return [row for record in area.records for row in record.nodes]


def find_strays(
    page: Page, area: AreaTyping, taken: Collection[NodeId]
) -> Iterator[NodeId]:
    """Elements that bear all marks of an area's records.

    None of them holds a taken one, is within one, or holds another stray.
    """
    if not _has_strays(area):
        return
    chain, marks = _shared(page, [record.start for record in area.records])
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
        bears = (
            free[node]
            and page.tag[node] == chain[-1]
            and page.text_length(node) > 0
            and marks_of(page, node) >= marks
            and not is_beside(page, node, area.records[0].start)
        )
        if bears and node + page.size[node] <= last:
            last = node
            yield _lifted(page, node, chain)


def _has_strays(area: AreaTyping) -> bool:
    """Whether one element is a record, and what they share is more than chance."""
    length, count = area.segmentation.record_length, len(area.records)
    return length == 1 and count >= LEAST_RECORDS


def _shared(
    page: Page, starts: Sequence[NodeId]
) -> tuple[tuple[str, ...], frozenset[str]]:
    """The marks that nearly all starts bear, else their only children, and so on.

    The tags lead from a start to the element that bears them.
    """
    chain: list[str] = []
    nodes: Sequence[NodeId] = starts
    while len({page.tag[node] for node in nodes}) == 1:
        chain.append(page.tag[nodes[0]])
        borne = Counter(mark for node in nodes for mark in marks_of(page, node))
        marks = {one for one, n in borne.items() if n >= NEARLY_ALL * len(nodes)}
        if marks:
            return tuple(chain), frozenset(marks)
        children = [list(page.child_elements(node)) for node in nodes]
        if any(len(found) != 1 for found in children):
            break
        nodes = [found[0] for found in children]
    return tuple(chain), frozenset()


def _lifted(page: Page, node: NodeId, chain: Sequence[str]) -> NodeId:
    """The record start above an element that bears the marks, as far as it is alike."""
    for tag in reversed(chain[:-1]):
        parent = page.parent[node]
        if page.tag[parent] != tag or len(list(page.child_elements(parent))) > 1:
            break
        node = parent
    return node


def _with(page: Page, area: AreaTyping, strays: Sequence[NodeId]) -> Segmentation:
    """The segmentation of an area with strays among its records."""
    return _segmented(page, area, (*area.records, *(Record((one,)) for one in strays)))


def _segmented(page: Page, area: AreaTyping, records: Iterable[Record]) -> Segmentation:
    """The segmentation of an area with other records."""
    found = area.segmentation
    ordered = tuple(sorted(records, key=lambda record: record.start))
    parents = tuple(dict.fromkeys(page.parent[record.start] for record in ordered))
    root = lowest_common_ancestor(page, parents)
    whole = DataArea(root, found.area.pivots, parents)
    return Segmentation(whole, ordered, found.record_length, found.trials)
