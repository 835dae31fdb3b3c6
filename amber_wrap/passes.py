"""The passes, each a function from values to a value; `pipeline` has their order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import itemgetter

from amber_wrap.analysis.attributes import Manner, align
from amber_wrap.analysis.choice import LEAST_PROBABILITY, Choice
from amber_wrap.analysis.coverage import coverage
from amber_wrap.analysis.meant import holding, in_scope
from amber_wrap.analysis.presence import holds_json_records
from amber_wrap.analysis.typing import ExtractionTyping, Segmentation
from amber_wrap.annotate.annotator import Annotation
from amber_wrap.annotate.examples import pointed_at
from amber_wrap.annotate.locale import for_locale, locale_of
from amber_wrap.annotate.run import annotate, annotators, readers
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.dom.parse import parse
from amber_wrap.dom.selector import scope, selector_of
from amber_wrap.dom.tree_edit import DISTANCES
from amber_wrap.domain.schema import AttributeType, Domain
from amber_wrap.errors import Diagnostic, NothingFoundError, PageError
from amber_wrap.generalise.columns import ALL, TYPED, with_fields
from amber_wrap.generalise.expectations import expectations
from amber_wrap.generalise.groups import Typed
from amber_wrap.generalise.leave_one_out import LeftOut, leave_one_out
from amber_wrap.generalise.pruning import check_wishes, pruned
from amber_wrap.generalise.rules import generalise, last_resorts
from amber_wrap.generalise.verify import check_expressions, verify
from amber_wrap.generalise.wishes import with_wishes
from amber_wrap.settings import Options, Source
from amber_wrap.strategies import STRATEGIES, Annotated, Candidates, Target
from amber_wrap.wrapper.interpret import first_readings
from amber_wrap.wrapper.ir import Sample, Wrapper


@dataclass(frozen=True, slots=True)
class Analysis:
    """What one target, a domain and a pivot type of it, makes of the samples.

    `annotations`, `typings` and `choices` stand in the order of the samples; `pivot` is
    "" where no type of the domain is in the records.
    """

    domain: Domain
    pivot: str
    annotations: tuple[tuple[Annotation, ...], ...]
    typings: tuple[ExtractionTyping, ...]
    choices: tuple[Choice, ...]
    diagnostics: tuple[Diagnostic, ...]

    def __str__(self) -> str:
        by = f"pivot {self.pivot}" if self.pivot else "by structure alone"
        return f"{self.domain.name}, {by}"

    @property
    def record_count(self) -> int:
        """The number of records on all samples."""
        return sum(typing.record_count for typing in self.typings)

    @property
    def probability(self) -> float:
        """The probability that a sample has a list of records, the best of all."""
        return max((one.probability for one in self.choices), default=0.0)

    def coverage(self, tried: Iterable[Analysis]) -> float:
        """How much of what the domain expects was found on all samples.

        `tried` are all the analyses that it competes with, this one among them.  What a
        domain inherits doesn't speak against the one that it extends, nor for it.
        """
        competing = {
            one.domain.name: one.domain.schema
            for one in tried
            if not one.domain.is_kin(self.domain)
        }.values()
        schema = self.domain.schema
        return sum(coverage(typing, schema, competing) for typing in self.typings)


@dataclass(frozen=True, slots=True)
class Identified:
    """The candidate lists of a page for each target, and what hindered them."""

    lists: Candidates
    diagnostics: tuple[Diagnostic, ...]


@dataclass(frozen=True, slots=True)
class Columns:
    """The samples with all that a wrapper reads, and the types of it.

    `free` are the names of columns that no domain knows.
    """

    typed: tuple[Typed, ...]
    domain: Domain
    kinds: tuple[AttributeType, ...]
    free: tuple[str, ...]
    doubts: tuple[Diagnostic, ...]


@dataclass(frozen=True, slots=True)
class Written:
    """A wrapper without promises, and the columns that it reads; `left` tells of the
    others."""

    wrapper: Wrapper
    typed: tuple[Typed, ...]
    left: tuple[Diagnostic, ...]


def parse_samples(sources: Sequence[Source], options: Options) -> tuple[Page, ...]:
    """The pages of the samples; a PageError names the sample."""
    pages = []
    for source in sources:
        try:
            pages.append(parse(source.body, options.url))
        except PageError as error:
            raise PageError(f"{source.name}: {error}") from error
    return tuple(pages)


def annotate_samples(
    pages: Sequence[Page], domains: Sequence[Domain], options: Options
) -> tuple[tuple[Annotated, ...], ...]:
    """For each sample what each domain's annotators claim (section 3.2).

    What isn't displayed, such as a row for scripts to copy, is never looked at.
    """

    def annotated(page: Page, domain: Domain) -> Annotated:
        local = for_locale(domain, locale_of(page))
        claims = annotate(page, local.schema, annotators(local))
        is_seen = scope(page, options.within, options.without)
        return Annotated(local, tuple(one for one in claims if is_seen[one.node]))

    return tuple(tuple(annotated(page, domain) for domain in domains) for page in pages)


def find_examples(
    pages: Sequence[Page], options: Options
) -> tuple[tuple[tuple[NodeId, ...], ...], ...]:
    """For each sample the elements that play the role of each example."""
    pointed = [pointed_at(one, pages) for one in options.examples]
    return tuple(
        tuple(tuple(claim.node for claim in one.annotations(page)) for one in pointed)
        for page in pages
    )


def identify_lists(
    pages: Sequence[Page],
    annotations: Sequence[Sequence[Annotated]],
    pointed: Sequence[Sequence[Sequence[NodeId]]],
    options: Options,
) -> tuple[Identified, ...]:
    """The candidate lists of each sample, in scope, with what is pointed at if any."""
    strategy = STRATEGIES[options.strategy]
    found = []
    for page, annotated, examples in zip(pages, annotations, pointed, strict=True):
        distance = DISTANCES[options.distance](page)
        is_seen = scope(page, options.within, options.without)
        lists = strategy.identify(page, annotated, distance)
        kept = {
            target: holding(page, [c for c in some if in_scope(c, is_seen)], examples)
            for target, some in lists.items()
        }
        found.append(Identified(kept, tuple(distance.diagnostics)))
    return tuple(found)


def select_lists(
    pages: Sequence[Page],
    annotations: Sequence[Sequence[Annotated]],
    candidates: Sequence[Identified],
    options: Options,
) -> tuple[Mapping[Target, Choice], ...]:
    """The chosen lists of each sample for each target."""
    select = STRATEGIES[options.strategy].select
    return tuple(
        {target: select(page, annotated, some) for target, some in found.lists.items()}
        for page, annotated, found in zip(pages, annotations, candidates, strict=True)
    )


def align_lists(
    pages: Sequence[Page],
    domains: Sequence[Domain],
    annotations: Sequence[Sequence[Annotated]],
    candidates: Sequence[Identified],
    choices: Sequence[Mapping[Target, Choice]],
    options: Options,
) -> tuple[Analysis, ...]:
    """The attributes of the chosen lists for each target (section 3.5)."""
    manner = STRATEGIES[options.strategy].manner
    tried = []
    for rank, domain in enumerate(domains):
        mine = [one[rank] for one in annotations]
        for target in choices[0]:
            if target[0] not in ("", domain.name):
                continue
            found = tuple(one[target] for one in choices)
            typings = tuple(
                align_all(page, one, choice.lists, manner)
                for page, one, choice in zip(pages, mine, found, strict=True)
            )
            is_known = any(
                a for t in typings for area in t.areas for a in area.attributes
            )
            pivot = target[1] or (domain.schema.pivots[0] if is_known else "")
            findings = (
                finding
                for page, one, choice in zip(pages, candidates, found, strict=True)
                for finding in (*one.diagnostics, *other_lists(page, choice))
            )
            tried.append(
                Analysis(
                    domain,
                    pivot,
                    tuple(one.annotations for one in mine),
                    typings,
                    found,
                    tuple(findings),
                )
            )
    return tuple(tried)


def best_analysis(
    tried: Sequence[Analysis],
) -> Analysis:
    """The analysis that covers most of what its domain expects (section 3).

    Of equals that of the domain that expects least: its types are not what was found.
    """
    return max(
        tried, key=lambda one: (one.coverage(tried), -len(one.domain.schema.types))
    )


def check_presence(
    analysis: Analysis,
    tried: Sequence[Analysis],
    pages: Sequence[Page],
    domains: Sequence[Domain],
    options: Options,
) -> None:
    """Raises NothingFoundError if no sample is a list of records.

    Where it is said what to look for, or where, nobody asks how likely that is.
    """
    if not analysis.record_count:
        limits = (finding.message for page in pages for finding in page.diagnostics)
        raise NothingFoundError("; ".join([_nothing_found(tried), *limits]))
    if not is_open(domains, options) or analysis.probability >= LEAST_PROBABILITY:
        return
    message = (
        f"no list of records: what repeats here, {analysis.record_count} times, is "
        f"one with a probability of {analysis.probability:.0%}"
    )
    if any(map(holds_json_records, pages)):
        message += (
            "; its records are in a script: save the page as the browser shows it"
        )
    raise NothingFoundError(
        f"{message}; if it is what you look for, name its --domain, or point at it "
        "with --within or --example"
    )


def is_open(domains: Sequence[Domain], options: Options) -> bool:
    """Whether it isn't said what to look for on a page, nor where."""
    return len(domains) > 1 and not (options.within or options.examples)


def type_columns(
    pages: Sequence[Page],
    analysis: Analysis,
    domains: Sequence[Domain],
    options: Options,
) -> Columns:
    """The typings with all that a wrapper reads: examples, and columns of any kind."""
    fields = options.fields or (TYPED if len(domains) == 1 else ALL)
    typed, domain, doubts = with_wishes(
        tuple(map(Typed, pages, analysis.typings)), analysis.domain, options.examples
    )
    wished = [one.name for one in options.examples]
    typed, kinds = with_fields(typed, domain.schema.types, fields, wished)
    known = {kind.name for kind in domain.schema.types}
    free = [kind.name for kind in kinds if fields == ALL and kind.name not in known]
    return Columns(tuple(typed), domain, tuple(kinds), tuple(free), tuple(doubts))


def write_rules(
    sources: Sequence[Source],
    columns: Columns,
    tried: Sequence[Analysis],
    options: Options,
) -> Written:
    """The wrapper that reads the columns, without those that no expression reads.

    Raises NothingFoundError if none is left: what repeats is not of the domain.
    """
    samples = tuple(Sample(source.name, source.sha256) for source in sources)
    wrapper = generalise(columns.typed, samples, columns.domain, columns.kinds)
    wrapper, typed, left = pruned(wrapper, columns.typed, columns.free)
    if not any(area.fields for area in wrapper.areas):
        raise NothingFoundError(_nothing_found(tried))
    check_wishes(wrapper, typed, options.examples)
    return Written(wrapper, tuple(typed), tuple(left))


def promise(written: Written, pages: Sequence[Page], analysis: Analysis) -> Wrapper:
    """The wrapper with its contract: what holds on all samples."""
    found = [first_readings(written.wrapper, page) for page in pages]
    wrapper = expectations(written.wrapper, pages, found, analysis.annotations)
    check_expressions(wrapper)
    return wrapper


def leave_out(
    written: Written, columns: Columns, wrapper: Wrapper
) -> tuple[LeftOut, ...]:
    """How wrappers from all samples but one do on that one."""
    kinds = tuple(one for one in columns.kinds if one.name in dict(wrapper.fields))
    return tuple(leave_one_out(written.typed, wrapper.samples, columns.domain, kinds))


def findings(
    pages: Sequence[Page],
    analysis: Analysis,
    columns: Columns,
    written: Written,
    wrapper: Wrapper,
) -> tuple[Diagnostic, ...]:
    """What there is to tell, the verification of the wrapper on its samples last."""
    read = [first_readings(wrapper, page) for page in pages]
    checked = zip(written.typed, wrapper.samples, read, strict=True)
    return (
        *chain.from_iterable(page.diagnostics for page in pages),
        *analysis.diagnostics,
        *columns.doubts,
        *written.left,
        *last_resorts(wrapper),
        *(
            finding
            for one, sample, rows in checked
            for finding in verify(wrapper, one.page, one.typing, sample.name, rows)
        ),
    )


def align_all(
    page: Page, one: Annotated, lists: Sequence[Segmentation], manner: Manner
) -> ExtractionTyping:
    """The lists of a page with the attributes of a domain."""
    schema, thresholds = one.domain.schema, one.domain.thresholds
    patterns = readers(one.domain)
    return ExtractionTyping(
        tuple(
            align(page, area, one.annotations, schema, thresholds, patterns, manner)
            for area in lists
        )
    )


def other_lists(page: Page, choice: Choice) -> Iterable[Diagnostic]:
    """A finding for each list that was not chosen: how to have it."""
    starts = [record.start for area in choice.lists for record in area.records]
    for found in choice.others:
        root = found.area.root
        if any(page.contains(root, start) for start in starts):
            root = page.parent[found.records[0].start]
        yield Diagnostic(
            "info",
            "another-list",
            f"a list of {len(found.records)} other records is left out: "
            f"--within '{selector_of(page, root)}' has it",
        )


def _nothing_found(tried: Sequence[Analysis]) -> str:
    """What was looked for, what was nearest, and what to try."""
    sought = []
    for one in tried:
        pivot = one.pivot or one.domain.schema.pivots[0]
        count = sum(a.type == pivot for found in one.annotations for a in found)
        sought.append((count, pivot, one.domain.name))
    count, pivot, name = max(sought, key=itemgetter(0))
    looked_for = ", ".join(f"{pivot} ({name})" for _, pivot, name in sought)
    return (
        "no records: looked for places that repeat the attribute types "
        f"{looked_for}; nearest: {count} x {pivot}, too few or too scattered "
        f"for a data area of {name}; is it a result page, saved as the "
        "browser shows it? Try --domain, or point at the list with --within"
    )
