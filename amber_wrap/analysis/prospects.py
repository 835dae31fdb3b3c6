"""Areas that are aligned only where what they hold decides.

Most areas of a page are other views of the records that it is for, or menus: what is
claimed in their records tells so, before places are compared.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import itemgetter, or_

from amber_wrap.analysis.scarcity import may_be_presumed
from amber_wrap.analysis.typing import AreaTyping, Record, Segmentation
from amber_wrap.annotate.annotator import Annotation
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.domain.schema import AttributeType, Schema, Thresholds


@dataclass(frozen=True, eq=False)
class Prospect:
    """A segmented area, typed when it is first asked for that.

    A record of it has `most` attributes in the mean, or fewer.
    """

    page: Page
    segmentation: Segmentation
    most: float
    align: Callable[[Segmentation], AreaTyping]

    @property
    def records(self) -> tuple[Record, ...]:
        """The records of the area."""
        return self.segmentation.records

    @cached_property
    def lengths(self) -> tuple[int, ...]:
        """The number of characters that each record displays."""
        return lengths(self.page, self.records)

    @cached_property
    def typing(self) -> AreaTyping:
        """The area with its attributes."""
        return self.align(self.segmentation)


def lengths(page: Page, records: Iterable[Record]) -> tuple[int, ...]:
    """The number of characters that each of some records displays."""
    return tuple(sum(map(page.text_length, record.nodes)) for record in records)


def holds(page: Page, records: Iterable[Record], nodes: Collection[NodeId]) -> bool:
    """Whether one of the nodes is in one of the records."""
    return any(
        page.contains(row, node)
        for record in records
        for row in record.nodes
        for node in nodes
    )


class Claimed:
    """The types that are claimed on a page, and how many a record can have of them."""

    def __init__(
        self,
        page: Page,
        annotations: Iterable[Annotation],
        schema: Schema,
        thresholds: Thresholds,
        presumes: bool,
    ) -> None:
        """`presumes` as in `attributes.Manner`."""
        self._page = page
        self._kinds = schema.types
        self._thresholds = thresholds
        self._presumes = presumes
        bits = {kind.name: 1 << rank for rank, kind in enumerate(schema.types)}
        claims = sorted((page.element(one.node), bits[one.type]) for one in annotations)
        self._nodes = list(map(itemgetter(0), claims))
        self._types = list(map(itemgetter(1), claims))

    def most(self, records: Sequence[Record]) -> float:
        """The greatest mean number of attributes that `align` can find.

        No place of a type has a greater support than the type has in all: a type is
        inferred in every record, kept where it is claimed, or dropped.
        """
        counts = Counter(map(self._claimed_in, records))
        total = 0
        for rank, kind in enumerate(self._kinds):
            with_claim = sum(n for types, n in counts.items() if types >> rank & 1)
            total += self._number(kind, with_claim, len(records))
        return total / len(records)

    def _claimed_in(self, record: Record) -> int:
        """The types that are claimed in a record, as bits of a number."""
        found = 0
        for row in record.nodes:
            begin = bisect_left(self._nodes, row)
            end = bisect_left(self._nodes, row + self._page.size[row], begin)
            found = reduce(or_, self._types[begin:end], found)
        return found

    def _number(self, kind: AttributeType, with_claim: int, records: int) -> int:
        """How many of so many records can have an attribute of a type."""
        limits = self._thresholds
        keep = limits.keep_regular if kind.regular else limits.keep_optional
        infer = limits.infer_regular if kind.regular else limits.infer_optional
        support = with_claim / records
        if with_claim and self._presumes and may_be_presumed(kind):
            return records  # Its support may be that of texts without a claim.
        if support > infer:
            return records
        return with_claim if support > keep else 0


class Ground:
    """The nodes of a page that records take up."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._taken = bytearray(len(page))

    def take(self, records: Iterable[Record]) -> None:
        """Take the nodes of records."""
        for begin, end in self._extents(records):
            self._taken[begin:end] = b"\1" * (end - begin)

    def is_free(self, records: Iterable[Record]) -> bool:
        """Whether no node of the records is taken."""
        return not any(
            self._taken.find(1, begin, end) >= 0
            for begin, end in self._extents(records)
        )

    def _extents(self, records: Iterable[Record]) -> Iterable[tuple[NodeId, NodeId]]:
        for record in records:
            for top in record.nodes:
                yield top, top + self._page.size[top]
