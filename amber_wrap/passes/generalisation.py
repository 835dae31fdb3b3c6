"""Make a checked wrapper from the lists on sample pages.

The functions are in the order of their calls.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from operator import itemgetter

from amber_wrap.analysis.candidate_lists import undisplayed_list
from amber_wrap.analysis.pagination.next_page_link import find_pagination
from amber_wrap.analysis.thresholds import SELECTION
from amber_wrap.annotate.locale import dollar_of
from amber_wrap.columns.assembly import ALL, TYPED, with_columns, with_fields
from amber_wrap.columns.column_notes import ColumnNote
from amber_wrap.columns.former_prices import FORMER_PRICE
from amber_wrap.columns.texts_of_values import displayed_text_names
from amber_wrap.contract.comparison_with_analysis import verify
from amber_wrap.contract.induction import with_contracts
from amber_wrap.dom.page import Page
from amber_wrap.domain.schema import AttributeType, Domain, ValueKind
from amber_wrap.engine.output_rows import records_on, with_keys
from amber_wrap.errors import Diagnostic, NothingFoundError
from amber_wrap.generalise import pruning, user_decisions
from amber_wrap.generalise.column_names import with_names
from amber_wrap.generalise.doubts import (
    column_doubts,
    sample_differences,
    second_sample_advice,
)
from amber_wrap.generalise.examples import with_examples
from amber_wrap.generalise.next_page_rule import NextPageRule, find_next_page_rule
from amber_wrap.generalise.several_samples import (
    LeftOut,
    leave_one_out,
    with_common_paths,
)
from amber_wrap.generalise.user_decisions import UNDECIDED
from amber_wrap.generalise.wrapper_rules import generalise, generated_name_warnings
from amber_wrap.passes.analysis import Analysis
from amber_wrap.selectors.area_groups import TypedPage
from amber_wrap.settings import Options, Source
from amber_wrap.values.numbers_and_prices import money
from amber_wrap.wrapper.ir import Sample, Wrapper
from amber_wrap.wrapper.pattern_check import check_patterns


@dataclass(frozen=True, slots=True)
class TypedSamples:
    """The sample pages with the values of all columns that a wrapper should read."""

    typed: tuple[TypedPage, ...]
    """The sample pages with their records and values."""
    domain: Domain
    """The domain, which describes the kind of records on the pages."""
    kinds: tuple[AttributeType, ...]
    """The types of the columns, which are the named values of each record."""
    free: tuple[str, ...]
    """The names of columns for which the domain has no type."""
    first_sample_free: tuple[str, ...]
    """The names of columns without a type of the domain, found on the first page alone.

    If there is only one page, the tuple is empty.
    """
    doubts: tuple[Diagnostic, ...]
    """Warnings about columns."""
    notes: tuple[ColumnNote, ...]
    """The reasons why columns are read or left out."""


@dataclass(frozen=True, slots=True)
class _Draft:
    """A wrapper without the conditions that pages must meet, and its sample pages."""

    wrapper: Wrapper
    typed: tuple[TypedPage, ...]
    """The sample pages with their records and values."""
    unread_columns: tuple[Diagnostic, ...]
    """Messages about columns that the wrapper doesn't read."""


def check_presence(
    analysis: Analysis,
    analyses: Sequence[Analysis],
    pages: Sequence[Page],
    domains: Sequence[Domain],
    options: Options,
) -> None:
    """Raise NothingFoundError if `analysis` has no records, or only a list that is
    probably no list of records.

    Such a list is accepted if the user named the kind of records, a part of the page or
    an example.
    """
    if not analysis.record_count:
        reasons = [_nothing_found_message(analyses)]
        reasons += (found.message for page in pages for found in page.diagnostics)
        raise NothingFoundError("; ".join([*reasons, *_script_advice(pages)]))
    is_choice_open = len(domains) > 1 and not (options.within or options.examples)
    if not is_choice_open or analysis.probability >= SELECTION.least_probability:
        return
    message = (
        f"no list of records: the best candidate, with {analysis.record_count} "
        f"records, has a probability of {analysis.probability:.0%}"
    )
    remedy = (
        "if these are the records, name a domain with --domain, or select the list "
        "with --within or --example"
    )
    raise NothingFoundError("; ".join([message, *_script_advice(pages), remedy]))


def _script_advice(pages: Sequence[Page]) -> list[str]:
    """Return a sentence of advice for users if a script has records that its page
    doesn't display.

    The list has one sentence, or is empty if there is no such script.
    """
    for page in pages:
        if script_list := undisplayed_list(page):
            return [
                f"the records are in a script ({script_list}), not in the page: save "
                "the page after rendering, or read the JSON"
            ]
    return []


def type_columns(
    pages: Sequence[Page],
    analysis: Analysis,
    domains: Sequence[Domain],
    options: Options,
) -> TypedSamples:
    """Return the sample pages with the values of all columns that a wrapper should
    read.

    `options.fields` chooses the columns. Raise SelectionError if an example is in no
    record, or if a name in `options.fields` is unknown.
    """
    fields = options.fields or (TYPED if len(domains) == 1 else ALL)
    analysed = tuple(map(TypedPage, pages, analysis.typings))
    analysed_types = analysis.domain.schema.types
    typed, domain, doubts = with_examples(
        pruning.without_constant_links(with_common_paths(analysed, analysed_types)),
        analysis.domain,
        options.examples,
    )
    example_names = [example.name for example in options.examples]
    known_names = {kind.name for kind in domain.schema.types}
    typed, kinds, patterns, notes = with_fields(
        typed, domain.schema.types, fields, example_names, options.ascii_names
    )
    domain = replace(domain, patterns={**domain.patterns, **patterns})
    known_names |= displayed_text_names(kinds)
    is_free = fields == ALL
    free = [kind.name for kind in kinds if is_free and kind.name not in known_names]
    first_sample_free: tuple[str, ...] = ()
    if free and len(pages) > 1:
        first = with_columns(analysed[:1], analysed_types, options.ascii_names)
        first_sample_free = tuple(
            kind.name for kind in first.kinds if kind.name not in known_names
        )
    return TypedSamples(
        tuple(typed),
        domain,
        tuple(kinds),
        tuple(free),
        first_sample_free,
        (*doubts, *_doubtful_prices(typed, kinds, free)),
        notes,
    )


def _doubtful_prices(
    typed: Sequence[TypedPage], kinds: Sequence[AttributeType], free: Sequence[str]
) -> Iterator[Diagnostic]:
    """Yield a warning for each column in `free` that may be the true price of a record.

    Such a column has amounts of money, and its first amount differs from the first
    price.
    """
    first_texts: dict[str, str] = {}
    for typed_page in typed:
        for attribute in typed_page.attributes:
            if attribute.text:
                first_texts.setdefault(attribute.type, attribute.text)
    amounts = [kind.name for kind in kinds if kind.kind is ValueKind.MONEY]
    domain_prices = [
        name for name in amounts if name not in free and name in first_texts
    ]
    if not domain_prices:
        return
    price = domain_prices[0]
    for name in amounts:
        if name not in free or name == FORMER_PRICE:
            continue
        if money(first_texts[name]) != money(first_texts[price]):
            yield Diagnostic(
                "warning",
                "two-prices",
                f"{price} or {name}? {price} is {first_texts[price]!r}, and {name} is "
                f"{first_texts[name]!r}: if {name} is the right {price}, use "
                f"--example {price}={first_texts[name]!r}",
            )


def draft_wrapper(
    sources: Sequence[Source],
    columns: TypedSamples,
    analyses: Sequence[Analysis],
    options: Options,
) -> _Draft:
    """Return a draft of a wrapper with the columns that XPath expressions can select.

    The draft has no conditions for pages yet. Raise NothingFoundError if no column is
    left, and SelectionError if the draft misreads an example.
    """
    samples = tuple(Sample(source.name, source.sha256) for source in sources)
    wrapper = generalise(columns.typed, samples, columns.domain, columns.kinds)
    wrapper, typed, unread_columns = pruning.without_misread_columns(
        wrapper, columns.typed, columns.free
    )
    if not any(area.fields for area in wrapper.areas):
        raise NothingFoundError(_nothing_found_message(analyses))
    pruning.check_examples(wrapper, typed, options.examples)
    return _Draft(wrapper, tuple(typed), tuple(unread_columns))


def find_next_page(pages: Sequence[Page]) -> NextPageRule:
    """Return the XPath expression for the link to the next page on all sample pages.

    If no expression is found, `path` of the result is None, and `remark` may have the
    reason.
    """
    return find_next_page_rule(pages, [find_pagination(page) for page in pages])


def make_contract(
    draft: _Draft,
    pages: Sequence[Page],
    analysis: Analysis,
    next_page: NextPageRule,
    options: Options,
) -> Wrapper:
    """Return the drafted wrapper with the conditions that pages must meet, and with the
    XPath expression for the link to the next page.

    Raise WrapperError if a regular expression is invalid or may take exponential time.
    """
    wrapper = with_contract(draft.wrapper, pages, analysis, options.empty)
    return replace(wrapper, next_page=next_page.path)


def with_contract(
    wrapper: Wrapper,
    pages: Sequence[Page],
    analysis: Analysis,
    empty: tuple[str, ...] = (),
) -> Wrapper:
    """Return the wrapper with conditions that pages must meet, and that the sample
    pages meet.

    `empty` are texts that only pages without results have. Raise WrapperError if a
    regular expression is invalid or may take exponential time.
    """
    records_by_page = [records_on(wrapper, page.root) for page in pages]
    wrapper = with_contracts(wrapper, pages, records_by_page, analysis.annotations)
    if wrapper.signs and empty:
        wrapper = replace(wrapper, signs=replace(wrapper.signs, empty=empty))
    check_patterns(wrapper)
    records = list(chain.from_iterable(records_by_page))
    return with_keys(wrapper, records, dollar_of(pages))


def apply_decisions(
    draft: _Draft,
    induced_wrapper: Wrapper,
    pages: Sequence[Page],
    analysis: Analysis,
    options: Options,
) -> Wrapper:
    """Return the wrapper changed by the user's decisions, such as new names of columns.

    Raise SelectionError if an expression, pattern or name in a decision is invalid.
    """
    if options.decisions == UNDECIDED:
        return with_names(induced_wrapper, UNDECIDED)
    wrapper = user_decisions.with_column_decisions(
        draft.wrapper, options.decisions, pages
    )
    wrapper = with_contract(wrapper, pages, analysis, options.empty)
    wrapper = replace(wrapper, next_page=induced_wrapper.next_page)
    wrapper = with_names(wrapper, options.decisions)
    return user_decisions.with_page_decisions(wrapper, options.decisions, pages)


def score_left_out_samples(
    draft: _Draft, columns: TypedSamples, induced_wrapper: Wrapper
) -> tuple[LeftOut, ...]:
    """Return F1 scores for each sample page, read by a wrapper made from the other
    sample pages.

    The result has no scores for a sample page if the other pages have no records.
    """
    names = dict(induced_wrapper.fields)
    kinds = tuple(kind for kind in columns.kinds if kind.name in names)
    samples = induced_wrapper.samples
    return tuple(leave_one_out(draft.typed, samples, columns.domain, kinds))


def collect_findings(
    pages: Sequence[Page],
    analysis: Analysis,
    columns: TypedSamples,
    draft: _Draft,
    induced_wrapper: Wrapper,
    wrapper: Wrapper,
    options: Options,
) -> tuple[Diagnostic, ...]:
    """Return the messages about a wrapper for users of the command `induce`.

    `induced_wrapper` is the wrapper without people's decisions.
    """
    induced_records = [records_on(induced_wrapper, page.root) for page in pages]
    records = induced_records
    if options.decisions != UNDECIDED:
        records = [records_on(wrapper, page.root) for page in pages]
    filled_names = dict.fromkeys(
        name for record in chain.from_iterable(records) for name in record.values
    )
    differences: list[Diagnostic] = []
    for typed_page, sample, page_records in zip(
        draft.typed, induced_wrapper.samples, induced_records, strict=True
    ):
        page, typing = typed_page.page, typed_page.typing
        differences += verify(induced_wrapper, page, typing, sample.name, page_records)
    return (
        *chain.from_iterable(page.diagnostics for page in pages),
        *analysis.diagnostics,
        *columns.doubts,
        *draft.unread_columns,
        *user_decisions.inapplicable_decisions(
            options.decisions, wrapper, filled_names
        ),
        *generated_name_warnings(induced_wrapper),
        *column_doubts(wrapper, records, options.decisions, columns.free),
        *sample_differences(wrapper, records, columns.free, columns.first_sample_free),
        *second_sample_advice(induced_wrapper, induced_records[0], columns.free),
        *differences,
    )


def _nothing_found_message(analyses: Sequence[Analysis]) -> str:
    """Return a message for users that no records were found, with the sought types of
    values.
    """
    sought = []
    for analysis in analyses:
        pivot = analysis.pivot or analysis.domain.schema.pivots[0]
        annotation_count = sum(
            annotation.type == pivot
            for page_annotations in analysis.annotations
            for annotation in page_annotations
        )
        sought.append((annotation_count, pivot, analysis.domain.name))
    most_annotations, best_pivot, best_domain = max(sought, key=itemgetter(0))
    sought_types = ", ".join(f"{pivot} ({name})" for _, pivot, name in sought)
    return (
        "no records: looked for repeated values of the attribute types "
        f"{sought_types}; best match: {most_annotations} x {best_pivot}, too few or "
        f"too scattered for a data area of {best_domain}; is this a result page, saved "
        "as the browser shows it? Try --domain, or select the list with --within"
    )
