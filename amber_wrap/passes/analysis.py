"""Find lists of records with typed values on sample pages.

The functions are in the order of their calls.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from amber_wrap.analysis.align import AlignmentOptions, align_attributes
from amber_wrap.analysis.coverage import coverage
from amber_wrap.analysis.extraction_typing import ExtractionTyping, Segmentation
from amber_wrap.analysis.list_selection import ListChoice, in_scope, lists_beside
from amber_wrap.analysis.lists_with_examples import (
    count_records_with,
    loses_records,
    matching_examples,
)
from amber_wrap.annotate.annotate_page import annotate, annotators, readers
from amber_wrap.annotate.annotator import Annotation, Texts
from amber_wrap.annotate.examples import Example, roles_of_example
from amber_wrap.annotate.locale import for_locale, locale_of
from amber_wrap.dom.expressions import nodes_in_scope, selector_of
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.dom.parse import parse
from amber_wrap.dom.tree_edit import DISTANCES
from amber_wrap.dom.truncation import SAMPLE_BUDGET
from amber_wrap.domain.schema import Domain
from amber_wrap.errors import Diagnostic, PageError, SelectionError
from amber_wrap.settings import Options, Source
from amber_wrap.strategies import STRATEGIES, Annotated, CandidateKey, Candidates

_ExampleNodes = Sequence[Sequence[NodeId]]
"""The elements of a page that correspond to each of the user's examples."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """The records and values on the sample pages, found with one kind of records, such
    as cars.
    """

    domain: Domain
    pivot: str
    """The name of the type that each record has once, or "" if no values were found."""
    annotations: tuple[tuple[Annotation, ...], ...]
    """The texts of each page that may be values."""
    typings: tuple[ExtractionTyping, ...]
    """The chosen lists of each page, with the values of their records."""
    choices: tuple[ListChoice, ...]
    """The chosen lists of each page."""
    diagnostics: tuple[Diagnostic, ...]
    """Messages for the user about the search for records."""

    def __str__(self) -> str:
        method = f"pivot {self.pivot}" if self.pivot else "by structure alone"
        return f"{self.domain.name}, {method}"

    @property
    def record_count(self) -> int:
        """The number of records on all sample pages."""
        return sum(typing.record_count for typing in self.typings)

    @property
    def probability(self) -> float:
        """The probability of the most probable list of records on any sample page.

        The probability is 0 if there are no sample pages.
        """
        return max((choice.probability for choice in self.choices), default=0.0)

    def coverage(self, analyses: Iterable[Analysis]) -> float:
        """Return how well this kind of records fits the samples, from 0 upwards.

        The score grows with the values recognised in the records. A value counts less
        if other kinds of records have values of its type, too.
        """
        competing_schemas = {
            analysis.domain.name: analysis.domain.schema
            for analysis in analyses
            if not analysis.domain.is_kin(self.domain)
        }.values()
        return sum(
            coverage(typing, self.domain.schema, competing_schemas)
            for typing in self.typings
        )


@dataclass(frozen=True, slots=True)
class PageCandidates:
    """The lists on a page that may be lists of records, with messages on the search."""

    lists: Candidates
    """The lists on the page, grouped by the type of the values around which they were
    found.

    A key has the names of a domain and of a type.
    """
    diagnostics: tuple[Diagnostic, ...]


def parse_samples(sources: Sequence[Source], options: Options) -> tuple[Page, ...]:
    """Return the parsed pages of the samples.

    Raise PageError, with the name of the sample, for a sample that is no HTML page.
    """
    pages = []
    for source in sources:
        try:
            saved = source.saved
            pages.append(parse(saved.body, options.url or saved.url, SAMPLE_BUDGET))
        except PageError as error:
            raise PageError(f"{source.name}: {error}") from error
    return tuple(pages)


def annotate_samples(
    pages: Sequence[Page], domains: Sequence[Domain], options: Options
) -> tuple[tuple[Annotated, ...], ...]:
    """Return the texts of each page that may be values, for each kind of records (AMBER
    paper, section 3.2).

    Hidden elements, and elements outside of the part that the user chose, are left out.
    """

    def annotated_by_domain(page: Page) -> Iterator[Annotated]:
        locale, texts = locale_of(page), Texts(page)
        is_in_scope = nodes_in_scope(page, options.within, options.without)
        for domain in domains:
            local_domain = for_locale(domain, locale)
            local_domain = local_domain.with_thresholds(dict(options.thresholds))
            annotations = annotate(
                page, local_domain.schema, annotators(local_domain), texts
            )
            annotations_in_scope = tuple(
                annotation for annotation in annotations if is_in_scope[annotation.node]
            )
            yield Annotated(local_domain, annotations_in_scope, texts.links)

    return tuple(tuple(annotated_by_domain(page)) for page in pages)


def find_examples(
    pages: Sequence[Page], options: Options
) -> tuple[tuple[tuple[NodeId, ...], ...], ...]:
    """Return for each page the elements that display or resemble each of the user's
    examples.

    Raise SelectionError if no page displays an example.
    """
    examples = [roles_of_example(example, pages) for example in options.examples]
    return tuple(
        tuple(
            tuple(annotation.node for annotation in roles.annotations(page))
            for roles in examples
        )
        for page in pages
    )


def identify_lists(
    pages: Sequence[Page],
    annotations: Sequence[Sequence[Annotated]],
    options: Options,
) -> tuple[PageCandidates, ...]:
    """Return the lists of each page that may be lists of records.

    Lists outside of the part of the page that the user selected are left out.
    """
    strategy = STRATEGIES[options.strategy]
    candidates = []
    for page, annotated in zip(pages, annotations, strict=True):
        distance = DISTANCES[options.distance](page)
        is_in_scope = nodes_in_scope(page, options.within, options.without)
        lists_in_scope = {
            key: [candidate for candidate in lists if in_scope(candidate, is_in_scope)]
            for key, lists in strategy.identify(page, annotated, distance).items()
        }
        candidates.append(PageCandidates(lists_in_scope, tuple(distance.diagnostics)))
    return tuple(candidates)


def select_lists(
    pages: Sequence[Page],
    annotations: Sequence[Sequence[Annotated]],
    candidates: Sequence[PageCandidates],
    example_nodes: Sequence[_ExampleNodes],
    options: Options,
) -> tuple[Mapping[CandidateKey, ListChoice], ...]:
    """Return the chosen lists of each page, by kind of records and type of values.

    A list with the user's examples is preferred. It is compared with the list that
    would be chosen without examples. Raise SelectionError if it misses records of that
    list, or has two of them as one.
    """
    select = STRATEGIES[options.strategy].select
    samples = zip(pages, annotations, candidates, example_nodes, strict=True)
    choices = []
    for page, annotated, page_candidates, page_example_nodes in samples:
        page_choices = {}
        for key, lists in page_candidates.lists.items():
            choice = select(page, annotated, lists)
            choice = matching_examples(page, choice, page_example_nodes)
            _check_no_loss(page, choice, options.examples, page_example_nodes)
            page_choices[key] = choice
        choices.append(page_choices)
    return tuple(choices)


def _check_no_loss(
    page: Page,
    choice: ListChoice,
    examples: Sequence[Example],
    example_nodes: _ExampleNodes,
) -> None:
    """Raise SelectionError if the list chosen by the user's examples lacks or merges
    records.

    The list is compared with the list that would be chosen without examples.
    """
    whole_list = choice.without_examples
    if whole_list is None:
        return
    chosen_list = choice.lists[0]
    if not loses_records(page, chosen_list, whole_list):
        return
    record_counts = [
        count_records_with(page, whole_list, nodes) for nodes in example_nodes
    ]
    least_count = min(record_counts)
    rarest_example = examples[record_counts.index(least_count)]
    verb = "shows" if least_count < 2 else "show"
    raise SelectionError(
        f"{rarest_example} leads to {len(chosen_list.records)} records instead of "
        f"{len(whole_list.records)}: of the records found without the example, "
        f"{least_count or 'none'} {verb} such a value; give an example from these, or "
        "select the list with --within"
    )


def align_lists(
    pages: Sequence[Page],
    domains: Sequence[Domain],
    annotations: Sequence[Sequence[Annotated]],
    candidates: Sequence[PageCandidates],
    choices: Sequence[Mapping[CandidateKey, ListChoice]],
    options: Options,
) -> tuple[Analysis, ...]:
    """Return the chosen lists with the values of their records (AMBER paper, section
    3.5).

    The result has one analysis for each kind of records, or for each pair of a kind and
    a type in `choices`. `annotations`, `candidates` and `choices` have one entry for
    each page.
    """
    alignment = STRATEGIES[options.strategy].alignment
    diagnostics = tuple(chain.from_iterable(one.diagnostics for one in candidates))
    analyses = []
    for rank, domain in enumerate(domains):
        annotated_pages = [by_domain[rank] for by_domain in annotations]
        for key in choices[0]:
            domain_name, pivot = key
            if domain_name not in ("", domain.name):
                continue
            key_choices = tuple(page_choices[key] for page_choices in choices)
            typings = tuple(
                align_page(page, annotated, choice.lists, alignment)
                for page, annotated, choice in zip(
                    pages, annotated_pages, key_choices, strict=True
                )
            )
            areas = [area for typing in typings for area in typing.areas]
            if not pivot and any(any(area.attributes) for area in areas):
                pivot = domain.schema.pivots[0]
            claims = tuple(annotated.annotations for annotated in annotated_pages)
            analyses.append(
                Analysis(domain, pivot, claims, typings, key_choices, diagnostics)
            )
    return tuple(analyses)


def best_analysis(analyses: Sequence[Analysis]) -> Analysis:
    """Return the analysis whose kind of records fits the sample pages best (AMBER
    paper, section 3).

    If several analyses fit equally well, return the analysis with the fewest types of
    values.
    """

    def fit(analysis: Analysis) -> tuple[float, int]:
        return analysis.coverage(analyses), -len(analysis.domain.schema.types)

    return max(analyses, key=fit)


def add_similar_lists(
    pages: Sequence[Page],
    domains: Sequence[Domain],
    annotations: Sequence[Sequence[Annotated]],
    best: Analysis,
    options: Options,
) -> Analysis:
    """Return the analysis `best` with further lists of the same kind of records.

    No list is added if there are several `domains`. The analysis also gets a message
    for the user about each probable list that is left out.
    """
    strategy = STRATEGIES[options.strategy]
    rank = [domain.name for domain in domains].index(best.domain.name)
    choices, typings, diagnostics = [], [], [*best.diagnostics]
    for page, annotated_by_domain, choice, typing in zip(
        pages, annotations, best.choices, best.typings, strict=True
    ):
        annotated = annotated_by_domain[rank]
        added_lists: Sequence[Segmentation] = ()
        if len(domains) == 1:
            added_lists = strategy.complete(page, annotated, choice)
        if added_lists:
            added = align_page(page, annotated, added_lists, strategy.alignment)
            areas = sorted(
                (*typing.areas, *added.areas), key=lambda area: area.records[0].start
            )
            typing = ExtractionTyping(tuple(areas))
        typings.append(typing)
        choices.append(replace(choice, lists=(*choice.lists, *added_lists)))
        diagnostics += omitted_lists(page, choices[-1])
    return replace(
        best,
        typings=tuple(typings),
        choices=tuple(choices),
        diagnostics=tuple(diagnostics),
    )


def align_page(
    page: Page,
    annotated: Annotated,
    lists: Sequence[Segmentation],
    alignment: AlignmentOptions,
) -> ExtractionTyping:
    """Return the lists of a page with the values of their records."""
    domain = annotated.domain
    arguments = (domain.schema, domain.thresholds, readers(domain), alignment)
    return ExtractionTyping(
        tuple(
            align_attributes(
                page, annotated.links, one, annotated.annotations, *arguments
            )
            for one in lists
        )
    )


def omitted_lists(page: Page, choice: ListChoice) -> Iterator[Diagnostic]:
    """Yield a message for each probable list that wasn't chosen, with the option to
    select it.
    """
    starts = [record.start for area in choice.lists for record in area.records]
    for segmentation in lists_beside(page, choice):
        root = segmentation.area.root
        if any(page.contains(root, start) for start in starts):
            root = page.parent[segmentation.records[0].start]
        yield Diagnostic(
            "info",
            "another-list",
            f"a list of {len(segmentation.records)} other records is left out: "
            f"select it with --within '{selector_of(page, root)}'",
        )
