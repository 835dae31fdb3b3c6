"""The pass `identify` by role: one pivot of a kind per record.

AMBER clusters pivot nodes by depth and distance (D4, D5).  On today's pages a second
price in some records, an advert between them or a heading above a few of them break
such clusters.  What holds is the role of the pivot: the tags on the way down to it and
its class.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise

from amber_wrap.analysis.candidates import MOST_TEXT, tag_paths
from amber_wrap.analysis.extraction_typing import DataArea
from amber_wrap.dom.measure import lowest_common_ancestor
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.domain.schema import Thresholds
from amber_wrap.memo import remembered

_Role = tuple[int, ...]
"""The number of the tags from a pivot's element up to the root, and those of the class
tokens of the first few of these elements."""

MOST_AREAS = 20
"""Areas that are looked into, those that cover most of the page's text first."""


def identify_by_role(
    page: Page, pivots: Iterable[NodeId], thresholds: Thresholds
) -> tuple[DataArea, ...]:
    """Return the data areas of the roles that two pivots or more share.

    A record is what holds one pivot and no other of its role, wherever on the page it
    is.  Roles that mark the same records make one area; areas of different records may
    overlap: `choice` decides between them.
    `thresholds` is not needed, roles are equal or they aren't.
    """
    roles: dict[_Role, list[NodeId]] = defaultdict(list)
    tags, names = tag_paths(page), _class_numbers(page)
    # A link and its text are two nodes, but one element: no two pivots.
    for pivot in sorted(set(map(page.element, pivots))):
        # By tags alone, by its own class, and by its parent's too: a class may say what
        # an element is for, or merely that its row is an odd one.  Which of them does,
        # the choice among them finds out.
        role = tags[pivot], names[pivot]
        roles[role[:1]].append(pivot)
        roles[role].append(pivot)
        if pivot:
            roles[*role, names[page.parent[pivot]]].append(pivot)
    pivots_of: dict[tuple[NodeId, ...], tuple[NodeId, ...]] = {}
    several = (tuple(members) for members in roles.values() if len(members) >= 2)
    for members in dict.fromkeys(several):
        pivots_of.setdefault(tuple(_records(page, members)), members)
    largest = sorted(pivots_of, key=lambda records: -_text(page, records))
    return tuple(
        _area(page, records, pivots_of[records]) for records in largest[:MOST_AREAS]
    )


def _area(
    page: Page, records: Sequence[NodeId], pivots: tuple[NodeId, ...]
) -> DataArea:
    parents = tuple(dict.fromkeys(page.parent[record] for record in records))
    return DataArea(lowest_common_ancestor(page, parents), pivots, parents)


def _text(page: Page, records: Iterable[NodeId]) -> int:
    return sum(min(MOST_TEXT, page.text_length(record)) for record in records)


@remembered
def _class_numbers(page: Page) -> Sequence[int]:
    """Of each element a number that stands for its class tokens."""
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
    """Return the depth at which two elements that are equally deep are no longer in
    one.
    """
    parent = page.parent
    depth = page.depth[one]
    while (one := parent[one]) != (other := parent[other]):
        depth -= 1
    return depth


def _records(page: Page, pivots: Sequence[NodeId]) -> list[NodeId]:
    """Return the roots of the records of one role.

    All pivots of a role are equally deep, and so are their records: how deep, the most
    of them tell.  So the only result under its heading is cut like the others.
    """
    splits = [_split(page, *pair) for pair in pairwise(pivots)]
    depths = Counter(map(max, [0, *splits], [*splits, 0]))
    depth = depths.most_common(1)[0][0]
    records: dict[NodeId, None] = {}
    for pivot in pivots:
        record = pivot
        while page.depth[record] > depth:
            record = page.parent[record]
        records[record] = None
    return list(records)
