"""Comparison: measure MDR, RoadRunner and autoscraper beside this project.

All systems get the same pages, as in the AMBER paper (section 6.3). Each system is
measured on the kind of result that it finds: MDR on data areas (lists) and records,
RoadRunner on attributes, autoscraper on the values of each type. Other results are left
out, and this project is counted in the same way.
"""

from __future__ import annotations

from argparse import Namespace
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import charts
from baselines import contest, label_scraper, scoring
from baselines.contest import Figures
from baselines.label_scraper import LabelScraperError
from charts import Series
from corpus import gold_folder
from experiment import REAL, Experiment, Finding, GoldSet, described, image
from measurement import types_of
from runs import Job, Runs
from tables import share, table

from amber_wrap.evaluation.gold import Corpus, GoldPage, read_corpus
from amber_wrap.evaluation.tasks import TRANSFER, samples_and_targets

BASELINES = Path(contest.__file__).parent
"""The folder of the systems that are compared."""

Pages = tuple[GoldPage, ...]
"""The pages that are compared in one job: a single page, or the pages of a site."""
Numbers = Mapping[tuple[str, str, str], tuple[float, float, float]]
"""Precision, recall and F1, by domain, system and measure."""


@dataclass(frozen=True, slots=True)
class ComparisonTables:
    """The tables in Markdown and the numbers in them, by the name of the other
    system."""

    tables: Mapping[str, str]
    numbers: Mapping[str, Numbers]


def measure(gold: GoldSet, runs: Runs, options: Namespace) -> Finding:
    """Return the tables, and a chart for each other system.

    If `gold` is the whole real set, the real pages of all domains are compared, not
    only those of the paper's two domains.
    """
    is_complete = gold.name == REAL and not options.sites
    corpus = read_corpus(gold_folder()) if is_complete else gold.corpus
    comparison = compare_all(corpus, runs, options.cache / "autoscraper")
    charts_by_file = {
        f"comparison-{gold.name}-{name}.svg": drawing(numbers, name, gold.name)
        for name, numbers in comparison.numbers.items()
    }
    chart_links = "".join(map(image, charts_by_file))
    parts = [f"Of all domains: {described(corpus)}.\n"] if is_complete else []
    return Finding(
        "\n".join((*parts, *comparison.tables.values(), chart_links)), charts_by_file
    )


main = Experiment("comparison", measure, __doc__)


def compare_all(corpus: Corpus, runs: Runs, scraper_folder: Path) -> ComparisonTables:
    """Measure all systems, and return tables and numbers.

    autoscraper is installed in `scraper_folder` if missing. If that fails, its table
    has the reason.
    """
    tables: dict[str, str] = {}
    numbers: dict[str, Numbers] = {}
    pages = [(page,) for page in corpus.pages]
    sites = [
        (first, *other_pages)
        for first, other_pages in samples_and_targets(corpus, TRANSFER)
    ]
    scraper_jobs = jobs_of(corpus, sites, str(scraper_folder))
    for name, function, jobs, note in (
        ("mdr", contest.regions, jobs_of(corpus, pages), MDR_NOTE),
        ("roadrunner", contest.attributes, jobs_of(corpus, sites), ROADRUNNER_NOTE),
        (SCRAPER, contest.labelled, scraper_jobs, SCRAPER_NOTE),
    ):
        try:
            if name == SCRAPER:
                label_scraper.install(scraper_folder)
            figures = runs.of(function, list(jobs), [BASELINES])
            text, numbers[name] = summary(figures)
        except LabelScraperError as error:
            text = f"Not measured: {error}.\n"
        tables[name] = f"{note}\n\n{text}"
    return ComparisonTables(tables, numbers)


SCRAPER = "autoscraper"
"""The name of autoscraper in tables and files."""
MDR_NOTE = """\
Data areas and records, of pages each analysed alone. Areas that show nothing of a gold
record are left out; what agrees shares more than half of the texts and images."""
"""The text above the table of MDR."""
ROADRUNNER_NOTE = """\
Attributes, of sites with two pages or more. "=": the string is the gold value; "~": the
gold value is a part of it. Left out are strings outside of records, repeated URLs,
descriptions, and slots most of whose strings hold no gold value."""
"""The text above the table of RoadRunner."""
SCRAPER_NOTE = """\
Values of the types that the first record of a template's first page has, which is what
autoscraper is given; "sample" is that page, "others" are the further ones."""
"""The text above the table of autoscraper."""


# --- what is asked ---------------------------------------------------------------


def jobs_of(
    corpus: Corpus, groups: Iterable[Pages], *further_arguments: str
) -> Iterator[Job]:
    """Yield a job for each group of pages.

    A job has the arguments of a function: the pages, their types, and
    `further_arguments`.
    """
    types_by_domain = types_of(corpus)
    for pages in groups:
        types = types_by_domain[pages[0].domain]
        names = " ".join(kind.name for kind in types)
        yield Job.on(pages, names, pages, types, *further_arguments)


# --- the tables ------------------------------------------------------------------


def summary(all_figures: Sequence[Figures]) -> tuple[str, Numbers]:
    """Return the table of a comparison and its numbers.

    The table has a row for each domain and system. Below it are the sites on which a
    system failed.
    """
    counts: dict[tuple[str, ...], scoring.Found] = defaultdict(scoring.Found)
    seconds: Counter[tuple[str, str]] = Counter()
    pages: Counter[str] = Counter()
    for figures in all_figures:
        pages[figures.domain] += figures.pages
        for key, count in figures.counts.items():
            counts[figures.domain, *key.split("/")] += count
        for system, system_seconds in figures.seconds.items():
            seconds[figures.domain, system] += system_seconds
    measures = list(dict.fromkeys(measure for _, _, measure in counts))
    numbers, rows = {}, []
    for domain, system in sorted(seconds, key=lambda key: key[0]):
        cells = [domain, str(pages[domain]), system]
        for measure in measures:
            count = counts[domain, system, measure]
            figures = count.precision, count.recall, count.f1
            numbers[domain, system, measure] = figures
            cells += map(share, figures)
        rows.append([*cells, f"{seconds[domain, system] / pages[domain]:.2f}"])
    head = [cell for measure in measures for cell in (f"{measure} P", "R", "F1")]
    text = table(("domain", "pages", "system", *head, "CPU s a page"), rows)
    if failures := [f"* {job.failure}\n" for job in all_figures if job.failure]:
        text += "\nNothing found, for it failed:\n\n" + "".join(failures)
    return text, numbers


def drawing(numbers: Numbers, name: str, pages: str) -> str:
    """Return a chart of precision, recall and F1 for each domain, system and
    measure."""
    kinds = ("precision", "recall", "F1")
    columns = zip(*numbers.values(), strict=True)
    series = [Series(kind, column) for kind, column in zip(kinds, columns, strict=True)]
    labels = [" ".join(key) for key in numbers]
    return charts.rows(f"Comparison with {name}: {pages} pages", labels, series)
