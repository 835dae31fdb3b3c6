"""Large scale: measure records and attribute frequencies on 500 generated sites.

The AMBER paper (section 6.2) counts the records that it expects on 2,215 pages. It
compares the frequencies of attribute types with those of its gold standard, because
nobody can annotate so many pages. Here, the records of the generated pages are known.
AMBER analyses each page by itself. Accordingly, a wrapper is induced from each page and
run on this page only.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from dataclasses import dataclass

import charts
from charts import Series
from experiment import SYNTHETIC, Experiment, Finding, GoldSet, image
from measurement import measure as measure_pages
from runs import Runs
from synthetic.corpus import LARGE
from tables import measures, share, table

from amber_wrap.evaluation.score import Score, total_score
from amber_wrap.evaluation.tasks import Result

RECORDS = ("records expected", "found", "of these right", "P", "R", "F1")
"""The heads of the columns about records."""
HEAD = ("pages", "with another number of records", *RECORDS)
"""The head of the table of records."""


def measure(gold: GoldSet, runs: Runs, options: Namespace) -> Finding:
    """Return tables of records and of frequencies, and a chart of the frequencies."""
    [results] = measure_pages(gold.corpus, runs)
    score = total_score(result.score for result in results)
    records = score.records
    differing = sum(map(differs, results))
    numbers = len(results), differing, records.gold, records.given, records.right
    counts = table(HEAD, [(*map("{:,}".format, numbers), *measures(records))])
    shares = list(frequencies(score))
    series = [
        Series("in the truth", [frequency.truth for frequency in shares]),
        Series("in the output", [frequency.output for frequency in shares]),
    ]
    text = table(
        ("type", *(column.name for column in series), "deviation"),
        (
            (one.type, share(one.truth), share(one.output), one.deviation)
            for one in shares
        ),
    )
    title = "Attribute frequencies: records that have a value of the type"
    chart_file = "largescale-frequencies.svg"
    chart = charts.rows(title, [frequency.type for frequency in shares], series)
    links = image(chart_file, title)
    return Finding(f"{counts}\n{text}\n{links}", {chart_file: chart})


main = Experiment("largescale", measure, __doc__, (SYNTHETIC,), {"real-estate": LARGE})


@dataclass(frozen=True, slots=True)
class Frequency:
    """The share of records that have a value of a type, in the truth and in the
    output."""

    type: str
    truth: float
    output: float

    @property
    def deviation(self) -> str:
        """The deviation of the output from the truth, in percent of the truth; a dash
        if no record of the truth has a value of the type."""
        percent_change = 100 * (self.output / self.truth - 1) if self.truth else None
        return "–" if percent_change is None else f"{percent_change:+.1f} %"


def frequencies(score: Score) -> Iterator[Frequency]:
    """Yield the frequencies of the types that occur, in the order of the schema."""
    for name, count in score.types.items():
        if count.gold or count.given:
            true_share = count.gold / (score.records.gold or 1)
            yield Frequency(name, true_share, count.given / (score.records.given or 1))


def differs(result: Result) -> bool:
    """Return whether the number of records found differs from that of the gold."""
    return result.score.records.given != result.score.records.gold
