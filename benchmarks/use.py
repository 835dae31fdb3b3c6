"""Measure the corpus' `use`: the tables that users get from one page, with no option.

    python benchmarks/use.py [--second-sample] [-j N]
    python benchmarks/use.py both CORPUS COMMAND [ARGUMENT...]

The script beside the corpus makes the wrappers, runs and scores them; its help has the
rules.  With `--second-sample` the figures are of the sites with another page, from one
page and from both: with `both`, this script is amber-wrap, but `induce` has a site's
other pages as further samples.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from commands import command_line
from corpus import corpus_folder, index

AMBER_WRAP = Path(sys.executable).with_name("amber-wrap")
BOTH = "both"
INDEX, PAGES = "index.jsonl", "pages"

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
    script = script_of(folder.parent)
    if not options.second_sample:
        found = {"one page": measure(folder, script, options.j)}
    else:
        with tempfile.TemporaryDirectory() as temporary:
            some = with_other_pages(folder, Path(temporary))
            found = {
                "one page": measure(some, script, options.j),
                "both": measure(some, script, options.j, by=program_for(some)),
            }
    print(f"{'':9}" + "".join(f"{way:>10}" for way in found))
    for name in FIGURES:
        print(f"{name:9}" + "".join(f"{one[name]:10.3f}" for one in found.values()))
    return 0


def with_other_pages(folder: Path, target: Path) -> Path:
    """Write a corpus of the sites with another page into a folder, and return it."""
    pages = index(folder)
    samples = {one["sample"] for one in pages if one["role"] == "other"}
    kept = [one for one in pages if one.get("sample", one["file"]) in samples]
    told = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in kept)
    (target / INDEX).write_text(told, "utf-8")
    (target / PAGES).symlink_to(folder.resolve() / PAGES)
    return target


def program_for(folder: Path) -> str:
    """Return the command that gives `induce` the site's other pages, too."""
    return shlex.join([sys.executable, __file__, BOTH, str(folder)])


def arguments_with_others(folder: Path, words: Sequence[str]) -> list[str]:
    """Return the arguments of a call; `induce` has the sample's other pages, too."""
    if words[0] != "induce":
        return list(words)
    sample = Path(words[1])
    others = (one["file"] for one in index(folder) if one.get("sample") == sample.name)
    return [*words[:2], *(str(sample.with_name(one)) for one in others), *words[2:]]


def measure(folder: Path, script: Path, jobs: int, by: str = "") -> dict[str, float]:
    """Return the figures of all sites: shares, and numbers of columns a page.

    The command `by` makes the wrappers, else amber-wrap.
    """
    program = by or shlex.quote(str(AMBER_WRAP))
    options = ("--corpus", str(folder), "--cli", program, "--json")
    command = (sys.executable, str(script), *options, f"-j{jobs}")
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, encoding="utf-8")
    return figures_of(json.loads(done.stdout.splitlines()[-1])["total"])


def figures_of(total: Mapping[str, int]) -> dict[str, float]:
    """Return the figures of the script's counts; a missing count is 0."""
    return {
        name: round(total.get(count, 0) / max(1, total.get(whole, 0)), 4)
        for name, (count, whole) in FIGURES.items()
    }


if __name__ == "__main__":
    if sys.argv[1:2] == [BOTH]:
        words = arguments_with_others(Path(sys.argv[2]), sys.argv[3:])
        os.execv(AMBER_WRAP, [str(AMBER_WRAP), *words])
    sys.exit(main())
