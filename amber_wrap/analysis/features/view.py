"""A candidate list on its page."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from amber_wrap.analysis.candidates import common_marks
from amber_wrap.analysis.extraction_typing import Record, Segmentation
from amber_wrap.analysis.features.measures import Measures
from amber_wrap.analysis.features.numbers import mean
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.memo import remembered

_ENOUGH: Final = 0.6
"""The share of records that makes a place common."""
MOST_LOOKED_AT: Final = 24
"""Records whose elements are compared, evenly drawn."""
PHRASING: Final = frozenset("a b strong i em span font u cite".split())
"""Tags of inline elements that may lead a record of text."""

_Columns = list[frozenset[int]]
"""Of records, the places of the elements that they are made of."""


@dataclass(frozen=True)
class CandidateView:
    """A candidate list on its page, and what its records have in common.

    `most` is the greatest text that a candidate of the page displays in records.
    """

    measures: Measures
    segmentation: Segmentation
    most: int

    @property
    def page(self) -> Page:
        """The page that the list is on."""
        return self.measures.page

    @property
    def records(self) -> tuple[Record, ...]:
        """The records of the list."""
        return self.segmentation.records

    @cached_property
    def extents(self) -> list[tuple[NodeId, NodeId]]:
        """Where each record begins, and where it ends.

        Inline records (HTML: phrasing content) go on with the texts that follow them in
        their paragraph, up to the next record.
        """
        size = self.page.size
        found = [
            (one.nodes[0], one.nodes[-1] + size[one.nodes[-1]]) for one in self.records
        ]
        for i, (begin, end) in enumerate(found):
            if self.page.tag[begin] in PHRASING:
                limit = found[i + 1][0] if i + 1 < len(found) else len(self.page)
                found[i] = begin, _end_of_texts(self.page, begin, end, limit)
        return found

    @cached_property
    def span(self) -> tuple[NodeId, NodeId]:
        """Where the first record begins, and where the last one ends."""
        return self.extents[0][0], max(end for _, end in self.extents)

    @cached_property
    def starts(self) -> list[NodeId]:
        """The record starts."""
        return [one.start for one in self.records]

    def counts(self, sums: Sequence[int]) -> list[int]:
        """Return how much of what was summed up there is in each record."""
        return [sums[end] - sums[begin] for begin, end in self.extents]

    @cached_property
    def lengths(self) -> list[int]:
        """The characters that each record displays."""
        return self.counts(self.page.characters)

    @cached_property
    def text(self) -> int:
        """The characters that all records display."""
        return sum(self.lengths)

    @cached_property
    def parents(self) -> Counter[NodeId]:
        """The parents of the records, and how many each has."""
        return Counter(self.page.parent[start] for start in self.starts)

    @cached_property
    def looked_at(self) -> list[NodeId]:
        """The starts of the records whose elements are compared."""
        step = max(1, len(self.starts) // MOST_LOOKED_AT)
        return self.starts[::step][:MOST_LOOKED_AT]

    @cached_property
    def type_shares(self) -> dict[str, float]:
        """The share of the records in which each type is claimed."""
        return {
            name: mean(map(bool, self.counts(sums)))
            for name, sums in self.measures.claims.items()
        }

    def places_in(self, extents: Sequence[tuple[NodeId, NodeId]]) -> _Columns:
        """Return what elements with a text some records are made of, as numbers of
        places.
        """
        page, places = self.page, places_of(self.page)
        elements = page.elements()
        found = []
        for begin, end in extents:
            first = bisect_left(elements, begin)
            inside = elements[first : bisect_left(elements, end, first)]
            found.append(
                frozenset(places[node] for node in inside if page.text_length(node))
            )
        return found

    @cached_property
    def columns(self) -> _Columns:
        """The places in records that are evenly drawn."""
        step = max(1, len(self.extents) // MOST_LOOKED_AT)
        return self.places_in(self.extents[::step][:MOST_LOOKED_AT])

    @cached_property
    def usual(self) -> frozenset[int]:
        """The places that most records have."""
        enough = _ENOUGH * len(self.columns)
        return frozenset(place for place, n in self.common.items() if n >= enough)

    @cached_property
    def common(self) -> Counter[int]:
        """In how many of these records each place is."""
        return Counter(place for one in self.columns for place in one)

    @cached_property
    def own_links(self) -> list[set[str]]:
        """Where the links of each record lead."""
        targets = self.measures.targets
        return [set(targets[self.measures.in_link(*one)]) for one in self.extents]

    @cached_property
    def link_counts(self) -> Counter[str]:
        """In how many records a link to a target is."""
        return Counter(one for found in self.own_links for one in found)


def _end_of_texts(page: Page, begin: NodeId, end: NodeId, limit: NodeId) -> NodeId:
    """Return the end of the texts and line breaks that follow an element.

    They end at an element of another kind, at `limit`, and with their parent.
    """
    parent = page.parent[begin]
    limit = min(limit, parent + page.size[parent])
    later = (one for one in page.child_elements(parent) if end <= one < limit)
    return next((one for one in later if page.tag[one] != "br"), limit)


@remembered
def places_of(page: Page) -> Sequence[int]:
    """Of each element a number that stands for its look and its parent's tag."""
    numbers: dict[tuple[str, frozenset[str], str], int] = {}
    looks = common_marks(page)
    found = [-1] * len(page)
    for node in page.elements():
        parent = page.parent[node]
        key = (page.tag[node], looks[node], page.tag[parent] if parent >= 0 else "")
        found[node] = numbers.setdefault(key, len(numbers))
    return found
