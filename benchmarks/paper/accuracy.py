"""Accuracy: measure precision and recall of lists, records and attributes.

A list is called a data area. Figures are given in total, per site and per attribute
type.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence

import charts
from charts import Series
from experiment import Experiment, Finding, GoldSet, image
from measurement import measure as measure_pages
from runs import Runs
from tables import measures, share, table, three_counts

from amber_wrap.evaluation.report import ALL, Figure, Summary, summarise

HEAD = ("domain", "", "right / given / gold", "P", "R", "F1")
"""The column heads that both tables share."""
PER_SITE = ("P per site", "R", "F1")
"""The heads of the columns with precision, recall and F1, averaged over the sites."""
MEASURES = ("areas", "records", "attributes")
"""The measures that the overview chart shows."""


def measure(gold: GoldSet, runs: Runs, options: Namespace) -> Finding:
    """Return tables of all measures and of the attribute types, and two charts for each
    domain."""
    [results] = measure_pages(gold.corpus, runs)
    summaries = summarise(results)
    del summaries[ALL]
    charts_by_file = {
        f"accuracy-{gold.name}-{domain}-{kind}.svg": chart
        for domain, summary in summaries.items()
        for kind, chart in drawings(f"{domain}, {gold.name} pages", summary)
    }
    chart_links = list(map(image, charts_by_file))
    overview_links, type_links = chart_links[::2], chart_links[1::2]
    return Finding(
        table((*HEAD, *PER_SITE), rows(summaries))
        + "\n"
        + "".join(overview_links)
        + "\nBy attribute type:\n\n"
        + table(HEAD, type_rows(summaries))
        + "\n"
        + "".join(type_links),
        charts_by_file,
    )


main = Experiment("accuracy", measure, __doc__)


def rows(summaries: Mapping[str, Summary]) -> Iterator[Sequence[str]]:
    """Yield a table row for each domain and each measure, such as "records" or "perfect
    records" (records with exactly the right values)."""
    for domain, summary in summaries.items():
        for name, figure in summary.measures.items():
            site_mean = figure.per_site
            per_site = (site_mean.precision, site_mean.recall, site_mean.f1)
            yield (
                domain,
                name,
                three_counts(figure.count),
                *measures(figure.count),
                *map(share, per_site),
            )


def type_rows(summaries: Mapping[str, Summary]) -> Iterator[Sequence[str]]:
    """Yield a row for each domain and attribute type."""
    for domain, summary in summaries.items():
        for name, figure in summary.types.items():
            yield domain, name, three_counts(figure.count), *measures(figure.count)


def drawings(title: str, summary: Summary) -> Iterator[tuple[str, str]]:
    """Yield the two charts of a domain: the paper's overview, and the attribute
    types."""
    figures = {name: summary.measures[name] for name in MEASURES}
    yield "overview", drawing(f"Accuracy: {title}", figures)
    yield "types", drawing(f"Accuracy per attribute type: {title}", summary.types)


def drawing(title: str, figures: Mapping[str, Figure]) -> str:
    """Return a chart of precision and recall."""
    counts = [figure.count for figure in figures.values()]
    series = [
        Series("precision", [count.precision for count in counts]),
        Series("recall", [count.recall for count in counts]),
    ]
    return charts.shares(title, list(figures), series)
