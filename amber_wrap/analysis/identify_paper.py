"""The pass `identify` as in AMBER: cluster pivot nodes into data areas (section
3.3).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from amber_wrap.analysis.extraction_typing import DataArea
from amber_wrap.dom.measure import lowest_common_ancestor
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.domain.schema import Thresholds


@dataclass(frozen=True, slots=True)
class Interval:
    """The interval from the least to the greatest of some numbers.

    `Interval()` is the interval of no numbers.
    """

    low: float = float("inf")
    high: float = float("-inf")

    def merge(self, other: Interval) -> Interval:
        """Return the smallest interval that contains both intervals."""
        return Interval(min(self.low, other.low), max(self.high, other.high))

    @property
    def width(self) -> float:
        """The greatest number minus the least number, or negative infinity for no
        numbers.
        """
        return self.high - self.low


@dataclass(slots=True)
class Cluster:
    """A cluster of pivot nodes (AMBER, section 3.3).

    `nodes` are in document order. `depths` is the interval of the depths of the nodes.
    `distances` is the interval of the path lengths between the nodes.
    """

    nodes: list[NodeId] = field(default_factory=list)
    depths: Interval = Interval()
    distances: Interval = Interval()

    def extended(self, page: Page, node: NodeId, limits: Thresholds) -> bool:
        """Add a node if the cluster stays consistent, and return whether the node was
        added.

        In a consistent cluster, depths differ by at most `limits.depth`, and distances
        differ by at most `limits.distance` (AMBER, M4 and M5).
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
    """Return the data areas around clusters of pivot nodes (AMBER, section 3.3).

    The pivot nodes of a cluster have similar depths and similar distances from each
    other. `thresholds` has the largest differences allowed. The root of an area is the
    lowest common ancestor of its pivots. If several clusters have the same root, the
    largest cluster supports the area. An area within another area is dropped (section
    2.2).
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
    """Yield the clusters of consecutive pivot nodes in document order.

    A new cluster starts at a pivot node that would make the depths or distances in the
    cluster differ too much (AMBER, D1 and D2).
    """
    cluster = Cluster()
    for node in pivots:
        if not cluster.extended(page, node, thresholds):
            yield cluster
            cluster = Cluster()
            cluster.extended(page, node, thresholds)
    yield cluster


def path_lengths(page: Page, nodes: Sequence[NodeId], node: NodeId) -> Interval:
    """Return the least and the greatest path length between `node` and any of `nodes`.

    `nodes` are sorted and precede `node`.
    """
    found = Interval()
    end = len(nodes)
    ancestor = node
    # Nodes with the same lowest common ancestor with `node` are adjacent in `nodes`.
    while end and ancestor >= 0:
        begin = bisect_left(nodes, ancestor, 0, end)
        if begin < end:
            depths = [page.depth[one] for one in nodes[begin:end]]
            base = page.depth[node] - 2 * page.depth[ancestor]
            found = found.merge(Interval(base + min(depths), base + max(depths)))
            end = begin
        ancestor = page.parent[ancestor]
    return found
