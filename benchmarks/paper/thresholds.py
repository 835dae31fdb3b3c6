"""Thresholds: measure accuracy at several thresholds of depth and distance.

In the AMBER paper, a data area (a list) is found by recognised values that each record
has once. The threshold of depth limits how much the depths of these values in the tree
differ. The threshold of distance limits how much the distances between them differ.
"""

from __future__ import annotations

from argparse import Namespace

import charts
from accuracy import MEASURES
from charts import Series
from experiment import Experiment, Finding, GoldSet, image
from measurement import System
from measurement import measure as measure_pages
from runs import Runs
from tables import measures, table

from amber_wrap.evaluation.report import Summary, summary_of

PAIRS = ((0, 0), (1, 2), (2, 4))
"""The pairs of depth and distance that are compared; the paper uses the second."""
STRATEGIES = ("paper", "role")
"""The methods of finding records that are compared; in "role", the default, no
threshold limits a data area, so that all pairs must give the same figures."""


def measure(gold: GoldSet, runs: Runs, options: Namespace) -> Finding:
    """Return a table with a row for each strategy and pair, and a chart of the paper's
    strategy."""
    systems = {
        (strategy, pair): System(strategy, *pair)
        for strategy in STRATEGIES
        for pair in PAIRS
    }
    results = measure_pages(gold.corpus, runs, list(systems.values()))
    summaries = dict(zip(systems, map(summary_of, results), strict=True))
    head = [cell for name in MEASURES for cell in (f"{name} P", "R", "F1")]
    text = table(
        ("strategy", "(depth, distance)", *head),
        (
            (strategy, f"({pair[0]}, {pair[1]})", *cells(summary))
            for (strategy, pair), summary in summaries.items()
        ),
    )
    title = f"Thresholds (depth, distance), the paper's strategy: {gold.name} pages"
    series = [
        Series(f"{name} F1", [f1(summaries["paper", pair], name) for pair in PAIRS])
        for name in MEASURES
    ]
    labels = [f"({depth}, {distance})" for depth, distance in PAIRS]
    chart_file = f"thresholds-{gold.name}.svg"
    chart = charts.shares(title, labels, series)
    return Finding(f"{text}\n{image(chart_file, title)}", {chart_file: chart})


main = Experiment("thresholds", measure, __doc__)


def cells(summary: Summary) -> list[str]:
    """Return precision, recall and F1 of each measure."""
    return [
        cell for name in MEASURES for cell in measures(summary.measures[name].count)
    ]


def f1(summary: Summary, measure: str) -> float:
    """Return the F1 of a measure."""
    return summary.measures[measure].count.f1
