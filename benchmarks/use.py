"""What the corpus' `use` comes to: the tables that users get from one page, no option.

The script beside the corpus makes the wrappers, runs and scores them; its help has the
rules.
"""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

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
"""Each figure: which count of the script it is, and of which other one."""
LESS_IS_BETTER = frozenset(("left", "dup"))
"""The columns that match no field, and those of them that repeat another column."""


def script_of(corpus: Path) -> Path:
    """Where the script is, if it is there."""
    return corpus.resolve().parent / "tools" / "score_use.py"


def measure(folder: Path, script: Path, jobs: int) -> dict[str, float]:
    """The figures of all sites: shares, and numbers of columns a page."""
    program = Path(sys.executable).with_name("amber-wrap")
    options = ("--corpus", str(folder), "--cli", shlex.quote(str(program)), "--json")
    command = (sys.executable, str(script), *options, f"-j{jobs}")
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, encoding="utf-8")
    return figures_of(json.loads(done.stdout.splitlines()[-1])["total"])


def figures_of(total: Mapping[str, int]) -> dict[str, float]:
    """The figures of the script's counts; what it counted nowhere is missing there."""
    return {
        name: round(total.get(count, 0) / max(1, total.get(whole, 0)), 4)
        for name, (count, whole) in FIGURES.items()
    }
