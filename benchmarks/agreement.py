"""Compare generated files with the interpreter on the corpus, and print their sizes.

    python benchmarks/agreement.py [--filter TEXT] [--every N] [-j N]

From each page of the gold, the domain named, and from the sample pages of rows, courts
and use a wrapper is induced and its file generated; both read the other pages of its
template.  A page agrees where all records and typed values are the same, and the
next page is.
"""

from __future__ import annotations

import statistics
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from commands import command_line
from corpus import built, corpus_folder, gold_folder, needed
from processes import workers
from tables import percentile
from truths import templates

from amber_wrap.codegen.build import import_file, prints_alike
from amber_wrap.dom.parse import parse
from amber_wrap.engine.interpret import next_page_address, to_rows
from amber_wrap.errors import AmberError
from amber_wrap.files import read_saved_page

CHOICE = ("--filter", "--every", "-j")
"""The options of a comparison."""


class Task(NamedTuple):
    """A page to induce from, the other pages of its template, and its domain, "" for
    any."""

    sample: Path
    others: tuple[Path, ...]
    domain: str = ""


class Outcome(NamedTuple):
    """Lines and bytes of the file, fields that it lacks, pages that were read, and
    those of them that disagree; or what went wrong."""

    lines: int = 0
    size: int = 0
    lost: tuple[str, ...] = ()
    pages: int = 0
    differing: tuple[str, ...] = ()
    error: str = ""


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the sizes, and each page that disagrees; return the exit code."""
    parser = command_line(__doc__, *CHOICE)
    options = parser.parse_args(arguments)
    tasks = chosen(options.filter, options.every)
    with workers(options.j) as run:
        outcomes = list(run(compare, tasks))
    for task, one in zip(tasks, outcomes, strict=True):
        name = f"{task.sample.parent.name}/{task.sample.name}"
        for told in (*filter(None, [one.error]), *one.lost, *one.differing):
            print(f"{name}: {told}")
    made = [one for one in outcomes if not one.error]
    for what, values in (
        ("lines", sorted(one.lines for one in made)),
        ("bytes", sorted(one.size for one in made)),
    ):
        median, high = statistics.median(values), percentile(values, 0.95)
        print(f"{what}: median {median:.0f}, 95 % {high}, most {values[-1]}")
    differing = sum(len(one.differing) for one in made)
    lost = sum(len(one.lost) for one in made)
    print(
        f"{len(made)} files, {sum(one.pages for one in made)} other pages, {differing} "
        f"disagree; {lost} fields are not in their file"
    )
    return int(differing > 0)


def chosen(text: str, every: int) -> list[Task]:
    """Return the tasks of a comparison."""
    needed(gold_folder())
    tasks = [one for one in all_tasks() if text in f"{one.sample}"]
    return tasks[::every]


def all_tasks() -> Iterator[Task]:
    """Yield the tasks of all corpora."""
    for pages in templates(corpus_folder()):
        for page in pages if pages[0].gold else pages[:1]:
            others = tuple(one.file for one in pages if one is not page)
            yield Task(page.file, others, page.domain)


def compare(task: Task) -> Outcome:
    """Compare the file and the interpreter on the other pages of a template."""
    source = read_saved_page(str(task.sample))
    try:
        made = built(source, task.domain)
    except AmberError as error:
        return Outcome(error=str(error))
    wrapper = made.stored.wrapper
    module = import_file(made.source)
    differing = []
    for path in task.others:
        body = path.read_bytes()
        page = parse(body)
        found, wanted = module.extract(body), to_rows(wrapper, page)
        if wrapper.next_page and module.next_page(body) != next_page_address(
            wrapper, page
        ):
            differing.append(f"{path.name}: the next page")
            continue
        keys = found[0] if found else wanted[0] if wanted else ()
        if len(found) != len(wanted):
            differing.append(f"{path.name}: {len(found)} records, not {len(wanted)}")
        elif wrong := [
            key
            for key in keys
            if not all(
                prints_alike(one.get(key), row.get(key))
                for one, row in zip(found, wanted, strict=True)
            )
        ]:
            differing.append(f"{path.name}: {', '.join(wrong)}")
    return Outcome(
        *(made.source.count("\n"), len(made.source.encode())),
        *(tuple(one.message for one in made.findings), len(task.others)),
        tuple(differing),
    )


if __name__ == "__main__":
    sys.exit(main())
