"""Recognise class tokens that name the state of an element rather than its kind.

In `badge badge--full`, the state is `badge--full`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import reduce
from operator import and_, or_

from amber_wrap.analysis.marks import marks, marks_of
from amber_wrap.analysis.thresholds import ALIGNMENT
from amber_wrap.dom.page import NodeId, Page

MarkSet = frozenset[str]
"""The class tokens and naming attributes of an element, for example `.badge`."""


def stateless(
    page: Page, records: Sequence[Sequence[NodeId]]
) -> Mapping[MarkSet, MarkSet]:
    """Return a mapping that removes states from sets of class tokens and names.

    For example, `.badge.full` and `.badge.cancelled` are mapped to `.badge`. No record
    may have two elements with the shared token `.badge`.
    """
    marked = marks(page)
    found: dict[MarkSet, tuple[int, str, MarkSet]] = {}
    for mark, nodes in _single(page, records).items():
        texts: dict[MarkSet, set[str]] = defaultdict(set)
        for node in nodes:
            texts[marked[node]].add(page.string(node))
        common = reduce(and_, texts)
        classes_only = all(one.startswith(".") for one in reduce(or_, texts) - common)
        if not (len(texts) > 1 and classes_only and _are_alike(page, nodes)):
            continue
        is_flag = all(len(one) == 1 for one in texts.values())
        if (
            common in texts  # No expression selects only the elements without a state.
            or len(nodes) >= ALIGNMENT.one_state * len(records)
            or (is_flag and len(nodes) > len(texts))
        ):
            rank = len(nodes), mark, common
            for one in texts:
                found[one] = max(found.get(one, rank), rank, key=lambda one: one[:2])
    return {together: common for together, (_, _, common) in found.items()}


def _single(
    page: Page, records: Sequence[Sequence[NodeId]]
) -> Mapping[str, list[NodeId]]:
    """Return the elements of each class token or name that occurs at most once in every
    record.

    The rows, which are the top elements of records, are left out.
    """
    marked = marks(page)
    others: dict[str, set[MarkSet]] = defaultdict(set)
    for together in set(marked):
        for mark in together:
            others[mark].add(together)
    shared = frozenset(mark for mark, sets in others.items() if len(sets) > 1)
    bearers = [node for node, together in enumerate(marked) if together & shared]
    found: dict[str, list[NodeId]] = defaultdict(list)
    twice: set[str] = set()
    for rows in records:
        here: set[str] = set()
        for row in rows:
            begin = bisect_left(bearers, row + 1)
            end = bisect_left(bearers, row + page.size[row], begin)
            for node in bearers[begin:end]:
                for mark in marked[node] & shared:
                    (twice if mark in here else here).add(mark)
                    found[mark].append(node)
    return {mark: nodes for mark, nodes in found.items() if mark not in twice}


def _are_alike(page: Page, nodes: Sequence[NodeId]) -> bool:
    """Return whether all elements have the same tag and similar parents.

    The parents must share a class token or name. If parents have no class tokens or
    names, the tags of the parents are compared.
    """
    parents = {page.parent[node] for node in nodes}
    looks = (marks_of(page, one) or {page.tag[one]} for one in parents)
    return len({page.tag[node] for node in nodes}) == 1 and bool(reduce(and_, looks))
