"""Find the corpora of pages, make wrappers from pages, and measure the wrappers.

A wrapper is a set of extraction rules. The pages of the gold corpus have known records,
with which extracted records are compared.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from processes import Run, progress

from amber_wrap.codegen.build import Built, build_file
from amber_wrap.domain.loader import built_in_domains
from amber_wrap.domain.schema import AttributeType
from amber_wrap.evaluation.gold import Corpus, GoldPage
from amber_wrap.evaluation.score import Score, score_page
from amber_wrap.evaluation.tasks import (
    SELF,
    TRANSFER,
    EvaluationTask,
    Result,
    Setting,
    loaded_domain,
    plan_evaluation,
    run_task,
    samples_and_targets,
)
from amber_wrap.files import read_saved_page
from amber_wrap.pipeline import compile_wrapper
from amber_wrap.settings import Source
from amber_wrap.wrapper.ir import Wrapper

ROOT = Path(__file__).resolve().parent.parent
"""The root of the repository."""


def corpus_folder() -> Path:
    """Return the folder of the corpora: $AMBER_CORPUS, or ../shared/corpus if that
    isn't set."""
    return Path(os.environ.get("AMBER_CORPUS") or ROOT.parent / "shared" / "corpus")


def gold_folder() -> Path:
    """Return the folder of pages with known records, which may be missing."""
    return corpus_folder() / "gold"


def gold_file(page: GoldPage) -> Path:
    """Return the JSON file with the known records of a page."""
    return page.path.parents[3] / "json" / f"{page.name}.json"


def gold_data(page: GoldPage) -> dict[str, Any]:
    """Return the known records of a page, as its JSON file has them.

    They are divided into lists, and have values with XPaths.
    """
    data: dict[str, Any] = json.loads(gold_file(page).read_text("utf-8-sig"))
    return data


def gold_records(page: GoldPage) -> list[dict[str, Any]]:
    """Return the known records of all lists on a page, as its JSON file has them."""
    return [record for area in gold_data(page)["areas"] for record in area["records"]]


def needed(folder: Path, exit_code: int = 0) -> Path:
    """Return a folder, or exit with a message if it is missing.

    The message goes to stdout if `exit_code` is 0, otherwise to stderr.
    """
    if not folder.is_dir():
        message = f"there is no {shown(folder)}, nothing is measured"
        print(message, file=sys.stderr if exit_code else sys.stdout)
        sys.exit(exit_code)
    return folder


def shown(path: Path) -> str:
    """Return a path relative to the root of the repository."""
    return os.path.relpath(path, ROOT)


def index(folder: Path) -> list[dict[str, Any]]:
    """Return the entries of a folder's `index.jsonl`: an object for each page."""
    lines = (folder / "index.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines if line]


def sites_of(folders: Collection[str]) -> dict[str, str]:
    """Return the site of each folder of pages.

    The folders "cars/acme" and "cars/acme-2019-de" belong to the same site, "acme". The
    year of a redesign, and all that follows, isn't a part of the site's name.
    """
    names = {it: re.sub(r"-\d{4}\b.*", "", it.partition("/")[2]) for it in folders}
    return {
        folder: min(
            (site for site in names.values() if f"{name}-".startswith(f"{site}-")),
            key=len,
        )
        for folder, name in names.items()
    }


def built(source: Source, domain: str = "") -> Built:
    """Return the file generated from a page, with the extraction rules behind it.

    If `domain` is "", the best of all built-in domains (kinds of records) is chosen.
    Raise AmberError if no rules can be made.
    """
    names = [domain] if domain else built_in_domains()
    wrapper = compile_wrapper([source], [loaded_domain(name) for name in names]).wrapper
    return build_file(wrapper, [source.body], "benchmark")


def wrapper_of(page: GoldPage) -> Wrapper:
    """Return the wrapper (extraction rules) that is made from a page with known
    records.

    The page's kind of records is given. Raise AmberError if no wrapper can be made.
    """
    source = read_saved_page(str(page.path))
    return compile_wrapper([source], [loaded_domain(page.domain)]).wrapper


# --- the gold ------------------------------------------------------------------------


Outcome = Mapping[str, Sequence[Result]]
"""The results of the pages on which wrappers run, by mode.

In the mode `SELF`, a wrapper runs on the page that it was made from. In `TRANSFER`, it
runs on the other pages of the site. Lists of single errors are left out.
"""
Scores = Sequence[tuple[Score, str]]
"""The score of each page that a wrapper reads, with an error message or ""."""
Job = tuple[EvaluationTask, tuple[AttributeType, ...]]
"""A wrapper to make, the pages to run it on, and the attribute types to be scored.

The first page that the wrapper runs on is the page that it is made from.
"""


def jobs_of(corpus: Corpus, setting: Setting) -> Iterator[Job]:
    """Yield each wrapper to make, with the pages to run it on.

    A wrapper runs on the page that it is made from. If this is the first page of a
    site, the wrapper also runs on the site's other pages, unless these have several
    layouts.
    """
    pairs = samples_and_targets(corpus, TRANSFER)
    other_pages = {sample.name: targets for sample, targets in pairs}
    evaluation_plan = plan_evaluation(corpus, setting)
    for task in evaluation_plan.tasks:
        targets = (task.sample, *other_pages.get(task.sample.name, ()))
        types = tuple(evaluation_plan.types[task.sample.domain])
        yield replace(task, targets=targets), types


def measure(
    corpus: Corpus,
    settings: Sequence[Setting],
    run: Run = map,
    sites: Collection[str] | None = None,
) -> list[Outcome]:
    """Return the results of all pages for each setting, as `amber-wrap evaluate` does.

    If `sites` isn't None, only the pages of these sites are measured. The types to be
    scored are always those of the whole corpus.
    """
    outcomes: list[dict[str, list[Result]]] = [defaultdict(list) for _ in settings]
    jobs = [
        (outcome, job)
        for outcome, setting in zip(outcomes, settings, strict=True)
        for job in jobs_of(corpus, setting)
        if sites is None or job[0].sample.site in sites
    ]
    # Large pages come first, so that no process works alone at the end.
    jobs.sort(key=lambda pair: -pair[1][0].sample.path.stat().st_size)
    answers = progress(run(scores, [job for _, job in jobs]), "gold", len(jobs))
    for (outcome, (task, _)), answer in zip(jobs, answers, strict=True):
        for page, (score, failure) in zip(task.targets, answer, strict=True):
            if failure.startswith("internal error"):
                print(page.name, failure, sep="; ", file=sys.stderr)
            mode = SELF if page is task.sample else TRANSFER
            outcome[mode].append(Result(page, score, (), failure))
    for outcome in outcomes:
        for results in outcome.values():
            results.sort(key=lambda result: result.page.name)
    return list(outcomes)


def scores(job: Job) -> Scores:
    """Make the wrapper of a job, and return the score of each page that it runs on."""
    task, types = job
    return [
        (score_page(page, output.rows, types)[0], output.failure)
        for page, output in zip(task.targets, run_task(task), strict=True)
    ]
