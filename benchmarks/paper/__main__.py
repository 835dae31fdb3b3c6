"""The evaluation of the AMBER paper (section 6), an experiment each.

    python benchmarks/paper [NAME | all] [options]

Without a name there is a list of what can be run; `NAME --help` tells the options of
one.  `all` runs all experiments with the same options.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [one for one in map(str, (HERE.parent, HERE)) if one not in sys.path]
EXPERIMENTS = (
    *("noise", "accuracy", "largescale", "robustness", "thresholds", "learning"),
    *("sizes", "comparison"),
)
GENERATE = "generate"
MODULES = (*EXPERIMENTS, GENERATE)
"""All have a `main(arguments)` that gives an exit code."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run an experiment, or all of them; the exit code."""
    name, *options = (sys.argv[1:] if arguments is None else arguments) or [""]
    if name in ("", "-h", "--help"):
        print(__doc__)
        for one in MODULES:
            print(f"{one:12} {about(one)}")
        runs = import_module("runs")
        print(f"\npackage {runs.digest([runs.PACKAGE])[:12]}")
        return 0
    if name != "all" and name not in MODULES:
        known = ", ".join((*MODULES, "all"))
        print(f"there is no experiment {name!r} (there are: {known})", file=sys.stderr)
        return 2
    chosen = EXPERIMENTS if name == "all" else (name,)
    return max(import_module(one).main(options) for one in chosen)


def about(name: str) -> str:
    """The first line of a module's docstring."""
    tree = ast.parse((HERE / f"{name}.py").read_text("utf-8"))
    return (ast.get_docstring(tree) or "").partition("\n")[0]


if __name__ == "__main__":
    sys.exit(main())
