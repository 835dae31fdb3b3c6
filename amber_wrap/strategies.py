"""How areas are found: AMBER to the letter, or by the role of annotated nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from amber_wrap.analysis.areas import identify
from amber_wrap.analysis.attributes import Manner
from amber_wrap.analysis.cuts import learn_cut, no_cut
from amber_wrap.analysis.places import Marks, TagPaths
from amber_wrap.analysis.prospects import Prospect
from amber_wrap.analysis.records import (
    SubtreeDistance,
    segment,
    segment_without_fillers,
)
from amber_wrap.analysis.roles import identify_by_role
from amber_wrap.analysis.selection import select as select_areas
from amber_wrap.analysis.standing import best_standing, first
from amber_wrap.analysis.strays import complete
from amber_wrap.analysis.typing import AreaTyping, DataArea, Segmentation
from amber_wrap.annotate.annotator import Annotation
from amber_wrap.dom.page import TEXT, NodeId, Page
from amber_wrap.domain.schema import Schema, Thresholds, ValueKind


def pivot_nodes(
    annotations: Iterable[Annotation], schema: Schema, pivot: str
) -> Iterator[NodeId]:
    """The nodes that hold instances of the pivot type.

    A price that an attribute repeats is no second instance: only URLs, which no text
    shows, are taken from attributes.
    """
    in_attributes = schema[pivot].kind is ValueKind.URL
    for one in annotations:
        if one.type == pivot and (in_attributes or one.source == TEXT):
            yield one.node


def nodes_of_all_types(
    annotations: Iterable[Annotation], schema: Schema, pivot: str
) -> Iterator[NodeId]:
    """The nodes that hold instances of any type.

    A record without a price has a link, a size, a title: which type marks the most
    records, `selection` finds out.
    """
    urls = {kind.name for kind in schema.types if kind.kind is ValueKind.URL}
    for one in annotations:
        if one.source == TEXT or one.type in urls:
            yield one.node


@dataclass(frozen=True, slots=True)
class Strategy:
    """What AMBER leaves open or does otherwise, from pivots to selected areas."""

    pivots: Callable[[Iterable[Annotation], Schema, str], Iterator[NodeId]]
    identify: Callable[[Page, Iterable[NodeId], Thresholds], tuple[DataArea, ...]]
    segment: Callable[[Page, DataArea, SubtreeDistance], Segmentation]
    manner: Manner
    select: Callable[[Page, Sequence[Prospect], Schema], Sequence[AreaTyping]]
    complete: Callable[
        [Page, Sequence[AreaTyping], Callable[[Segmentation], AreaTyping]],
        Sequence[AreaTyping],
    ]


STRATEGIES: Mapping[str, Strategy] = {
    "role": Strategy(
        nodes_of_all_types,
        identify_by_role,
        segment_without_fillers,
        Manner(Marks, best_standing, learn_cut, gathers=True, presumes=True),
        select_areas,
        complete,
    ),
    "paper": Strategy(
        pivot_nodes,
        identify,
        segment,
        Manner(TagPaths, first, no_cut, gathers=False, presumes=False),
        lambda page, areas, schema: [area.typing for area in areas],
        lambda page, areas, align: areas,
    ),
}
"""By name; "paper" is AMBER to the letter."""
