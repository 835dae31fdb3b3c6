"""The extraction typing: what the analysis decides (AMBER, section 2.2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from amber_wrap.analysis.value_trimming import Trimming
from amber_wrap.annotate.annotator import Annotation
from amber_wrap.dom.page import NodeId

Origin = Literal["annotated", "inferred"]


@dataclass(frozen=True, slots=True)
class DataArea:
    """A data area: its root, and the pivot nodes that support it, in order.

    Records are children of the root (AMBER, section 2.2), or of `parents` where an
    area spreads over several, such as the rows of a grid.
    """

    root: NodeId
    pivots: tuple[NodeId, ...]
    parents: tuple[NodeId, ...] = ()

    @property
    def record_parents(self) -> tuple[NodeId, ...]:
        """The nodes whose children the records are."""
        return self.parents or (self.root,)


@dataclass(frozen=True, slots=True)
class Record:
    """A record: sibling elements in document order, mere separators left out.

    The first is the record start, the others are its tail.
    """

    nodes: tuple[NodeId, ...]

    @property
    def start(self) -> NodeId:
        """The record start."""
        return self.nodes[0]


@dataclass(frozen=True, slots=True)
class Trial:
    """A segmentation that was tried: leading nodes shifted `shift` siblings left.

    `irregularity` is by how much it exceeds that of the least irregular one; None where
    it was not computed: the segmentation held a record of another length, or there was
    none to compare it with.
    """

    shift: int
    records: int
    irregularity: float | None
    complete: bool


@dataclass(frozen=True, slots=True)
class Segmentation:
    """The records of an area, all of `record_length` siblings, and how they won."""

    area: DataArea
    records: tuple[Record, ...]
    record_length: int
    trials: tuple[Trial, ...] = ()


@dataclass(frozen=True, slots=True)
class Attribute:
    """An attribute of a record.

    `node` is the element whose `source` ("text", "@href") holds the value; `text` is
    the displayed value, `matched` all that was recognised around it, both None where
    the place was inferred and shows no such value ("price on request").  `support` is
    a fraction of the area's records.
    """

    type: str
    node: NodeId
    source: str
    text: str | None
    matched: str | None
    recogniser: str | None
    support: float
    origin: Origin


@dataclass(frozen=True, slots=True)
class TypePlace:
    """A place of a type within the records of an area, and its support."""

    type: str
    path: str
    source: str
    support: float
    kept: bool


@dataclass(frozen=True, slots=True)
class AreaTyping:
    """An area with its records and, per record, its attributes in document order.

    `cuts` holds, by type, what is cut off from whole texts; `noise`, by record start,
    the claims that were dropped since too few records have one at their place.
    """

    segmentation: Segmentation
    attributes: tuple[tuple[Attribute, ...], ...]
    positions: tuple[TypePlace, ...] = ()
    cuts: Mapping[str, Trimming] = field(default_factory=dict)
    noise: Mapping[NodeId, tuple[Annotation, ...]] = field(default_factory=dict)

    @property
    def records(self) -> tuple[Record, ...]:
        """The records of the area."""
        return self.segmentation.records


@dataclass(frozen=True, slots=True)
class ExtractionTyping:
    """The typed areas of a page, in document order."""

    areas: tuple[AreaTyping, ...]

    @property
    def record_count(self) -> int:
        """The number of records over all areas."""
        return sum(len(area.records) for area in self.areas)
