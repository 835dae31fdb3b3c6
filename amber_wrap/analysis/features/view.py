"""A list with the counts from which its features and relations to other lists are
computed.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from operator import gt
from typing import Final

from amber_wrap.analysis.extraction_typing import Segmentation
from amber_wrap.analysis.features.measures import Measures
from amber_wrap.analysis.features.numbers import mean
from amber_wrap.analysis.features.thresholds import FEATURE
from amber_wrap.dom.page import NodeId, Page

PHRASING: Final = frozenset("a b strong i em span font u cite".split())
"""Tags of inline elements that may start a record in a text."""

_Extent = tuple[NodeId, NodeId]
_Columns = list[frozenset[int]]
"""For each record the places of its elements."""


class ListView:
    """A list on its page, and what its records contain.

    `starts` are the first nodes of the records. `extents` has for each record its first
    node and the node behind its last. A record that is an inline element extends over
    the texts behind it in its paragraph, up to the next record. `goes_on` tells whether
    any record does. `span` is the extent of the whole list. `lengths` are the numbers
    of displayed characters of the records, and `text` is their sum. `claims` has for
    each type the numbers of annotated nodes before each node. `type_shares` has for
    each type the share of records with an annotation of it. `own_links` are the link
    targets of each record. `link_counts` has for each target the number of records with
    a link to it.
    """

    def __init__(self, measures: Measures, segmentation: Segmentation) -> None:
        self.measures = measures
        self.segmentation = segmentation
        self.page = page = measures.page
        self.records = segmentation.records
        self.starts = [one.start for one in self.records]
        size = page.size
        ends = [one.nodes[-1] + size[one.nodes[-1]] for one in self.records]
        self.extents = list(_extents(page, self.starts, ends))
        reached = [end for _, end in self.extents]
        self.span = self.starts[0], max(reached)
        self.goes_on = any(map(gt, reached, ends))
        self.lengths = self.counts(page.characters)
        self.text = sum(self.lengths)
        self.claims = measures.claims_in_texts if self.goes_on else measures.claims
        self.type_shares = {
            name: mean(map(bool, self.counts(sums)))
            for name, sums in self.claims.items()
        }
        targets = measures.targets
        self.own_links = [set(targets[measures.in_link(*one)]) for one in self.extents]
        self.link_counts = Counter(one for found in self.own_links for one in found)

    def counts(self, sums: Sequence[int]) -> list[int]:
        """Return for each record the sum over its nodes.

        `sums` has for each node of the page the sum over the nodes before it
        (`Measures`).
        """
        return [sums[end] - sums[begin] for begin, end in self.extents]

    def share_in(self, region: Sequence[int | bool]) -> float:
        """Return the share of records whose first node is in a region of the page.

        `region` tells for each node whether it is in the region.
        """
        return mean(region[one] for one in self.starts)


class CandidateView(ListView):
    """A candidate list on its page, and the common properties of its records.

    `most` is the length of the longest text of all candidates of the page. `parents`
    has for each parent of records the number of its records. `looked_at` are the
    extents of the records that are compared, evenly spread over the list. `columns` has
    for each of those records the kinds of its elements, as numbers. The kind of an
    element is its tag, its class tokens and names, and its parent's tag. `usual` are
    the kinds that most of the compared records have.
    """

    def __init__(
        self, measures: Measures, segmentation: Segmentation, most: int
    ) -> None:
        super().__init__(measures, segmentation)
        self.most = most
        self.parents = Counter(self.page.parent[start] for start in self.starts)
        step = max(1, len(self.extents) // FEATURE.compared)
        self.looked_at = self.extents[::step][: FEATURE.compared]
        self.columns = self.places_in(self.looked_at)
        common = Counter(place for one in self.columns for place in one)
        enough = FEATURE.usual * len(self.columns)
        self.usual = frozenset(place for place, n in common.items() if n >= enough)

    def places_in(self, extents: Sequence[_Extent]) -> _Columns:
        """Return for each extent the kinds of its elements with a text, as numbers.

        The kind of an element is its tag, its class tokens and names, and its parent's
        tag.
        """
        page, places = self.page, self.measures.looks.places
        elements = page.elements()
        found = []
        for begin, end in extents:
            first = bisect_left(elements, begin)
            inside = elements[first : bisect_left(elements, end, first)]
            found.append(
                frozenset(places[node] for node in inside if page.text_length(node))
            )
        return found


def _extents(
    page: Page, starts: Sequence[NodeId], ends: Sequence[NodeId]
) -> Iterator[_Extent]:
    """Yield for each record its first node and the node behind its last.

    `starts` are the first nodes of the records, and `ends` the nodes behind their
    elements. A record that is an inline element extends over the texts behind it.
    """
    limits = [*starts[1:], len(page)]
    for begin, end, limit in zip(starts, ends, limits, strict=True):
        if page.tag[begin] in PHRASING:
            end = _end_of_texts(page, begin, end, limit)
        yield begin, end


def _end_of_texts(page: Page, begin: NodeId, end: NodeId, limit: NodeId) -> NodeId:
    """Return the end of the texts and line breaks behind an element.

    The element extends from `begin` to `end`. The texts end at the next element other
    than `br`, at `limit`, or with the parent.
    """
    parent = page.parent[begin]
    limit = min(limit, parent + page.size[parent])
    later = (one for one in page.child_elements(parent) if end <= one < limit)
    return next((one for one in later if page.tag[one] != "br"), limit)
