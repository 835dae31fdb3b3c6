"""Run wrappers on changed and unchanged pages, in three experiments.

`CAMPAIGN` runs all systems on pages changed by twelve operators at three rates.
`CHECKS` runs `amber-wrap check` on the runs of this project's systems, with the first
of the campaign's seeds. Both list in the cache the runs in which this project's result
or its check is wrong (`lost.tsv`, `checks.tsv`).

`ALARMS` runs the wrapper of each page on this page, and the wrapper of a template's
first page on the other pages of the template, which are other searches, result pages
and dates. On the other pages, the records are right if their number is that of the gold
(the known records), and if the F1 of their values is at least `trials.RIGHT`.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain

import labelled
import own
import tally
import trials
from baselines import label_scraper
from baselines.label_scraper import LabelScraperError
from experiment import REAL, Experiment, Finding, GoldSet, image
from measurement import types_of
from operators.draft import SCOPES
from runs import Job, Runs, Types
from synthetic.corpus import Extent
from systems import APPLY, BASELINES, GROUPS, HERE, OURS, Group
from tables import RELIABILITY, share, table
from trials import SEEDS, accuracy_of, attempt, report_of, rows_of

from amber_wrap.domain.loader import built_in_domains
from amber_wrap.evaluation.gold import GoldPage
from amber_wrap.evaluation.score import score_page
from amber_wrap.evaluation.tasks import SELF, TRANSFER, samples_and_targets

PAGE = HERE.parents[1] / "docs" / "survival.md"
"""The path of docs/survival.md, into which the results are written."""
DOMAINS = dict.fromkeys(built_in_domains(), Extent(0, 0))
"""All domains (kinds of records), such as cars. No pages are generated for them."""
on_real = partial(Experiment, sets=(REAL,), sizes=DOMAINS, suite="survival", page=PAGE)
"""A function that makes an experiment on the real pages of all domains.

A domain is a kind of records, such as cars.
"""

ABOUT = {
    "template": """\
A change is made to all instances of a template node, as when a site changes its
template; the rate is the share of the page's template nodes.""",
    "element": """\
Each element, text and attribute changes on its own with the probability of the rate, as
on a site that is inconsistent or in the midst of a change.""",
}
"""A text for each scope of changes that explains it in the results."""


def measure(gold: GoldSet, runs: Runs, options: Namespace) -> Finding:
    """Return the tables and charts of both scopes."""
    if options.write and options.seeds < SEEDS:
        raise SystemExit("a part of the seeds is not what the page shows")
    groups, note = dict(GROUPS), ""
    try:
        label_scraper.install(labelled.FOLDER)
    except LabelScraperError as error:
        del groups["autoscraper"]
        note = f"autoscraper is left out: {error}.\n"
    results = measured(gold, runs, options, groups, "lost.tsv")
    parts = [f"{with_seeds(options)}\n{note}", tally.participation(results)]
    charts: dict[str, str] = {}
    for scope in SCOPES:
        baseline = tally.best_baseline(results, scope, BASELINES)
        charts[f"survival-{scope}.svg"] = tally.curves(results, scope)
        charts[f"survival-{scope}-systems.svg"] = tally.bars(results, scope)
        parts += [
            f"### Scope: {scope}\n\n{ABOUT.get(scope, '')}\n",
            "Runs survived, %, of those on the pages that a system takes part on:\n",
            tally.survivors(results, scope),
            *(image(f"survival-{scope}{suffix}.svg") for suffix in ("", "-systems")),
            "On the pages that both take part on, by the types that both give:\n",
            tally.duels(results, scope),
            f"By operator, beside the best of the others ({baseline}), "
            "in the same way:\n",
            tally.by_operator(results, scope, baseline),
            *(
                f"The check on the runs of {name}, on all pages that have a wrapper:\n"
                f"\n{tally.checks(results, scope, name)}"
                for name in (OURS, APPLY)
            ),
        ]
    return Finding("\n".join(parts), charts)


def measure_checks(gold: GoldSet, runs: Runs, options: Namespace) -> Finding:
    """Return the tables about the check of both scopes."""
    groups = {"own": GROUPS["own"]}
    results = measured(gold, runs, options, groups, "checks.tsv")
    tables = (
        f"Scope {scope}, {name}:\n\n{tally.checks(results, scope, name)}"
        for scope in SCOPES
        for name in (OURS, APPLY)
    )
    return Finding("\n\n".join([with_seeds(options), *tables]))


def measured(
    gold: GoldSet,
    runs: Runs,
    options: Namespace,
    groups: Mapping[str, Group],
    file: str,
) -> trials.Results:
    """Return the results of groups of systems, and write a line into a file of the
    cache about each run in which this project's result or its check is wrong."""
    types, pages = types_of(gold.corpus), gold.corpus.pages
    results = trials.measure(pages, types, runs, options.seeds, groups)
    lines, path = list(tally.lost(results)), options.cache / file
    path.write_text("\n".join(lines) + "\n", "utf-8", newline="\n")
    print(f"{len(lines) - 1} runs are in {path}", file=sys.stderr)
    return results


def with_seeds(options: Namespace) -> str:
    """Return a sentence about the number of seeds."""
    return f"{options.seeds} seeds of each operator, rate and scope."


CAMPAIGN = on_real(
    "campaign",
    measure,
    "Campaign: run wrappers on pages changed by twelve operators at three rates.",
    numbers={"seeds": SEEDS},
)
CHECKS = on_real(
    "checks",
    measure_checks,
    "Checks: run `amber-wrap check` on the campaign's runs, broken and survived.",
    numbers={"seeds": SEEDS // 2},
    page=RELIABILITY,
)

# --- unchanged pages ------------------------------------------------------------------


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

    @property
    def is_flagged(self) -> bool:
        """Whether the check reported a problem on the page."""
        return self.status not in ("", tally.OK)


def measure_alarms(gold: GoldSet, runs: Runs, options: Namespace) -> Finding:
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
            Job.scored([sample, *targets], types[sample.domain], sample, targets)
            for sample, targets in samples_and_targets(gold.corpus, mode)
        ]
        checked = list(chain.from_iterable(runs.of(check_pages, jobs, sources)))
        for verdict in ("right", "wrong"):
            is_right = verdict == "right"
            pages = [it for it in checked if (mode == SELF or it.is_right) == is_right]
            if pages:
                flagged = sum(page.is_flagged for page in pages)
                totals.append((page_kind, verdict, str(len(pages)), str(flagged)))
            wrong_checks += [page for page in pages if page.is_flagged == is_right]
    text = table(("page", "extraction", "pages", "flagged"), totals)
    return Finding(f"{text}\n{listing(wrong_checks)}" if wrong_checks else text)


ALARMS = on_real(
    "alarms",
    measure_alarms,
    "Alarms: run `amber-wrap check` on unchanged pages, and list its wrong verdicts.",
)


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


def check_pages(
    types: Types, sample: GoldPage, targets: Sequence[GoldPage]
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
