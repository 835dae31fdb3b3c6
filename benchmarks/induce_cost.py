"""Measure what it costs to induce a wrapper, as multiples of a bare parse of the page.

    python benchmarks/induce_cost.py [--filter TEXT] [--write]

The pages are the gold pages, each with its own domain. CPU time is measured in one
process in which the domains are loaded. Further tables have the costs of annotation by
a long list, of long lists in a process, of whole processes, and of pages with more and
more records. `--write` writes the tables and the chart for docs/performance.md.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from unittest.mock import patch

from ahocorasick_rs import AhoCorasick
from charts import lines
from commands import command_line
from corpus import ROOT, gold_folder
from tables import PERFORMANCE, percentile, publish, table
from timing import bare_parse, timed

from amber_wrap import pipeline
from amber_wrap.annotate.annotate_page import annotate, annotators, readers
from amber_wrap.annotate.annotator import Annotator, Texts
from amber_wrap.annotate.locale import for_locale, locale_of
from amber_wrap.annotate.pattern_and_gazetteer_annotators import (
    LONG,
    GazetteerAnnotator,
    lower_case_forms,
    word_index,
)
from amber_wrap.dom.parse import parse
from amber_wrap.domain.gazetteers import read_gazetteers
from amber_wrap.domain.loader import load_domain
from amber_wrap.domain.schema import Domain, Gazetteer
from amber_wrap.errors import NothingFoundError
from amber_wrap.evaluation.gold import GoldPage, read_corpus
from amber_wrap.passes.analysis import parse_samples
from amber_wrap.pipeline import Watch, compile_wrapper
from amber_wrap.settings import Source

CHART = PERFORMANCE.parent / "charts" / "induce-growth.svg"
"""The file of the chart."""
SAMPLE = ROOT / "tests" / "golden" / "property-list" / "sample.html"
"""The page from which whole processes induce a wrapper."""
PASSES = {
    name: function.__name__
    for name, function in (
        *(("pages", parse_samples), *pipeline.ANALYSIS),
        *pipeline.GENERALISATION,
    )
}
"""The passes (functions that are steps of induction) whose time is measured, by the
names of their results."""
RECORDS = (10, 100, 1000, 5000)
"""The numbers of records on the pages that show how time grows."""
TERMS = 40_000
"""The number of terms in the long list of terms that is searched on gold pages."""
LISTS = (4_000, TERMS, 10 * TERMS)
"""The numbers of terms of the lists whose costs in a process are measured."""
ROUNDS, PROCESSES = 5, 5
"""The number of repeated measurements, and of processes, whose median is taken."""

Seconds = dict[str, float]
"""CPU seconds by the name of a pass (step of induction)."""


def main() -> None:
    """Measure, and print the tables or write them to docs/performance.md with the
    chart."""
    parser = command_line(__doc__, "--filter", "--write")
    arguments = parser.parse_args()
    corpus = read_corpus(gold_folder())
    pages = [page for page in corpus.pages if arguments.filter in page.site]
    growth = {count: growth_of(count) for count in RECORDS}
    tables = {
        "induce-passes": passes_table(list(costs(pages))),
        "induce-lists": lists_table(),
        "induce-processes": processes_table(),
        "induce-growth": growth_table(growth),
    }
    publish(tables, PERFORMANCE, arguments.write)
    if arguments.write:
        CHART.write_text(chart(growth), "utf-8", newline="\n")


# --- pages ---------------------------------------------------------------------------


def costs(pages: Sequence[GoldPage]) -> Iterator[Seconds]:
    """Yield the times of a page's induction, as multiples of the time of a bare parse.

    There is a time for each pass (step of induction), and for all other code. The key
    "all" has the time of the whole induction. The key "long list" has the time of
    searching the page for a long list of terms.
    """
    domains = {page.domain: load_domain(page.domain) for page in pages}
    long_list = GazetteerAnnotator({"term": [terms()]})
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
        spent["long list"] = annotated(body, long_list)
        yield {name: seconds / parse_seconds for name, seconds in spent.items()}


def induced(body: bytes, domain: Domain) -> Seconds:
    """Return the CPU time of each pass (step) of inducing a wrapper from a page.

    The key "other" has the time of all other code, and "all" that of the whole
    induction.
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
    """Return the CPU time of an annotator on the texts of a page."""
    page = parse(body)
    texts = Texts(page)
    return timed(lambda: list(annotator.annotate(page, texts)))


def induce(body: bytes, domain: Domain, watch: Watch = str) -> int:
    """Induce a wrapper, and return the number of records; 0 if nothing is found."""
    try:
        sources = [Source("page.html", body)]
        compilation = compile_wrapper(sources, [domain], watch=watch)
    except NothingFoundError:
        return 0
    return compilation.analysis.record_count


def terms(count: int = TERMS) -> Gazetteer:
    """Return a long list of terms, few of which occur on any page."""
    names = (f"{word(i)} {word(i * 7 + 3)}" for i in range(count))
    return Gazetteer("long", tuple(dict.fromkeys(names)), "made up", "CC0")


def word(number: int) -> str:
    """Return a word that looks like a name.

    Each number has its own word.
    """
    parts = "ba ke li mo nu ra se ti vo wy dor fen gal hul jen".split()
    syllables = ""
    while number or not syllables:
        number, syllable = divmod(number, len(parts))
        syllables += parts[syllable]
    return syllables


def bare_parse_seconds(body: bytes) -> float:
    """Return the CPU time of a bare parse."""
    return statistics.median(timed(lambda: bare_parse(body)) for _ in range(ROUNDS))


# --- long lists ----------------------------------------------------------------------


def list_costs(count: int, round_number: int) -> tuple[float, ...]:
    """Return the milliseconds that a process spends on a list of terms before its first
    page.

    There are four numbers: for reading and checking the list, for making an automaton
    of all terms, for making and caching the index of words that is used instead, and
    for reading the cached index. The list has `count` terms. `round_number` is written
    into its header.
    """
    gazetteer = terms(count)
    head = (f"# source: made up, {round_number}", "# licence: CC0")
    with tempfile.TemporaryDirectory() as cache:
        folder = Path(cache) / "domain"
        path = folder / "gazetteers" / "long.txt"
        path.parent.mkdir(parents=True)
        path.write_text("\n".join((*head, *gazetteer.terms)), "utf-8")

        def index() -> object:
            word_index.cache_clear()
            return word_index(gazetteer.terms)

        read, join = partial(read_gazetteers, folder), partial(automaton, gazetteer)
        with patch.dict(os.environ, XDG_CACHE_HOME=cache):
            return tuple(1000 * timed(step) for step in (read, join, index, index))


def automaton(gazetteer: Gazetteer) -> AhoCorasick:
    """Return an automaton that scans for all terms at once."""
    forms = (form for term in gazetteer.terms for form in lower_case_forms(term))
    return AhoCorasick(list(dict.fromkeys(forms)))


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
    """Return the CPU time of inducing a wrapper from a page with `count` records, and
    of a bare parse of the page."""
    body = homes(count)
    domain = load_domain("real-estate")
    induce(homes(10), domain)
    return timed(lambda: induce(body, domain)), bare_parse_seconds(body)


def homes(count: int) -> bytes:
    """Return a generated page of homes for sale."""
    kinds = ("semi-detached house", "apartment", "detached house", "bungalow")
    records = "".join(
        f'<li class="card"><a class="card__link" href="/property/{48_000 + i}">'
        f'<h2 class="card__title">{1 + i % 5} bedroom {kinds[i % 4]}</h2></a>'
        f'<p class="price">£{200 + i % 700},{i % 1000:03}</p>'
        f"<address>{1 + i % 90} {word(i).title()} Street, Oxford, "
        f"OX{1 + i % 20} {1 + i % 9}{chr(65 + i % 20)}{chr(66 + i % 20)}</address>"
        f'<ul class="facts"><li>{1 + i % 5} beds</li><li>{1 + i % 3} baths</li></ul>'
        f'<img class="thumb" src="/img/{i}.jpg" alt="">'
        f'<p class="desc">A home of the {1900 + i % 90}s, close to the centre.</p></li>'
        for i in range(count)
    )
    head = '<nav><a href="/">Home</a> <a href="/sale">For sale</a></nav>'
    return f"<html><body>{head}<ul id='list'>{records}</ul></body></html>".encode()


# --- tables --------------------------------------------------------------------------


def passes_table(page_costs: Sequence[Mapping[str, float]]) -> str:
    """Return the table of costs by pass (step of induction).

    Costs are multiples of a bare parse of the page, and shares of the whole induction.
    """
    total = sum(costs_of_page["all"] for costs_of_page in page_costs)
    rows = []
    for name in (*PASSES.values(), "other", "all", "long list"):
        values = sorted(costs_of_page.get(name, 0.0) for costs_of_page in page_costs)
        share = "–" if name == "long list" else f"{sum(values) / total:.0%}"
        figures = statistics.median(values), percentile(values, 0.95), values[-1]
        rows.append((name, *map("{:.1f}".format, figures), share))
    head = (f"{len(page_costs)} pages, x bare parse", "median", "95 %", "most", "share")
    return table(head, rows)


def lists_table() -> str:
    """Return the table of what lists of terms cost a process."""
    rows = []
    for count in LISTS:
        rounds = (list_costs(count, number) for number in range(ROUNDS))
        medians = map(statistics.median, zip(*rounds, strict=True))
        cells = [f"{median:,.0f}" for median in medians]
        rows.append((f"{count:,}", *cells[:-1], cells[-1] if count >= LONG else "–"))
    head = ("terms", "ms: read, checked", "an automaton", "index", "index, kept")
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
    """Return the chart of milliseconds per record, a level line if time grows
    linearly."""
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
