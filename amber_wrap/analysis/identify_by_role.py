"""The pass `identify` by role: find areas whose records each have one pivot node of the
same role.

The role of a pivot node is its tag path and class. AMBER clusters pivot nodes by depth
and distance instead (D4, D5). A second price in some records or an advert between
records breaks a cluster, but not a role.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise

from amber_wrap.analysis.candidates import tag_paths
from amber_wrap.analysis.extraction_typing import DataArea
from amber_wrap.analysis.thresholds import SELECTION
from amber_wrap.dom.measure import lowest_common_ancestor
from amber_wrap.dom.page import NodeId, Page

_Role = tuple[int, ...]
"""Numbers for the tag path of a pivot's element, for its class tokens, and for the
class tokens of its parent.

The second and the third number may be missing.
"""


def identify_by_role(
    page: Page, roles: Sequence[tuple[int, int]], pivots: Iterable[NodeId]
) -> tuple[DataArea, ...]:
    """Return one data area for each role that at least two pivot nodes have.

    The simplest role of a pivot is its tag path. A second role adds the class tokens of
    the pivot's element. A third role also adds the class tokens of the element's
    parent. `roles` has for each node a number for its tag path, and a number for its
    class tokens. A record is an element around a pivot, usually without another pivot
    of the role. Roles with the same records make one area. Areas may overlap. Return at
    most `SELECTION.most_areas` areas, the area with the longest text first.
    """
    alike: dict[_Role, list[NodeId]] = defaultdict(list)
    # A link and its text node are one element, so they count as one pivot.
    for pivot in sorted(set(map(page.element, pivots))):
        # A role is formed by tags alone, with the element's class, and with its
        # parent's class, too. A class may name a purpose or mark odd rows; the later
        # choice among all lists decides which is useful.
        role = roles[pivot]
        alike[role[:1]].append(pivot)
        alike[role].append(pivot)
        if pivot:
            alike[*role, roles[page.parent[pivot]][1]].append(pivot)
    pivots_of: dict[tuple[NodeId, ...], tuple[NodeId, ...]] = {}
    several = (tuple(members) for members in alike.values() if len(members) >= 2)
    for members in dict.fromkeys(several):
        pivots_of.setdefault(tuple(_records(page, members)), members)
    largest = sorted(pivots_of, key=lambda records: -_text(page, records))
    return tuple(
        _area(page, records, pivots_of[records])
        for records in largest[: SELECTION.most_areas]
    )


def _area(
    page: Page, records: Sequence[NodeId], pivots: tuple[NodeId, ...]
) -> DataArea:
    parents = tuple(dict.fromkeys(page.parent[record] for record in records))
    return DataArea(lowest_common_ancestor(page, parents), pivots, parents)


def _text(page: Page, records: Iterable[NodeId]) -> int:
    return sum(
        min(SELECTION.record_text, page.text_length(record)) for record in records
    )


def element_roles(page: Page) -> Sequence[tuple[int, int]]:
    """Return for each node a number for its tag path, and a number for its class
    tokens.

    Elements with the same tag path or class tokens have the same number. The numbers of
    a text node are -1.
    """
    return list(zip(tag_paths(page), _class_numbers(page), strict=True))


def _class_numbers(page: Page) -> Sequence[int]:
    """Return for each node a number that stands for its class tokens.

    The number is -1 for a text node.
    """
    numbers: dict[tuple[str, ...], int] = {}
    known: dict[str, int] = {}
    found = [-1] * len(page)
    for node in page.elements():
        written = page.attributes[node].get("class", "")
        if (number := known.get(written)) is None:
            tokens = tuple(written.split())
            known[written] = number = numbers.setdefault(tokens, len(numbers))
        found[node] = number
    return found


def _split(page: Page, one: NodeId, other: NodeId) -> int:
    """Return the depth at which the ancestors of two equally deep elements start to
    differ.
    """
    parent = page.parent
    depth = page.depth[one]
    while (one := parent[one]) != (other := parent[other]):
        depth -= 1
    return depth


def _records(page: Page, pivots: Sequence[NodeId]) -> list[NodeId]:
    """Return the elements that are records, given the pivots of one role.

    All records have the same depth. The depth is the most frequent depth of the highest
    elements with only one pivot.
    """
    splits = [_split(page, *pair) for pair in pairwise(pivots)]
    depths = Counter(map(max, [0, *splits], [*splits, 0]))
    # At the most frequent depth, a single result under its own heading is no larger
    # than the other records.
    depth = depths.most_common(1)[0][0]
    records: dict[NodeId, None] = {}
    for pivot in pivots:
        record = pivot
        while page.depth[record] > depth:
            record = page.parent[record]
        records[record] = None
    return list(records)
