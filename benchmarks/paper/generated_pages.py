"""Describe the generated pages, and measure the accuracy on 500 sites.

`NOISE` compares the size and the noise of the generated pages with the corpora of the
AMBER paper (section 6.1). `LARGESCALE` measures records on many pages, and how often
records have a value of each type (section 6.2). The paper only estimates this, because
nobody can annotate so many pages. Here, all records are known.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

import charts
import synthetic as generator
from experiment import SYNTHETIC, Experiment, Finding, GoldSet, image
from measurement import measure
from runs import Job, Runs
from synthetic import census, corpus
from tables import measures, share, table

from amber_wrap.evaluation.score import Score, total_score

PAPER = {
    "pages": ("281", "151"),
    "sites": ("150", "100"),
    "records": ("2,785", "1,608"),
    "attributes": ("14,614", "12,732"),
    "attribute types": ("9", "12"),
    "pages with something at the head or tail of an area": ("50 %", "50 %"),
    "pages with false annotations of prices": ("70 %", "70 %"),
    "false annotations of prices a page": ("about 22", "about 22"),
    "pages with false annotations of locations": ("100 %", "100 %"),
    "false annotations of locations a page": ("more than 50", "more than 50"),
    "locations without an annotation": ("about 20 %", "about 20 %"),
    "pages with several data areas": ("", ""),
    "towns and hamlets that no list has": ("", ""),
}
"""The sizes and the noise that the paper reports (section 6.1): homes, then cars."""


def measure_noise(gold: GoldSet, runs: Runs, options: Namespace) -> Finding:
    """Return a table of the sizes and the noise of a set of pages.

    For each domain, there is a chart of the number of records on a page.
    """
    domains = list(dict.fromkeys(page.domain for page in gold.corpus.pages))
    folder = gold.corpus.pages[0].path.parents[3]
    jobs = [
        Job.on(gold.corpus.of_domain(domain).pages, domain, folder, domain)
        for domain in domains
    ]
    sources = [Path(generator.__file__ or "").parent]
    censuses = runs.of(census.statistics, jobs, sources)
    rows = [[figure] for figure in PAPER]
    head, charts_by_file = [""], {}
    for domain, found in zip(domains, censuses, strict=True):
        head += [f"{domain}, paper", domain]
        column = list(corpus.PAPER).index(domain)
        for row in rows:
            row += [PAPER[row[0]][column], found.figures[row[0]]]
        sizes = dict(sorted(found.sizes.items()))
        charts_by_file[f"noise-{domain}.svg"] = charts.rows(
            f"Pages by their number of records: {domain}, generated",
            [f"{number} records" for number in sizes],
            {"pages": list(sizes.values())},
            high=max(sizes.values()),
            form="{:.0f}".format,
        )
    chart_links = "".join(map(image, charts_by_file))
    return Finding(f"{table(head, rows)}\n{chart_links}", charts_by_file)


NOISE = Experiment(
    "noise",
    measure_noise,
    "Noise: how large and how noisy the generated set is, beside the paper's corpora.",
    (SYNTHETIC,),
)

# --- large scale --------------------------------------------------------------------

RECORDS = ("records expected", "found", "of these right", "P", "R", "F1")
"""The heads of the columns that have numbers of records."""
HEAD = ("pages", "with another number of records", *RECORDS)
"""The head of the table of records."""


def measure_largescale(gold: GoldSet, runs: Runs, options: Namespace) -> Finding:
    """Return tables of found records and of values by attribute type, and a chart.

    The second table and the chart show how many records have a value of each type.
    """
    [results] = measure(gold.corpus, runs)
    score = total_score(result.score for result in results)
    records = score.records
    differing = sum(it.score.records.given != it.score.records.gold for it in results)
    numbers = len(results), differing, records.gold, records.given, records.right
    counts = table(HEAD, [(*map("{:,}".format, numbers), *measures(records))])
    names, truths, outputs = zip(*frequencies(score), strict=True)
    series = {"in the truth": truths, "in the output": outputs}
    rows = [
        (name, share(truth), share(output), deviation(truth, output))
        for name, truth, output in frequencies(score)
    ]
    text = table(("type", *series, "deviation"), rows)
    title = "Attribute frequencies: records that have a value of the type"
    chart_file = "largescale-frequencies.svg"
    chart = charts.rows(title, names, series)
    links = image(chart_file, title)
    return Finding(f"{counts}\n{text}\n{links}", {chart_file: chart})


LARGESCALE = Experiment(
    "largescale",
    measure_largescale,
    "Large scale: measure records and attribute frequencies on 500 generated sites.",
    (SYNTHETIC,),
    {"real-estate": corpus.LARGE},
)


def frequencies(score: Score) -> Iterator[tuple[str, float, float]]:
    """Yield each attribute type with the shares of records that have a value of the
    type.

    The first share is that of known records, the second that of extracted records.
    Types without any value are left out.
    """
    for name, count in score.types.items():
        if count.gold or count.given:
            true_share = count.gold / (score.records.gold or 1)
            yield name, true_share, count.given / (score.records.given or 1)


def deviation(truth: float, output: float) -> str:
    """Return by how many percent a share in the output deviates from the true share.

    Return a dash if the true share is 0.
    """
    return f"{100 * (output / truth - 1):+.1f} %" if truth else "–"
