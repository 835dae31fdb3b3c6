"""Restrict candidate lists to a user's scope, to a user's examples, or to the pivot
types of a domain.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Sequence

from amber_wrap.analysis.extraction_typing import Segmentation
from amber_wrap.analysis.list_selection import ListChoice, TakenNodes, displayed
from amber_wrap.analysis.thresholds import SELECTION
from amber_wrap.annotate.annotator import Annotation
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.domain.schema import Schema, ValueKind


def in_scope(found: Segmentation, is_seen: Sequence[bool]) -> bool:
    """Return whether all nodes of a list's records are in the user's scope.

    `is_seen` says for each node of the page whether the node is in the scope.
    """
    return all(is_seen[node] for record in found.records for node in record.nodes)


def matching_examples(
    page: Page, choice: ListChoice, examples: Sequence[Collection[NodeId]]
) -> ListChoice:
    """Return the choice of the best list in which every example is displayed by
    several records.

    For each example, `examples` has the elements of the page that display the example.
    An example that no list displays in several records is ignored. `choice` is the
    choice without examples. It is returned if the examples exclude no list.
    """
    found = [one.segmentation for one in choice.ranked] or list(choice.lists)
    count = len(found)
    for nodes in examples:
        found = [
            one for one in found if holders(page, one, nodes) >= SELECTION.least_records
        ] or found
    if len(found) == count:
        return choice
    if not choice.ranked:
        return ListChoice(tuple(found), choice.probability)
    held = set(map(id, found))
    best = next(one for one in choice.ranked if id(one.segmentation) in held)
    others = (one for one in choice.ranked if one is not best)
    otherwise = None if best is choice.ranked[0] else choice.ranked[0].segmentation
    ranked = (best, *others)
    return ListChoice((best.segmentation,), best.probability, ranked, otherwise)


def loses_records(page: Page, found: Segmentation, other: Segmentation) -> bool:
    """Return whether the list `found` lacks or merges records of the list `other`.

    Return False if the lists have no record in common. Return False also if the records
    of `other` are only small parts of the records of `found`.
    """
    taken = TakenNodes(page)
    taken.take(found.records)
    held = [one for one in other.records if not taken.is_free([one])]
    if len(held) < len(other.records):
        return bool(held)
    enough = SELECTION.merged * displayed(page, found.records)
    return len(found.records) < len(held) and displayed(page, held) >= enough


def with_pivots(
    page: Page,
    lists: Sequence[Segmentation],
    annotations: Iterable[Annotation],
    schema: Schema,
) -> list[Segmentation]:
    """Return the lists in which enough records have pivots, such as prices.

    Pivots are values of a domain's regular types (AMBER, section 3.3). Links aren't
    pivots, because every list has links. Return all lists if the page has no pivots.
    """
    identifying = {
        one.name
        for one in schema.types
        if one.regular and one.kind is not ValueKind.URL
    }
    pivots = sorted({one.node for one in annotations if one.type in identifying})

    def holds(begin: NodeId, end: NodeId) -> bool:
        place = bisect_left(pivots, begin)
        return place < len(pivots) and pivots[place] < end

    def has_pivots(found: Segmentation) -> bool:
        count = sum(
            any(holds(node, node + page.size[node]) for node in record.nodes)
            for record in found.records
        )
        return count >= max(
            SELECTION.least_records, SELECTION.with_pivot * len(found.records)
        )

    return [one for one in lists if not pivots or has_pivots(one)]


def holders(page: Page, found: Segmentation, nodes: Collection[NodeId]) -> int:
    """Return the number of records of a list that contain any of the nodes."""
    return sum(
        any(page.contains(row, node) for row in record.nodes for node in nodes)
        for record in found.records
    )
