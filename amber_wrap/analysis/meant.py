"""Which candidate lists may be meant: those in scope, with what is pointed at."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from amber_wrap.analysis.candidates import LEAST_RECORDS
from amber_wrap.analysis.typing import Segmentation
from amber_wrap.dom.page import NodeId, Page


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


def _holders(page: Page, found: Segmentation, nodes: Collection[NodeId]) -> int:
    """The number of records with any of the nodes."""
    return sum(
        any(page.contains(row, node) for row in record.nodes for node in nodes)
        for record in found.records
    )
