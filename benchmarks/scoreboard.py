"""Measure how right extracted records are, for the main tables of the scoreboard.

    python benchmarks/scoreboard.py [--write] [-j N] [--filter TEXT]

Extraction rules are made from a page, by two methods. They run on this page ("self"),
and on the other pages with the same layout ("transfer"). The domain (kind of records)
is given, or chosen automatically ("open").
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from itertools import product

import tables
from commands import command_line
from corpus import Outcome, gold_folder, measure, needed
from processes import workers
from tables import measures, share, table, three_counts

from amber_wrap.evaluation.gold import Corpus, read_corpus
from amber_wrap.evaluation.report import ALL, Summary, summarise, summary_of
from amber_wrap.evaluation.score import Count
from amber_wrap.evaluation.tasks import SELF, TRANSFER, Result, Setting

DEFAULT, PAPER, OPEN = "default", "paper", ", domain open"
"""The words that the names of the measured settings (`VARIANTS`) consist of."""
VARIANTS = {
    DEFAULT: Setting(),
    DEFAULT + OPEN: Setting(named=False),
    PAPER: Setting(strategy="paper"),
    PAPER + OPEN: Setting(strategy="paper", named=False),
}
"""The settings that are measured, by the name in the tables."""
NAMES = ("total", "by-type")
"""The names of the two tables, which are also the names of their markers in the
page.
"""

Outcomes = Mapping[str, Outcome]
"""The results of each measured setting, by the name of the setting."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure how right extracted records are, and return the exit code.

    The pages are those with known records. The tables are printed, or written to
    docs/scoreboard.md with `--write`.
    """
    parser = command_line(__doc__, "--write", "-j", "--filter")
    options = parser.parse_args(arguments)
    needed(gold_folder(), exit_code=1)
    if options.write:
        if options.filter:
            parser.error("a part of the corpus is not what the scoreboard shows")
        # Report a missing marker before hours are spent.
        tables.inserted(tables.SCOREBOARD.read_text("utf-8"), dict.fromkeys(NAMES, ""))
    gold = read_corpus(gold_folder())
    pages = (page for page in gold.pages if options.filter in page.site)
    corpus = Corpus(tuple(pages), gold.redesigns)
    with workers(options.j) as run:
        outcomes_of_variants = measure(corpus, list(VARIANTS.values()), run)
    outcomes = dict(zip(VARIANTS, outcomes_of_variants, strict=True))
    results = total(corpus, outcomes), by_type(outcomes)
    by_name = dict(zip(NAMES, results, strict=True))
    tables.publish(by_name, tables.SCOREBOARD, options.write)
    return 0


def total(corpus: Corpus, outcomes: Outcomes) -> str:
    """Return the main table of the scoreboard, and a list of pages without a right
    record.

    A row has a setting, and says whether the rules run on their own page or on others.
    """
    rows, lost_lines = [], []
    runs = product(outcomes, (SELF, TRANSFER))
    for name, mode in (run for run in runs if run[1] in outcomes[run[0]]):
        results = outcomes[name][mode]
        summary, pages_at_zero = summary_of(results), at_zero(results)
        names = ("areas", "records", "attributes")
        counts = (count_of(summary, measure) for measure in names)
        perfect = share(count_of(summary, "perfect records").recall)
        shares = (cell for count in counts for cell in measures(count))
        rows.append((name, mode, *shares, perfect, str(len(pages_at_zero))))
        if pages_at_zero and not name.startswith(PAPER):
            lost_lines.append(f"* {name}, {mode}: {', '.join(pages_at_zero)}\n")
    sites = {page.site for page in corpus.pages}
    records = sum(len(area.records) for page in corpus.pages for area in page.areas)
    head = ("areas P", "R", "F1", "records P", "R", "F1", "attributes P", "R", "F1")
    return (
        f"{len(corpus.pages)} pages of {len(sites)} templates, {records:,} records; "
        f"in transfer {len(outcomes[DEFAULT].get(TRANSFER, ()))} pages.\n\n"
        + table(("strategy", "mode", *head, "perfect", "at zero"), rows)
        + "\nAt zero, the default strategy:"
        + ("\n\n" + "".join(lost_lines) if lost_lines else " none.\n")
    )


def by_type(outcomes: Outcomes) -> str:
    """Return the table with a row for each attribute type of each domain.

    A row has the figures of the default method, and the F1 of the paper's method.
    """
    summaries = [
        summarise(outcomes[name].get(mode, ()))
        for name, mode in ((DEFAULT, SELF), (DEFAULT, TRANSFER), (PAPER, SELF))
    ]
    types = {
        (domain, name)
        for by_domain in summaries
        for domain, summary in by_domain.items()
        for name in (summary.types if domain != ALL else ())
    }
    rows = []
    for domain, name in sorted(types):
        *counts, paper_count = (
            count_of(by_domain[domain], name) if domain in by_domain else Count()
            for by_domain in summaries
        )
        cells = (cell for it in counts for cell in (three_counts(it), *measures(it)))
        rows.append((domain, name, *cells, share(paper_count.f1)))
    head = ("self", "P", "R", "F1", "transfer", "P", "R", "F1", "paper, self, F1")
    return table(("domain", "type", *head), rows)


def count_of(summary: Summary, name: str) -> Count:
    """Return a summary's count of `name`, such as "records" or an attribute type.

    Return an empty count if the summary has no such name.
    """
    figure = summary.measures.get(name) or summary.types.get(name)
    return figure.count if figure else Count()


def at_zero(results: Iterable[Result]) -> list[str]:
    """Return the names of pages that have known records, none of which is found."""
    scores = ((result.page.name, result.score.records) for result in results)
    return [name for name, count in scores if count.gold and not count.right]


if __name__ == "__main__":
    sys.exit(main())
