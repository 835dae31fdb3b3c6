"""Hold what was reached on the corpus: no figure falls under the recorded one.

    python benchmarks/ratchet.py [--write] [-j N]

The corpus is the folders `gold` and `rows` of $AMBER_CORPUS, else of ../shared/corpus;
where there is no `gold`, nothing is held.  Exit 1 when a figure is more than half a
point under the one in `record.toml`; `--write` records the figures of now.
"""

from __future__ import annotations

import argparse
import os
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import rows

from amber_wrap.evaluation.gold import Corpus, read_corpus
from amber_wrap.evaluation.summary import ALL, Summary, summarise
from amber_wrap.evaluation.tasks import Setting, plan

HERE = Path(__file__).resolve().parent
RECORD = HERE / "record.toml"
TOLERANCE = 0.005
MARGIN = 1e-9  # Recorded figures have four digits, their differences more.
RUNS = {
    (mode, domain): Setting(mode, named=domain == "named")
    for mode in ("self", "transfer")
    for domain in ("named", "open")
}
ROWS = ("rows", "open")
HEAD = """\
# What was reached on the corpus: `benchmarks/ratchet.py` holds it, and writes this file
# (--write).  [mode.domain]: the domain is named, or open, so that all compete;
# [rows.open] is what `benchmarks/rows.py` measures.
"""

Figures = dict[str, float]
Record = dict[str, Any]


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, compare, print; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--write", action="store_true", help="record the figures")
    parser.add_argument("-j", type=int, default=2, help="processes (default 2)")
    options = parser.parse_args(arguments)
    folder = gold_folder()
    if not folder.is_dir():
        print(f"ratchet: there is no {shown(folder)}, nothing is held")
        return 0
    now = measure(read_corpus(folder), options.j)
    if rows.rows_folder().is_dir():
        found = rows.measure(rows.rows_folder(), options.j)
        now["rows"] = {"open": found}
        for role, figures in found.items():
            print(f"rows, {role}: {told(figures)}", flush=True)
    if options.write:
        RECORD.write_text(HEAD + "".join(toml(now)), "utf-8", newline="\n")
        print(f"wrote {shown(RECORD)}")
        return 0
    record = tomllib.loads(RECORD.read_text("utf-8")) if RECORD.exists() else {}
    lines, fell = compare(record, now)
    print("\n".join(lines))
    return int(fell)


def gold_folder() -> Path:
    """Where the gold corpus is, if it is there."""
    default = HERE.parent.parent / "shared" / "corpus"
    return Path(os.environ.get("AMBER_CORPUS") or default) / "gold"


def shown(path: Path) -> str:
    """A path from the repository's root."""
    return os.path.relpath(path, HERE.parent)


def measure(corpus: Corpus, jobs: int) -> Record:
    """The figures of all runs, and the size of the corpus that they hold for."""
    records = sum(len(area.records) for page in corpus.pages for area in page.areas)
    now: Record = {"pages": len(corpus.pages), "records": records}
    for (mode, domain), setting in RUNS.items():
        summaries = summarise(list(plan(corpus, setting).run(jobs)))
        figures = {name: figures_of(one) for name, one in summaries.items()}
        now.setdefault(mode, {})[domain] = figures
        print(f"{mode}, domain {domain}: {told(figures[ALL])}", flush=True)
    return now


def told(figures: Figures) -> str:
    """Figures as a line."""
    return ", ".join(f"{name} {value:.3f}" for name, value in figures.items())


def figures_of(summary: Summary) -> Figures:
    """What is held of a domain, or of all."""
    records = summary.measures["records"].count
    attributes = summary.measures["attributes"].count
    perfect = summary.measures["perfect records"].count
    figures = {
        "records_f1": records.f1,
        "attributes_precision": attributes.precision,
        "attributes_recall": attributes.recall,
        "attributes_f1": attributes.f1,
        "perfect": perfect.recall,
    }
    return {name: round(value, 4) for name, value in figures.items()}


def compare(
    record: Mapping[str, Any], now: Mapping[str, Any]
) -> tuple[list[str], bool]:
    """What to tell, and whether a figure fell."""
    for size in ("pages", "records"):
        if record.get(size) != now[size]:
            sizes = (
                f"{record.get(size, 0)} {size} are recorded, the corpus has {now[size]}"
            )
            return [f"{sizes}: look at the figures and record them with --write"], True
    changes = list(changed(record, now))
    fallen = [told for told, change in changes if change < 0]
    risen = [told for told, change in changes if change > 0]
    lines = [f"fell: {told}" for told in fallen] + [f"rose: {told}" for told in risen]
    if fallen:
        lines.append(f"{len(fallen)} fell more than half a point")
    elif risen:
        lines.append(f"{len(risen)} rose: record them with --write")
    else:
        lines.append("all figures are as recorded, within half a point")
    return lines, bool(fallen)


def changed(
    record: Mapping[str, Any], now: Mapping[str, Any]
) -> Iterator[tuple[str, float]]:
    """The figures that are off by more than half a point; one unrecorded was 0."""
    for mode, domain in (*RUNS, ROWS):
        recorded = record.get(mode, {}).get(domain, {})
        for name, figures in now.get(mode, {}).get(domain, {}).items():
            for figure, value in figures.items():
                before = recorded.get(name, {}).get(figure, 0.0)
                change = value - before
                if abs(change) > TOLERANCE + MARGIN:
                    place = f"{mode}, domain {domain}, {name}, {figure}"
                    yield (
                        f"{place}: {before:.4f} -> {value:.4f} ({change:+.4f})",
                        change,
                    )


def toml(figures: Mapping[str, Any]) -> Iterator[str]:
    """The record as TOML, line by line."""
    yield f"pages = {figures['pages']}\nrecords = {figures['records']}\n"
    for mode, domain in (*RUNS, ROWS):
        if mode not in figures:
            continue
        yield f"\n[{mode}.{domain}]\n"
        for name, values in figures[mode][domain].items():
            pairs = ", ".join(f"{figure} = {value}" for figure, value in values.items())
            yield f"{name} = {{ {pairs} }}\n"


if __name__ == "__main__":
    sys.exit(main())
