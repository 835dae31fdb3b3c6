"""Repair a wrapper (rules for reading pages) by inducing (making) one from new pages.

Two wrappers are induced: one from the new pages, and one from the old samples and the
new pages together. The second, joint wrapper replaces the old wrapper if it passes two
tests. It must read the old samples like the old wrapper, and it must read the new pages
like the first wrapper. Otherwise the first wrapper is used beside the old wrapper, as a
new generation. Known values help to find fields again, as in Lerman, Minton and
Knoblock, *Wrapper Maintenance: A Machine Learning Approach*, JAIR 2003.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from amber_wrap.annotate.examples import Example, sightings
from amber_wrap.columns.assembly import ALL
from amber_wrap.dom.page import Page
from amber_wrap.domain.schema import Domain
from amber_wrap.engine.contract_report import ContractReport, report_lines
from amber_wrap.engine.drift_check import check_page
from amber_wrap.engine.interpret import interpret
from amber_wrap.errors import NothingFoundError, SelectionError
from amber_wrap.generalise.user_decisions import UNDECIDED
from amber_wrap.maintenance.annotator_check import check_with_annotators
from amber_wrap.maintenance.attempts import Attempt, best_attempt
from amber_wrap.maintenance.matching import (
    AreaMatch,
    known_texts,
    match_areas,
    successors,
)
from amber_wrap.maintenance.thresholds import HEALING
from amber_wrap.passes.analysis import parse_samples
from amber_wrap.pipeline import compile_wrapper
from amber_wrap.settings import DEFAULTS, Options, Source
from amber_wrap.wrapper.ir import Wrapper

_Kind = Literal["fits", "same generation", "new generation", "failed"]


@dataclass(frozen=True, slots=True)
class Healing:
    """The result of repairing a wrapper (rules for reading pages).

    `kind` is one of these:

    - "fits" if the old wrapper needs no repair, so that `wrapper` is the old wrapper,
    - "same generation" if `wrapper` replaces the old wrapper,
    - "new generation" if `wrapper` is to be used beside the old wrapper,
    - "failed" if there is no repaired wrapper, so that `wrapper` is None.

    A repaired wrapper was made from the pages `sources`. `findings` report how the old
    wrapper reads the new pages. `matches` pair old and new areas (lists) and fields.
    `reasons` explain why no better result was reached. `successors` maps old columns to
    new columns with the same values.
    """

    kind: _Kind
    wrapper: Wrapper | None
    findings: tuple[str, ...]
    sources: tuple[Source, ...] = ()
    matches: tuple[AreaMatch, ...] = ()
    reasons: tuple[str, ...] = ()
    successors: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _CheckedPage:
    """A page, and the result of checking whether the old wrapper (rules for pages)
    reads it correctly.

    `source` has the bytes of the page, and `page` is the parsed page. `report` says
    which conditions of the old wrapper's contract the page fails.
    """

    source: Source
    page: Page
    report: ContractReport

    @property
    def is_read(self) -> bool:
        """Whether the old wrapper (rules for pages) finds records on the page, and the
        page passes the check."""
        return self.report["status"] == "OK" and self.report["records"] > 0


def heal_wrapper(
    wrapper: Wrapper,
    old_sources: Sequence[Source],
    new_sources: Sequence[Source],
    domains: Sequence[Domain],
    options: Options = DEFAULTS,
) -> Healing:
    """Repair a wrapper (rules for reading pages) for new pages, and return the result.

    `old_sources` are the samples of the wrapper that are still available. `new_sources`
    are the new pages. New pages that the wrapper reads properly aren't used to make the
    repaired wrapper. If the wrapper reads all new pages, it stays as it is. `domains`
    (kinds of records) and `options` are those of the command `induce`. Raise PageError
    for a page that can't be parsed. Raise SelectionError for an option that can't be
    applied.
    """
    domain_types = {
        attribute_type.name
        for domain in domains
        for attribute_type in domain.schema.types
    }
    fields_are_chosen = options.fields or options.decisions != UNDECIDED
    has_columns = any(name not in domain_types for name, _ in wrapper.fields)
    if has_columns and not fields_are_chosen:
        options = replace(options, fields=ALL)  # Otherwise columns aren't read.
    new_pages = _checked_pages(wrapper, new_sources, domains, options)
    findings = tuple(
        line
        for new_page in new_pages
        for line in report_lines(new_page.source.name, new_page.report)
    )
    unread_pages = [new_page for new_page in new_pages if not new_page.is_read]
    if not unread_pages:
        return Healing("fits", wrapper, findings)

    old_pages = parse_samples(old_sources, options)
    known = known_texts(wrapper, old_pages)
    unread_sources = tuple(unread.source for unread in unread_pages)
    shown_examples = tuple(
        example
        for example in options.examples
        if is_shown(example, [unread.page for unread in unread_pages])
    )
    try:
        new_options = replace(options, examples=shown_examples)
        attempt = best_attempt(wrapper, unread_sources, domains, new_options, known)
        problem = "" if attempt.continued else _lost_fields_message(attempt)
    except NothingFoundError as error:
        problem = str(error)
    if problem:
        # The page has no results, or is of another template.
        if all(unread.report["status"] == "OK" for unread in unread_pages):
            return Healing("fits", wrapper, findings)
        return Healing("failed", None, findings, reasons=(problem,))

    all_sources = (*old_sources, *unread_sources)
    reasons = tuple(_missing_samples(wrapper, old_sources))
    if not reasons:
        readers = [
            (wrapper, source.name, page)
            for source, page in zip(old_sources, old_pages, strict=True)
        ]
        for new_page in new_pages:
            reader = wrapper if new_page.is_read else attempt.wrapper
            readers.append((reader, new_page.source.name, new_page.page))
        joint, reasons = _joint_wrapper(all_sources, domains, options, readers)
        if joint is not None:
            matches = match_areas(wrapper, joint, attempt.pages, known)
            return Healing("same generation", joint, findings, all_sources, matches)
    return Healing(
        kind="new generation",
        wrapper=attempt.wrapper,
        findings=findings,
        sources=unread_sources,
        matches=attempt.matches,
        reasons=reasons,
        successors=successors(wrapper, attempt.wrapper, attempt.pages, known),
    )


def is_shown(example: Example, pages: Iterable[Page]) -> bool:
    """Return whether an example value that a person gave is on one of the pages."""
    return any(any(sightings(example, page)) for page in pages)


def is_read(
    wrapper: Wrapper, source: Source, domains: Sequence[Domain], options: Options
) -> bool:
    """Return whether a wrapper (rules for pages) finds records on a page, and its
    contract holds.

    The contract has the conditions that all pages must meet. `source` has the bytes of
    the page. `domains` (kinds of records) and `options` are those of the command
    `induce`. Raise PageError if the page can't be parsed.
    """
    [checked_page] = _checked_pages(wrapper, [source], domains, options)
    return checked_page.is_read


def _checked_pages(
    wrapper: Wrapper,
    sources: Sequence[Source],
    domains: Sequence[Domain],
    options: Options,
) -> list[_CheckedPage]:
    """Return the pages with the results of checking a wrapper (rules for pages) on
    them.

    A page must meet the conditions of the wrapper's contract. If the wrapper's domain
    (kind of records) is in `domains`, annotators (recognisers of values) check the
    values, too. `sources` have the bytes of the pages. `options` are those of the
    command `induce`.
    """
    names = [domain.name for domain in domains]
    pages = parse_samples(sources, options)
    checked_pages = []
    for source, page in zip(sources, pages, strict=True):
        if wrapper.domain in names:
            domain = domains[names.index(wrapper.domain)]
            report = check_with_annotators(wrapper, page, domain)
        else:
            report = check_page(wrapper, page)
        checked_pages.append(_CheckedPage(source, page, report))
    return checked_pages


def _missing_samples(wrapper: Wrapper, sources: Iterable[Source]) -> Iterator[str]:
    """Yield a message for each sample page from which a wrapper was made, and that
    isn't in `sources`."""
    available = {source.sha256 for source in sources}
    for sample in wrapper.samples:
        if sample.sha256 not in available:
            yield (
                f"the sample {sample.name} was not found: name its folder with "
                "--samples (induce --store keeps samples)"
            )


def _lost_fields_message(attempt: Attempt) -> str:
    """Return an error message about fields that the old wrapper has and a new wrapper
    lacks.

    The attempt's wrapper has no area (list) that matches an old one. If no field is
    missing, the message says that most values of each old field were lost.
    """
    new_names = {rule.name for area in attempt.wrapper.areas for rule in area.fields}
    old_names = dict.fromkeys(
        field.name for match in attempt.matches for field in match.fields if field.old
    )
    lost = [name for name in old_names if name not in new_names]
    if not lost:  # All fields are there, but only with a few of their values.
        lost = [f"most of {name}" for name in old_names]
    return (
        f"fields lost: {', '.join(lost)} (the records of the page have "
        f"{', '.join(sorted(new_names))}): is it a page of the same kind? If so, point "
        "at the list with --within"
    )


def _joint_wrapper(
    sources: Sequence[Source],
    domains: Sequence[Domain],
    options: Options,
    readers: Iterable[tuple[Wrapper, str, Page]],
) -> tuple[Wrapper | None, tuple[str, ...]]:
    """Make a wrapper (rules for reading pages) from old samples and new pages together.

    Return the wrapper and (), or None and the reasons for a failure.

    `sources` are the samples and pages. `domains` (kinds of records) and `options` are
    those of the command `induce`. `readers` has three items for each page: a wrapper
    that reads the page rightly, the name of the page's file, and the page. The attempt
    fails if the new wrapper reads a page differently (`reading_differences`).
    """
    try:
        joint = compile_wrapper(sources, domains, options).wrapper
    except (NothingFoundError, SelectionError) as error:
        return None, (f"no wrapper for all pages: {error}",)
    reasons = []
    for reader, name, page in readers:
        if differences := ", ".join(reading_differences(reader, joint, page)):
            reasons.append(
                f"a wrapper for all pages reads {name} differently: {differences}"
            )
    return (None if reasons else joint), tuple(reasons)


def reading_differences(old: Wrapper, new: Wrapper, page: Page) -> Iterator[str]:
    """Yield messages on how the records that two wrappers (rules for pages) find on a
    page differ.

    A record that only one wrapper finds is reported. A record that the wrappers find in
    different areas (lists) is reported, too. A value differs if the new wrapper reads
    another text than the old wrapper, or none. Differing values are reported only if
    their share of all old values is greater than `HEALING.most_changed_share`.
    """
    old_records = {record.rows[0]: record for record in interpret(old, page)}
    new_records = {record.rows[0]: record for record in interpret(new, page)}
    if lost := old_records.keys() - new_records.keys():
        yield f"{len(lost)} of {len(old_records)} records lost"
    if gained := new_records.keys() - old_records.keys():
        yield f"{len(gained)} records in addition to {len(old_records)}"
    pairs = [
        (record, new_records[first_row])
        for first_row, record in old_records.items()
        if first_row in new_records
    ]
    if moved := sum(before.area != after.area for before, after in pairs):
        yield f"{moved} records in another area"
    difference_counts: Counter[str] = Counter()
    for old_record, new_record in pairs:
        for name, old_value in old_record.values.items():
            new_value = new_record.values.get(name)
            if new_value is None or new_value.text != old_value.text:
                difference_counts[name] += 1
    value_count = sum(len(record.values) for record in old_records.values())
    if difference_counts.total() > HEALING.most_changed_share * value_count:
        for name, count in sorted(difference_counts.items()):
            yield f"{name} differs in {count} records"
