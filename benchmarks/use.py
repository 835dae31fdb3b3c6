"""Measure the corpus' `use`: the tables that users get from one page, with no option.

    python benchmarks/use.py [--second-sample] [-j N]

The script beside the corpus has the rules (its help tells them); here it calls
amber-wrap in its own process.  With `--second-sample` the figures are of the sites with
another page, from one page and from both.
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
"""The entries of a sample and of the other pages of its site, the sample first."""

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
"""The two counts of the script that each figure is the ratio of."""
LESS_IS_BETTER = frozenset(("left", "dup"))
"""Figures of columns that match no field, and of columns that repeat another one."""


def script_of(corpus: Path) -> Path:
    """Return where the script is, which may be missing."""
    return corpus.resolve().parent / "tools" / "score_use.py"


def scorer(corpus: Path) -> Any:
    """Return the script as a module."""
    script = script_of(corpus)
    sys.path.append(str(script.parent))
    return import_module(script.stem)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; return the exit code."""
    text = "sites with another page: from one page, and from both"
    parser = command_line(__doc__, "-j", **{"second-sample": text})
    options = parser.parse_args(arguments)
    folder = corpus_folder() / "use"
    samples = samples_of(folder)
    ways = {"one page": False}
    if options.second_sample:
        samples = [pages for pages in samples if len(pages) > 1]
        ways["both"] = True
    found = [measure(folder, samples, options.j, both) for both in ways.values()]
    print(f"{'':9}" + "".join(f"{way:>10}" for way in ways))
    for name in FIGURES:
        print(f"{name:9}" + "".join(f"{one[name]:10.3f}" for one in found))
    return 0


def samples_of(folder: Path) -> list[Pages]:
    """Return the samples of the corpus, each with the other pages of its site."""
    found: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for one in index(folder):
        found[one.get("sample", one["file"])].append(one)
    return list(found.values())


def measure(
    folder: Path, samples: Sequence[Pages], jobs: int, both: bool = False
) -> dict[str, float]:
    """Return the figures of all samples: shares, and numbers of columns a page.

    Wrappers are made of the sample alone, or of `both` it and the other pages.
    """
    with workers(jobs) as run:
        counts = run(partial(counted, folder, both=both), samples)
        return figures_of(sum(counts, Counter()))


def counted(folder: Path, pages: Pages, both: bool = False) -> Counter[str]:
    """Return what the script counts on a sample and on the other pages of its site."""
    script = scorer(folder.parent)
    script.subprocess = SimpleNamespace(run=call, TimeoutExpired=TimeoutError)
    files = {one["file"]: folder / "pages" / one["file"] for one in pages}
    truths = {one["file"]: script.truth(files[one["file"]], one) for one in pages}
    more = shlex.join(map(str, [*files.values()][1:])) if both else ""
    with TemporaryDirectory() as out:
        options = {"cli": "amber-wrap", "out": Path(out), "induce_args": more}
        job = SimpleNamespace(corpus=folder, **options)
        result = script.work((job, pages[0], pages[1:], truths))
    with redirect_stdout(StringIO()):
        return Counter(script.report(result, False))


def call(command: Sequence[str], **_: Any) -> SimpleNamespace:
    """Run amber-wrap in this process, as `subprocess.run` runs it in another."""
    done = CliRunner().invoke(app, command[1:])
    output = {"stdout": done.stdout_bytes, "stderr": done.stderr_bytes}
    return SimpleNamespace(returncode=done.exit_code, **output)


def figures_of(total: Mapping[str, int]) -> dict[str, float]:
    """Return the figures of the script's counts; a missing count is 0."""
    return {
        name: round(total.get(count, 0) / max(1, total.get(whole, 0)), 4)
        for name, (count, whole) in FIGURES.items()
    }


if __name__ == "__main__":
    sys.exit(main())
