"""Which candidate lists may be meant: in scope, with an example, of a named domain."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Sequence
from typing import Final

from amber_wrap.analysis.candidates import LEAST_RECORDS
from amber_wrap.analysis.extraction_typing import Segmentation
from amber_wrap.analysis.list_selection import ListChoice, TakenNodes, displayed
from amber_wrap.annotate.annotator import Annotation
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.domain.schema import Schema, ValueKind

_LEAST_TOLD: Final = 0.1
"""The share of the records with a regular type from which on a list is of a domain."""
_NEARLY_ALL: Final = 0.9
"""The share of what records display that is all of it, but for their headings."""


def in_scope(found: Segmentation, is_seen: Sequence[bool]) -> bool:
    """Return whether all records of a list are looked at."""
    return all(is_seen[node] for record in found.records for node in record.nodes)


def meant(
    page: Page, choice: ListChoice, examples: Sequence[Collection[NodeId]]
) -> ListChoice:
    """Return the choice among the lists with elements of each example in several
    records, as far as any has.

    What one record alone holds tells no list from one of which it is a part.
    """
    found = [one.segmentation for one in choice.ranked] or list(choice.lists)
    count = len(found)
    for nodes in examples:
        found = [
            one for one in found if holders(page, one, nodes) >= LEAST_RECORDS
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


def loses(page: Page, found: Segmentation, other: Segmentation) -> bool:
    """Return whether a list lacks some of another's records, but not all of them,
    or has them several in one and hardly anything beside them.

    A list of its own has none of them; cards show more than the rows in them.
    """
    taken = TakenNodes(page)
    taken.take(found.records)
    held = [one for one in other.records if not taken.is_free([one])]
    if len(held) < len(other.records):
        return bool(held)
    is_merged = displayed(page, held) >= _NEARLY_ALL * displayed(page, found.records)
    return is_merged and len(found.records) < len(held)


def of_domain(
    page: Page,
    lists: Sequence[Segmentation],
    annotations: Iterable[Annotation],
    schema: Schema,
) -> list[Segmentation]:
    """Return the lists with instances of a domain's regular types, if the page has
    any.

    AMBER finds data areas by such pivots (section 3.3).  Records that lack them are
    few, but prices may be had on request only; links tell no list from another.
    """
    telling = {
        one.name
        for one in schema.types
        if one.regular and one.kind is not ValueKind.URL
    }
    pivots = sorted({one.node for one in annotations if one.type in telling})

    def holds(begin: NodeId, end: NodeId) -> bool:
        place = bisect_left(pivots, begin)
        return place < len(pivots) and pivots[place] < end

    def is_told(found: Segmentation) -> bool:
        told = sum(
            any(holds(node, node + page.size[node]) for node in record.nodes)
            for record in found.records
        )
        return told >= max(LEAST_RECORDS, _LEAST_TOLD * len(found.records))

    return [one for one in lists if not pivots or is_told(one)]


def holders(page: Page, found: Segmentation, nodes: Collection[NodeId]) -> int:
    """Return the number of records with any of the nodes."""
    return sum(
        any(page.contains(row, node) for row in record.nodes for node in nodes)
        for record in found.records
    )
