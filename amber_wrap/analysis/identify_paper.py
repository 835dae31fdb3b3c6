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
    """The least and the greatest of some numbers. `Interval()` is the interval of no
    numbers.
    """

    low: float = float("inf")
    high: float = float("-inf")

    def merge(self, other: Interval) -> Interval:
        """Return the least interval that covers this interval and the other."""
        return Interval(min(self.low, other.low), max(self.high, other.high))

    @property
    def width(self) -> float:
        """The difference of the greatest and the least number; negative for no
        numbers.
        """
        return self.high - self.low


@dataclass(slots=True)
class Cluster:
    """Pivot nodes in document order, with the intervals of AMBER, section 3.3.

    `depths` is the interval of their depths. `distances` is the interval of the path
    lengths between them.
    """

    nodes: list[NodeId] = field(default_factory=list)
    depths: Interval = Interval()
    distances: Interval = Interval()

    def extended(self, page: Page, node: NodeId, limits: Thresholds) -> bool:
        """Add `node` if the cluster stays consistent (M4, M5), and return whether it
        was added.

        The cluster is consistent if its depths and distances differ by at most the
        `limits`.
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
    """Cluster pivot nodes of similar depth and mutual distance, and return the data
    areas of the clusters.

    AMBER, section 3.3, identify. A cluster is consistent while its greatest and least
    depth (path length) differ by at most the threshold. The root of an area is the
    lowest common ancestor of its pivots. Of several clusters with one root, the largest
    supports the area, or the first of equally large ones. An area within another area
    is dropped (section 2.2).
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

    A cluster ends before the first pivot node that is inconsistent with the cluster
    (AMBER, D1 and D2).
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
