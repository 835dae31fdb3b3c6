"""Checks: run `amber-wrap check` on the campaign's runs, broken and survived.

    python benchmarks/survival checks [--seeds N] [options]

Only this project's systems run, with the first of the campaign's seeds. The file
`checks.tsv` in the cache lists the runs in which the result of the generated file or
the check is wrong.
"""

from __future__ import annotations

from argparse import Namespace

import tally
import trials
from campaign import EACH, on_real, write_lost
from experiment import Finding, GoldSet
from measurement import types_of
from operators.draft import SCOPES
from runs import Runs
from systems import APPLY, GROUPS, OURS
from tables import RELIABILITY

SEEDS = 10
"""The number of seeds of each operator, rate and scope, half of the campaign's."""


def measure(gold: GoldSet, runs: Runs, options: Namespace) -> Finding:
    """Return the tables of both scopes."""
    groups = {"own": GROUPS["own"]}
    types = types_of(gold.corpus)
    results = trials.measure(gold.corpus.pages, types, runs, options.seeds, groups)
    write_lost(results, options.cache / "checks.tsv")
    parts = [f"{options.seeds} seeds {EACH}."]
    for scope in SCOPES:
        parts += [
            f"Scope {scope}, {name}:\n\n{tally.checks(results, scope, name)}"
            for name in (OURS, APPLY)
        ]
    return Finding("\n\n".join(parts))


main = on_real("checks", measure, __doc__, numbers={"seeds": SEEDS}, page=RELIABILITY)
