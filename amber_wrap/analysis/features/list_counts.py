"""Count the contents of a list's records, and compute means and logarithmic scales."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import log2, sqrt
from typing import Final

from amber_wrap.analysis.extraction_typing import Segmentation
from amber_wrap.analysis.features.page_counts import PageCounts
from amber_wrap.analysis.features.thresholds import FEATURE
from amber_wrap.dom.page import NodeId, Page


def mean(values: Iterable[float]) -> float:
    """Return the mean of the values, or 0 for no values."""
    numbers = list(values)
    return sum(numbers) / len(numbers) if numbers else 0.0


def variation(values: Sequence[float]) -> float:
    """Return the standard deviation of the values divided by their mean, at most 2.

    Return 0 if the mean is 0.
    """
    average = mean(values)
    if not average:
        return 0.0
    variance = mean((value - average) ** 2 for value in values)
    return min(2.0, sqrt(variance) / average)


def log_share(value: float, most: float) -> float:
    """Return `value` on a logarithmic scale from 0 to 1.

    The result is 1 if the value is `most` or greater.
    """
    return min(1.0, log2(1 + value) / log2(1 + most))


PHRASING: Final = frozenset("a b strong i em span font u cite".split())
"""Tags of inline elements. A record that is such an element also includes the texts
after the element."""

_Extent = tuple[NodeId, NodeId]
"""The first node of a part of the page, and the node after the part."""
_ElementKinds = frozenset[int]
"""The kinds of elements in a part of the page, as numbers. Elements of one kind have
the same tag, the same classes, and parents with the same tag.
"""


class ListView:
    """A list on a page, with counts of the contents of its records."""

    def __init__(self, page_counts: PageCounts, segmentation: Segmentation) -> None:
        """Count the contents of the list's records."""
        self.page_counts = page_counts
        self.segmentation = segmentation
        self.page = page = page_counts.page
        self.records = segmentation.records
        self.starts = [record.start for record in self.records]
        """The first node of each record."""
        last_nodes = [record.nodes[-1] for record in self.records]
        element_ends = [node + page.size[node] for node in last_nodes]
        self.extents = list(_extents(page, self.starts, element_ends))
        """The first node of each record, and the node after the record with its
        trailing texts.
        """
        ends = [end for _, end in self.extents]
        self.span = self.starts[0], max(ends)
        """The first node of the list, and the node after the list."""
        self.has_texts_behind = any(
            end > element_end
            for end, element_end in zip(ends, element_ends, strict=True)
        )
        """Whether a record includes a text after its element."""
        self.record_lengths = self.counts_per_record(page.characters)
        """The number of displayed characters of each record."""
        self.text_length = sum(self.record_lengths)
        self.annotation_counts = (
            page_counts.annotated_nodes
            if self.has_texts_behind
            else page_counts.annotated_elements
        )
        """The number of recognised values before each node, by type."""
        self.type_shares = {
            type_name: mean(map(bool, self.counts_per_record(counts)))
            for type_name, counts in self.annotation_counts.items()
        }
        """For each type, the share of records with a recognised value."""
        self.link_targets = [
            set(page_counts.link_targets[page_counts.links_between(begin, end)])
            for begin, end in self.extents
        ]
        self.target_counts = Counter(
            target for targets in self.link_targets for target in targets
        )
        """The number of records with each link target."""

    def counts_per_record(self, counts_before: Sequence[int]) -> list[int]:
        """Return a count for each record, such as the number of links in the record.

        `counts_before[i]` is the count for the part of the page before node `i`.
        """
        return [
            counts_before[end] - counts_before[begin] for begin, end in self.extents
        ]

    def share_in(self, region: Sequence[int | bool]) -> float:
        """Return the share of records whose first node is in a region of the page.

        `region` has for each node of the page whether the node is in the region.
        """
        return mean(region[start] for start in self.starts)


class CandidateView(ListView):
    """A list that may be the list of results, with the kinds of elements in its
    records.

    Elements of one kind have the same tag, the same classes, and parents with the same
    tag.
    """

    def __init__(
        self,
        page_counts: PageCounts,
        segmentation: Segmentation,
        longest_candidate: int,
    ) -> None:
        """Count the contents of the list's records, and find the kinds of elements they
        share.

        `longest_candidate` is the number of characters of the page's longest candidate
        list.
        """
        super().__init__(page_counts, segmentation)
        self.longest_candidate = longest_candidate
        """The number of characters of the longest such list on the page."""
        self.parent_counts = Counter(self.page.parent[start] for start in self.starts)
        """The number of records with each parent."""
        step = max(1, len(self.extents) // FEATURE.most_compared)
        self.sample_extents = self.extents[::step][: FEATURE.most_compared]
        """The extents of a sample of the records."""
        self.sample_kinds = self.element_kinds(self.sample_extents)
        """The kinds of elements in each record of the sample."""
        kind_counts = Counter(kind for kinds in self.sample_kinds for kind in kinds)
        least = FEATURE.least_usual_share * len(self.sample_kinds)
        self.common_kinds = frozenset(
            kind for kind, count in kind_counts.items() if count >= least
        )
        """The kinds that most records of the sample have."""

    def element_kinds(self, extents: Sequence[_Extent]) -> list[_ElementKinds]:
        """Return for each part of the page the kinds of its elements with a text, as
        numbers.

        A part is given by its first node and the node that follows the part. Elements
        of one kind have the same tag, the same classes, and parents with the same tag.
        """
        page, kind_of = self.page, self.page_counts.looks.element_kinds
        elements = page.elements()
        kinds_by_extent = []
        for begin, end in extents:
            first = bisect_left(elements, begin)
            inside = elements[first : bisect_left(elements, end, first)]
            kinds_by_extent.append(
                frozenset(kind_of[node] for node in inside if page.text_length(node))
            )
        return kinds_by_extent


def _extents(
    page: Page, starts: Sequence[NodeId], ends: Sequence[NodeId]
) -> Iterator[_Extent]:
    """Yield for each record its first node, and the node that follows the record.

    A record that is an inline element includes the texts behind the element. `starts`
    has the first node of each record, and `ends` the node after its last element.
    """
    next_starts = [*starts[1:], len(page)]
    for begin, end, next_start in zip(starts, ends, next_starts, strict=True):
        if page.tag[begin] in PHRASING:
            yield begin, _end_of_texts(page, begin, end, next_start)
        else:
            yield begin, end


def _end_of_texts(page: Page, begin: NodeId, end: NodeId, limit: NodeId) -> NodeId:
    """Return the node at which the texts behind an element end.

    The element has the nodes from `begin` to before `end`. The texts behind it end at
    its next sibling element that isn't `<br>`, but not after `limit`.
    """
    parent = page.parent[begin]
    limit = min(limit, parent + page.size[parent])
    for sibling in page.child_elements(parent):
        if end <= sibling < limit and page.tag[sibling] != "br":
            return sibling
    return limit
