"""Define the extraction typing, the result of the analysis (AMBER, section 2.2).

Among domains, the one is chosen whose types the extraction typing covers best (AMBER,
section 3).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Set
from dataclasses import dataclass, field
from math import ceil, sqrt
from typing import Literal

from amber_wrap.analysis.thresholds import SELECTION
from amber_wrap.analysis.value_trimming import Trimming
from amber_wrap.annotate.annotator import Annotation
from amber_wrap.dom.page import NodeId
from amber_wrap.domain.schema import Schema

Origin = Literal["annotated", "inferred"]


@dataclass(frozen=True, slots=True)
class DataArea:
    """An area of a page that contains records (AMBER, section 2.2).

    `root` is the root element of the area. `pivots` are the pivot nodes that support
    the area, in document order. `parents` are the parents of the records, such as the
    rows of a grid. If `parents` is empty, the records are children of the root.
    """

    root: NodeId
    pivots: tuple[NodeId, ...]
    parents: tuple[NodeId, ...] = ()

    @property
    def record_parents(self) -> tuple[NodeId, ...]:
        """The parents of the records."""
        return self.parents or (self.root,)


@dataclass(frozen=True, slots=True)
class Record:
    """A record, which consists of one or more sibling elements.

    `nodes` are the siblings in document order, without separators of records.
    """

    nodes: tuple[NodeId, ...]

    @property
    def start(self) -> NodeId:
        """The first node of the record."""
        return self.nodes[0]


@dataclass(frozen=True, slots=True)
class Trial:
    """A tried division of an area into records.

    Each record has a leading node, which is a child of the records' parent and contains
    a pivot node. The record starts `shift` siblings before its leading node. `records`
    is the number of records. `complete` is False if a record would start or end outside
    its parent. `irregularity` is 0 for the division whose records have the most similar
    structures, and higher for other divisions. `irregularity` is None if the division
    wasn't compared.
    """

    shift: int
    records: int
    irregularity: float | None
    complete: bool


@dataclass(frozen=True, slots=True)
class Segmentation:
    """The division of an area into records.

    A record has at most `record_length` siblings. `trials` are the divisions that were
    tried.
    """

    area: DataArea
    records: tuple[Record, ...]
    record_length: int
    trials: tuple[Trial, ...] = ()


@dataclass(frozen=True, slots=True)
class Attribute:
    """An attribute of a record.

    `node` is the element with the value. `source` says which text of the element has
    the value, for example "text" or "@href". `text` is the displayed value. `matched`
    is the whole match, for example "£900 pcm" if `text` is "£900". `text` and `matched`
    are None if the element shows no value of the type, for example "price on request".

    `recogniser` is the name of the pattern, gazetteer or built-in annotator, or None.
    `support` is the share of records with a value of the type at the same path.
    `origin` is "inferred" if the value has no annotation.
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
    """A path in the records of an area at which values of a type were found.

    `source` says which text of the element has the value. `support` is the share of
    records with a value of the type at the path. `kept` tells whether the support is
    above the keep threshold.
    """

    type: str
    path: str
    source: str
    support: float
    kept: bool


@dataclass(frozen=True, slots=True)
class AreaTyping:
    """An area with its records and the attributes of each record.

    `attributes` has one tuple for each record, in document order. `positions` are the
    paths at which values were found. `cuts` maps a type to the parts to remove from
    texts, such as labels. `noise` maps the first node of a record to the record's
    dropped annotations. An annotation is dropped if too few records have a value of the
    type at the same path.
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


def coverage(
    typing: ExtractionTyping, schema: Schema, competing: Collection[Schema]
) -> float:
    """Return how well a typing covers the types of a domain, or 0 for a typing without
    records.

    The result is the number of values times a weight. A value counts less if several of
    the `competing` schemas have its type. The weight grows with the share of the
    domain's types that most records have. The weight is also higher if most records
    have types that no other competing schema has.
    """
    shown = Counter(
        (attribute.type, attribute.text)
        for area in typing.areas
        for attributes in area.attributes
        for attribute in attributes
        if attribute.text is not None
    )
    filled, different = Counter[str](), Counter(name for name, _ in shown)
    for (name, _), count in shown.items():
        filled[name] += count
    expected = Counter(kind.name for one in competing for kind in one.types)
    common = {
        kind.name
        for kind in schema.types
        if filled[kind.name] >= SELECTION.common_type * typing.record_count > 0
    }
    found = sum(count / expected[name] for name, count in filled.items())
    share = len(common) / len(schema.types)
    varied = {name for name in common if different[name] > 1}
    return found * sqrt(share) * _typicality(common, varied, schema, expected)


def _typicality(
    common: Set[str], varied: Set[str], schema: Schema, expected: Mapping[str, int]
) -> float:
    """Return how well the common types distinguish the domain from competing domains, 0
    to 1.

    `common` has the types that most records have. `varied` has the common types whose
    values differ between records. `expected` has the number of competing schemas with
    each type. The domain is distinguished by types that no other schema has.
    """
    own = {kind.name for kind in schema.types if expected[kind.name] == 1}
    # A text that is the same in all records, such as "Shop" on each button, is no
    # sign of the domain.
    known = len(own & common) if own & varied else 0
    is_regular = common >= {kind.name for kind in schema.types if kind.regular}
    enough = max(2, ceil(SELECTION.own_types * len(own)))
    if known >= enough or (is_regular and len(own) < 2):
        return 1.0
    return SELECTION.likely if is_regular and known else SELECTION.unrecognised
