"""Marks that tell the state of what is shown, not what it is: `badge badge--full`."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import reduce
from operator import and_, or_

from amber_wrap.analysis.relative_paths import marks
from amber_wrap.dom.page import NodeId, Page

_NEARLY_ALL = 0.95
"""The share of the records from which on they all have one of the states."""
Together = frozenset[str]
"""The marks of one element."""


def stateless(
    page: Page, records: Sequence[Sequence[NodeId]]
) -> Mapping[Together, Together]:
    """Return what elements are marked by, whatever their state, given all their
    marks.

    Where no record has two of the elements with a mark, it names their place, and the
    classes in which they differ tell them apart as values do: open, full, cancelled.
    """
    marked = marks(page)
    found: dict[Together, tuple[int, str, Together]] = {}
    for mark, nodes in _single(page, records).items():
        texts: dict[Together, set[str]] = defaultdict(set)
        for node in nodes:
            texts[marked[node]].add(page.string(node))
        common = reduce(and_, texts)
        classes_only = all(one.startswith(".") for one in reduce(or_, texts) - common)
        if not (len(texts) > 1 and classes_only and _are_alike(page, nodes)):
            continue
        is_flag = all(len(one) == 1 for one in texts.values())
        if (
            common in texts  # No expression tells it from the others.
            or len(nodes) >= _NEARLY_ALL * len(records)
            or (is_flag and len(nodes) > len(texts))
        ):
            rank = len(nodes), mark, common
            for one in texts:
                found[one] = max(found.get(one, rank), rank, key=lambda one: one[:2])
    return {together: common for together, (_, _, common) in found.items()}


def _single(
    page: Page, records: Sequence[Sequence[NodeId]]
) -> Mapping[str, list[NodeId]]:
    """Return the marks that no record has twice below its rows, with the elements."""
    marked = marks(page)
    others: dict[str, set[Together]] = defaultdict(set)
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
    """Return whether elements have one tag, and their parents a mark in common, or
    no marks and one tag.
    """
    parents = {page.parent[node] for node in nodes}
    looks = (marks(page)[one] or {page.tag[one]} for one in parents)
    return len({page.tag[node] for node in nodes}) == 1 and bool(reduce(and_, looks))
