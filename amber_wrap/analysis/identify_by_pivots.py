"""The step `identify` by pivot nodes: find the parts of a page that have one list each.

Pivot nodes were recognised as values of a type that each record has, such as the price.
`identify` follows AMBER (paper, section 3.3), which clusters pivot nodes by their
depths and distances. Each cluster makes one data area, a part of the page with one
list. `identify_by_role` groups pivot nodes by their roles, which are their tag paths
and classes. A second price in some records or an advert between records breaks a
cluster, but not a group of one role.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from amber_wrap.analysis.candidates import tag_paths
from amber_wrap.analysis.extraction_typing import DataArea
from amber_wrap.analysis.thresholds import SELECTION
from amber_wrap.dom.page import NodeId, Page, lowest_common_ancestor
from amber_wrap.domain.schema import Thresholds

_Role = tuple[int, ...]
"""The role of an element: numbers for its tag path, for its class tokens, and for the
class tokens of its parent.

The second and the third number may be missing.
"""


@dataclass(frozen=True, slots=True)
class Interval:
    """The interval from the least number of a set, `low`, to the greatest, `high`.

    `Interval()` is the interval of the empty set.
    """

    low: float = float("inf")
    high: float = float("-inf")

    def merge(self, other: Interval) -> Interval:
        """Return the smallest interval that contains this interval and `other`."""
        return Interval(min(self.low, other.low), max(self.high, other.high))

    @property
    def width(self) -> float:
        """The greatest number minus the least number, or negative infinity for the
        empty set.
        """
        return self.high - self.low


@dataclass(slots=True)
class Cluster:
    """A cluster of nodes with a value that each record has, such as a price (AMBER,
    section 3.3).

    `nodes` are in document order. `depths` is the interval of the depths of the nodes.
    `distances` is the interval of the numbers of edges between any two of the nodes.
    """

    nodes: list[NodeId] = field(default_factory=list)
    depths: Interval = Interval()
    distances: Interval = Interval()

    def add_if_consistent(self, page: Page, node: NodeId, limits: Thresholds) -> bool:
        """Add a node if the cluster stays consistent. Return whether the node was
        added.

        In a consistent cluster, the depths of nodes differ by at most `limits.depth`,
        and the distances between nodes differ by at most `limits.distance` (AMBER,
        section 3.3, conditions M4 and M5). `node` must follow the nodes of the cluster
        in document order.
        """
        depth = page.depth[node]
        depths = self.depths.merge(Interval(depth, depth))
        if depths.width > limits.depth:
            return False
        distances = self.distances.merge(path_lengths(page, self.nodes, node))
        if distances.width > limits.distance:
            return False
        self.nodes.append(node)
        self.depths, self.distances = depths, distances
        return True


def identify(
    page: Page, pivots: Iterable[NodeId], thresholds: Thresholds
) -> tuple[DataArea, ...]:
    """Return the parts of a page that have one list each (AMBER paper, section 3.3).

    `pivots` are nodes with a value that each record has, such as a price. A cluster has
    at least two pivots with similar depths and similar distances from each other.
    `thresholds` has the largest differences allowed. The root of a data area is the
    lowest common ancestor of the pivots of a cluster. If several clusters have the same
    root, the area has the pivots of the largest cluster. An area within another area is
    dropped (AMBER paper, section 2.2).
    """
    supports: dict[NodeId, tuple[NodeId, ...]] = {}
    for cluster in _clusters(page, sorted(set(pivots)), thresholds):
        if len(cluster.nodes) >= 2:
            root = lowest_common_ancestor(page, cluster.nodes)
            if len(supports.get(root, ())) < len(cluster.nodes):
                supports[root] = tuple(cluster.nodes)
    areas: list[DataArea] = []
    for root in sorted(supports):
        if not (areas and page.contains(areas[-1].root, root)):
            areas.append(DataArea(root, supports[root]))
    return tuple(areas)


def _clusters(
    page: Page, pivots: Sequence[NodeId], thresholds: Thresholds
) -> Iterator[Cluster]:
    """Yield clusters of consecutive nodes of `pivots` in document order.

    Pivot nodes have a value that each record has, such as a price. Each pivot node is
    added to the cluster of the previous pivot node, or else starts a new cluster. It
    starts a new cluster if the depths or distances of nodes in the cluster would differ
    by more than `thresholds` allows (AMBER paper, section 3.3, conditions D1 and D2).
    """
    cluster = Cluster()
    for node in pivots:
        if not cluster.add_if_consistent(page, node, thresholds):
            yield cluster
            cluster = Cluster()
            cluster.add_if_consistent(page, node, thresholds)
    yield cluster


def path_lengths(page: Page, nodes: Sequence[NodeId], node: NodeId) -> Interval:
    """Return the least and the greatest number of edges between `node` and any of
    `nodes`.

    `nodes` are in document order and precede `node`.
    """
    lengths = Interval()
    end = len(nodes)
    ancestor = node
    # Nodes with the same lowest common ancestor with `node` are adjacent in `nodes`.
    while end and ancestor >= 0:
        begin = bisect_left(nodes, ancestor, 0, end)
        if begin < end:
            depths = [page.depth[earlier] for earlier in nodes[begin:end]]
            base = page.depth[node] - 2 * page.depth[ancestor]
            lengths = lengths.merge(Interval(base + min(depths), base + max(depths)))
            end = begin
        ancestor = page.parent[ancestor]
    return lengths


def identify_by_role(
    page: Page, roles: Sequence[tuple[int, int]], pivots: Iterable[NodeId]
) -> tuple[DataArea, ...]:
    """Return one data area (list) for each role that at least two pivot nodes have.

    `pivots` are nodes with a value that each record has, such as a price. Each pivot
    has up to three roles. The first role is the pivot's tag path. The second role adds
    the class tokens of the pivot's element. The third role also adds the class tokens
    of the element's parent. `roles` has for each node a number for its tag path, and a
    number for its class tokens.

    The records of an area are elements around the pivots of its role, usually one
    record for each pivot. Roles with the same records make one area. Areas may overlap.
    Return at most `SELECTION.most_areas` areas, the area with the longest text first.
    """
    pivots_with_role: dict[_Role, list[NodeId]] = defaultdict(list)
    # A link and its text node are one element, so they count as one pivot.
    for pivot in sorted(set(map(page.element, pivots))):
        # A class may name a purpose, or mark odd rows. The later choice among all lists
        # decides whether a role with classes is useful.
        role = roles[pivot]
        pivots_with_role[role[:1]].append(pivot)
        pivots_with_role[role].append(pivot)
        if pivot:
            parent_classes = roles[page.parent[pivot]][1]
            pivots_with_role[*role, parent_classes].append(pivot)
    pivots_of: dict[tuple[NodeId, ...], tuple[NodeId, ...]] = {}
    groups = (tuple(group) for group in pivots_with_role.values() if len(group) >= 2)
    for group in dict.fromkeys(groups):
        pivots_of.setdefault(tuple(_records(page, group)), group)
    largest = sorted(pivots_of, key=lambda records: -_text_length(page, records))
    return tuple(
        _area(page, records, pivots_of[records])
        for records in largest[: SELECTION.most_areas]
    )


def _area(
    page: Page, records: Sequence[NodeId], pivots: tuple[NodeId, ...]
) -> DataArea:
    """Return the data area (list) with the given records and pivot nodes.

    Pivot nodes have a value that each record has, such as a price.

    The root of the area is the lowest common ancestor of the records' parents.
    """
    parents = tuple(dict.fromkeys(page.parent[record] for record in records))
    return DataArea(lowest_common_ancestor(page, parents), pivots, parents)


def _text_length(page: Page, records: Iterable[NodeId]) -> int:
    """Return the number of displayed characters in the records.

    At most `SELECTION.counted_record_text` characters count for each record.
    """
    return sum(
        min(SELECTION.counted_record_text, page.text_length(record))
        for record in records
    )


def element_roles(page: Page) -> Sequence[tuple[int, int]]:
    """Return for each node a number for its tag path, and a number for its class
    tokens.

    Equal tag paths have equal numbers, and so do equal sequences of class tokens. Both
    numbers of a text node are -1.
    """
    return list(zip(tag_paths(page), _class_numbers(page), strict=True))


def _class_numbers(page: Page) -> Sequence[int]:
    """Return for each node a number for its class tokens, equal for equal tokens.

    The number is -1 for a text node.
    """
    number_of_tokens: dict[tuple[str, ...], int] = {}
    number_of_value: dict[str, int] = {}
    numbers = [-1] * len(page)
    for node in page.elements():
        value = page.attributes[node].get("class", "")
        if (number := number_of_value.get(value)) is None:
            tokens = tuple(value.split())
            number = number_of_tokens.setdefault(tokens, len(number_of_tokens))
            number_of_value[value] = number
        numbers[node] = number
    return numbers


def _split_depth(page: Page, first: NodeId, second: NodeId) -> int:
    """Return the depth at which the paths from the root to two elements separate.

    The result is the least depth at which the elements have different ancestors. An
    element counts as its own ancestor. Both elements must have the same depth.
    """
    parent = page.parent
    depth = page.depth[first]
    while (first := parent[first]) != (second := parent[second]):
        depth -= 1
    return depth


def _records(page: Page, pivots: Sequence[NodeId]) -> list[NodeId]:
    """Return the elements around the nodes `pivots` that are probably the records.

    `pivots` have a value that each record has, such as a price. They have the same
    role, i.e. equal tags and classes. For each pivot, the highest ancestor is found
    that doesn't contain the previous or next pivot. The most frequent depth of these
    ancestors is the depth of records. The ancestors of pivots at this depth are the
    records. A pivot at this depth or above it is itself a record.
    """
    splits = [_split_depth(page, first, second) for first, second in pairwise(pivots)]
    # Only a pivot's neighbours in document order limit its highest element.
    split_before, split_after = [0, *splits], [*splits, 0]
    depths = Counter(map(max, split_before, split_after))
    # At the most frequent depth, a single result under its own heading is no larger
    # than the other records.
    record_depth = depths.most_common(1)[0][0]
    records: dict[NodeId, None] = {}
    for pivot in pivots:
        record = pivot
        while page.depth[record] > record_depth:
            record = page.parent[record]
        records[record] = None
    return list(records)
