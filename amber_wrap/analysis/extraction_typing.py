"""Define the extraction typing: the lists, records and values found on a page.

The extraction typing is the result of the analysis (AMBER paper, section 2.2).
`coverage` compares domains, each of which is the set of value types of one kind of
records, such as cars. The domain whose types the extraction typing covers best is
chosen (AMBER paper, section 3).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Set
from dataclasses import dataclass, field
from math import ceil, sqrt
from typing import Literal

from amber_wrap.analysis.thresholds import SELECTION
from amber_wrap.analysis.value_trimming import Trimming
from amber_wrap.annotate.annotator import Annotation
from amber_wrap.annotate.markup_annotators import NAME
from amber_wrap.dom.page import NodeId
from amber_wrap.domain.schema import Schema, ValueKind

Origin = Literal["annotated", "inferred"]
"""How a value was found: recognised by itself ("annotated"), or found by its position
in the record ("inferred")."""


@dataclass(frozen=True, slots=True)
class DataArea:
    """A part of a page that contains one list of records (AMBER paper, section 2.2).

    `root` is the root element of the area. `pivots` are nodes with a value that each
    record has, such as the price, in document order. `parents` are the parents of the
    records, such as the rows of a grid. If `parents` is empty, the records are children
    of the root.
    """

    root: NodeId
    pivots: tuple[NodeId, ...]
    parents: tuple[NodeId, ...] = ()

    @property
    def record_parents(self) -> tuple[NodeId, ...]:
        """The parent elements of the records.

        They are `self.parents`, or the root element if `self.parents` is empty.
        """
        return self.parents or (self.root,)


@dataclass(frozen=True, slots=True)
class Record:
    """A record, which is one item of a list on a page.

    `nodes` are the sibling elements that make up the record, in document order. They
    don't include separators between records.
    """

    nodes: tuple[NodeId, ...]

    @property
    def start(self) -> NodeId:
        """The first element of the record, in document order."""
        return self.nodes[0]


@dataclass(frozen=True, slots=True)
class Trial:
    """A division of a list into records that was tried.

    `record_count` is the number of records. Each record has a leading node, which is a
    child of the records' parent and contains a value that each record has, such as a
    price. The record starts `shift` siblings before its leading node. `complete` is
    False if a record would start or end outside its parent.

    `irregularity` is 0 for the division whose records have the most similar structures.
    It is higher for other divisions. It is None if the division wasn't compared with
    another division.
    """

    shift: int
    record_count: int
    irregularity: float | None
    complete: bool


@dataclass(frozen=True, slots=True)
class Segmentation:
    """The division of a data area (the part of a page with one list) into records.

    `records` are the records in document order. `record_length` is the greatest number
    of sibling elements of a record. `trials` are the divisions among which this
    division was chosen. `trials` is empty if no divisions were compared.
    """

    area: DataArea
    records: tuple[Record, ...]
    record_length: int
    trials: tuple[Trial, ...] = ()


@dataclass(frozen=True, slots=True)
class Attribute:
    """A value in a record. `type` is the name of the value's type, such as "price".

    `node` is the element with the value. `source` says which text of the element has
    the value, for example "text" or "@href". `text` is the displayed value. `matched`
    is the whole text that a pattern matched, for example "£900 pcm" if `text` is
    "£900". `text` and `matched` are None if the element displays no value of the type,
    for example "price on request".

    `recogniser` is the name of the pattern, list of terms or program that recognised
    the value, or None. `support` is the share of records in which a value of the type
    was recognised at the same position. `origin` is "inferred" if the value in this
    record wasn't recognised, but found by its position.
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
    """A position in the records of a list at which values of the type `type` were
    found.

    `path` is the element's position in the record as text for people. `source` says
    which text of the element has the value, for example "@href". `support` is the share
    of records with a value of the type at the position. `is_kept` says whether the
    support is above the threshold for accepting values.
    """

    type: str
    path: str
    source: str
    support: float
    is_kept: bool


@dataclass(frozen=True, slots=True)
class AreaTyping:
    """A data area, which is one list of a page, with the attributes of each record.

    An attribute is a value with a type. `attributes` has one tuple for each record, in
    document order. `positions` are the positions in records at which values were found.
    `cuts` maps the name of a type to the parts to remove from texts, such as labels.

    `noise` maps the first element of a record to the texts of the record that were
    recognised as values, but dropped. A text is dropped if too few records have a value
    of the type at the same position.
    """

    segmentation: Segmentation
    attributes: tuple[tuple[Attribute, ...], ...]
    positions: tuple[TypePlace, ...] = ()
    cuts: Mapping[str, Trimming] = field(default_factory=dict)
    noise: Mapping[NodeId, tuple[Annotation, ...]] = field(default_factory=dict)

    @property
    def records(self) -> tuple[Record, ...]:
        """The records of the list, in document order."""
        return self.segmentation.records


@dataclass(frozen=True, slots=True)
class ExtractionTyping:
    """The lists of a page with their records and attributes, in document order.

    An attribute is a value with a type. Each list is a data area, a part of the page.
    """

    areas: tuple[AreaTyping, ...]

    @property
    def record_count(self) -> int:
        """The number of records in all lists together."""
        return sum(len(area.records) for area in self.areas)


def coverage(
    typing: ExtractionTyping, schema: Schema, competing: Collection[Schema]
) -> float:
    """Return how well the values found on a page fit a domain, 0 or greater.

    A domain is the set of value types of one kind of records, such as cars. The domain
    with the highest number is the best. `schema` has the types of the domain, and is
    one of the `competing` schemas. `typing` has the values that were found with these
    types. Return 0 if it has no records.

    The number is a product of three factors. The first factor is the number of values.
    A value counts 1/n if n of the `competing` schemas have the value's type. Usually,
    the values of a type count 0 if they are recognised only by names in the markup,
    such as classes. They count if the page has values of a quantity, such as a mileage,
    that only this domain has.

    The second factor is the square root of the share of the domain's types that are
    common. A type is common if at least the share `SELECTION.common_type_share` of the
    records has a value. The third factor is a weight that is less than 1 unless typical
    types of the domain are common (`_typicality`). If the weight has its lowest value,
    the first two factors include only types that all `competing` schemas have.
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
        counted = {name for name in counted if schemas_with[name] == len(competing)}
    weighted_count = sum(counts_by_type[name] / schemas_with[name] for name in counted)
    common_share = len(common & counted) / len(schema.types)
    return weighted_count * sqrt(common_share) * typicality


def _types_known_by_name(typing: ExtractionTyping) -> Set[str]:
    """Return the types whose values were recognised only by names in the markup.

    Such a name is, for example, a class token. No value of a returned type was
    recognised by a pattern or a list of terms.
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
    """Return a weight up to 1, which is high if the values fit a domain in particular.

    A domain is the set of value types of one kind of records, such as cars. An own type
    is a type that no other competing domain has. A regular type is a type that each
    record should have. `common` has the types that most records have.

    The weight is 1 if enough own types are common. It is also 1 if all regular types
    are common, and the domain has fewer than two own types. It is
    `SELECTION.likely_weight` if all regular types and too few own types, but at least
    one, are common. Otherwise, it is `SELECTION.unrecognised_weight`.

    `schema` has the types of the domain. `varied` has the common types whose values
    differ between records. If no own type is in `varied`, no own type counts as common.
    `schemas_with` maps a type to the number of competing domains that have the type.
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
