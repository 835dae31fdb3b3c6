"""Measure what it costs to read a page, for docs/performance.md.

    python benchmarks/apply_cost.py [--rounds N] [--filter TEXT] [--write]

Each page is read with the extraction rules that were made from it, and in other ways
(benchmarks/rivals.py) whose libraries are installed. All ways take turns in one
process. The figures are ratios of CPU time. They are medians over the rounds, then over
the pages.
"""

from __future__ import annotations

import statistics
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from platform import machine, python_version
from typing import Any

import parsel
import rivals
from commands import command_line
from corpus import gold_folder, needed, wrapper_of
from lxml import etree
from tables import PERFORMANCE, percentile, publish, table
from timing import bare_parse, timed

from amber_wrap.codegen.build import build_file, import_file
from amber_wrap.dom.decoding import decode
from amber_wrap.errors import AmberError
from amber_wrap.evaluation.gold import GoldPage, read_corpus
from amber_wrap.files import read_saved_page
from amber_wrap.wrapper.ir import Wrapper

BARE, SELECTOR = "bare lxml parse", "decoding and a parsel Selector"
"""The names of two ways to read a page, with which all others are compared."""
TYPED, GIVEN = "generated file", "generated file, given the Selector"
"""The names of two ways to read a page by a generated file.

In the first, the file parses the page. In the second, it is given a parsel Selector.
"""
BY_HAND = "by hand, parsel `.xpath().get()`"
"""The name of the way in which most spiders read a page."""

MISSING: set[str] = set()
"""The names of the ways to read a page whose library isn't installed."""

Costs = Mapping[str, float]
"""The CPU seconds that it takes to read one page, by the name of the way to read it."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure all ways to read a page on all pages, and return the exit code."""
    parser = command_line(__doc__, "--filter", "--write", rounds=5)
    options = parser.parse_args(arguments)
    gold_pages = read_corpus(needed(gold_folder(), exit_code=1)).pages
    pages = [page for page in gold_pages if options.filter in page.name]
    if options.write and options.filter:
        parser.error("a part of the corpus is not what the document shows")
    costs = [cost(*pair, rounds=options.rounds) for pair in induced(pages)]
    tables = {"apply-cost": costs_table(costs), "apply-machine": setting()}
    publish(tables, PERFORMANCE, options.write)
    return 0


def induced(pages: Iterable[GoldPage]) -> Iterator[tuple[Wrapper, bytes]]:
    """Yield the wrapper (extraction rules) that is made from each page, and the page's
    bytes.

    Print the error of a page from which no wrapper can be made.
    """
    for page in pages:
        try:
            yield wrapper_of(page), read_saved_page(str(page.path)).body
        except AmberError as error:
            print(f"{page.name}: {error}", file=sys.stderr)


def read_by(wrapper: Wrapper, body: bytes) -> Callable[..., list[dict[str, Any]]]:
    """Return the function `extract` of the file generated from a wrapper.

    `body` are the bytes of the wrapper's sample page.
    """
    source = build_file(wrapper, [body], "benchmark").source
    extract: Callable[..., list[dict[str, Any]]] = import_file(source).extract
    return extract


def ways(wrapper: Wrapper, body: bytes) -> dict[str, Callable[[], object]]:
    """Return functions that read the page `body` in several ways, by the name of the
    way.
    """
    extract, selector = read_by(wrapper, body), parsel.Selector(text=decode(body))
    functions: dict[str, Callable[[], object]] = {
        BARE: lambda: bare_parse(body),
        SELECTOR: lambda: parsel.Selector(text=decode(body)),
        TYPED: lambda: extract(body),
        GIVEN: lambda: extract(selector),
    }
    makers: dict[str, Callable[[], rivals.Read | None]] = {
        BY_HAND: lambda: rivals.parsel_spider(wrapper),
        "by hand, compiled XPath on lxml": lambda: rivals.lxml_script(wrapper),
        "by hand, selectolax (lexbor)": lambda: rivals.selectolax_script(wrapper),
        "by hand, BeautifulSoup (lxml)": lambda: rivals.soup_script(wrapper, "lxml"),
        "by hand, BeautifulSoup (html.parser)": lambda: rivals.soup_script(
            wrapper, "html.parser"
        ),
        "crawl4ai, JsonXPathExtractionStrategy": lambda: rivals.crawl4ai_schema(
            wrapper
        ),
    }
    for name, make in makers.items():
        try:
            read = make()
        except ImportError:
            MISSING.add(name)
            continue
        if read is not None:
            functions[name] = partial(read, body)
    return functions


def cost(wrapper: Wrapper, body: bytes, rounds: int) -> Costs:
    """Return the median CPU time of each way to read a page.

    An additional first round isn't measured, because it compiles expressions.
    """
    calls = ways(wrapper, body)
    # All take turns, so that a slow phase of the machine affects all of them.
    turns = [{way: timed(calls[way]) for way in calls} for _ in range(rounds + 1)]
    return {way: statistics.median(turn[way] for turn in turns[1:]) for way in calls}


def costs_table(costs: Sequence[Costs]) -> str:
    """Return a table of the CPU time for each way to read a page.

    The times are multiples of the times of other ways.
    """
    names = dict.fromkeys(name for page_costs in costs for name in page_costs)
    rows: list[tuple[str, ...]] = []
    for name in names:
        by_selector = sorted(ratios(costs, name, SELECTOR))
        figures = (
            statistics.median(ratios(costs, name, BARE)),
            statistics.median(by_selector),
            percentile(by_selector, 0.95),
            by_selector[-1],
            statistics.median(ratios(costs, name, TYPED)),
        )
        rows.append((name, str(len(by_selector)), *map("{:.2f}".format, figures)))
    head = ("pages", "x bare parse", "x Selector", "95 %", "most", "x generated")
    rows += [(name, "not installed", *["–"] * 5) for name in sorted(MISSING)]
    return table(("way", *head), rows)


def ratios(costs: Iterable[Costs], name: str, unit: str) -> list[float]:
    """Return the CPU times of the way `name`, as multiples of those of the way `unit`.

    The list has a number for each page.
    """
    return [by_way[name] / by_way[unit] for by_way in costs if name in by_way]


def setting() -> str:
    """Return a sentence that names the machine and the versions of libraries."""
    lxml = ".".join(map(str, etree.LXML_VERSION[:3]))
    libxml2 = ".".join(map(str, etree.LIBXML_VERSION))
    return (
        f"On {machine()}, Python {python_version()}, lxml {lxml}, libxml2 {libxml2}, "
        f"parsel {parsel.__version__}.\n"
    )


if __name__ == "__main__":
    sys.exit(main())
