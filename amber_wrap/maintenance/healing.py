"""Repair a wrapper by making a new wrapper.

The first new wrapper is made from new pages only. If possible, a second wrapper is made
from new pages and old samples. Values on the old samples help to find fields again
(Lerman, Minton and Knoblock, *Wrapper Maintenance: A Machine Learning Approach*, JAIR
2003).
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
from amber_wrap.engine.output_rows import interpret
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
    """The result of repairing a wrapper."""

    kind: _Kind
    """"fits" (no repair), "same generation" (`wrapper` replaces the old one), "new
    generation" (`wrapper` is used beside the old one), or "failed"."""
    wrapper: Wrapper | None
    """The repaired wrapper, the old one if it fits, or None after a failure."""
    findings: tuple[str, ...]
    """Messages on how the old wrapper reads the new pages."""
    sources: tuple[Source, ...] = ()
    """The pages from which a repaired wrapper was made."""
    matches: tuple[AreaMatch, ...] = ()
    """The lists of the old wrapper, each paired with a list of the new wrapper."""
    reasons: tuple[str, ...] = ()
    """Messages on why no better result was reached."""
    successors: Mapping[str, str] = field(default_factory=dict)
    """The names of new columns, by the names of old columns with the same values."""


@dataclass(frozen=True, slots=True)
class _CheckedPage:
    """A page, and the result of checking whether the old wrapper reads it correctly."""

    source: Source
    """The bytes of the page."""
    page: Page
    """The parsed page."""
    report: ContractReport
    """The report on which conditions of the old wrapper the page meets."""

    @property
    def is_read(self) -> bool:
        """Whether the old wrapper finds records on the page, and the page passes the
        check."""
        return self.report["status"] == "OK" and self.report["records"] > 0


def heal_wrapper(
    wrapper: Wrapper,
    old_sources: Sequence[Source],
    new_sources: Sequence[Source],
    domains: Sequence[Domain],
    options: Options = DEFAULTS,
) -> Healing:
    """Repair a wrapper for new pages, and return the result.

    `old_sources` are the sample pages of the wrapper that still exist. Raise PageError
    for a page that can't be parsed, and SelectionError for an option that can't be
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
    """Return whether one of the pages displays the example value that a person gave."""
    return any(any(sightings(example, page)) for page in pages)


def is_read(
    wrapper: Wrapper, source: Source, domains: Sequence[Domain], options: Options
) -> bool:
    """Return whether a page has records and meets the conditions of a wrapper.

    Raise PageError if the page can't be parsed.
    """
    [checked_page] = _checked_pages(wrapper, [source], domains, options)
    return checked_page.is_read


def _checked_pages(
    wrapper: Wrapper,
    sources: Sequence[Source],
    domains: Sequence[Domain],
    options: Options,
) -> list[_CheckedPage]:
    """Return the pages with the results of checking a wrapper on them.

    If the wrapper's domain is in `domains`, its patterns and word lists check the
    values.
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
    """Yield a message for each sample page of a wrapper that isn't in `sources`."""
    available = {source.sha256 for source in sources}
    for sample in wrapper.samples:
        if sample.sha256 not in available:
            yield (
                f"the sample {sample.name} was not found: name its folder with "
                "--samples (induce --store keeps samples)"
            )


def _lost_fields_message(attempt: Attempt) -> str:
    """Return an error message about fields of the old wrapper that the new wrapper
    lacks.

    If no field is missing, the message is about fields that lost most of their values.
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
    """Return one wrapper for old samples and new pages, or None with the reasons.

    `readers` are triples of a wrapper, the name of a page, and the page. The new
    wrapper must read each page as the wrapper in the triple does.
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
    """Yield messages on differences between the records of two wrappers on a page.

    Changed values are reported only if their share exceeds
    `HEALING.most_changed_share`.
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
