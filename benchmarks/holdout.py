"""How right the system is on sites that its weights were not fitted on.

    python benchmarks/holdout.py [-j N] [--keep FILE] [--write]

Five folds, each with the weights fitted on the sites of the other four: a wrapper is
induced from the first page of each template of the fold, and run on all its pages.  All
pages of an owner, whatever the corpus, are in one fold.  `--keep` as in `fit.py`;
`--write` puts the table into docs/scoreboard.md, between its markers.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import fit
import row_score
import rows
import samples
import tables
import truths
import use
from corpus import corpus_folder, index, missing, workers
from tables import share, table

from amber_wrap.analysis.additive_model import give
from amber_wrap.codegen.build import build_file
from amber_wrap.dom.parse import parse
from amber_wrap.domain.loader import built_in_domains
from amber_wrap.engine.interpret import to_rows
from amber_wrap.errors import AmberError
from amber_wrap.evaluation import tasks
from amber_wrap.evaluation.counts import Score
from amber_wrap.evaluation.gold import read_corpus
from amber_wrap.evaluation.score import score_page
from amber_wrap.evaluation.tasks import (
    SELF,
    TRANSFER,
    EvaluationTask,
    Setting,
    load,
    plan,
    run_task,
)
from amber_wrap.files import read_saved_page
from amber_wrap.pipeline import compile_wrapper
from amber_wrap.wrapper.ir import Wrapper

Cell = tuple[str, str, str]
"""A corpus, the page's role, and the round."""
Found = list[tuple[Cell, Counter[str]]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Fit, measure, print; the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("-j", type=int, default=2, help="processes (default 2)")
    parser.add_argument("--keep", type=Path, help="where to keep what is collected")
    parser.add_argument("--write", action="store_true", help="into the document")
    options = parser.parse_args(arguments)
    folder = corpus_folder()
    if told := missing(folder):
        print(told)
        return 0
    collected = samples.collected(options.keep, options.j)
    totals: dict[Cell, Counter[str]] = defaultdict(Counter)
    for fold in range(samples.FOLDS):
        weights = fit.fitted(collected, fold)
        with workers(options.j, give, weights) as run:
            for found in run(measured, jobs(folder, fold)):
                for (corpus, role, when), count in found:
                    totals[corpus, role, when] += count
                    totals[corpus, role, "all"] += count
        print(f"fold {fold + 1} of {samples.FOLDS} done", file=sys.stderr)
    tables.publish({"holdout": holdout_table(totals)}, tables.SCOREBOARD, options.write)
    return 0


Job = tuple[str, str]
"""A corpus, and a template of it."""


def jobs(folder: Path, fold: int) -> list[Job]:
    """The templates whose owner is in a fold."""
    found = {
        (one.corpus, one.site): None
        for one in truths.true_pages(folder)
        if samples.fold_of(one.owner) == fold
    }
    return list(found)


def measured(job: Job) -> Found:
    """The counts of the pages of a template."""
    corpus, site = job
    ways = {truths.GOLD: _gold, truths.USE: _use}
    return list(ways.get(corpus, _rows)(corpus, site))


def _gold(_: str, site: str) -> Iterator[tuple[Cell, Counter[str]]]:
    corpus = read_corpus(corpus_folder() / truths.GOLD)
    types = plan(corpus, Setting(SELF)).types
    when = "second" if site in truths.second_round() else "first"
    others = {one.name: targets for one, targets in tasks.samples(corpus, TRANSFER)}
    for page in corpus.pages:
        if page.site != site:
            continue
        task = EvaluationTask(
            page, (page, *others.get(page.name, ())), (page.domain,), "role"
        )
        for target, output in zip(task.targets, run_task(task), strict=True):
            score = score_page(target, output.rows, types[page.domain])[0]
            role = SELF if target is page else TRANSFER
            yield (truths.GOLD, role, when), _count_of(score)
        wide = replace(task, targets=(page,), domains=tuple(built_in_domains()))
        for output in run_task(wide):
            score = score_page(page, output.rows, types[page.domain])[0]
            yield (truths.GOLD, "self, open", when), _count_of(score)


def _count_of(score: Score) -> Counter[str]:
    """The counts of a page."""
    return Counter(
        right=score.records.right,
        given=score.records.given,
        gold=score.records.gold,
        right_values=sum(one.right for one in score.types.values()),
        given_values=sum(one.given for one in score.types.values()),
        gold_values=sum(one.gold for one in score.types.values()),
        perfect=score.perfect,
    )


def _rows(corpus: str, site: str) -> Iterator[tuple[Cell, Counter[str]]]:
    folder = corpus_folder() / corpus
    is_second = corpus == truths.COURTS or f"{corpus}/{site}" in truths.second_round()
    for pages in rows.read(folder):
        if pages[0].site != site:
            continue
        for page, (found, _) in zip(pages, rows.outputs_of(pages), strict=True):
            count, _ = row_score.score(page.rows, found)
            cell = (corpus, page.role, "second" if is_second else "first")
            yield (
                cell,
                Counter(
                    right=count.found,
                    given=count.given,
                    gold=count.rows,
                    cells=count.cells,
                    shown=count.shown,
                ),
            )


def _use(corpus: str, site: str) -> Iterator[tuple[Cell, Counter[str]]]:
    folder = corpus_folder() / corpus
    scorer = _scorer(folder)
    domains = [load(name) for name in built_in_domains()]
    for page in index(folder):
        if page["site"] != site or page["role"] != rows.SAMPLE:
            continue
        path = folder / "pages" / page["file"]
        expected = scorer.truth(path, page)
        try:
            source = read_saved_page(str(path))
            made = compile_wrapper([source], domains).wrapper
            wrapper = build_file(made, [source.body], "benchmark").stored.wrapper
            raw, typed = (_printed(wrapper, path, one) for one in (True, False))
        except AmberError:
            raw, typed = [], []
        found = scorer.score(page, expected, raw, typed)
        yield (
            (truths.USE, rows.SAMPLE, "second"),
            Counter(pages=1, exact=found["exact"], usable=found["usable"]),
        )


def _printed(wrapper: Wrapper, path: Path, raw: bool) -> list[dict[str, object]]:
    """The rows of a page as they are printed."""
    found = to_rows(wrapper, parse(path.read_bytes()), raw=raw)
    return [json.loads(json.dumps(dict(one))) for one in found]


def _scorer(folder: Path) -> ModuleType:
    """The script beside the corpus that scores `use`."""
    path = use.script_of(folder.parent)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def holdout_table(totals: Mapping[Cell, Counter[str]]) -> str:
    """The table, the second round before the first."""
    order = {"second": 0, "first": 1, "all": 2}
    made = []
    for (corpus, role, when), count in sorted(
        totals.items(), key=lambda one: (one[0][0], order[one[0][2]], one[0][1])
    ):
        if corpus == truths.USE:
            figures = (
                f"{count['exact']} of {count['pages']} exact, {count['usable']} usable",
                "",
                "",
                "",
            )
        else:
            figures = (
                _f1(count["right"], count["given"], count["gold"]),
                _f1(count["right_values"], count["given_values"], count["gold_values"]),
                _of(count["perfect"], count["gold"]) if corpus == truths.GOLD else "",
                _of(count["shown"], count["cells"]),
            )
        made.append((corpus, when, role, *figures))
    head = ("corpus", "round", "pages", "records F1", "attributes F1", "perfect")
    return table((*head, "cells"), made)


def _f1(right: int, given: int, gold: int) -> str:
    return share(2 * right / (given + gold)) if given + gold else ""


def _of(some: int, whole: int) -> str:
    return share(some / whole) if whole else ""


if __name__ == "__main__":
    sys.exit(main())
