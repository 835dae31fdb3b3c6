"""The command line of a folder of experiments: what there is; one of them, or all."""

from __future__ import annotations

import ast
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path


def run(
    main: Path,
    experiments: Sequence[str],
    others: Sequence[str] = (),
    arguments: Sequence[str] | None = None,
) -> int:
    """Run an experiment, or all of them; the exit code.

    `main` is the script that is run, the others what `all` leaves out.  All of them
    are modules beside it with a `main(arguments)` that gives an exit code.
    """
    name, *options = (sys.argv[1:] if arguments is None else arguments) or [""]
    modules = (*experiments, *others)
    if name in ("", "-h", "--help"):
        print(_doc(main))
        for one in modules:
            print(f"{one:12} {_doc(main.with_name(f'{one}.py')).splitlines()[0]}")
        runs = import_module("runs")
        print(f"\npackage {runs.digest([runs.PACKAGE])[:12]}")
        return 0
    if name != "all" and name not in modules:
        known = ", ".join((*modules, "all"))
        print(f"there is no experiment {name!r} (there are: {known})", file=sys.stderr)
        return 2
    chosen = experiments if name == "all" else (name,)
    return max(import_module(one).main(options) for one in chosen)


def _doc(module: Path) -> str:
    return f"{ast.get_docstring(ast.parse(module.read_text('utf-8')))}\n"
