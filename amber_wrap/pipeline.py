"""The pass list: from sample pages to a verified wrapper.

bytes -> Page -> annotations -> data areas -> records -> attributes
      -> wrapper -> verified wrapper
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from amber_wrap.analysis.attributes import align
from amber_wrap.analysis.coverage import coverage
from amber_wrap.analysis.other_lists import other_lists
from amber_wrap.analysis.presence import holds_json_records, is_list, share
from amber_wrap.analysis.prospects import Claimed, Prospect, holds
from amber_wrap.analysis.repeated import repeated
from amber_wrap.analysis.selection import alike
from amber_wrap.analysis.typing import (
    AreaTyping,
    ExtractionTyping,
    Segmentation,
)
from amber_wrap.annotate.annotator import Annotation
from amber_wrap.annotate.examples import Example, Pointed, pointed_at
from amber_wrap.annotate.locale import for_locale, locale_of
from amber_wrap.annotate.run import annotate, annotators, readers
from amber_wrap.dom.page import Page
from amber_wrap.dom.parse import parse
from amber_wrap.dom.selector import select
from amber_wrap.dom.tree_edit import DISTANCES
from amber_wrap.domain.schema import Domain, ValueKind
from amber_wrap.errors import Diagnostic, NothingFoundError, PageError, SelectionError
from amber_wrap.generalise.columns import ALL, TYPED, with_fields
from amber_wrap.generalise.expectations import expectations
from amber_wrap.generalise.groups import Typed
from amber_wrap.generalise.leave_one_out import LeftOut, leave_one_out
from amber_wrap.generalise.pruning import check_wishes, pruned
from amber_wrap.generalise.rules import generalise, last_resorts
from amber_wrap.generalise.verify import check_expressions, verify
from amber_wrap.generalise.wishes import with_wishes
from amber_wrap.memo import forget
from amber_wrap.strategies import STRATEGIES
from amber_wrap.wrapper.interpret import first_readings
from amber_wrap.wrapper.ir import Sample, Wrapper


@dataclass(frozen=True, slots=True)
class Source:
    """A saved page: the name of its file and its bytes."""

    name: str
    body: bytes

    @property
    def sha256(self) -> str:
        """The SHA-256 of the bytes, hexadecimal."""
        return hashlib.sha256(self.body).hexdigest()


@dataclass(frozen=True, slots=True)
class Options:
    """What a user may set; `within` and `without` are selectors, "" for none.

    `fields` are those that a wrapper reads (`generalise.columns`); "" is "typed" for
    one domain, "all" where several compete.  `examples` are values on the samples.
    """

    url: str = ""
    strategy: str = "role"
    distance: str = "fast"
    within: str = ""
    without: str = ""
    fields: str = ""
    examples: tuple[Example, ...] = ()


DEFAULTS = Options()


@dataclass(frozen=True, slots=True)
class Analysis:
    """What one pivot type of one domain makes of the samples.

    `annotations` and `typings` stand in the order of the samples; `pivot` is "" where
    siblings are records by their structure alone.
    """

    domain: Domain
    pivot: str
    annotations: tuple[tuple[Annotation, ...], ...]
    typings: tuple[ExtractionTyping, ...]
    diagnostics: tuple[Diagnostic, ...]

    def __str__(self) -> str:
        by = f"pivot {self.pivot}" if self.pivot else "by structure alone"
        return f"{self.domain.name}, {by}"

    @property
    def record_count(self) -> int:
        """The number of records on all samples."""
        return sum(typing.record_count for typing in self.typings)

    def holds(self, pages: Sequence[Page], pointed: Pointed) -> bool:
        """Whether some record may show what is pointed at."""
        return any(
            holds(page, area.records, [one.node for one in pointed.annotations(page)])
            for page, typing in zip(pages, self.typings, strict=True)
            for area in typing.areas
        )

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
class Compilation:
    """Every intermediate of a compilation; `analysis` is the best of `tried`.

    `left_out` tells of each sample how a wrapper from the others does on it.
    """

    sources: tuple[Source, ...]
    pages: tuple[Page, ...]
    tried: tuple[Analysis, ...]
    analysis: Analysis
    wrapper: Wrapper
    left_out: tuple[LeftOut, ...]
    diagnostics: tuple[Diagnostic, ...]


def compile_wrapper(
    sources: Sequence[Source], domains: Sequence[Domain], options: Options = DEFAULTS
) -> Compilation:
    """Induce a wrapper from samples of one template.

    Raises PageError, SelectionError, NothingFoundError or WrapperError.
    """
    pages = parse_samples(sources, options)
    try:
        return _compiled(sources, pages, domains, options)
    finally:
        for page in pages:
            forget(page)


def _compiled(
    sources: Sequence[Source],
    pages: tuple[Page, ...],
    domains: Sequence[Domain],
    options: Options,
) -> Compilation:
    tried, best = analyse_samples(pages, domains, options)
    if not best.record_count:
        limits = (finding.message for page in pages for finding in page.diagnostics)
        raise NothingFoundError("; ".join([_nothing_found(tried), *limits]))
    if is_open(domains, options):
        _check_presence(pages, best)
    samples = tuple(Sample(source.name, source.sha256) for source in sources)
    fields = options.fields or (TYPED if len(domains) == 1 else ALL)
    typed, domain, doubts = with_wishes(
        tuple(map(Typed, pages, best.typings)), best.domain, options.examples
    )
    wished = [one.name for one in options.examples]
    typed, kinds = with_fields(typed, domain.schema.types, fields, wished)
    known = {kind.name for kind in domain.schema.types}
    columns = [kind.name for kind in kinds if fields == ALL and kind.name not in known]
    wrapper = generalise(typed, samples, domain, kinds)
    wrapper, typed, left = pruned(wrapper, typed, columns)
    check_wishes(wrapper, typed, options.examples)
    found = [first_readings(wrapper, page) for page in pages]
    wrapper = expectations(wrapper, pages, found, best.annotations)
    check_expressions(wrapper)
    findings = (
        *(finding for page in pages for finding in page.diagnostics),
        *best.diagnostics,
        *doubts,
        *left,
        *last_resorts(wrapper),
        *(
            finding
            for one, sample, read in zip(typed, samples, found, strict=True)
            for finding in verify(wrapper, one.page, one.typing, sample.name, read)
        ),
    )
    kinds = tuple(kind for kind in kinds if kind.name in dict(wrapper.fields))
    left_out = tuple(leave_one_out(typed, samples, domain, kinds))
    return Compilation(tuple(sources), pages, tried, best, wrapper, left_out, findings)


def parse_samples(sources: Sequence[Source], options: Options) -> tuple[Page, ...]:
    """The pages of the samples; a PageError names the sample."""
    pages = []
    for source in sources:
        try:
            pages.append(parse(source.body, options.url))
        except PageError as error:
            raise PageError(f"{source.name}: {error}") from error
    return tuple(pages)


def analyse_samples(
    pages: Sequence[Page], domains: Sequence[Domain], options: Options
) -> tuple[tuple[Analysis, ...], Analysis]:
    """All analyses of the samples, and the one that covers most; of equals the first.

    Every domain and every pivot of it is tried (AMBER, section 3).  Where nobody says
    what to look for, and what was found is not what the page is for, the structure of
    the page alone is one more.
    """
    pointed = [pointed_at(one, pages) for one in options.examples]
    tried = tuple(
        analysis
        for domain in domains
        for analysis in analyses(pages, domain, options, pointed, len(domains) > 1)
    )
    best = max(
        tried,
        key=lambda analysis: (
            sum(analysis.holds(pages, one) for one in pointed),
            analysis.coverage(tried),
        ),
    )
    if is_open(domains, options) and not any(map(is_list, pages, best.typings)):
        found = tuple(map(repeated, pages))
        if any(map(is_list, pages, found)):
            # The domain that expects least: its types are not what was found.
            plain = min(tried, key=lambda analysis: len(analysis.domain.schema.types))
            best = replace(plain, pivot="", typings=found, diagnostics=())
            tried = (*tried, best)
    return tried, best


def is_open(domains: Sequence[Domain], options: Options) -> bool:
    """Whether it isn't said what to look for on a page, nor where."""
    return len(domains) > 1 and not (options.within or options.examples)


def analyses(
    pages: Sequence[Page],
    domain: Domain,
    options: Options,
    pointed: Sequence[Pointed] = (),
    is_open: bool = False,
) -> Iterator[Analysis]:
    """One analysis for each pivot candidate of a domain."""
    local = [for_locale(domain, locale_of(page)) for page in pages]
    annotations = tuple(
        tuple(
            restrict(
                page,
                annotate(page, one.schema, annotators(one)),
                options.within,
                options.without,
            )
        )
        for page, one in zip(pages, local, strict=True)
    )
    for pivot in domain.schema.pivots:
        results = [
            analyse(page, found, one, pivot, options, pointed, is_open)
            for page, found, one in zip(pages, annotations, local, strict=True)
        ]
        yield Analysis(
            domain=domain,
            pivot=pivot,
            annotations=annotations,
            typings=tuple(typing for typing, _ in results),
            diagnostics=tuple(finding for _, found in results for finding in found),
        )


def analyse(
    page: Page,
    annotations: Sequence[Annotation],
    domain: Domain,
    pivot: str,
    options: Options,
    pointed: Sequence[Pointed] = (),
    is_open: bool = False,
) -> tuple[ExtractionTyping, tuple[Diagnostic, ...]]:
    """The extraction typing of a page (AMBER, section 3.1, without `learn`).

    What is `pointed` at may be where records are, and is in the lists that are meant.
    It `is_open` what is sought if several domains compete.
    """
    patterns = readers(domain)
    strategy = STRATEGIES[options.strategy]
    marked = [one.annotations(page) for one in pointed]
    claims = sorted([*annotations, *chain(*marked)]) if marked else annotations
    nodes = strategy.pivots(claims, domain.schema, pivot)
    areas = strategy.identify(page, nodes, domain.thresholds)
    distance = DISTANCES[options.distance](page)
    segmentations = [strategy.segment(page, area, distance) for area in areas]

    def typed(found: Segmentation) -> AreaTyping:
        return align(
            page,
            found,
            annotations,
            domain.schema,
            domain.thresholds,
            patterns,
            strategy.manner,
        )

    presumes = strategy.manner.presumes
    claimed = Claimed(page, annotations, domain.schema, domain.thresholds, presumes)
    prospects = [
        Prospect(page, found, claimed.most(found.records), typed)
        for found in segmentations
        if found.records
    ]
    for found in marked:
        meant = [claim.node for claim in found]
        holding = [one for one in prospects if holds(page, one.records, meant)]
        prospects = holding or prospects
    selected = strategy.select(page, prospects, domain.schema)
    regular = [kind for kind in domain.schema.types if kind.regular]
    if is_open and all(kind.kind is ValueKind.URL for kind in regular):
        # Links alone don't tell one list from another.
        selected = alike(page, selected)
    completed = strategy.complete(page, selected, typed)
    others = other_lists(page, prospects, completed, is_open)
    return ExtractionTyping(tuple(completed)), (*distance.diagnostics, *others)


def restrict(
    page: Page, annotations: Iterable[Annotation], within: str, without: str
) -> Iterator[Annotation]:
    """The annotations inside what `within` selects and outside what `without` does.

    What isn't displayed, such as a row for scripts to copy, is never looked at.
    """
    inside = select(page, within) if within else [0]
    if not inside:
        raise SelectionError(f"{within!r} selects no element of the page")
    outside = select(page, without) if without else []
    looked_at = [True] * len(page)
    for node in (*outside, *filter(page.is_hidden, page.elements())):
        looked_at[node : node + page.size[node]] = [False] * page.size[node]
    for one in annotations:
        if looked_at[one.node] and any(
            page.contains(node, one.node) for node in inside
        ):
            yield one


def _check_presence(pages: Sequence[Page], found: Analysis) -> None:
    """Raises NothingFoundError if no page is a list of what was found."""
    if any(map(is_list, pages, found.typings)):
        return
    most = max(map(share, pages, found.typings))
    message = (
        f"no list of records: what repeats here, {found.record_count} times, is "
        f"{most:.0%} of the page's text, menus and footers left out"
    )
    if any(map(holds_json_records, pages)):
        message += (
            "; its records are in a script: save the page as the browser shows it"
        )
    raise NothingFoundError(
        f"{message}; if it is what you look for, name its --domain, or point at it "
        "with --within or --example"
    )


def _nothing_found(tried: Sequence[Analysis]) -> str:
    """What was looked for, what was nearest, and what to try."""
    nearest = max(
        tried,
        key=lambda a: sum(
            one.type == a.pivot for found in a.annotations for one in found
        ),
    )
    count = sum(
        one.type == nearest.pivot for found in nearest.annotations for one in found
    )
    looked_for = ", ".join(f"{a.pivot} ({a.domain.name})" for a in tried)
    return (
        "no records: looked for places that repeat the attribute types "
        f"{looked_for}; nearest: {count} x {nearest.pivot}, too few or too scattered "
        f"for a data area of {nearest.domain.name}; is it a result page, saved as the "
        "browser shows it? Try --domain, or point at the list with --within"
    )
