"""Define the result of the analysis: the lists, records and values of a page (AMBER
paper, section 2.2).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Set
from dataclasses import dataclass, field
from math import ceil, sqrt
from typing import Literal

from amber_wrap.analysis.thresholds import SELECTION
from amber_wrap.analysis.words_to_trim import Trimming
from amber_wrap.annotate.annotator import Annotation
from amber_wrap.annotate.markup_annotators import NAME
from amber_wrap.dom.page import NodeId
from amber_wrap.domain.schema import Schema, ValueKind

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


def coverage(
    typing: ExtractionTyping, schema: Schema, competing: Collection[Schema]
) -> float:
    """Return a score for a schema, which is higher if the values of a page fit the
    schema better.

    A schema describes a kind of records, such as cars. The score is 0 for a page
    without records. `competing` are all schemas to compare, including `schema`.
    """
    value_counts = Counter(
        (attribute.type, attribute.text)
        for area in typing.areas
        for attributes in area.attributes
        for attribute in attributes
        if attribute.text is not None
    )
    schemas_with = Counter(kind.name for rival in competing for kind in rival.types)
    # Shops of all kinds have a class `brand`, but no living areas or mileages.
    quantities = {
        kind.name
        for kind in schema.types
        if kind.kind is ValueKind.QUANTITY and schemas_with[kind.name] == 1
    }
    named = _types_known_by_name(typing)
    if any(type_name in quantities - named for type_name, _ in value_counts):
        named = frozenset()
    counts_by_type = Counter[str]()
    for (type_name, _), count in value_counts.items():
        if type_name not in named:
            counts_by_type[type_name] += count
    different_values = Counter(type_name for type_name, _ in value_counts)
    common = {
        kind.name
        for kind in schema.types
        if counts_by_type[kind.name]
        >= SELECTION.common_type_share * typing.record_count
        > 0
    }
    varied = {type_name for type_name in common if different_values[type_name] > 1}
    typicality = _typicality(common, varied, schema, schemas_with)
    counted = set(counts_by_type)
    if typicality == SELECTION.unrecognised_weight:
        # Only types that all competing domains have are sure.
        counted = {name for name in counted if schemas_with[name] == len(competing)}
    weighted_count = sum(counts_by_type[name] / schemas_with[name] for name in counted)
    common_share = len(common & counted) / len(schema.types)
    # Types that several domains have count less, and rare types count little.
    return weighted_count * sqrt(common_share) * typicality


def _types_known_by_name(typing: ExtractionTyping) -> Set[str]:
    """Return the types whose values were recognised only by names in the markup, such
    as the class `brand`.
    """
    recognisers = defaultdict[str, set[str | None]](set)
    for area in typing.areas:
        for attributes in area.attributes:
            for attribute in attributes:
                recognisers[attribute.type].add(attribute.recogniser)
    return {
        type_name
        for type_name, names in recognisers.items()
        if NAME in names <= {NAME, None}
    }


def _typicality(
    common: Set[str], varied: Set[str], schema: Schema, schemas_with: Mapping[str, int]
) -> float:
    """Return a weight up to 1, which is high if most records have values of types that
    no other schema has.

    `common` are the types of which most records have a value, and `varied` those of
    `common` with different values. `schemas_with` has the number of schemas with each
    type.
    """
    own_types = {kind.name for kind in schema.types if schemas_with[kind.name] == 1}
    # A text that is the same in all records, such as "Shop" on each button, is no
    # sign of the domain.
    known_count = len(own_types & common) if own_types & varied else 0
    has_regular = common >= {kind.name for kind in schema.types if kind.regular}
    enough = max(2, ceil(SELECTION.least_own_types * len(own_types)))
    if known_count >= enough or (has_regular and len(own_types) < 2):
        return 1.0
    return (
        SELECTION.likely_weight
        if has_regular and known_count
        else SELECTION.unrecognised_weight
    )
