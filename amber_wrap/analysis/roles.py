"""The pass `identify` by role: one pivot of a kind per record.

AMBER clusters pivot nodes by depth and distance (D4, D5).  On today's pages a second
price in some records, an advert between them or a heading above a few of them break
such clusters.  What holds is the role of the pivot: the tags on the way down to it
and its own class.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise

from amber_wrap.analysis.typing import DataArea
from amber_wrap.dom.measure import lowest_common_ancestor
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.domain.schema import Thresholds

Role = tuple[tuple[str, ...], tuple[str, ...]]
"""The tags from a pivot's element up to the root, and the element's class tokens."""


MOST_AREAS = 12
"""Areas that are looked into, those that cover most of the page's text first."""
MOST_TEXT = 400
"""Characters that count of a record."""


def identify_by_role(
    page: Page, pivots: Iterable[NodeId], thresholds: Thresholds
) -> tuple[DataArea, ...]:
    """The data areas of the roles that two pivots or more share.

    A record is what holds one pivot and no other of its role, wherever on the page it
    is.  Roles that mark the same records make one area; areas of different records may
    overlap: `selection` decides between them.
    `thresholds` is not needed, roles are equal or they aren't.
    """
    roles: dict[Role, list[NodeId]] = defaultdict(list)
    for pivot in sorted(set(pivots)):
        roles[_role(page, pivot)].append(pivot)
    areas: dict[tuple[NodeId, ...], DataArea] = {}
    for members in roles.values():
        if len(members) >= 2:
            records = tuple(_records(page, members))
            parents = tuple(dict.fromkeys(page.parent[record] for record in records))
            root = lowest_common_ancestor(page, parents)
            areas.setdefault(records, DataArea(root, tuple(members), parents))
    largest = sorted(areas, key=lambda records: -_text(page, records))
    return tuple(areas[records] for records in largest[:MOST_AREAS])


def _text(page: Page, records: Iterable[NodeId]) -> int:
    return sum(min(MOST_TEXT, page.text_length(record)) for record in records)


def _role(page: Page, pivot: NodeId) -> Role:
    node = element = page.element(pivot)
    tags = []
    while node >= 0:
        tags.append(page.tag[node])
        node = page.parent[node]
    return tuple(tags), page.classes(element)


def _records(page: Page, pivots: Sequence[NodeId]) -> list[NodeId]:
    """The roots of the records of one role.

    All pivots of a role are equally deep, and so are their records: how deep, the most
    of them tell.  So the only result under its heading is cut like the others.
    """
    splits = [
        page.depth[lowest_common_ancestor(page, pair)] + 1 for pair in pairwise(pivots)
    ]
    depths = Counter(map(max, [0, *splits], [*splits, 0]))
    depth = depths.most_common(1)[0][0]
    records: dict[NodeId, None] = {}
    for pivot in pivots:
        record = page.element(pivot)
        while page.depth[record] > depth:
            record = page.parent[record]
        records[record] = None
    return list(records)
