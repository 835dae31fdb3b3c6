"""Variants of the system, measured on the gold corpus; its halves."""

from __future__ import annotations

import re
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from multiprocessing import get_context

from variants import Change, Variant, made, made_for

from amber_wrap.domain.schema import AttributeType
from amber_wrap.evaluation.counts import Score
from amber_wrap.evaluation.gold import Corpus, GoldPage
from amber_wrap.evaluation.score import score_page
from amber_wrap.evaluation.tasks import (
    SELF,
    TRANSFER,
    EvaluationTask,
    Result,
    Setting,
    plan,
    run_task,
    samples,
)

HALVES = "AB"

Outcome = Mapping[str, Sequence[Result]]
"""The results of each mode; their differences are left out."""


@dataclass(frozen=True, slots=True)
class Job:
    """One sample with each variant; the first target of a task is the sample itself."""

    tasks: tuple[EvaluationTask, ...]
    changes: tuple[tuple[Change, ...], ...]
    types: tuple[AttributeType, ...]

    @property
    def sample(self) -> GoldPage:
        """The page that all tasks induce from."""
        return self.tasks[0].sample


Scores = Sequence[Sequence[tuple[Score, str]]]
"""For each variant the score of each target, and what failed."""
Run = Callable[[Callable[[Job], Scores], Iterable[Job]], Iterable[Scores]]
"""A `map`, in this process or over several."""


@contextmanager
def workers(number: int) -> Iterator[Run]:
    """A `map` over processes; they live as long, and remember what they did."""
    if number == 1:
        yield map
        return
    with ProcessPoolExecutor(number, mp_context=get_context("fork")) as pool:
        yield pool.map


def measure(
    corpus: Corpus,
    variants: Sequence[Variant],
    run: Run = map,
    sites: Collection[str] | None = None,
    transfer: bool = True,
) -> list[Outcome]:
    """The outcome of each variant on the `sites`, as `amber-wrap evaluate` has it.

    Which types are scored is up to all of the corpus.  A wrapper is induced once for
    both modes.
    """
    for variant in variants:
        with made(variant.changes):
            pass  # It can be made: better to know before than in some process.
    others = dict(_others(corpus)) if transfer else {}
    plans = [plan(corpus, Setting(SELF, v.named, v.strategy)) for v in variants]
    jobs = [
        Job(
            tuple(
                replace(one, targets=(one.sample, *others.get(one.sample.name, ())))
                for one in tasks
            ),
            tuple(variant.changes for variant in variants),
            plans[0].types[tasks[0].sample.domain],
        )
        for tasks in zip(*(one.tasks for one in plans), strict=True)
        if sites is None or tasks[0].sample.site in sites
    ]
    # The large ones first, so that no process is left alone with one.
    jobs.sort(key=lambda job: -job.sample.path.stat().st_size)
    outcomes: list[dict[str, list[Result]]] = [defaultdict(list) for _ in variants]
    for job, scores in zip(jobs, progress(run(run_job, jobs), len(jobs)), strict=True):
        for i, task in enumerate(job.tasks):
            for rank, page in enumerate(task.targets):
                score, failure = scores[i][rank]
                if failure.startswith("internal error"):
                    names = [f"{one.owner}.{one.name}" for one in job.changes[i]]
                    print(page.name, failure, *names, sep="; ", file=sys.stderr)
                mode = TRANSFER if rank else SELF
                outcomes[i][mode].append(Result(page, score, (), failure))
    for outcome in outcomes:
        for results in outcome.values():
            results.sort(key=lambda one: one.page.name)
    return list(outcomes)


def _others(corpus: Corpus) -> Iterator[tuple[str, tuple[GoldPage, ...]]]:
    """The other pages of each template, by the name of its first."""
    for sample, targets in samples(corpus, TRANSFER):
        yield sample.name, targets


def run_job(job: Job) -> Scores:
    """The scores of a job, for a process of its own."""
    return [
        list(_scores(task, changes, job.types))
        for task, changes in zip(job.tasks, job.changes, strict=True)
    ]


def _scores(
    task: EvaluationTask, changes: Sequence[Change], types: Sequence[AttributeType]
) -> Iterator[tuple[Score, str]]:
    with made_for(task.sample.name, changes):
        outputs = run_task(task)
    for page, output in zip(task.targets, outputs, strict=True):
        yield score_page(page, output.rows, types)[0], output.failure


def progress(found: Iterable[Scores], total: int) -> Iterator[Scores]:
    """The same, while stderr tells how far it got, at most once in ten seconds."""
    begin = told = time.monotonic()
    for number, one in enumerate(found, start=1):
        yield one
        now = time.monotonic()
        if now - told > 10:
            told = now
            print(f"  page {number} of {total}, {now - begin:.0f} s", file=sys.stderr)


def halves(corpus: Corpus) -> dict[str, str]:
    """The half, A or B, of each template folder ("domain/template").

    The sites of each domain are dealt out by name, each to the half that has fewer of
    the domain's pages.  All folders of a site (`sites_of`) are in one half, in whatever
    domain they are: no half knows markup of the other.
    """
    site_of = sites_of({page.site for page in corpus.pages})
    half_of: dict[str, str] = {}
    for domain in dict.fromkeys(sorted(page.domain for page in corpus.pages)):
        pages = Counter(
            site_of[page.site] for page in corpus.pages if page.domain == domain
        )
        size = dict.fromkeys(HALVES, 0)
        for site in sorted(pages, key=lambda site: (site not in half_of, site)):
            half = half_of.setdefault(site, min(HALVES, key=lambda one: size[one]))
            size[half] += pages[site]
    return {folder: half_of[site] for folder, site in site_of.items()}


def sites_of(folders: Collection[str]) -> dict[str, str]:
    """The site of each template folder ("domain/template").

    The folders of a site have its name, with the year of a redesign or more behind it:
    "acme", "acme-2019-de", "acme-old".
    """
    names = {one: re.sub(r"-\d{4}\b.*", "", one.partition("/")[2]) for one in folders}
    return {
        folder: min(
            (site for site in names.values() if f"{name}-".startswith(f"{site}-")),
            key=len,
        )
        for folder, name in names.items()
    }
