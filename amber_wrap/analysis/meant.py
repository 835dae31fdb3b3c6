"""Which candidate lists may be meant: in scope, with an example, of a named domain."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Sequence
from typing import Final

from amber_wrap.analysis.candidates import LEAST_RECORDS
from amber_wrap.analysis.typing import Segmentation
from amber_wrap.annotate.annotator import Annotation
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.domain.schema import Schema, ValueKind

LEAST_TOLD: Final = 0.1
"""The share of the records with a regular type from which on a list is of a domain."""


def in_scope(found: Segmentation, is_seen: Sequence[bool]) -> bool:
    """Whether all records of a list are looked at."""
    return all(is_seen[node] for record in found.records for node in record.nodes)


def holding(
    page: Page,
    lists: Sequence[Segmentation],
    examples: Sequence[Collection[NodeId]],
) -> list[Segmentation]:
    """The lists with elements of each example in several records, as far as any has.

    What one record alone holds tells no list from one of which it is a part.
    """
    found = list(lists)
    for nodes in examples:
        found = [
            one for one in found if _holders(page, one, nodes) >= LEAST_RECORDS
        ] or found
    return found


def of_domain(
    page: Page,
    lists: Sequence[Segmentation],
    annotations: Iterable[Annotation],
    schema: Schema,
) -> list[Segmentation]:
    """The lists with instances of a domain's regular types, if the page has any.

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
        return told >= max(LEAST_RECORDS, LEAST_TOLD * len(found.records))

    return [one for one in lists if not pivots or is_told(one)]


def _holders(page: Page, found: Segmentation, nodes: Collection[NodeId]) -> int:
    """The number of records with any of the nodes."""
    return sum(
        any(page.contains(row, node) for row in record.nodes for node in nodes)
        for record in found.records
    )
