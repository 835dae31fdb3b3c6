"""Comparison: MDR, RoadRunner and autoscraper on the same pages (section 6.3).

Each is measured on what it finds at all: MDR on data areas and records, RoadRunner on
attributes, autoscraper on the values of each type; what it finds beside is left out,
and this project is counted in the same way.
"""

from __future__ import annotations

from argparse import Namespace
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import charts
from baselines import contest, label_scraper, slots
from baselines.contest import Figures
from baselines.label_scraper import LabelScraperError
from charts import Series
from corpora import REAL, GoldSet, described
from corpus import gold_folder
from experiment import Experiment, Finding, image
from measurement import types_of
from runs import Job, Runs
from tables import share, table

from amber_wrap.domain.schema import AttributeType
from amber_wrap.evaluation.gold import Corpus, GoldPage, read_corpus
from amber_wrap.evaluation.tasks import TRANSFER, samples

BASELINES = Path(contest.__file__).parent

Types = tuple[AttributeType, ...]
Key = tuple[str, str, str, str]
"""The table, the domain, the system and the measure of a number."""
Three = tuple[float, float, float]
"""Precision, recall and F1."""


@dataclass(frozen=True, slots=True)
class Made:
    """The tables by name, and the numbers in them."""

    tables: Mapping[str, str]
    numbers: Mapping[Key, Three]


def measure(gold: GoldSet, runs: Runs, options: Namespace) -> Finding:
    """Return the tables, and a chart for each other system.

    Of the real set all domains are compared, not the paper's two alone.
    """
    whole = gold.name == REAL and not options.sites
    corpus = read_corpus(gold_folder()) if whole else gold.corpus
    made = make(corpus, runs, options.cache / "autoscraper")
    drawn = {
        f"comparison-{gold.name}-{name}.svg": drawing(made, name, gold.name)
        for name in made.tables
        if any(key[0] == name for key in made.numbers)
    }
    links = "".join(map(image, drawn))
    told = [f"Of all domains: {described(corpus)}.\n"] if whole else []
    return Finding("\n".join((*told, *made.tables.values(), links)), drawn)


EXPERIMENT = Experiment("comparison", measure, __doc__)
main = EXPERIMENT.run


def make(corpus: Corpus, runs: Runs, scraper: Path) -> Made:
    """Measure all; `scraper` is the folder where autoscraper is, or is put."""
    tables, numbers = {}, dict[Key, Three]()
    for name, function, jobs, note in (
        ("mdr", contest.regions, page_jobs(corpus), MDR_NOTE),
        ("roadrunner", contest.attributes, site_jobs(corpus), ROADRUNNER_NOTE),
    ):
        lines, more = summary(name, runs.of(function, list(jobs), [BASELINES]))
        tables[name], numbers = f"{note}\n\n{lines}", numbers | more
    tables["autoscraper"], more = with_labels(corpus, runs, scraper)
    return Made(tables, numbers | more)


MDR_NOTE = """\
Data areas and records, of pages each analysed alone. Areas that show nothing of a gold
record are left out; what agrees shares more than half of the texts and images."""
ROADRUNNER_NOTE = """\
Attributes, of sites with two pages or more. "=": the string is the gold value; "~": the
gold value is a part of it. Left out are strings outside of records, repeated URLs,
descriptions, and slots most of whose strings hold no gold value."""
SCRAPER_NOTE = """\
Values of the types that the first record of a template's first page has, which is what
autoscraper is given; "sample" is that page, "others" are the further ones."""


def with_labels(
    corpus: Corpus, runs: Runs, scraper: Path
) -> tuple[str, dict[Key, Three]]:
    """Return the table of autoscraper and the sites where it fails, or why there is
    none.
    """
    try:
        label_scraper.install(scraper)
    except LabelScraperError as error:
        return f"{SCRAPER_NOTE}\n\nNot measured: {error}.\n", {}
    jobs = list(site_jobs(corpus, str(scraper)))
    found = runs.of(contest.labelled, jobs, [BASELINES])
    lines, numbers = summary("autoscraper", found)
    failures = [one.failure for one in found if one.failure]
    if failures:
        lines += "\nNothing found, for it failed:\n\n"
        lines += "".join(f"* {failure}\n" for failure in failures)
    return f"{SCRAPER_NOTE}\n\n{lines}", numbers


# --- what is asked ---------------------------------------------------------------


def page_jobs(corpus: Corpus) -> Iterator[Job]:
    """Yield a job for each page."""
    types = types_of(corpus)
    for page in corpus.pages:
        yield job([page], types[page.domain])


def site_jobs(corpus: Corpus, *more: str) -> Iterator[Job]:
    """Yield a job for each site with two pages or more of one template."""
    types = types_of(corpus)
    for first, others in samples(corpus, TRANSFER):
        yield job([first, *others], types[first.domain], *more)


def job(pages: Sequence[GoldPage], types: Types, *more: str) -> Job:
    names = " ".join(one.name for one in types)
    return Job.on(pages, names, tuple(pages), types, *more)


# --- the tables ------------------------------------------------------------------


def summary(name: str, found: Sequence[Figures]) -> tuple[str, dict[Key, Three]]:
    """Return the table of a comparison, a row for each domain and system, and its
    numbers.
    """
    totals: dict[tuple[str, str, str], slots.Found] = defaultdict(slots.Found)
    seconds: Counter[tuple[str, str]] = Counter()
    pages: Counter[str] = Counter()
    for one in found:
        pages[one.domain] += one.pages
        for key, count in one.counts.items():
            system, _, measure = key.partition("/")
            totals[one.domain, system, measure] += count
        for system, spent in one.seconds.items():
            seconds[one.domain, system] += spent
    measures = list(dict.fromkeys(measure for _, _, measure in totals))
    rows = []
    numbers = {}
    for domain in sorted(pages):
        for system in [s for d, s in seconds if d == domain]:
            scores = [totals[domain, system, measure] for measure in measures]
            for measure, score in zip(measures, scores, strict=True):
                three = score.precision, score.recall, score.f1
                numbers[name, domain, system, measure] = three
            cells = [share(x) for s in scores for x in (s.precision, s.recall, s.f1)]
            spent = f"{seconds[domain, system] / pages[domain]:.2f}"
            rows.append((domain, str(pages[domain]), system, *cells, spent))
    head = [cell for measure in measures for cell in (f"{measure} P", "R", "F1")]
    return table(("domain", "pages", "system", *head, "CPU s a page"), rows), numbers


def drawing(made: Made, name: str, pages: str) -> str:
    """Draw precision, recall and F1 for each domain, system and measure."""
    numbers = {key[1:]: three for key, three in made.numbers.items() if key[0] == name}
    labels = [" ".join(key) for key in numbers]
    series = [
        Series(kind, [three[i] for three in numbers.values()])
        for i, kind in enumerate(("precision", "recall", "F1"))
    ]
    return charts.rows(f"Comparison with {name}: {pages} pages", labels, series)
