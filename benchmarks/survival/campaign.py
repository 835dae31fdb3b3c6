"""Campaign: run extraction rules of several systems on randomly changed pages.

There are twelve sorts of change, such as renamed classes. Each is made at three rates.
In the cache, the file `lost.tsv` lists the changed pages on which this project reads
wrong records, or reports an error although the records are right.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from functools import partial

import labelled
import tally
import trials
from baselines import label_scraper
from baselines.label_scraper import LabelScraperError
from experiment import REAL, Experiment, Finding, GoldSet, image
from measurement import types_of
from operators.draft import SCOPES
from runs import Runs
from synthetic.corpus import Extent
from systems import APPLY, BASELINES, GROUPS, HERE, OURS

from amber_wrap.domain.loader import built_in_domains

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
    """Return the tables and charts for both scopes of changes.

    A change affects either all elements that a site's template repeats, or single
    elements.
    """
    if options.write and options.seeds < trials.SEEDS:
        raise SystemExit("a part of the seeds is not what the page shows")
    groups, note = dict(GROUPS), ""
    try:
        label_scraper.install(labelled.FOLDER)
    except LabelScraperError as error:
        del groups["autoscraper"]
        note = f"autoscraper is left out: {error}.\n"
    types, pages = types_of(gold.corpus), gold.corpus.pages
    results = trials.measure(pages, types, runs, options.seeds, groups)
    lost_runs, path = list(tally.lost(results)), options.cache / "lost.tsv"
    path.write_text("\n".join(lost_runs) + "\n", "utf-8", newline="\n")
    print(f"{len(lost_runs) - 1} runs are in {path}", file=sys.stderr)
    seeds = f"{options.seeds} seeds of each operator, rate and scope.\n"
    parts = [f"{seeds}{note}", tally.participation(results)]
    charts: dict[str, str] = {}
    for scope in SCOPES:
        baseline = tally.best_baseline(results, scope, BASELINES)
        charts[f"survival-{scope}.svg"] = tally.curves(results, scope)
        charts[f"survival-{scope}-systems.svg"] = tally.bars(results, scope)
        parts += [
            f"### Scope: {scope}\n\n{ABOUT[scope]}\n",
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


main = on_real("campaign", measure, __doc__, numbers={"seeds": trials.SEEDS})
