"""Measure what it costs to make extraction rules (a wrapper) from a page.

    python benchmarks/induce_cost.py [--filter TEXT] [--write]

The unit is the time in which lxml parses the page. CPU time is measured in one process,
also for searching the page for a long list of words. Further tables have the costs of
whole processes, and of pages with more and more records. `--write` writes the tables
and the chart for docs/performance.md.
"""

from __future__ import annotations

import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from resource import RUSAGE_CHILDREN, getrusage

from charts import lines
from commands import command_line
from corpus import ROOT, gold_folder
from made_pages import homes, word
from tables import PERFORMANCE, percentile, publish, table
from timing import bare_parse, timed

from amber_wrap import pipeline
from amber_wrap.annotate.annotate_page import annotate, annotators, readers
from amber_wrap.annotate.annotator import Annotator, Texts
from amber_wrap.annotate.gazetteer_annotator import GazetteerAnnotator
from amber_wrap.annotate.locale import for_locale, locale_of
from amber_wrap.annotate.plugin_annotators import PluginAnnotator
from amber_wrap.dom.parse import parse
from amber_wrap.domain.loader import load_domain
from amber_wrap.domain.plugins import load_plugin
from amber_wrap.domain.schema import Domain, Gazetteer
from amber_wrap.errors import NothingFoundError
from amber_wrap.evaluation.gold import GoldPage, read_corpus
from amber_wrap.passes.analysis import parse_samples
from amber_wrap.pipeline import Watch, compile_wrapper
from amber_wrap.settings import Source

CHART = PERFORMANCE.parent / "charts" / "induce-growth.svg"
"""The file of the chart."""
SAMPLE = ROOT / "tests" / "golden" / "property-list" / "sample.html"
"""The page from which a wrapper is made to measure whole processes."""
_STEPS = (("pages", parse_samples), *pipeline.ANALYSIS, *pipeline.GENERALISATION)
PASSES = {name: function.__name__ for name, function in _STEPS}
"""The steps of making a wrapper whose time is measured.

The keys are the names of the results of steps, and the values are the names of
functions.
"""
RECORDS = (10, 100, 1000, 5000)
"""The numbers of records on the pages that show how time grows."""
LONG_LIST, TERMS = "long list", 40_000
"""The name of a long list of words that is searched for on pages, and its length."""
EXTRA = ("uk-postcode", "phone", "price", "written-date")
"""The names of annotators that a domain may use besides its own.

An annotator finds values, such as prices, on pages.
"""
ROUNDS, PROCESSES = 5, 5
"""Two numbers of repetitions, of measurements and of processes, whose median is
taken.
"""

Seconds = dict[str, float]
"""CPU seconds by the name of the step of making a wrapper."""


def main() -> None:
    """Measure the costs, and print the tables.

    With `--write`, write them to docs/performance.md with the chart.
    """
    parser = command_line(__doc__, "--filter", "--write")
    arguments = parser.parse_args()
    corpus = read_corpus(gold_folder())
    pages = [page for page in corpus.pages if arguments.filter in page.site]
    growth = {count: growth_of(count) for count in RECORDS}
    tables = {
        "induce-passes": passes_table(list(costs(pages))),
        "induce-processes": processes_table(),
        "induce-growth": growth_table(growth),
    }
    publish(tables, PERFORMANCE, arguments.write)
    if arguments.write:
        CHART.write_text(chart(growth), "utf-8", newline="\n")


# --- pages ---------------------------------------------------------------------------


def costs(pages: Sequence[GoldPage]) -> Iterator[Seconds]:
    """Yield for each page how long making a wrapper takes, in multiples of a bare
    parse.

    There is a time for each step, for the code outside of the steps ("other"), and for
    the whole ("all"). The keys `LONG_LIST` and `EXTRA` have the time in which a page is
    searched for a long list of words, or for values such as phone numbers.
    """
    domains = {page.domain: load_domain(page.domain) for page in pages}
    others: dict[str, Annotator] = {LONG_LIST: GazetteerAnnotator({"term": [terms()]})}
    others |= {name: PluginAnnotator("kind", load_plugin(name)) for name in EXTRA}
    for page in pages:  # Words of a language are loaded once in a process.
        parsed_page = parse(page.path.read_bytes())
        domain = for_locale(domains[page.domain], locale_of(parsed_page))
        # Patterns are compiled when a page first needs them.
        annotate(parsed_page, domain.schema, annotators(domain))
        readers(domain)
    for page in pages:
        body = page.path.read_bytes()
        parse_seconds = bare_parse_seconds(body)
        spent = induced(body, domains[page.domain])
        spent |= {name: annotated(body, others[name]) for name in others}
        yield {name: seconds / parse_seconds for name, seconds in spent.items()}


def induced(body: bytes, domain: Domain) -> Seconds:
    """Return the CPU time of each step of making a wrapper from a page.

    The key "other" has the time of all code outside of the steps. The key "all" has the
    time of the whole.
    """
    starts: list[tuple[str, float]] = []

    def watch(name: str) -> None:
        starts.append((name, time.process_time()))

    total = timed(lambda: induce(body, domain, watch))
    spent = {**dict.fromkeys(PASSES.values(), 0.0), "other": total, "all": total}
    for (name, begin), (_, end) in pairwise(starts):
        spent[PASSES[name]] = end - begin
        spent["other"] -= end - begin
    return spent


def annotated(body: bytes, annotator: Annotator) -> float:
    """Return the CPU time in which an annotator searches the texts of a page for
    values.
    """
    page = parse(body)
    texts = Texts(page)
    return timed(lambda: list(annotator.annotate(page, texts)))


def induce(body: bytes, domain: Domain, watch: Watch = str) -> int:
    """Make a wrapper (extraction rules), and return the number of records on the page.

    Return 0 if no list is found. `watch` is told about each step, to measure its time.
    """
    try:
        sources = [Source("page.html", body)]
        compilation = compile_wrapper(sources, [domain], watch=watch)
    except NothingFoundError:
        return 0
    return compilation.analysis.record_count


def terms() -> Gazetteer:
    """Return a long list of words to search for, few of which occur on any page."""
    names = (f"{word(i)} {word(i * 7 + 3)}" for i in range(TERMS))
    return Gazetteer("long", tuple(dict.fromkeys(names)), "made up", "CC0")


def bare_parse_seconds(body: bytes) -> float:
    """Return the CPU time in which lxml parses a page, doing nothing else."""
    return statistics.median(timed(lambda: bare_parse(body)) for _ in range(ROUNDS))


# --- processes -----------------------------------------------------------------------


def processes() -> Iterator[tuple[str, float]]:
    """Yield command lines, each with the CPU seconds of its process."""
    with tempfile.TemporaryDirectory() as folder:
        sample = shutil.copy(SAMPLE, folder)
        for words in (
            ["--version"],
            ["induce", "--domain", "real-estate", sample, "-o", "-"],
            ["induce", sample, "-o", "-"],
        ):
            call = " ".join(["amber-wrap", *words]).replace(sample, "SAMPLE")
            yield call, statistics.median(process(words) for _ in range(PROCESSES))


def process(words: Sequence[str]) -> float:
    """Return the CPU seconds of one process of `amber-wrap`.

    `words` are the arguments of the command.
    """
    start = "from amber_wrap.cli import main; main()"
    command = [sys.executable, "-c", start, *words]
    return timed(
        lambda: subprocess.run(command, check=True, capture_output=True),
        clock=lambda: sum(getrusage(RUSAGE_CHILDREN)[:2]),
    )


# --- growth --------------------------------------------------------------------------


def growth_of(count: int) -> tuple[float, float]:
    """Return the CPU time of making a wrapper from a page, and that of parsing it.

    The page has `count` records.
    """
    body = homes(count)
    domain = load_domain("real-estate")
    induce(homes(10), domain)
    return timed(lambda: induce(body, domain)), bare_parse_seconds(body)


# --- tables --------------------------------------------------------------------------


def passes_table(page_costs: Sequence[Mapping[str, float]]) -> str:
    """Return the table of the CPU time of each step of making a wrapper.

    A time is given in multiples of a bare parse by lxml, and as a share of the whole
    time.
    """
    total = sum(costs_of_page["all"] for costs_of_page in page_costs)
    rows = []
    for name in (*PASSES.values(), "other", "all", LONG_LIST, *EXTRA):
        values = sorted(costs_of_page.get(name, 0.0) for costs_of_page in page_costs)
        share = "–" if name in (LONG_LIST, *EXTRA) else f"{sum(values) / total:.0%}"
        figures = statistics.median(values), percentile(values, 0.95), values[-1]
        rows.append((name, *map("{:.1f}".format, figures), share))
    head = (f"{len(page_costs)} pages, x bare parse", "median", "95 %", "most", "share")
    return table(head, rows)


def processes_table() -> str:
    """Return the table of CPU seconds of whole processes."""
    rows = [(f"`{call}`", f"{seconds:.2f}") for call, seconds in processes()]
    return table(("process", "CPU seconds"), rows)


def growth_table(growth: Mapping[int, tuple[float, float]]) -> str:
    """Return the table of CPU times by the number of records on a page."""
    rows = [
        (
            f"{count:,}",
            f"{seconds:.2f}",
            f"{1000 * seconds / count:.2f}",
            f"{seconds / unit:.0f}",
        )
        for count, (seconds, unit) in growth.items()
    ]
    return table(("records", "seconds", "ms a record", "x bare parse"), rows)


def chart(growth: Mapping[int, tuple[float, float]]) -> str:
    """Return the chart of milliseconds per record by page size.

    The line is level if time grows linearly.
    """
    milliseconds = [1000 * seconds / count for count, (seconds, _) in growth.items()]
    return lines(
        "Induction, milliseconds a record",
        [f"{count:,} records" for count in growth],
        {"ms a record": milliseconds},
        low=0,
        high=max(milliseconds),
        form=lambda value: f"{value:.1f}",
    )


if __name__ == "__main__":
    main()
