"""Count the errors that each single step of induction prevents.

    python benchmarks/ablation.py [--only TEXT] [--stop N] [-j N]

The pages of `gold` (each domain named, and open), `rows`, `courts` and `use` are
induced once as they are, to see on which of them a step does anything (`switches.py`),
and on these again without it.  The table has the errors more, by corpus and round:
attributes missing or wrong (gold), records missing or wrong and cells no longer exact
(rows, courts), and wanted fields, their names and types, and columns left over (use).
Nothing is fitted anew, so the models' features are left out.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import rows
import use
from commands import command_line
from corpus import corpus_folder, gold_folder, jobs_of, needed
from processes import progress
from row_score import score
from switches import Step, steps, watch
from tables import table
from truths import GOLD, round_of

from amber_wrap.evaluation.gold import read_corpus
from amber_wrap.evaluation.score import score_page
from amber_wrap.evaluation.tasks import Setting, run_task

COLUMNS = ("gold first", "gold second", "rows first", "rows second", "courts", "use")
RIGHT = [*"exact usable clean right named kept".split(), "number typed", "date typed"]
"""What `use` counts for right."""


class Sample(NamedTuple):
    """A page to induce from: the column for its errors, and what counts them."""

    column: str
    errors: Callable[[], int]


PAGES: list[Sample] = []
"""All pages to induce from, for the processes that are forked."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; the exit code."""
    parser = command_line(__doc__, "-j", stop=100)
    parser.add_argument("--only", default="", help="only steps with this in the name")
    options = parser.parse_args(arguments)
    needed(gold_folder())
    PAGES.extend(pages())
    # Each job has a process of its own, which remembers nothing of another one.
    with get_context("fork").Pool(options.j, maxtasksperchild=1) as pool:
        found = pool.imap(partial(traced, only=options.only), range(len(PAGES)))
        traces = list(progress(found, "pages", len(PAGES)))
        errors = [count for count, _ in traces]
        names = [str(one) for one in steps() if options.only in str(one)]
        where = {
            name: [i for i, (_, effective) in enumerate(traces) if name in effective]
            for name in names
        }
        found = pool.imap(partial(ablated, errors, options.stop), where.items())
        more = list(progress(found, "steps", len(names)))
    rows = [
        (f"`{name}`", str(len(where[name])), *(f"{count[one]:+}" for one in COLUMNS))
        for name, count in sorted(
            zip(names, more, strict=True), key=lambda row: -row[1].total()
        )
    ]
    print(table(("step", "pages", *COLUMNS), rows), end="")
    return 0


def traced(page: int, only: str) -> tuple[int, set[str]]:
    """The errors of a page, and the names of the steps that did anything there."""
    effective: set[Step] = set()
    watch([one for one in steps() if only in str(one)], effective)
    return PAGES[page].errors(), set(map(str, effective))


def ablated(
    errors: Sequence[int], stop: int, job: tuple[str, Sequence[int]]
) -> Counter[str]:
    """How many errors more some pages have without a step, by column, until these are
    enough; `errors` are those of all pages as they are.
    """
    name, some = job
    next(one for one in steps() if str(one) == name).switch_off()
    more = Counter[str]()
    for i in random.Random(0).sample(some, len(some)):
        if more.total() < stop:
            more[PAGES[i].column] += PAGES[i].errors() - errors[i]
    return more


def pages() -> Iterator[Sample]:
    """Yield all pages of the corpora to induce from."""
    folder = corpus_folder()
    corpus = read_corpus(folder / "gold")
    for named in (True, False):
        for task, types in jobs_of(corpus, Setting(named=named)):
            column = f"gold {round_of(GOLD, task.sample.site)}"
            yield Sample(column, partial(gold_errors, task, types))
    for name in (rows.ROWS, rows.COURTS):
        for site in rows.read(folder / name):
            group = f" {round_of(name, site[0].site)}" if name == rows.ROWS else ""
            yield Sample(f"{name}{group}", partial(row_errors, site))
    for some in use.samples_of(folder / "use"):
        yield Sample("use", partial(use_errors, folder / "use", some))


def gold_errors(task: Any, types: Any) -> int:
    """The attributes of the targets that are missing or wrong."""
    outputs = zip(task.targets, run_task(task), strict=True)
    counts = [score_page(page, one.rows, types)[0].attributes for page, one in outputs]
    return sum(one.given + one.gold - 2 * one.right for one in counts)


def row_errors(site: rows.Site) -> int:
    """The records of a site that are missing or wrong, less the exact cells."""
    found = zip(site, rows.outputs_of(site), strict=True)
    counts = [score(page.rows, output.rows)[0] for page, output in found]
    return sum(
        one["given"] + one["gold"] - 2 * one["right"] - one["exact"] for one in counts
    )


def use_errors(folder: Path, pages: use.Pages) -> int:
    """The columns left over on the first page, less what is right on all pages."""
    total = use.counted(folder, pages)
    return total["left"] - sum(total[one] for one in RIGHT)


if __name__ == "__main__":
    sys.exit(main())
