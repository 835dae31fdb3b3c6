"""Noise: how large and how noisy the generated set is, beside the paper's corpora."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import charts
import synthetic as generator
from charts import Series
from corpora import SYNTHETIC, GoldSet
from experiment import Experiment, Finding, image
from runs import Job, Runs
from synthetic import census
from tables import table

ROWS = ("pages", "sites", "records", "attributes", "attribute types")
"""The sizes that the paper reports for both domains (section 6.1)."""
PAPER = {
    "real-estate": ("281", "150", "2,785", "14,614", "9"),
    "used-cars": ("151", "100", "1,608", "12,732", "12"),
}
NOISE = {
    "pages with something at the head or tail of an area": "50 %",
    "pages with false annotations of prices": "70 %",
    "false annotations of prices a page": "about 22",
    "pages with false annotations of locations": "100 %",
    "false annotations of locations a page": "more than 50",
    "locations without an annotation": "about 20 %",
    "pages with several data areas": "",
    "towns and hamlets that no list has": "",
}
"""The noise that the paper reports for both domains together."""


def measure(gold: GoldSet, runs: Runs, options: Namespace) -> Finding:
    """Return a table of sizes and noise, and a chart of the records a page."""
    domains = list(dict.fromkeys(page.domain for page in gold.corpus.pages))
    folder = gold.corpus.pages[0].path.parents[3]
    code = Path(generator.__file__ or "").parent
    jobs = [
        Job.on(gold.corpus.of_domain(domain).pages, domain, folder, domain)
        for domain in domains
    ]
    found = dict(zip(domains, runs.of(counted, jobs, [code]), strict=True))
    head = [cell for domain in domains for cell in (f"{domain}, paper", domain)]
    sizes = [
        (what, *(c for d in domains for c in (PAPER[d][row], found[d]["size"][row])))
        for row, what in enumerate(ROWS)
    ]
    noise = [
        (what, *(c for d in domains for c in (told, found[d]["noise"][row])))
        for row, (what, told) in enumerate(NOISE.items())
    ]
    drawn = {
        f"noise-{domain}.svg": drawing(domain, one["sizes"])
        for domain, one in found.items()
    }
    links = "".join(map(image, drawn))
    return Finding(table(("", *head), [*sizes, *noise]) + "\n" + links, drawn)


EXPERIMENT = Experiment("noise", measure, __doc__, (SYNTHETIC,))
main = EXPERIMENT.run


def counted(folder: Path, domain: str) -> dict[str, Any]:
    """Return the cells of a domain, and how many pages have so many records."""
    one = census.statistics(folder, domain)
    values = sum(one.attributes.values())
    counts = (one.pages, one.sites, one.records, values, len(one.attributes))
    shares = (
        f"{one.head_or_tail:.0%}",
        f"{one.noisy('price'):.0%}",
        f"{one.mean_false('price'):.1f}",
        f"{one.noisy('location'):.0%}",
        f"{one.mean_false('location'):.1f}",
        f"{one.missed['location']:.0%}",
        f"{one.several_areas:.0%}",
        f"{one.unlisted:.0%}",
    )
    return {
        "size": [f"{number:,}" for number in counts],
        "noise": [cell.replace("%", " %") for cell in shares],
        "sizes": {str(number): one.sizes[number] for number in sorted(one.sizes)},
    }


def drawing(domain: str, sizes: Mapping[str, int]) -> str:
    """Draw how many pages have so many records."""
    labels = [f"{number} records" for number in sizes]
    series = [Series("pages", list(sizes.values()))]
    high = max(sizes.values())
    title = f"Pages by their number of records: {domain}, generated"
    return charts.rows(title, labels, series, high=high, form=lambda n: f"{n:.0f}")
