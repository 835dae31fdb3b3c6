"""Measure how many rows of result pages are found as records, no domain named.

    python benchmarks/rows.py [--courts] [--filter TEXT] [-j N] [--misses]

The corpus' folders `rows` and `courts` hold pages of large sites and of courts with
their rows as lists of cells.  A wrapper is induced from each site's sample page and run
on all its pages; `row_score.py` says when a row is found.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from commands import command_line
from corpus import corpus_folder, index
from processes import Run, workers
from row_score import GOOD, RowCount, f1, held_figures, score

from amber_wrap.domain.loader import built_in_domains
from amber_wrap.evaluation.gold import GoldPage
from amber_wrap.evaluation.tasks import EvaluationTask, Output, Setting, run_task

ROWS, COURTS = "rows", "courts"
"""The folders."""
SAMPLE, OTHER = "sample", "other"
"""The page of a site that its wrapper is induced from, and its other pages."""


@dataclass(frozen=True, slots=True)
class RowPage:
    """A page, and its rows as lists of cells."""

    file: Path
    site: str
    role: str
    rows: tuple[tuple[str, ...], ...]


Site = Sequence[RowPage]
"""The pages of a site, the sample first."""


@dataclass(frozen=True, slots=True)
class RowResult:
    """The result of a page: its count, the rows not found, and the failure."""

    page: RowPage
    count: RowCount
    missed: Sequence[str]
    failure: str


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a line for each page, then the totals; return the exit code."""
    parser = command_line(
        __doc__,
        *("--filter", "-j"),
        courts="the lists of courts",
        misses="print rows not found",
    )
    options = parser.parse_args(arguments)
    sites = read(corpus_folder() / (COURTS if options.courts else ROWS))
    chosen = [site for site in sites if options.filter in site[0].site]
    results = []
    with workers(options.j) as run:
        for one in measure(chosen, run):
            results.append(one)
            name = f"{one.page.site}/{one.page.file.name:10}"
            print(f"{name} {count_line(one.count)} {one.failure}")
            for row in one.missed if options.misses else ():
                print(f"    {row[:120]}")
    for role, count in by_role(results).items():
        good = f"{count['good']} of {count['pages']} at {GOOD}"
        print(f"{role}: {count_line(count)}, {good}")
    return 0


def count_line(count: RowCount) -> str:
    """Return a count as a line."""
    told = held_figures(count)
    return (
        f"{count['right']:4} / {count['given']:4} / {count['gold']:4}  "
        f"F1 {f1(count):.3f} "
        f"cells {told['cells']:.3f} exact {told['exact']:.3f}"
    )


def by_role(results: Iterable[RowResult]) -> dict[str, RowCount]:
    """Return the counts of the sample pages and of the others."""
    totals: dict[str, RowCount] = defaultdict(RowCount)
    for one in results:
        totals[one.page.role] += one.count
    return {role: totals[role] for role in (SAMPLE, OTHER) if role in totals}


def measure(sites: Sequence[Site], run: Run = map) -> Iterator[RowResult]:
    """Yield the result of each page, site by site."""
    for pages, outputs in zip(sites, run(outputs_of, sites), strict=True):
        for page, output in zip(pages, outputs, strict=True):
            if output.failure.startswith("internal error"):
                print(page.file, output.failure, sep="; ", file=sys.stderr)
            yield RowResult(page, *score(page.rows, output.rows), output.failure)


def read(folder: Path) -> list[Site]:
    """Return the sites of a folder."""
    sites: dict[str, list[RowPage]] = defaultdict(list)
    for one in index(folder):
        rows = tuple(tuple(map(str, row)) for row in one["rows"])
        file = folder / "pages" / one["file"]
        sites[one["site"]].append(RowPage(file, one["site"], one["role"], rows))
    return [
        sorted(pages, key=lambda page: page.role != SAMPLE) for pages in sites.values()
    ]


def outputs_of(pages: Site) -> tuple[Output, ...]:
    """Return what the wrapper of the first page reads on each."""
    targets = tuple(GoldPage(one.site, one.file, "", ()) for one in pages)
    domains = tuple(built_in_domains())
    return run_task(EvaluationTask(targets[0], targets, domains, Setting().strategy))


if __name__ == "__main__":
    sys.exit(main())
