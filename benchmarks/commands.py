"""Read command lines: options that scripts share, and experiments of a folder."""

from __future__ import annotations

import ast
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

OPTIONS: dict[str, dict[str, Any]] = {
    "-j": {"type": int, "default": 2, "help": "processes (default 2)"},
    "--every": {"type": int, "default": 1, "help": "only each N-th page"},
    "--filter": {"default": "", "metavar": "TEXT", "help": "only names that have it"},
    "--keep": {"type": Path, "help": "where to keep what is collected"},
    "--write": {"action": "store_true", "help": "write what the documents show"},
}
"""The options that several scripts have."""


def command_line(doc: str | None, *names: str, **more: Any) -> ArgumentParser:
    """Return the parser of a script's options.

    `doc` is the script's docstring, `names` are of OPTIONS.  Of `more` a number is the
    default of an option, a text is the help of a flag.
    """
    parser = ArgumentParser(description=(doc or "").partition("\n")[0])
    for name in names:
        parser.add_argument(name, **OPTIONS[name])
    for name, one in more.items():
        if isinstance(one, int):
            option = f"--{name}" if name[1:] else f"-{name}"
            parser.add_argument(option, type=int, default=one, metavar="N")
        else:
            parser.add_argument(f"--{name}", action="store_true", help=one)
    return parser


def run(
    main: Path,
    experiments: Sequence[str],
    others: Sequence[str] = (),
    arguments: Sequence[str] | None = None,
) -> int:
    """Run an experiment, or all of them; return the exit code.

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
