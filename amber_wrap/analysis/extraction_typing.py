"""Define the extraction typing, the result of the analysis (AMBER, section 2.2)."""

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
    """A data area: its root, and the pivot nodes that support it, in document order.

    The records are children of the root (AMBER, section 2.2), or of `parents` if an
    area extends over several elements, such as the rows of a grid.
    """

    root: NodeId
    pivots: tuple[NodeId, ...]
    parents: tuple[NodeId, ...] = ()

    @property
    def record_parents(self) -> tuple[NodeId, ...]:
        """The nodes whose children are the records."""
        return self.parents or (self.root,)


@dataclass(frozen=True, slots=True)
class Record:
    """A record: sibling elements in document order, without siblings that only separate
    records. The first element is the record start.
    """

    nodes: tuple[NodeId, ...]

    @property
    def start(self) -> NodeId:
        """The first node of the record."""
        return self.nodes[0]


@dataclass(frozen=True, slots=True)
class Trial:
    """A segmentation that was tried, with the leading nodes shifted `shift` siblings to
    the left.

    The segmentation is `complete` if no record extends beyond the children of its
    parent. `irregularity` is the irregularity minus that of the least irregular
    segmentation. It is None if the segmentation isn't complete, or if no other one is.
    """

    shift: int
    records: int
    irregularity: float | None
    complete: bool


@dataclass(frozen=True, slots=True)
class Segmentation:
    """The records of an area, and the segmentations that were tried.

    Each record has at most `record_length` siblings.
    """

    area: DataArea
    records: tuple[Record, ...]
    record_length: int
    trials: tuple[Trial, ...] = ()


@dataclass(frozen=True, slots=True)
class Attribute:
    """An attribute of a record.

    `node` is the element with the value, and `source` says where in the element it is
    ("text", "@href"). `text` is the displayed value. `matched` is the whole match
    around the displayed value. Both are None if the attribute was inferred and the
    element shows no such value ("price on request"). `support` is the share of the
    area's records with a value of the type at the same path.
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
    """A path within the records of an area at which values of a type were found.

    `support` is the share of records with a value of the type at the path. `kept` tells
    whether the support is above the keep threshold.
    """

    type: str
    path: str
    source: str
    support: float
    kept: bool


@dataclass(frozen=True, slots=True)
class AreaTyping:
    """An area with its records, and the attributes of each record in document order.

    `cuts` maps a type to the parts to remove from whole texts. `noise` maps a record
    start to the annotations that were dropped because too few records have one at their
    path.
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
