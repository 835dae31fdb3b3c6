"""Measure the quality of the tables that users get from one page, with no option.

    python benchmarks/use.py [--second-sample] [-j N]

A script in the folder `use` of the corpus has the rules of scoring, which its help
describes. It calls amber-wrap in this process. With `--second-sample`, extraction rules
are made from one page and from two pages of each site.
"""

from __future__ import annotations

import shlex
import sys
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout
from functools import partial
from importlib import import_module
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any

from commands import command_line
from corpus import corpus_folder, index
from processes import workers
from typer.testing import CliRunner

from amber_wrap.cli.main import app

Pages = Sequence[Mapping[str, Any]]
"""The index entries of the pages of a site, the sample page first."""

FIGURES = {
    "exact": ("exact", "pages"),
    "usable": ("usable", "pages"),
    "clean": ("clean", "pages"),
    "right": ("right", "wanted"),
    "named": ("named", "right"),
    "numbers": ("number typed", "number"),
    "dates": ("date typed", "date"),
    "left": ("left", "pages"),
    "dup": ("dup", "pages"),
    "transfer": ("kept", "transfer"),
}
"""For each figure, the two counts whose ratio it is.

The counts are made by the script that scores the corpus.
"""
LESS_IS_BETTER = frozenset(("left", "dup"))
"""The names of the figures that are better if they are lower.

They count columns that match no field, and columns that repeat another column.
"""


def script_of(corpus: Path) -> Path:
    """Return the path of the script that scores the corpus.

    The script may be missing.
    """
    return corpus.resolve().parent / "tools" / "score_use.py"


def scorer(corpus: Path) -> Any:
    """Return the script that scores the corpus as a Python module."""
    script = script_of(corpus)
    sys.path.append(str(script.parent))
    return import_module(script.stem)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the quality of the tables that users get, and print the figures.

    Return the exit code 0.
    """
    help_text = "sites with another page: from one page, and from both"
    parser = command_line(__doc__, "-j", **{"second-sample": help_text})
    options = parser.parse_args(arguments)
    folder = corpus_folder() / "use"
    samples = samples_of(folder)
    ways = {"one page": False}
    if options.second_sample:
        samples = [pages for pages in samples if len(pages) > 1]
        ways["both"] = True
    figures_by_way = [
        measure(folder, samples, options.j, with_other_pages)
        for with_other_pages in ways.values()
    ]
    print(f"{'':9}" + "".join(f"{way:>10}" for way in ways))
    for name in FIGURES:
        cells = (f"{figures[name]:10.3f}" for figures in figures_by_way)
        print(f"{name:9}" + "".join(cells))
    return 0


def samples_of(folder: Path) -> list[Pages]:
    """Return the pages of each site of the corpus, the sample page first."""
    by_sample: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for entry in index(folder):
        by_sample[entry.get("sample", entry["file"])].append(entry)
    return list(by_sample.values())


def measure(
    folder: Path, samples: Sequence[Pages], jobs: int, from_all_pages: bool = False
) -> dict[str, float]:
    """Return the figures over all samples, by name: shares, and numbers of columns per
    page.

    A sample has the pages of one site. The table is made from the first page, or from
    all pages if `from_all_pages` is True.
    """
    with workers(jobs) as run:
        counts = run(partial(counted, folder, from_all_pages=from_all_pages), samples)
        return figures_of(sum(counts, Counter()))


def counted(folder: Path, pages: Pages, from_all_pages: bool = False) -> Counter[str]:
    """Return how good the table of one site's sample page is, as counts by name.

    The script that scores the corpus makes the counts. The first of `pages` is the
    sample page. If `from_all_pages` is True, the other pages are used, too.
    """
    script = scorer(folder.parent)
    script.subprocess = SimpleNamespace(run=call, TimeoutExpired=TimeoutError)
    files = {entry["file"]: folder / "pages" / entry["file"] for entry in pages}
    truth_of_file = {
        entry["file"]: script.truth(files[entry["file"]], entry) for entry in pages
    }
    further = [*files.values()][1:] if from_all_pages else []
    with TemporaryDirectory() as out:
        options = {"out": Path(out), "induce_args": shlex.join(map(str, further))}
        job = SimpleNamespace(corpus=folder, cli="amber-wrap", **options)
        result = script.work((job, pages[0], pages[1:], truth_of_file))
    with redirect_stdout(StringIO()):
        return Counter(script.report(result, False))


def call(command: Sequence[str], **_: Any) -> SimpleNamespace:
    """Run an amber-wrap command in this process, and return its result as
    `subprocess.run` does."""
    result = CliRunner().invoke(app, command[1:])
    output = {"stdout": result.stdout_bytes, "stderr": result.stderr_bytes}
    return SimpleNamespace(returncode=result.exit_code, **output)


def figures_of(counts: Mapping[str, int]) -> dict[str, float]:
    """Return the figures, which are ratios of two counts each (`FIGURES`).

    A missing count is 0.
    """
    return {
        name: round(counts.get(count, 0) / max(1, counts.get(whole, 0)), 4)
        for name, (count, whole) in FIGURES.items()
    }


if __name__ == "__main__":
    sys.exit(main())
