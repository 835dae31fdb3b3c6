"""Find lists by values that each record has, such as prices.

`identify` groups the nodes of these values by depth and distance, as AMBER does (AMBER
paper, section 3.3). `identify_by_role` groups them by tag path and classes.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from amber_wrap.analysis.candidate_lists import tag_paths
from amber_wrap.analysis.extraction_typing import DataArea, Record, Segmentation
from amber_wrap.analysis.thresholds import SELECTION
from amber_wrap.annotate.annotator import Annotation
from amber_wrap.dom.page import NodeId, Page, lowest_common_ancestor
from amber_wrap.domain.schema import Schema, Thresholds, ValueKind

_Role = tuple[int, ...]
"""The role of an element: numbers for its tag path, for its class tokens, and for the
class tokens of its parent.

The second and the third number may be missing.
"""


@dataclass(frozen=True, slots=True)
class Interval:
    """The interval from the least to the greatest number of a set.

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
    """A group of nodes, each with a value that every record has, such as a price (AMBER
    paper, section 3.3).
    """

    nodes: list[NodeId] = field(default_factory=list)
    """The nodes in document order."""
    depths: Interval = Interval()
    """The interval of the depths of the nodes."""
    distances: Interval = Interval()
    """The interval of the numbers of edges between any two nodes."""

    def add_if_consistent(self, page: Page, node: NodeId, limits: Thresholds) -> bool:
        """Add a later node if the nodes of the group stay similar in depth and
        distance.

        Return whether the node was added. `limits` has the largest differences (AMBER
        paper, section 3.3, conditions M4 and M5).
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

    `pivots` are nodes with a value that each record has, such as a price.
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
    """Yield groups of consecutive nodes of `pivots` that have similar depths and
    similar distances from each other.

    `thresholds` has the largest differences (AMBER paper, section 3.3, conditions D1
    and D2).
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
    """Return the lists in which a value that each record has is in similar elements.

    `pivots` are the nodes with such values. Elements are similar if they have the same
    tag path or the same classes, given as numbers in `roles` (`element_roles`). The
    list with the longest text comes first.
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
    """Return the part of the page that contains the given records.

    `pivots` are the nodes with the records' identifying values, such as prices.
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
    """Return two numbers for each node, which stand for its tag path and its classes.

    Both numbers are -1 for text nodes.
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

    Both elements must have the same depth.
    """
    parent = page.parent
    depth = page.depth[first]
    while (first := parent[first]) != (second := parent[second]):
        depth -= 1
    return depth


def _records(page: Page, pivots: Sequence[NodeId]) -> list[NodeId]:
    """Return the ancestors of `pivots` that are probably the records.

    For each of `pivots`, the highest ancestor without another of `pivots` is found. The
    most frequent depth of these ancestors is the depth of the records.
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


def with_pivots(
    page: Page,
    lists: Sequence[Segmentation],
    annotations: Iterable[Annotation],
    schema: Schema,
) -> list[Segmentation]:
    """Return the lists in which enough records have an identifying value, such as a
    price (AMBER paper, section 3.3).

    Return all lists if the page has no such value.
    """
    pivot_types = {
        kind.name
        for kind in schema.types
        if kind.regular and kind.kind is not ValueKind.URL
    }
    pivots = sorted({claim.node for claim in annotations if claim.type in pivot_types})
    if not pivots:
        return list(lists)

    def has_pivot(record: Record) -> bool:
        for node in record.nodes:
            index = bisect_left(pivots, node)
            if index < len(pivots) and pivots[index] < node + page.size[node]:
                return True
        return False

    def has_pivots(candidate: Segmentation) -> bool:
        count = sum(map(has_pivot, candidate.records))
        enough = SELECTION.least_with_pivot * len(candidate.records)
        return count >= max(SELECTION.least_records, enough)

    return [candidate for candidate in lists if has_pivots(candidate)]
