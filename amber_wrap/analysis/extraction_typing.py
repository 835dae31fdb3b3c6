"""Define the result of the analysis: the lists, records and values of a page (AMBER
paper, section 2.2).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from amber_wrap.analysis.words_to_trim import Trimming
from amber_wrap.annotate.annotator import Annotation
from amber_wrap.dom.page import NodeId

Origin = Literal["annotated", "inferred"]
"""How a value was found: recognised by itself ("annotated"), or found by its position
in the record ("inferred")."""


@dataclass(frozen=True, slots=True)
class DataArea:
    """A part of a page that contains one list of records (AMBER paper, section 2.2)."""

    root: NodeId
    pivots: tuple[NodeId, ...]
    """Nodes with a value that each record has, such as its price, in document order."""
    parents: tuple[NodeId, ...] = ()
    """The parents of the records, or empty if `root` is their parent."""

    @property
    def record_parents(self) -> tuple[NodeId, ...]:
        """The parent elements of the records.

        They are `self.parents`, or the root element if `self.parents` is empty.
        """
        return self.parents or (self.root,)


@dataclass(frozen=True, slots=True)
class Record:
    """A record, which is one item of a list on a page."""

    nodes: tuple[NodeId, ...]
    """The sibling elements of the record in document order, without separators such as
    `<br>`.
    """

    @property
    def start(self) -> NodeId:
        """The first element of the record, in document order."""
        return self.nodes[0]


@dataclass(frozen=True, slots=True)
class Trial:
    """One attempted way to divide a list into records, with its result."""

    shift: int
    """The number of siblings in each record before the sibling with the identifying
    value, such as the price.
    """
    record_count: int
    irregularity: float | None
    """How much the records differ from each other, 0 for the most regular division. It
    is None if no divisions were compared.
    """
    complete: bool
    """False if a record would start or end outside of its parent."""


@dataclass(frozen=True, slots=True)
class Segmentation:
    """The division of one list of a page into records."""

    area: DataArea
    records: tuple[Record, ...]
    """The records in document order."""
    record_length: int
    """The greatest number of sibling elements of a record."""
    trials: tuple[Trial, ...] = ()
    """The divisions that were compared, empty without a comparison."""


@dataclass(frozen=True, slots=True)
class Attribute:
    """A value of a record with its type, such as a price."""

    type: str
    """The name of the value's type."""
    node: NodeId
    source: str
    """Where in the element the value is: "text", "first-line", an HTML attribute such
    as "@href", or the like.
    """
    text: str | None
    """The displayed value, or None if the element displays no such value, as in "price
    on request".
    """
    matched: str | None
    """The whole text that a pattern matched, such as "£900 pcm" for the value "£900".
    """
    recogniser: str | None
    """The name of the pattern, word list or annotator that recognised the value."""
    support: float
    """The share of records with a recognised value at the same path."""
    origin: Origin
    """Whether the value was recognised, or found only by its path."""


@dataclass(frozen=True, slots=True)
class TypePlace:
    """A path in the records of a list, such as `li > b`, at which values of one type
    were found.
    """

    type: str
    path: str
    """The path from the record to the element, as text for people."""
    source: str
    """Where in the element the value is, such as "text" or "@href"."""
    support: float
    """The share of records with a value of the type at this path."""
    is_kept: bool
    """Whether `support` is high enough to accept the values at this path."""


@dataclass(frozen=True, slots=True)
class AreaTyping:
    """A list of a page with the values of each record."""

    segmentation: Segmentation
    attributes: tuple[tuple[Attribute, ...], ...]
    """The values of each record, in document order."""
    positions: tuple[TypePlace, ...] = ()
    """The paths in records at which values were found."""
    cuts: Mapping[str, Trimming] = field(default_factory=dict)
    """What to remove from texts, such as the label "Price:", by the name of the type.
    """
    noise: Mapping[NodeId, tuple[Annotation, ...]] = field(default_factory=dict)
    """The possible values that were rejected, by the first element of their record."""

    @property
    def records(self) -> tuple[Record, ...]:
        """The records of the list, in document order."""
        return self.segmentation.records


@dataclass(frozen=True, slots=True)
class ExtractionTyping:
    """The lists of a page with their records and values, in document order."""

    areas: tuple[AreaTyping, ...]

    @property
    def record_count(self) -> int:
        """The number of records in all lists together."""
        return sum(len(area.records) for area in self.areas)
