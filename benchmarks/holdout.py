"""Measure the accuracy on sites that the weights were not fitted on.

    python benchmarks/holdout.py [-j N] [--keep FILE] [--write]

The sites are divided into five parts. Each part is measured with the weights fitted on
the other four. All sites of one owner are in the same part. Extraction rules are made
from a page, and run on this page and on other pages with the same layout. In the corpus
`use`, they run on the first page only. `--keep` is described in `fit.py`. `--write`
puts the table into docs/scoreboard.md.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path

import list_models
import rows
import samples
import tables
import truths
import use
from commands import command_line
from corpus import corpus_folder, measure, needed
from processes import Run, workers
from tables import share, table

from amber_wrap.analysis.additive_model import use_models
from amber_wrap.evaluation.gold import read_corpus
from amber_wrap.evaluation.score import Score
from amber_wrap.evaluation.tasks import SELF, TRANSFER, Setting

Cell = tuple[str, str, str]
"""The key of a table row: a corpus, a role of pages, and a round of sites.

The role tells whether extraction rules were made from the pages, or only tested on
them. The round is "first" or "second", by when the site was added to the corpus.
"""
Found = tuple[str, str, str, Counter[str]]
"""The result for a page: its corpus, its role, its round, and counts by name.

The role and the round are those of `Cell`.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the accuracy on each fifth of the sites, with weights fitted on the
    others.

    Print the table, and return the exit code.
    """
    parser = command_line(__doc__, "-j", "--keep", "--write")
    options = parser.parse_args(arguments)
    folder = needed(corpus_folder())
    collected = samples.collected(options.keep, options.j)
    totals: dict[Cell, Counter[str]] = defaultdict(Counter)
    for fold in range(samples.FOLDS):
        weights = list_models.fitted(collected, fold)
        with workers(options.j, use_models, weights) as run:
            for corpus, role, round_, count in measured(folder, templates(fold), run):
                totals[corpus, role, round_] += count
                totals[corpus, role, "all"] += count
        print(f"fold {fold + 1} of {samples.FOLDS} done", file=sys.stderr)
    tables.publish({"holdout": holdout_table(totals)}, tables.SCOREBOARD, options.write)
    return 0


def templates(fold: int) -> dict[str, set[str]]:
    """Return the sites in one of five parts of all sites, by corpus.

    `fold` is the number of the part, from 0. All sites of one owner are in the same
    part.
    """
    sites_by_corpus: dict[str, set[str]] = defaultdict(set)
    for page in truths.true_pages(corpus_folder()):
        if samples.fold_of(page.owner) == fold:
            sites_by_corpus[page.corpus].add(page.site)
    return sites_by_corpus


def measured(
    folder: Path, sites: Mapping[str, Collection[str]], run: Run
) -> Iterator[Found]:
    """Measure the given sites of each corpus, and yield the counts of each page.

    `folder` is the folder of all corpora. `sites` has the sites to measure, by corpus.
    """
    for corpus, names in sites.items():
        if corpus == truths.GOLD:
            yield from _gold_counts(folder / corpus, names, run)
        elif corpus == truths.USE:
            all_samples = use.samples_of(folder / corpus)
            wanted = [pages for pages in all_samples if pages[0]["site"] in names]
            yield from run(partial(_use_counts, folder / corpus), wanted)
        else:
            yield from _row_counts(folder / corpus, names, run)


def _gold_counts(folder: Path, sites: Collection[str], run: Run) -> Iterator[Found]:
    """Measure sites of the corpus `gold`, and yield the counts of each page.

    The counts tell how many records and values are known, how many were found, and how
    many of these are right.
    """
    settings = [Setting(), Setting(named=False)]
    named_outcome, open_outcome = measure(read_corpus(folder), settings, run, sites)
    for role, results in (
        (SELF, named_outcome[SELF]),
        (TRANSFER, named_outcome.get(TRANSFER, ())),
        ("self, open", open_outcome[SELF]),
    ):
        for result in results:
            round_ = truths.round_of(truths.GOLD, result.page.site)
            yield truths.GOLD, role, round_, _count_of(result.score)


def _count_of(score: Score) -> Counter[str]:
    """Return the counts of records and of values in a score, by name."""
    values = {f"{name}_values": it for name, it in asdict(score.attributes).items()}
    return Counter(asdict(score.records) | values, perfect=score.perfect)


def _row_counts(folder: Path, sites: Collection[str], run: Run) -> Iterator[Found]:
    """Measure sites of the corpus in `folder`, and yield the counts of each page.

    The corpus is `rows` or `courts`, whose pages have known rows of cells. The counts
    tell how many records were found, and how many of them match a known row.
    """
    chosen = [pages for pages in rows.read(folder) if pages[0].site in sites]
    for result in rows.measure(chosen, run):
        round_ = truths.round_of(folder.name, result.page.site)
        yield folder.name, result.page.role, round_, result.count


def _use_counts(folder: Path, pages: use.Pages) -> Found:
    """Count the right columns in the table that is made from a page of the corpus
    `use`.

    `pages` are the pages of a site. Only the first is measured.
    """
    return truths.USE, rows.SAMPLE, truths.SECOND, use.counted(folder, pages[:1])


def holdout_table(totals: Mapping[Cell, Counter[str]]) -> str:
    """Return the accuracy on sites that were left out of the fitting, as a table.

    A row has a corpus, a round of sites, and a role of pages. `totals` has the counts
    by these three. In each corpus, the sites that were added later (the second round)
    come first.
    """
    rounds = (truths.SECOND, truths.FIRST, "all")
    table_rows = []
    for (corpus, role, round_), count in sorted(
        totals.items(), key=lambda it: (it[0][0], rounds.index(it[0][2]), it[0][1])
    ):
        figures: Sequence[str]
        if corpus == truths.USE:
            exact = f"{count['exact']} of {count['pages']} exact"
            figures = (f"{exact}, {count['usable']} usable", "", "", "")
        else:
            all_values = count["given_values"] + count["gold_values"]
            perfect = _share_text(count["perfect"], count["gold"])
            figures = (
                _share_text(2 * count["right"], count["given"] + count["gold"]),
                _share_text(2 * count["right_values"], all_values),
                perfect if corpus == truths.GOLD else "",
                _share_text(count["shown"], count["cells"]),
            )
        table_rows.append((corpus, round_, role, *figures))
    head = ("corpus", "round", "pages", "records F1", "attributes F1", "perfect")
    return table((*head, "cells"), table_rows)


def _share_text(part: int, whole: int) -> str:
    """Return a share as text, "" if the whole is 0."""
    return share(part / whole) if whole else ""


if __name__ == "__main__":
    sys.exit(main())
