"""Noise: how large and how noisy the generated set is, beside the paper's corpora."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping
from pathlib import Path

import charts
import synthetic as generator
from charts import Series
from experiment import SYNTHETIC, Experiment, Finding, GoldSet, image
from runs import Job, Runs
from synthetic import census
from synthetic.corpus import PAPER as SIZES
from tables import table

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


def measure(gold: GoldSet, runs: Runs, options: Namespace) -> Finding:
    """Return a table of sizes and noise, and a chart of the number of records on a page
    for each domain."""
    domains = list(dict.fromkeys(page.domain for page in gold.corpus.pages))
    folder = gold.corpus.pages[0].path.parents[3]
    generator_folder = Path(generator.__file__ or "").parent
    jobs = [
        Job.on(gold.corpus.of_domain(domain).pages, domain, folder, domain)
        for domain in domains
    ]
    census_by_domain = dict(
        zip(domains, runs.of(census.statistics, jobs, [generator_folder]), strict=True)
    )
    head = [cell for domain in domains for cell in (f"{domain}, paper", domain)]
    paper_columns = dict(zip(SIZES, zip(*PAPER.values(), strict=True), strict=True))
    rows = []
    for number, figure in enumerate(PAPER):
        rows.append([figure])
        for domain in domains:
            measured_figure = census_by_domain[domain].figures[figure]
            rows[-1] += [paper_columns[domain][number], measured_figure]
    charts_by_file = {
        f"noise-{domain}.svg": drawing(domain, domain_census.sizes)
        for domain, domain_census in census_by_domain.items()
    }
    chart_links = "".join(map(image, charts_by_file))
    return Finding(table(("", *head), rows) + "\n" + chart_links, charts_by_file)


main = Experiment("noise", measure, __doc__, (SYNTHETIC,))


def drawing(domain: str, sizes: Mapping[int, int]) -> str:
    """Return a chart of the number of pages by their number of records."""
    labels = [f"{number} records" for number in sorted(sizes)]
    series = [Series("pages", [sizes[number] for number in sorted(sizes)])]
    most_pages = max(sizes.values())
    title = f"Pages by their number of records: {domain}, generated"
    return charts.rows(
        title, labels, series, high=most_pages, form=lambda n: f"{n:.0f}"
    )
