"""Compare the records of generated files with those of the package, and print sizes.

    python benchmarks/agreement.py [--filter TEXT] [--every N] [-j N]

A generated file is Python code that reads pages without this package. It is generated
from one page of a site. Then the file and the package read the other pages with the
same layout. They agree on a page if all records, all typed values and the address of
the next page are the same.
"""

from __future__ import annotations

import statistics
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from commands import command_line
from corpus import built, corpus_folder, gold_folder, needed
from processes import workers
from tables import percentile
from truths import templates

from amber_wrap.codegen.build import Built, import_file, prints_alike
from amber_wrap.dom.parse import parse
from amber_wrap.engine.output_rows import next_page_address, to_rows
from amber_wrap.errors import AmberError
from amber_wrap.files import read_saved_page

CHOICE = ("--filter", "--every", "-j")
"""The command-line options that choose the pages to compare."""


class Task(NamedTuple):
    """A page to induce a wrapper from, and the other pages of its template.

    `domain` names the kind of records, or is "" if the induction chooses the domain.
    """

    sample: Path
    others: tuple[Path, ...]
    domain: str = ""


class Outcome(NamedTuple):
    """The result of comparing a generated file with the package's own reader.

    `lines` and `size` are the lines and bytes of the file. `lost` are messages about
    fields that the file lacks. `pages` is the number of pages read, and `differing` has
    a message for each page with another result. `error` is the reason why there is no
    file, or empty.
    """

    lines: int = 0
    size: int = 0
    lost: tuple[str, ...] = ()
    pages: int = 0
    differing: tuple[str, ...] = ()
    error: str = ""


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the sizes of files, and each page on which the results differ.

    Return the exit code.
    """
    options = command_line(__doc__, *CHOICE).parse_args(arguments)
    tasks = chosen(options.filter, options.every)
    with workers(options.j) as run:
        outcomes = list(run(compare, tasks))
    for task, outcome in zip(tasks, outcomes, strict=True):
        errors = [outcome.error] if outcome.error else []
        for message in (*errors, *outcome.lost, *outcome.differing):
            print(f"{task.sample.parent.name}/{task.sample.name}: {message}")
    compared = [outcome for outcome in outcomes if not outcome.error]
    for unit, values in (
        ("lines", sorted(outcome.lines for outcome in compared)),
        ("bytes", sorted(outcome.size for outcome in compared)),
    ):
        median, high = statistics.median(values), percentile(values, 0.95)
        print(f"{unit}: median {median:.0f}, 95 % {high}, most {values[-1]}")
    differing = sum(len(outcome.differing) for outcome in compared)
    lost = sum(len(outcome.lost) for outcome in compared)
    page_count = sum(outcome.pages for outcome in compared)
    print(
        f"{len(compared)} files, {page_count} other pages, {differing} disagree; "
        f"{lost} fields are not in their file"
    )
    return int(differing > 0)


def chosen(name_part: str, step: int) -> list[Task]:
    """Return every `step`-th of the tasks whose page has `name_part` in its path.

    A task is a page to generate a file from, with other pages to read.
    """
    needed(gold_folder())
    return [task for task in all_tasks() if name_part in f"{task.sample}"][::step]


def all_tasks() -> Iterator[Task]:
    """Yield each page of the corpora to generate a file from, with other pages to
    read.
    """
    for pages in templates(corpus_folder()):
        for page in pages if pages[0].gold else pages[:1]:
            others = tuple(other.file for other in pages if other is not page)
            yield Task(page.file, others, page.domain)


def compare(task: Task) -> Outcome:
    """Compare the generated file with the interpreter on the other pages of a
    template."""
    try:
        built_file = built(read_saved_page(str(task.sample)), task.domain)
    except AmberError as error:
        return Outcome(error=str(error))
    module = import_file(built_file.source)
    differing = []
    for path in task.others:
        if difference := difference_on(path.read_bytes(), built_file, module):
            differing.append(f"{path.name}: {difference}")
    return Outcome(
        lines=built_file.source.count("\n"),
        size=len(built_file.source.encode()),
        lost=tuple(finding.message for finding in built_file.findings),
        pages=len(task.others),
        differing=tuple(differing),
    )


def difference_on(body: bytes, built_file: Built, module: ModuleType) -> str:
    """Return a message on how the results of a generated file and of the package
    differ.

    It names fields, such as "price, title", or the numbers of records, or the next
    page. It is empty if the results are equal.
    """
    wrapper, page = built_file.stored.wrapper, parse(body)
    if wrapper.next_page and module.next_page(body) != next_page_address(wrapper, page):
        return "the next page"
    file_rows, rows = module.extract(body), to_rows(wrapper, page)
    if len(file_rows) != len(rows):
        return f"{len(file_rows)} records, not {len(rows)}"
    pairs = list(zip(file_rows, rows, strict=True))
    keys = file_rows[0] if file_rows else ()
    return ", ".join(
        key
        for key in keys
        if not all(prints_alike(one.get(key), other.get(key)) for one, other in pairs)
    )


if __name__ == "__main__":
    sys.exit(main())
