"""Choose among the lists of a page by the values that a user gave as examples."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from amber_wrap.analysis.extraction_typing import Segmentation
from amber_wrap.analysis.list_selection import (
    ListChoice,
    TakenNodes,
    displayed_length,
    with_best_first,
)
from amber_wrap.analysis.thresholds import SELECTION
from amber_wrap.dom.page import NodeId, Page


def matching_examples(
    page: Page, choice: ListChoice, examples: Sequence[Collection[NodeId]]
) -> ListChoice:
    """Choose the best list in which several records display each example of the user.

    `examples` has the elements that display each example. Return `choice` itself if the
    examples rule out no list.
    """
    lists = [candidate.segmentation for candidate in choice.ranked] or [*choice.lists]
    matching = lists
    for nodes in examples:
        with_example = [
            candidate
            for candidate in matching
            if count_records_with(page, candidate, nodes) >= SELECTION.least_records
        ]
        matching = with_example or matching
    if len(matching) == len(lists):
        return choice
    if not choice.ranked:
        return ListChoice(tuple(matching), choice.probability)
    former_best = choice.ranked[0]
    best = next(
        candidate
        for candidate in choice.ranked
        if any(candidate.segmentation is match for match in matching)
    )
    return ListChoice(
        (best.segmentation,),
        best.probability,
        with_best_first(best, choice.ranked),
        None if best is former_best else former_best.segmentation,
    )


def loses_records(page: Page, candidate: Segmentation, reference: Segmentation) -> bool:
    """Return whether the list `candidate` lacks or merges records of the list
    `reference`.

    Return False if the two lists share no nodes.
    """
    taken_nodes = TakenNodes(page)
    taken_nodes.take(candidate.records)
    shared = [
        record for record in reference.records if not taken_nodes.is_free([record])
    ]
    if len(shared) < len(reference.records):
        return bool(shared)
    is_merged = len(candidate.records) < len(shared)
    candidate_length = displayed_length(page, candidate.records)
    shared_length = displayed_length(page, shared)
    return is_merged and shared_length >= SELECTION.least_merged_text * candidate_length


def count_records_with(
    page: Page, candidate: Segmentation, nodes: Collection[NodeId]
) -> int:
    """Return the number of records of a list that contain any of `nodes`."""
    return sum(
        any(page.contains(row, node) for row in record.nodes for node in nodes)
        for record in candidate.records
    )
