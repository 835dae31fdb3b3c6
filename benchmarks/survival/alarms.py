"""Alarms: run `amber-wrap check` on unchanged pages, and list its wrong verdicts.

The wrapper of each page is run on this page, and the wrapper of a template's first page
on the other pages of the template, which are other searches, result pages and dates. On
the other pages, the records are right if their number is that of the gold (the known
records), and if the F1 of their values is at least `trials.RIGHT`.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import own
import tally
from campaign import on_real
from experiment import Finding, GoldSet
from measurement import types_of
from runs import Job, Runs
from systems import GROUPS, HERE
from tables import share, table
from trials import Types, accuracy_of, attempt, report_of, rows_of

from amber_wrap.evaluation.gold import GoldPage
from amber_wrap.evaluation.score import score_page
from amber_wrap.evaluation.tasks import SELF, TRANSFER, samples_and_targets


@dataclass(frozen=True, slots=True)
class CheckedPage:
    """A page that a wrapper ran on: how right the records are, and what the check
    reported.

    `records` and `attributes` are F1s. `failed` are the conditions of the check that
    failed.
    """

    page: str
    is_right: bool
    records: float
    attributes: float
    status: str
    failed: Sequence[str]


def measure(gold: GoldSet, runs: Runs, options: Namespace) -> Finding:
    """Return a table of how often the check reports a problem, and a table of the pages
    on which the check is wrong."""
    types = types_of(gold.corpus)
    sources = [*GROUPS["own"].sources, HERE / "trials.py"]
    totals, wrong_checks = [], []
    for mode, page_kind in (
        (SELF, "the page of the wrapper"),
        (TRANSFER, "another page of its template"),
    ):
        jobs = [
            check_job(sample, targets, types[sample.domain])
            for sample, targets in samples_and_targets(gold.corpus, mode)
        ]
        checked = list(chain.from_iterable(runs.of(check_pages, jobs, sources)))
        right = [page for page in checked if mode == SELF or page.is_right]
        wrong = [page for page in checked if page not in right]
        for verdict, verdict_pages in (("right", right), ("wrong", wrong)):
            if verdict_pages:
                flagged = tally.share(map(is_flagged, verdict_pages))
                counts = str(flagged.of), str(flagged.number)
                totals.append((page_kind, verdict, *counts))
        wrong_checks += [page for page in right if is_flagged(page)]
        wrong_checks += [page for page in wrong if not is_flagged(page)]
    text = table(("page", "extraction", "pages", "flagged"), totals)
    return Finding(f"{text}\n{listing(wrong_checks)}" if wrong_checks else text)


def listing(wrong_checks: Sequence[CheckedPage]) -> str:
    """Return the table of the pages on which the check is wrong."""
    rows = [
        (
            page.page,
            share(page.records),
            share(page.attributes),
            page.status or tally.NONE,
            "; ".join(page.failed).replace("|", "/"),
        )
        for page in wrong_checks
    ]
    head = ("the check is wrong about", "records F1", "attributes F1", "status")
    return table((*head, "failing clauses"), rows)


def is_flagged(page: CheckedPage) -> bool:
    """Return whether the check reported a problem on a page."""
    return page.status not in ("", tally.OK)


def check_job(sample: GoldPage, targets: Sequence[GoldPage], types: Types) -> Job:
    """Return the job that runs a sample page's wrapper, and its check, on target
    pages."""
    names = " ".join(kind.name for kind in types)
    return Job.on([sample, *targets], names, sample, tuple(targets), types)


def check_pages(
    sample: GoldPage, targets: Sequence[GoldPage], types: Types
) -> list[CheckedPage]:
    """Return how right a sample page's wrapper reads each target page, and what its
    check reports; return nothing if no wrapper can be induced."""
    wrapper = attempt(own.with_fallbacks, sample.path.read_bytes(), sample)
    checked_pages = []
    for target in targets if wrapper else ():
        body = target.path.read_bytes()
        rows = rows_of(wrapper, body) or []
        score, _ = score_page(target, rows, types)
        _, status, failed = report_of(wrapper, body)
        is_right = accuracy_of(target, rows, types).takes_part
        figures = score.records.f1, score.attributes.f1, status, failed
        checked_pages.append(CheckedPage(target.name, is_right, *figures))
    return checked_pages


main = on_real("alarms", measure, __doc__)
