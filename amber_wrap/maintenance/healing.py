"""Repair a wrapper by inducing it again from new pages, with its known values.

Two wrappers are induced: one from the new pages, and one from the old samples and the
new pages together. The second, joint wrapper replaces the old wrapper if it passes two
tests. It must read the old samples like the old wrapper, and it must read the new pages
like the first wrapper. Otherwise the first wrapper starts a new generation. Known
values help to find fields again, as in Lerman, Minton and Knoblock, *Wrapper
Maintenance: A Machine Learning Approach*, JAIR 2003.
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
from amber_wrap.maintenance.matching import AreaMatch, known_of, match, successors
from amber_wrap.maintenance.thresholds import HEALING
from amber_wrap.passes.analysis import parse_samples
from amber_wrap.pipeline import compile_wrapper
from amber_wrap.settings import DEFAULTS, Options, Source
from amber_wrap.wrapper.ir import Wrapper

_Kind = Literal["fits", "same generation", "new generation", "failed"]


@dataclass(frozen=True, slots=True)
class Healing:
    """The result of repairing a wrapper.

    `wrapper` is the repaired wrapper, induced from `sources`. If the old wrapper still
    fits, `wrapper` is the old wrapper. If the repair failed, `wrapper` is None.
    `findings` report how the old wrapper reads the new pages. `matches` pair old and
    new areas and fields. `reasons` explain why no better result was reached.
    `successors` maps old columns to new columns with the same values.
    """

    kind: _Kind
    wrapper: Wrapper | None
    findings: tuple[str, ...]
    sources: tuple[Source, ...] = ()
    matches: tuple[AreaMatch, ...] = ()
    reasons: tuple[str, ...] = ()
    successors: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Saved:
    """A new page, with the result of checking the old wrapper's contract on
    the page."""

    source: Source
    page: Page
    report: ContractReport

    @property
    def is_read(self) -> bool:
        """Whether the old wrapper reads records on the page, and the contract holds."""
        return self.report["status"] == "OK" and self.report["records"] > 0


def heal_wrapper(
    wrapper: Wrapper,
    old_sources: Sequence[Source],
    new_sources: Sequence[Source],
    domains: Sequence[Domain],
    options: Options = DEFAULTS,
) -> Healing:
    """Return the repair of a wrapper for new pages.

    `old_sources` are the available samples. New pages that the wrapper reads properly
    are left out of induction. Raise PageError for a page that can't be parsed. Raise
    SelectionError for an option that can't be applied.
    """
    known_types = {kind.name for one in domains for kind in one.schema.types}
    is_decided = options.fields or options.decisions != UNDECIDED
    if not is_decided and not {name for name, _ in wrapper.fields} <= known_types:
        options = replace(options, fields=ALL)  # Some fields are columns.
    new = _saved(wrapper, new_sources, domains, options)
    broken = [one for one in new if not one.is_read]
    findings = tuple(
        line for one in new for line in report_lines(one.source.name, one.report)
    )
    if not broken:
        return Healing("fits", wrapper, findings)

    samples = parse_samples(old_sources, options)
    known = known_of(wrapper, samples)
    sources = tuple(one.source for one in broken)
    there = tuple(
        one for one in options.examples if is_shown(one, [it.page for it in broken])
    )
    try:
        looking = replace(options, examples=there)
        alone = best_attempt(wrapper, sources, domains, looking, known)
        problem = "" if alone.continued else _lost(alone)
    except NothingFoundError as error:
        problem = str(error)
    if problem:
        # The page has no results, or is of another template.
        if all(one.report["status"] == "OK" for one in broken):
            return Healing("fits", wrapper, findings)
        return Healing("failed", None, findings, reasons=(problem,))

    together = (*old_sources, *sources)
    reasons = tuple(_missing(wrapper, old_sources))
    if not reasons:
        old = zip(old_sources, samples, strict=True)
        readers = [
            *((wrapper, source.name, page) for source, page in old),
            *(
                (wrapper if one.is_read else alone.wrapper, one.source.name, one.page)
                for one in new
            ),
        ]
        joint, reasons = _joint(together, domains, options, readers)
        if joint is not None:
            matches = match(wrapper, joint, alone.pages, known)
            return Healing("same generation", joint, findings, together, matches)
    return Healing(
        "new generation",
        *(alone.wrapper, findings, sources, alone.matches, reasons),
        successors(wrapper, alone.wrapper, alone.pages, known),
    )


def is_shown(example: Example, pages: Iterable[Page]) -> bool:
    """Return whether at least one of the pages shows a person's example of a value."""
    return any(any(sightings(example, page)) for page in pages)


def is_read(
    wrapper: Wrapper, source: Source, domains: Sequence[Domain], options: Options
) -> bool:
    """Return whether a wrapper reads records on a page, and its contract holds.

    Raise PageError if the page can't be parsed.
    """
    (one,) = _saved(wrapper, [source], domains, options)
    return one.is_read


def _saved(
    wrapper: Wrapper,
    sources: Sequence[Source],
    domains: Sequence[Domain],
    options: Options,
) -> list[_Saved]:
    """Return the pages, each with the result of checking the wrapper's contract.

    Annotators check the values, too, if the wrapper's domain is in `domains`.
    """
    domain = next((one for one in domains if one.name == wrapper.domain), None)

    def report(page: Page) -> ContractReport:
        if domain is None:
            return check_page(wrapper, page)
        return check_with_annotators(wrapper, page, domain)

    pages = parse_samples(sources, options)
    return [
        _Saved(source, page, report(page))
        for source, page in zip(sources, pages, strict=True)
    ]


def _missing(wrapper: Wrapper, sources: Iterable[Source]) -> Iterator[str]:
    """Yield a finding for each sample of the wrapper that isn't in `sources`."""
    there = {source.sha256 for source in sources}
    for sample in wrapper.samples:
        if sample.sha256 not in there:
            yield (
                f"the sample {sample.name} was not found: name its folder with "
                "--samples (induce --store keeps samples)"
            )


def _lost(attempt: Attempt) -> str:
    """Return a message that the new records don't continue any area of the
    old wrapper."""
    found = {rule.name for area in attempt.wrapper.areas for rule in area.fields}
    had = dict.fromkeys(
        it.name for one in attempt.matches for it in one.fields if it.old
    )
    lost = [name for name in had if name not in found] or [
        f"most of {one}" for one in had
    ]
    return (
        f"fields lost: {', '.join(lost)} (the records of the page have "
        f"{', '.join(sorted(found))}): is it a page of the same kind? If so, point at "
        "the list with --within"
    )


# --- one wrapper for all ----------------------------------------------------------


def _joint(
    sources: Sequence[Source],
    domains: Sequence[Domain],
    options: Options,
    readers: Iterable[tuple[Wrapper, str, Page]],
) -> tuple[Wrapper | None, tuple[str, ...]]:
    """Return a wrapper for all sources and (), or None and the reasons for a failure.

    `readers` has three items for each page: a wrapper that reads the page rightly, the
    name of the page's file, and the page. The new wrapper must read each page like the
    page's reader.
    """
    try:
        joint = compile_wrapper(sources, domains, options).wrapper
    except (NothingFoundError, SelectionError) as error:
        return None, (f"no wrapper for all pages: {error}",)
    reasons = []
    for reader, name, page in readers:
        if found := list(reading_differences(reader, joint, page)):
            reasons.append(
                f"a wrapper for all pages reads {name} differently: {', '.join(found)}"
            )
    return (None if reasons else joint), tuple(reasons)


def reading_differences(old: Wrapper, new: Wrapper, page: Page) -> Iterator[str]:
    """Yield messages on how the records that two wrappers find on a page differ.

    Values differ if the new wrapper reads another text or none. Differing values are
    reported only if their share is above `HEALING.tolerance`.
    """
    before, after = (
        {record.rows[0]: record for record in interpret(wrapper, page)}
        for wrapper in (old, new)
    )
    if lost := before.keys() - after.keys():
        yield f"{len(lost)} of {len(before)} records lost"
    if beyond := after.keys() - before.keys():
        yield f"{len(beyond)} records in addition to {len(before)}"
    kept = [start for start in before if start in after]
    if moved := sum(before[one].area != after[one].area for one in kept):
        yield f"{moved} records in another area"
    changed: Counter[str] = Counter()
    for start in kept:
        values = after[start].values
        for name, value in before[start].values.items():
            changed[name] += name not in values or values[name].text != value.text
    total = sum(len(record.values) for record in before.values())
    if changed.total() > HEALING.tolerance * total:
        for name, count in sorted((+changed).items()):
            yield f"{name} differs in {count} records"
