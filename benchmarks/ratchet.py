"""Check that no figure of accuracy is worse than the recorded one.

    python benchmarks/ratchet.py [--write] [-j N]

The pages are in the folders `gold`, `rows`, `courts`, `use` and `pagination` of
$AMBER_CORPUS, or of ../shared/corpus. Without the folder `gold`, nothing is checked.
The exit code is 1 if a figure is more than half a percentage point worse than in
`record.toml`. `--write` records the present figures.
"""

from __future__ import annotations

import sys
import time
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import pagination
import rows
import use
from commands import command_line
from corpus import gold_folder, measure, shown
from processes import workers
from rows import RowCount, RowResult, held_figures
from truths import FIRST, GOLD, SECOND, round_of

from amber_wrap.evaluation.gold import read_corpus
from amber_wrap.evaluation.report import ALL, Summary, summarise, summary_of
from amber_wrap.evaluation.tasks import Result, Setting

HERE = Path(__file__).resolve().parent
RECORD = HERE / "record.toml"
"""The file with the recorded figures."""
TOLERANCE = 0.005
"""The greatest change of a figure that is tolerated: half a percentage point."""
MARGIN = 1e-9
"""A bound for the rounding error when two figures with four digits are subtracted."""
WAYS = {"named": Setting(), "open": Setting(named=False)}
"""The ways to make wrappers: with the domain (kind of records) named, or left open.

If it is left open, the best of all domains is chosen.
"""
HEAD = """\
# What was reached on the corpus: `benchmarks/ratchet.py` holds it, and writes this file
# (--write).  [self] and [transfer]: on the gold, the domain named, or open, so that all
# compete.  [rows] and [courts]: on the pages that a wrapper is induced from, and on
# others, by `benchmarks/rows.py`.  [use]: by `benchmarks/use.py`.  [pagination]: by
# `benchmarks/pagination.py`, the address of the page known or not.  `second` are the
# sites that `benchmarks/second_round.txt` lists, `first` the others.
"""
"""The comment at the top of the file of recorded figures."""

LESS_IS_BETTER = use.LESS_IS_BETTER | {"given"}
"""The figures that are better if they are lower."""

T = TypeVar("T", Result, RowResult)
Figures = dict[str, float]
"""Figures, such as an F1, by name."""
Found = dict[str, dict[str, dict[str, Figures]]]
"""Figures under three keys, as in `found["self"]["named"]["all"]`.

The keys are the part of the corpus, whether the domain is "named" or "open", and the
group of sites.
"""
Sizes = dict[str, int]
"""The number of pages and the number of records in the corpus, by name."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the corpus, and print which figures are better or worse than recorded.

    Return 1 if a figure is worse, otherwise 0. With `--write`, record the figures.
    """
    parser = command_line(__doc__, "--write", "-j")
    options = parser.parse_args(arguments)
    folder = gold_folder()
    if not folder.is_dir():
        print(f"ratchet: there is no {shown(folder)}, nothing is held")
        return 0
    sizes, found = measured(folder.parent, options.j)
    if options.write:
        RECORD.write_text(HEAD + "".join(toml(sizes, found)), "utf-8", newline="\n")
        print(f"wrote {shown(RECORD)}")
        return 0
    record = tomllib.loads(RECORD.read_text("utf-8")) if RECORD.exists() else {}
    lines, fell = compare(record, sizes, found)
    print("\n".join(lines))
    return int(fell)


def measured(corpus: Path, jobs: int) -> tuple[Sizes, Found]:
    """Measure each folder of the corpus that exists.

    Return the numbers of pages and of records, and the figures.
    """
    sizes: Sizes = {}
    all_figures: Found = {}
    for name, measure_part in PARTS.items():
        paths = [corpus / name, *([use.script_of(corpus)] if name == "use" else [])]
        missing_paths = [path for path in paths if not path.exists()]
        if missing_paths:
            print(f"{name} is left out: there is no {shown(missing_paths[0])}")
            continue
        begin = time.monotonic()
        part_sizes, figures = measure_part(corpus / name, jobs)
        sizes |= part_sizes
        all_figures |= figures
        print(f"{name}, {time.monotonic() - begin:.0f} s:")
        print(*figure_lines(figures), sep="\n", flush=True)
    return sizes, all_figures


def figure_lines(all_figures: Found) -> Iterator[str]:
    """Yield a line of figures for sites added first, for sites added second, and for
    all.
    """
    for part, way, group, figures in flat(all_figures):
        if group in (FIRST, SECOND, ALL):
            values = ", ".join(f"{name} {value:.3f}" for name, value in figures.items())
            yield f"  {part}.{way}.{group}: {values}"


def flat(all_figures: Found) -> Iterator[tuple[str, str, str, Figures]]:
    """Yield (part, way, group, figures) for each entry of the nested mapping `Found`.

    `part` is a part of the corpus, `way` is "named" or "open", and `group` is a group
    of sites.
    """
    for part, ways in all_figures.items():
        for way, groups in ways.items():
            for group, figures in groups.items():
                yield part, way, group, figures


def measure_gold(folder: Path, jobs: int) -> tuple[Sizes, Found]:
    """Measure wrappers on the pages with known records.

    Return the numbers of pages and of records, and the figures. Each wrapper runs on
    its own page, and on the other pages of its site.
    """
    corpus = read_corpus(folder)
    with workers(jobs) as run:
        outcomes = measure(corpus, list(WAYS.values()), run)
    figures: Found = {}
    for way, outcome in zip(WAYS, outcomes, strict=True):
        for mode, results in outcome.items():
            figures.setdefault(mode, {})[way] = by_group(results)
    records = sum(len(area.records) for page in corpus.pages for area in page.areas)
    return {"gold_pages": len(corpus.pages), "gold_records": records}, figures


def by_group(results: Sequence[Result]) -> dict[str, Figures]:
    """Return the figures of several groups of pages, by name of the group.

    The groups are each domain, the sites added first, the sites added second, and all
    pages.
    """
    summaries = summarise(results)
    del summaries[ALL]
    for name, round_results in by_round(GOLD, results).items():
        summaries[name] = summary_of(round_results)
    return {name: figures_of(summary) for name, summary in summaries.items()}


def figures_of(summary: Summary) -> Figures:
    """Return the figures of a summary that are recorded and compared, by name."""
    names = ("records", "attributes", "perfect records")
    records, attributes, perfect = (summary.measures[name].count for name in names)
    figures = {
        "records_f1": records.f1,
        "attributes_precision": attributes.precision,
        "attributes_recall": attributes.recall,
        "attributes_f1": attributes.f1,
        "perfect": perfect.recall,
    }
    return {name: round(value, 4) for name, value in figures.items()}


def by_round(corpus: str, results: Sequence[T]) -> dict[str, Sequence[T]]:
    """Return the results of the sites that were added to a corpus first, added second,
    and of all.

    The keys are "first", "second" and "all". If all sites were added in the same round,
    there is only "all".
    """
    rounds: dict[str, list[T]] = {FIRST: [], SECOND: []}
    for result in results:
        rounds[round_of(corpus, result.page.site)].append(result)
    return {**(rounds if all(rounds.values()) else {}), ALL: results}


def measure_rows(folder: Path, jobs: int) -> tuple[Sizes, Found]:
    """Measure wrappers on the corpus `rows` or `courts`.

    Return the number of pages, and the figures.
    """
    with workers(jobs) as run:
        results = list(rows.measure(rows.read(folder), run))
    figures: dict[str, dict[str, Figures]] = {}
    for role in (rows.SAMPLE, rows.OTHER):
        if own := [result for result in results if result.page.role == role]:
            counts = {
                group: sum((result.count for result in group_results), RowCount())
                for group, group_results in by_round(folder.name, own).items()
            }
            figures[role] = {it: held_figures(count) for it, count in counts.items()}
    return {f"{folder.name}_pages": len(results)}, {folder.name: figures}


def measure_use(folder: Path, jobs: int) -> tuple[Sizes, Found]:
    """Measure the tables that users get from pages of the corpus `use`, without any
    option.

    Return the number of pages, and the figures.
    """
    samples = use.samples_of(folder)
    figures = use.measure(folder, samples, jobs)
    return {"use_pages": sum(map(len, samples))}, {"use": {"open": {ALL: figures}}}


def measure_pagination(folder: Path, jobs: int) -> tuple[Sizes, Found]:
    """Measure how often links to the next page are found.

    Return the number of pages, and the figures. `jobs` isn't used, because one process
    needs only a few seconds.
    """
    known = list(pagination.measure(folder))
    unknown = list(pagination.measure(folder, with_url=False))
    figures = {
        "known": {ALL: pagination.shares(known)},
        "unknown": {ALL: pagination.shares(unknown)},
    }
    return {"pagination_pages": len(known)}, {"pagination": figures}


PARTS: Mapping[str, Callable[[Path, int], tuple[Sizes, Found]]] = {
    "gold": measure_gold,
    "rows": measure_rows,
    "courts": measure_rows,
    "use": measure_use,
    "pagination": measure_pagination,
}
"""The functions that measure the folders of the corpus, by folder.

The second argument is the number of processes.
"""


def compare(
    record: Mapping[str, Any], sizes: Sizes, all_figures: Found
) -> tuple[list[str], bool]:
    """Compare figures with the recorded ones.

    Return the lines to print, and True if a figure is worse. Also return True if the
    corpus has another size than recorded.
    """
    for name, size in sizes.items():
        recorded = record.get("sizes", {}).get(name, 0)
        if recorded != size:
            about = f"{recorded} {name.replace('_', ' ')} are recorded"
            advice = "look at the figures and record them with --write"
            return [f"{about}, the corpus has {size}: {advice}"], True
    changes = list(changed(record, all_figures))
    fallen = [f"worse: {line}" for line, gain in changes if gain < 0]
    risen = [f"better: {line}" for line, gain in changes if gain > 0]
    if fallen:
        verdict = f"{len(fallen)} are more than half a point worse"
    elif risen:
        verdict = f"{len(risen)} are better: record them with --write"
    else:
        verdict = "all figures are as recorded, within half a point"
    return [*fallen, *risen, verdict], bool(fallen)


def changed(
    record: Mapping[str, Any], all_figures: Found
) -> Iterator[tuple[str, float]]:
    """Yield a line for each figure that differs by more than half a point, with its
    gain.

    The gain is negative if the figure is worse. A figure without a record counts as
    having been 0.
    """
    for part, way, group, figures in flat(all_figures):
        recorded = record.get(part, {}).get(way, {}).get(group, {})
        for figure, value in figures.items():
            recorded_value = recorded.get(figure, 0.0)
            gain = value - recorded_value
            if abs(gain) > TOLERANCE + MARGIN:
                place = f"{part}.{way}.{group}.{figure}"
                line = f"{place}: {recorded_value:.4f} -> {value:.4f} ({gain:+.4f})"
                yield line, -gain if figure in LESS_IS_BETTER else gain


def toml(sizes: Sizes, all_figures: Found) -> Iterator[str]:
    """Yield the sizes and figures as parts of a TOML file."""
    yield "\n[sizes]\n"
    yield from (f"{name} = {size}\n" for name, size in sizes.items())
    section = ""
    for part, way, group, figures in flat(all_figures):
        if section != f"{part}.{way}":
            section = f"{part}.{way}"
            yield f"\n[{section}]\n"
        pairs = ", ".join(f"{figure} = {value}" for figure, value in figures.items())
        yield f"{group} = {{ {pairs} }}\n"


if __name__ == "__main__":
    sys.exit(main())
