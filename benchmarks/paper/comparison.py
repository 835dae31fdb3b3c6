"""Comparison: measure MDR, RoadRunner and autoscraper beside this project.

All systems get the same pages, as in the AMBER paper (section 6.3). Each system is
measured on the results that it finds: MDR on lists and records, RoadRunner on values,
autoscraper on the values of each type. This project is counted in the same way.
"""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import charts
from baselines import label_scraper, mdr, roadrunner, scoring
from baselines.label_scraper import LabelScraperError
from baselines.roadrunner import String
from baselines.scoring import Found
from corpus import gold_folder, wrapper_of
from experiment import REAL, Experiment, Finding, GoldSet, described, image
from measurement import types_of
from runs import Job, Runs, Types
from tables import share, table

from amber_wrap.dom.decoding import decode
from amber_wrap.dom.parse import parse
from amber_wrap.engine.output_rows import ExtractedRecord, interpret
from amber_wrap.errors import AmberError
from amber_wrap.evaluation.agreement import comparable
from amber_wrap.evaluation.gold import Corpus, GoldPage, read_corpus
from amber_wrap.evaluation.score import Count
from amber_wrap.evaluation.tasks import TRANSFER, samples_and_targets
from amber_wrap.files import read_saved_page

OURS = "amber-wrap"
"""The name of this project in tables."""
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

Pages = Sequence[GoldPage]
"""The pages that are compared in one job: a single page, or the pages of a site."""
Numbers = Mapping[tuple[str, str, str], tuple[float, float, float]]
"""Precision, recall and F1, by domain, system and measure."""


@dataclass(frozen=True, slots=True)
class Figures:
    """The counts of right results of two systems, on pages of one domain (kind of
    records).

    `pages` is the number of pages. `seconds` are the CPU seconds of each system.
    `counts` has the counts by system and measure. `failure` is an error message, or ""
    if both systems worked.
    """

    domain: str
    pages: int
    seconds: Mapping[str, float]
    counts: Mapping[tuple[str, str], Found]
    failure: str = ""


def measure(gold: GoldSet, runs: Runs, options: Namespace) -> Finding:
    """Return the tables, and a chart for each system that this project is compared
    with.

    If `gold` is the whole real set, real pages of all domains are compared, not only of
    the paper's two domains.
    """
    is_complete = gold.name == REAL and not options.sites
    corpus = read_corpus(gold_folder()) if is_complete else gold.corpus
    tables, numbers = compare_all(corpus, runs, options.cache / SCRAPER)
    charts_by_file = {
        f"comparison-{gold.name}-{name}.svg": drawing(numbers[name], name, gold.name)
        for name in numbers
    }
    chart_links = "".join(map(image, charts_by_file))
    parts = [f"Of all domains: {described(corpus)}.\n"] if is_complete else []
    return Finding("\n".join((*parts, *tables.values(), chart_links)), charts_by_file)


main = Experiment("comparison", measure, __doc__)


def compare_all(
    corpus: Corpus, runs: Runs, scraper_folder: Path
) -> tuple[dict[str, str], dict[str, Numbers]]:
    """Return the tables of compared systems and their numbers, by the name of the
    system.

    autoscraper is installed in `scraper_folder` if missing. If that fails, its table
    says why.
    """
    tables: dict[str, str] = {}
    numbers: dict[str, Numbers] = {}
    pages = [(page,) for page in corpus.pages]
    sites = [(one, *others) for one, others in samples_and_targets(corpus, TRANSFER)]
    sources = [Path(scoring.__file__).parent]
    for name, function, groups, further_arguments, note in (
        ("mdr", regions, pages, (), MDR_NOTE),
        ("roadrunner", attributes, sites, (), ROADRUNNER_NOTE),
        (SCRAPER, labelled, sites, (str(scraper_folder),), SCRAPER_NOTE),
    ):
        try:
            if name == SCRAPER:
                label_scraper.install(scraper_folder)
            jobs = list(jobs_of(corpus, groups, *further_arguments))
            text, numbers[name] = summary(runs.of(function, jobs, sources))
        except LabelScraperError as error:
            text = f"Not measured: {error}.\n"
        tables[name] = f"{note}\n\n{text}"
    return tables, numbers


def jobs_of(
    corpus: Corpus, groups: Iterable[Pages], *further_arguments: str
) -> Iterator[Job]:
    """Yield a job for each group of pages.

    The arguments of the job are the types to be scored, the pages, and further
    arguments.
    """
    types = types_of(corpus)
    for pages in groups:
        yield Job.scored(pages, types[pages[0].domain], pages, *further_arguments)


# --- what systems find on the same pages -----------------------------------------


def regions(types: Types, pages: Pages) -> Figures:
    """Count the data areas (lists) and records that MDR and this project find on a
    page.

    `pages` has exactly one page.
    """
    [page] = pages
    placed_page = scoring.read_places(page, types)
    begin = cpu_seconds()
    mdr_areas = [region.records for region in mdr.mine(parse(page_bytes(page)))]
    middle = cpu_seconds()
    own_areas: dict[str, list[tuple[int, ...]]] = defaultdict(list)
    for record in records_of(page, [page])[0]:
        own_areas[record.area].append(record.rows)
    seconds = {"MDR": middle - begin, OURS: cpu_seconds() - middle}
    counts = {
        (system, measure): (count, count)
        for system, areas in (("MDR", mdr_areas), (OURS, list(own_areas.values())))
        for measure, count in zip(
            ("areas", "records"), scoring.score_areas(placed_page, areas), strict=True
        )
    }
    return Figures(page.domain, 1, seconds, counts)


def attributes(types: Types, pages: Pages) -> Figures:
    """Count the values that RoadRunner and this project find on the pages of a site."""
    # RoadRunner needs many frames for deeply nested pages.
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 20_000))
    placed_pages = [scoring.read_places(page, types) for page in pages]
    begin = cpu_seconds()
    wrapper = roadrunner.induce([parse(page_bytes(page)) for page in pages])
    fields = [field.strings for field in roadrunner.fields(wrapper)]
    middle = cpu_seconds()
    own_values: dict[str, list[String]] = defaultdict(list)
    for number, page in enumerate(pages):
        for record in records_of(page, [page])[0]:
            for name, value in record.values.items():
                string = String(number, value.node, value.source, value.text)
                own_values[name].append(string)
    seconds = {"RoadRunner": middle - begin, OURS: cpu_seconds() - middle}
    counts = {
        (system, measure): found
        for system, slots in (("RoadRunner", fields), (OURS, own_values.values()))
        for measure, found in zip(
            "=~", scoring.score_slots(placed_pages, slots), strict=True
        )
    }
    return Figures(pages[0].domain, len(pages), seconds, counts)


def labelled(types: Types, pages: Pages, folder: str) -> Figures:
    """Count the values of each type that autoscraper and this project find on a site.

    Both learn from the first page. Of several rules that autoscraper learns for a type,
    the one that is best on the first page is counted, because a user would choose so.
    `folder` is the folder in which autoscraper is installed.
    """
    first_record = next((it for area in pages[0].areas for it in area.records), {})
    scored = first_record.keys() - frozenset().union(*(it.unscored for it in pages))
    kinds = {one.name: one.kind for one in types if one.name in scored}

    def count(page: GoldPage, name: str, values: Iterable[str]) -> Count:
        records = (record for area in page.areas for record in area.records)
        gold = (record[name] for record in records if name in record)
        found, wanted = (
            Counter(comparable(kinds[name], value) for value in texts)
            for texts in (values, gold)
        )
        return Count((found & wanted).total(), found.total(), wanted.total())

    begin = cpu_seconds()
    rules, failure = {}, ""
    try:
        wanted_values = {name: first_record[name] for name in kinds}
        bodies = [decode(page_bytes(page)) for page in pages]
        rules = label_scraper.scrape(Path(folder), wanted_values, bodies)
    except LabelScraperError as error:
        failure = f"{pages[0].site}: {error}"
    middle = cpu_seconds()
    own_records = records_of(pages[0], pages)
    seconds = {SCRAPER: middle - begin, OURS: cpu_seconds() - middle}
    counts: dict[tuple[str, str], Count] = defaultdict(Count)
    for name in kinds:
        best_values: Sequence[Sequence[str]] = max(
            rules.get(name, ()),
            key=lambda by_page, name=name: count(pages[0], name, by_page[0]).f1,
            default=[[]] * len(pages),
        )
        for number, page in enumerate(pages):
            role = "others" if number else "sample"
            found = (it.values for it in own_records[number])
            own_values = [values[name].text for values in found if name in values]
            counts[SCRAPER, role] += count(page, name, best_values[number])
            counts[OURS, role] += count(page, name, own_values)
    pairs = {key: (type_count, type_count) for key, type_count in counts.items()}
    return Figures(pages[0].domain, len(pages), seconds, pairs, failure)


def records_of(sample: GoldPage, pages: Pages) -> list[tuple[ExtractedRecord, ...]]:
    """Return the records that rules made from a sample page extract from each page.

    If no rules can be made, there are no records on any page.
    """
    try:
        wrapper = wrapper_of(sample)
    except AmberError:
        return [()] * len(pages)
    return [tuple(interpret(wrapper, parse(page_bytes(page)))) for page in pages]


def page_bytes(page: GoldPage) -> bytes:
    """Return the bytes of a page."""
    return read_saved_page(str(page.path)).body


def cpu_seconds() -> float:
    """Return the CPU seconds of this process and of its ended child processes."""
    return sum(os.times()[:4])


# --- the tables ------------------------------------------------------------------


def summary(all_figures: Sequence[Figures]) -> tuple[str, Numbers]:
    """Return the table of a comparison and its numbers.

    The table has a row for each domain and system. Below it are the sites on which a
    system failed.
    """
    counts: dict[tuple[str, str, str], list[Found]] = defaultdict(list)
    seconds: Counter[tuple[str, str]] = Counter()
    pages: Counter[str] = Counter()
    for figures in all_figures:
        pages[figures.domain] += figures.pages
        for key, found in figures.counts.items():
            counts[figures.domain, *key].append(found)
        for system, system_seconds in figures.seconds.items():
            seconds[figures.domain, system] += system_seconds
    measures = list(dict.fromkeys(measure for _, _, measure in counts))
    numbers, rows = {}, []
    for domain, system in sorted(seconds, key=lambda key: key[0]):
        cells = [domain, str(pages[domain]), system]
        for measure in measures:
            key = domain, system, measure
            numbers[key] = scoring.precision_recall_f1(counts[key])
            cells += map(share, numbers[key])
        rows.append([*cells, f"{seconds[domain, system] / pages[domain]:.2f}"])
    head = [cell for measure in measures for cell in (f"{measure} P", "R", "F1")]
    text = table(("domain", "pages", "system", *head, "CPU s a page"), rows)
    if failures := [f"* {job.failure}\n" for job in all_figures if job.failure]:
        text += "\nNothing found, for it failed:\n\n" + "".join(failures)
    return text, numbers


def drawing(numbers: Numbers, name: str, pages: str) -> str:
    """Return a chart of precision, recall and F1 for each domain, system and measure.

    `name` is the system with which this project is compared. `pages` is the name of the
    set of pages.
    """
    columns = zip(*numbers.values(), strict=True)
    series = dict(zip(("precision", "recall", "F1"), columns, strict=True))
    labels = [" ".join(key) for key in numbers]
    return charts.rows(f"Comparison with {name}: {pages} pages", labels, series)
