"""A candidate list with the measures that features need."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from amber_wrap.analysis.extraction_typing import Record, Segmentation
from amber_wrap.analysis.features.measures import Measures
from amber_wrap.analysis.features.numbers import mean
from amber_wrap.dom.page import NodeId, Page

_ENOUGH: Final = 0.6
"""The share of records from which on a place is common."""
MOST_LOOKED_AT: Final = 24
"""The number of records whose elements are compared, at most; they are evenly
spread.
"""
PHRASING: Final = frozenset("a b strong i em span font u cite".split())
"""Tags of inline elements that may start a record in a text."""

_Columns = list[frozenset[int]]
"""For each record the places of its elements."""


@dataclass(frozen=True)
class CandidateView:
    """A candidate list on its page, and the common properties of its records.

    `most` is the length of the longest text that a candidate of the page has.
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
        """The first node of each record, and the node behind its last.

        A record that is an inline element extends over the texts behind it in its
        paragraph, up to the next record.
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
    def goes_on(self) -> bool:
        """Whether records extend over the texts behind their elements."""
        size = self.page.size
        return any(
            end > one.nodes[-1] + size[one.nodes[-1]]
            for one, (_, end) in zip(self.records, self.extents, strict=True)
        )

    @property
    def claims(self) -> Mapping[str, Sequence[int]]:
        """The sums of claims before each node, by type: of elements with any, and of
        texts where the texts behind an element belong to its record.
        """
        measures = self.measures
        return measures.claims_in_texts if self.goes_on else measures.claims

    @cached_property
    def span(self) -> tuple[NodeId, NodeId]:
        """The first node of the first record, and the node behind the last record."""
        return self.extents[0][0], max(end for _, end in self.extents)

    @cached_property
    def starts(self) -> list[NodeId]:
        """The first nodes of the records."""
        return [one.start for one in self.records]

    def counts(self, sums: Sequence[int]) -> list[int]:
        """Return for each record its part of a sum over nodes (`Measures`)."""
        return [sums[end] - sums[begin] for begin, end in self.extents]

    def share_in(self, region: Sequence[int | bool]) -> float:
        """Return the share of records whose first node is in a region."""
        return mean(region[one] for one in self.starts)

    @cached_property
    def lengths(self) -> list[int]:
        """The number of displayed characters of each record."""
        return self.counts(self.page.characters)

    @cached_property
    def text(self) -> int:
        """The number of displayed characters of all records."""
        return sum(self.lengths)

    @cached_property
    def parents(self) -> Counter[NodeId]:
        """The parents of the records, with their numbers of records."""
        return Counter(self.page.parent[start] for start in self.starts)

    @cached_property
    def looked_at(self) -> list[NodeId]:
        """The first nodes of the records that are compared."""
        step = max(1, len(self.starts) // MOST_LOOKED_AT)
        return self.starts[::step][:MOST_LOOKED_AT]

    @cached_property
    def type_shares(self) -> dict[str, float]:
        """The share of records with an annotation of each type."""
        return {
            name: mean(map(bool, self.counts(sums)))
            for name, sums in self.claims.items()
        }

    def places_in(self, extents: Sequence[tuple[NodeId, NodeId]]) -> _Columns:
        """Return for each extent the places of its elements with a text, as numbers."""
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

    @cached_property
    def columns(self) -> _Columns:
        """The places of the records that are compared."""
        step = max(1, len(self.extents) // MOST_LOOKED_AT)
        return self.places_in(self.extents[::step][:MOST_LOOKED_AT])

    @cached_property
    def usual(self) -> frozenset[int]:
        """The places that most of the compared records have."""
        enough = _ENOUGH * len(self.columns)
        return frozenset(place for place, n in self.common.items() if n >= enough)

    @cached_property
    def common(self) -> Counter[int]:
        """The number of compared records that have each place."""
        return Counter(place for one in self.columns for place in one)

    @cached_property
    def own_links(self) -> list[set[str]]:
        """The link targets of each record."""
        targets = self.measures.targets
        return [set(targets[self.measures.in_link(*one)]) for one in self.extents]

    @cached_property
    def link_counts(self) -> Counter[str]:
        """The number of records with a link to each target."""
        return Counter(one for found in self.own_links for one in found)


def _end_of_texts(page: Page, begin: NodeId, end: NodeId, limit: NodeId) -> NodeId:
    """Return the end of the texts and line breaks behind an element.

    The texts end at an element other than `br`, at `limit`, or with the parent.
    """
    parent = page.parent[begin]
    limit = min(limit, parent + page.size[parent])
    later = (one for one in page.child_elements(parent) if end <= one < limit)
    return next((one for one in later if page.tag[one] != "br"), limit)
