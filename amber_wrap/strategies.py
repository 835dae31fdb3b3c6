"""Define two strategies to find the records of a page.

"role" chooses among all lists by a fitted model, and "paper" follows the AMBER paper.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from amber_wrap.analysis.align import AlignmentOptions
from amber_wrap.analysis.attribute_choice import best_scored, first_occurrence
from amber_wrap.analysis.candidate_lists import (
    common_marks,
    distinct_lists,
    like_elements,
    multi_sibling_lists,
)
from amber_wrap.analysis.class_marks import marks_without_states
from amber_wrap.analysis.closed_tabs import closed_nodes
from amber_wrap.analysis.extraction_typing import Segmentation
from amber_wrap.analysis.features.page_counts import PageCounts
from amber_wrap.analysis.further_lists import further_lists
from amber_wrap.analysis.identify_by_pivots import (
    element_roles,
    identify,
    identify_by_role,
    with_pivots,
)
from amber_wrap.analysis.list_selection import ListChoice, choose_list
from amber_wrap.analysis.relative_paths import Marks, TagPaths
from amber_wrap.analysis.segment import (
    SubtreeDistance,
    segment,
    segment_without_fillers,
)
from amber_wrap.analysis.words_to_trim import learn_cut, no_cut
from amber_wrap.annotate.annotator import Annotation
from amber_wrap.annotate.links import Links
from amber_wrap.dom.page import TEXT, NodeId, Page
from amber_wrap.domain.schema import Domain, Schema, ValueKind

CandidateKey = tuple[str, str]
"""The names of a domain (kind of records) and of a type of values that led to a list.

Each record should have one value of this type, for example one price. `ANY_TYPE` is the
key of lists that no single type led to.
"""
ANY_TYPE: CandidateKey = ("", "")
"""The key of lists that were found by values of any type, or by the page's structure.
"""
Candidates = Mapping[CandidateKey, Sequence[Segmentation]]
"""The lists that a page may hold, grouped by the type of the values that led to them.

A key has the names of a domain (kind of records) and of a type. For example, the lists
under the type price were found by the prices on the page. The key `ANY_TYPE` is for
lists that no single type led to.
"""


@dataclass(frozen=True, slots=True)
class Annotated:
    """The links of a page, and its texts that may be values of one kind of records."""

    domain: Domain
    """The kind of records, adapted to the language of the page."""
    annotations: tuple[Annotation, ...]
    links: Links


@dataclass(frozen=True, slots=True)
class Strategy:
    """The functions of one strategy to find records."""

    identify: Callable[[Page, Sequence[Annotated], SubtreeDistance], Candidates]
    """Returns the lists that a page may hold, grouped by the type of the values that
    led to them.
    """
    select: Callable[[Page, Sequence[Annotated], Sequence[Segmentation]], ListChoice]
    """Chooses the lists of records among the lists that a page may hold."""
    complete: Callable[[Page, Annotated, ListChoice], Sequence[Segmentation]]
    """Returns further lists of records, besides the chosen lists."""
    alignment: AlignmentOptions
    """The options for finding the values of records."""


def identify_all(
    page: Page, annotated: Sequence[Annotated], distance: SubtreeDistance
) -> Candidates:
    """Return all lists that a page may hold, under the single key `ANY_TYPE`.

    The lists are found by the structure of the page, and around the texts in
    `annotated`.
    """
    marks, closed, roles = common_marks(page), closed_nodes(page), element_roles(page)
    lists = [
        *like_elements(page, marks, closed),
        *multi_sibling_lists(page, marks, closed),
    ]
    for domain_annotations in annotated:
        annotations = domain_annotations.annotations
        annotated_nodes = nodes_of_all_types(
            annotations, domain_annotations.domain.schema
        )
        pivots = (node for node in annotated_nodes if not closed[node])
        areas = identify_by_role(page, roles, pivots)
        lists += (segment_without_fillers(page, area, distance) for area in areas)
    candidates = distinct_lists(page, lists)
    if len(annotated) == 1:
        schema = annotated[0].domain.schema
        candidates = with_pivots(page, candidates, annotated[0].annotations, schema)
    return {ANY_TYPE: candidates}


def select_by_fit(
    page: Page, annotated: Sequence[Annotated], candidates: Sequence[Segmentation]
) -> ListChoice:
    """Choose the main list of a page among `candidates` by a fitted model."""
    schemas = [domain_annotations.domain.schema for domain_annotations in annotated]
    types = {kind.name: kind for schema in schemas for kind in schema.types}
    annotations = {
        annotation
        for domain_annotations in annotated
        for annotation in domain_annotations.annotations
    }
    links, is_named = annotated[0].links, len(annotated) == 1
    page_counts = PageCounts(page, annotations, types.values(), links, is_named)
    return choose_list(page_counts, candidates)


def complete_by_fit(
    page: Page, annotated: Annotated, choice: ListChoice
) -> Sequence[Segmentation]:
    """Return the lists that a fitted model finds besides the chosen list."""
    types, links = annotated.domain.schema.types, annotated.links
    page_counts = PageCounts(page, annotated.annotations, types, links, is_named=True)
    return tuple(further_lists(page_counts, choice.ranked))


def identify_by_paper(
    page: Page, annotated: Sequence[Annotated], distance: SubtreeDistance
) -> Candidates:
    """Return the lists of a page, divided into records (AMBER paper, sections 3.3 and
    3.4).

    A key of the result has the names of a domain and of a type. The lists under the key
    were found by values of this type.
    """
    candidates: dict[CandidateKey, list[Segmentation]] = {}
    for domain_annotations in annotated:
        domain = domain_annotations.domain
        for pivot in domain.schema.pivots:
            nodes = pivot_nodes(domain_annotations.annotations, domain.schema, pivot)
            areas = identify(page, nodes, domain.thresholds)
            segmented = (segment(page, area, distance) for area in areas)
            candidates[domain.name, pivot] = [
                segmentation for segmentation in segmented if segmentation.records
            ]
    return candidates


def select_all(
    page: Page, annotated: Sequence[Annotated], candidates: Sequence[Segmentation]
) -> ListChoice:
    """Return all `candidates` as the chosen lists.

    AMBER doesn't choose among the lists of a page, so `page` and `annotated` aren't
    used.
    """
    return ListChoice(tuple(candidates), 1.0, ())


def complete_by_paper(
    page: Page, annotated: Annotated, choice: ListChoice
) -> Sequence[Segmentation]:
    """Return no further lists, because the strategy "paper" has already chosen all
    lists.

    The parameters aren't used.
    """
    return ()


def pivot_nodes(
    annotations: Iterable[Annotation], schema: Schema, pivot: str
) -> Iterator[NodeId]:
    """Yield the nodes with a text that may be a value of the type `pivot`.

    Values in HTML attributes are ignored, unless the type has URLs.
    """
    # Other values in attributes repeat displayed values.
    in_attributes = schema[pivot].kind is ValueKind.URL
    for annotation in annotations:
        is_in_place = in_attributes or annotation.source == TEXT
        if annotation.type == pivot and is_in_place:
            yield annotation.node


def nodes_of_all_types(
    annotations: Iterable[Annotation], schema: Schema
) -> Iterator[NodeId]:
    """Yield the nodes with a text that may be a value of any type.

    Values in HTML attributes are ignored, unless their type has URLs.
    """
    url_types = {kind.name for kind in schema.types if kind.kind is ValueKind.URL}
    for annotation in annotations:
        if annotation.source == TEXT or annotation.type in url_types:
            yield annotation.node


def stateless_marks(page: Page, records: Sequence[Sequence[NodeId]]) -> Marks:
    """Return a numbering of the paths from records to elements, by tags and classes.

    Classes for states, such as `sold`, are ignored. `records` has the top elements of
    each record.
    """
    return Marks(page, records, marks_without_states(page, records), facts=True)


STRATEGIES: Mapping[str, Strategy] = {
    "role": Strategy(
        identify_all,
        select_by_fit,
        complete_by_fit,
        AlignmentOptions(
            stateless_marks, best_scored, learn_cut, gathers=True, presumes=True
        ),
    ),
    "paper": Strategy(
        identify_by_paper,
        select_all,
        complete_by_paper,
        AlignmentOptions(
            TagPaths, first_occurrence, no_cut, gathers=False, presumes=False
        ),
    ),
}
"""The strategies to find the records of a page, by name.

"paper" follows the AMBER paper exactly."""
