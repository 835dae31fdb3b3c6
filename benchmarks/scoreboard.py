"""How right wrappers are on the gold corpus: the main tables of docs/scoreboard.md.

    python benchmarks/scoreboard.py [--write] [-j N] [--filter TEXT ...]

Both strategies, with the domain named and open, on the page that a wrapper was induced
from (self) and on the others of its template (transfer).
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator, Mapping, Sequence

import tables
from corpus import HALVES, Outcome, Run, halves, measure
from tables import measures, of_three, share, table
from variants import Variant

from amber_wrap.evaluation.counts import Count
from amber_wrap.evaluation.gold import Corpus
from amber_wrap.evaluation.summary import ALL, Summary, summarise, summary_of
from amber_wrap.evaluation.tasks import SELF, TRANSFER, Result

DEFAULT, PAPER, OPEN = "default", "paper", ", domain open"
VARIANTS = {
    DEFAULT: Variant(),
    DEFAULT + OPEN: Variant(named=False),
    PAPER: Variant(strategy="paper"),
    PAPER + OPEN: Variant(strategy="paper", named=False),
}
MODES = (SELF, TRANSFER)
MEASURES = ("records P", "R", "F1", "attributes P", "R", "F1", "perfect", "at zero")
NAMES = ("total", "by-domain", "by-half", "by-type")

Outcomes = Mapping[str, Outcome]


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure all; the exit code."""
    parser = ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    return tables.main(make, NAMES, parser, arguments)


def make(corpus: Corpus, run: Run, options: Namespace) -> dict[str, str]:
    """All tables by name."""
    found = measure(corpus, list(VARIANTS.values()), run)
    outcomes = dict(zip(VARIANTS, found, strict=True))
    made = (
        total(corpus, outcomes),
        by_domain(outcomes),
        by_half(corpus, outcomes),
        by_type(outcomes),
    )
    return dict(zip(NAMES, made, strict=True))


def total(corpus: Corpus, outcomes: Outcomes) -> str:
    """A row for each variant and mode, and which pages are at zero."""
    rows = [
        (name, mode, *measures(count_of(summary, "areas")), *cells(summary, zero))
        for name, mode, results in runs(outcomes)
        for summary, zero in [(summary_of(results), at_zero(results))]
    ]
    lost = [
        f"* {name}, {mode}: {', '.join(zero)}\n"
        for name, mode, results in runs(outcomes)
        if not name.startswith(PAPER) and (zero := at_zero(results))
    ]
    sites = {page.site for page in corpus.pages}
    return (
        f"{len(corpus.pages)} pages of {len(sites)} templates, "
        f"{records_of(corpus, sites):,} records; in transfer "
        f"{len(outcomes[DEFAULT].get(TRANSFER, ()))} pages.\n\n"
        + table(("strategy", "mode", "areas P", "R", "F1", *MEASURES), rows)
        + "\nAt zero, the default strategy:"
        + ("\n\n" + "".join(lost) if lost else " none.\n")
    )


def by_domain(outcomes: Outcomes) -> str:
    """A row for each domain, variant and mode."""
    found = {
        (domain, name, mode): (domain, name, mode, areas_f1(summary), *cells(summary))
        for name, mode, results in runs(outcomes)
        if name != PAPER + OPEN
        for domain, summary in summarise(results).items()
        if domain != ALL
    }
    head = ("domain", "strategy", "mode", "areas F1", *MEASURES[:-1])
    return table(head, (found[key] for key in sorted(found, key=lambda key: key[0])))


def by_half(corpus: Corpus, outcomes: Outcomes) -> str:
    """A row for each half of the template folders, strategy and mode."""
    half_of = halves(corpus)
    sizes, rows = [], []
    for half in HALVES:
        sites = {site for site in half_of if half_of[site] == half}
        size = f"{half}: {len(sites)} templates, {records_of(corpus, sites):,} records"
        sizes.append(size)
        for name, mode, results in runs(outcomes):
            mine = [one for one in results if one.page.site in sites]
            if name in (DEFAULT, PAPER) and mine:
                summary = summary_of(mine)
                zero = at_zero(mine)
                rows.append(
                    (half, name, mode, areas_f1(summary), *cells(summary, zero))
                )
    head = ("half", "strategy", "mode", "areas F1", *MEASURES)
    return "; ".join(sizes) + ".\n\n" + table(head, rows)


def by_type(outcomes: Outcomes) -> str:
    """A row for each attribute type of each domain: both modes, beside the paper's."""
    own, other, paper = (
        summarise(outcome.get(mode, ()))
        for outcome, mode in (
            (outcomes[DEFAULT], SELF),
            (outcomes[DEFAULT], TRANSFER),
            (outcomes[PAPER], SELF),
        )
    )
    rows = []
    for domain, name in types_of([own, other, paper]):
        here, there, before = (
            count_of(one[domain], name) if domain in one else Count()
            for one in (own, other, paper)
        )
        rows.append(
            (
                *(domain, name),
                *(of_three(here), *measures(here)),
                *(of_three(there), *measures(there)),
                share(before.f1),
            )
        )
    head = ("self", "P", "R", "F1", "transfer", "P", "R", "F1", "paper, self, F1")
    return table(("domain", "type", *head), rows)


def types_of(runs: Iterable[Mapping[str, Summary]]) -> list[tuple[str, str]]:
    """The types that some run has to do with, by domain and name."""
    return sorted(
        {
            (domain, name)
            for summaries in runs
            for domain, summary in summaries.items()
            if domain != ALL
            for name in summary.types
        }
    )


def runs(outcomes: Outcomes) -> Iterator[tuple[str, str, Sequence[Result]]]:
    """Each variant and mode with its results."""
    for name, outcome in outcomes.items():
        for mode in MODES:
            if mode in outcome:
                yield name, mode, outcome[mode]


def cells(summary: Summary, zero: Sequence[str] | None = None) -> tuple[str, ...]:
    """The cells of `MEASURES`, the last one only with the pages at `zero`."""
    return (
        *measures(count_of(summary, "records")),
        *measures(count_of(summary, "attributes")),
        share(count_of(summary, "perfect records").recall),
        *([] if zero is None else [str(len(zero))]),
    )


def areas_f1(summary: Summary) -> str:
    return share(count_of(summary, "areas").f1)


def count_of(summary: Summary, name: str) -> Count:
    """The count of a measure or of an attribute type."""
    found = summary.measures.get(name) or summary.types.get(name)
    return found.count if found else Count()


def at_zero(results: Iterable[Result]) -> list[str]:
    """The pages that have records and of which none is found."""
    return [
        one.page.name
        for one in results
        if one.score.records.gold and not one.score.records.right
    ]


def records_of(corpus: Corpus, sites: Iterable[str]) -> int:
    """The number of gold records of some template folders."""
    return sum(
        len(area.records)
        for page in corpus.pages
        if page.site in sites
        for area in page.areas
    )


if __name__ == "__main__":
    sys.exit(main())
