"""Read command lines: the options that scripts share, and names of experiments."""

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
"""The options that several scripts have, with the arguments of `add_argument`."""


def command_line(
    docstring: str | None, *option_names: str, **own_options: Any
) -> ArgumentParser:
    """Return the parser of a script's options.

    The description is the first line of the script's `docstring`. `option_names` are
    keys of OPTIONS. `own_options` are further options by name. A number is the default
    value of an option that takes a number. A text is the help of a flag.
    """
    parser = ArgumentParser(description=(docstring or "").partition("\n")[0])
    for name in option_names:
        parser.add_argument(name, **OPTIONS[name])
    for name, value in own_options.items():
        if isinstance(value, int):
            option = f"--{name}" if name[1:] else f"-{name}"
            parser.add_argument(option, type=int, default=value, metavar="N")
        else:
            parser.add_argument(f"--{name}", action="store_true", help=value)
    return parser


def run(
    script: Path,
    experiments: Sequence[str],
    further: Sequence[str] = (),
    arguments: Sequence[str] | None = None,
) -> int:
    """Run an experiment, or all experiments of a folder, and return the exit code.

    `script` is the `__main__.py` of the folder. An experiment is a module of the folder
    with a function `main(arguments)`, which returns an exit code. The first argument is
    the experiment's name. The name "all" runs `experiments`, but not those in
    `further`. Without a name, print what each experiment measures.
    """
    name, *options = (sys.argv[1:] if arguments is None else arguments) or [""]
    modules = (*experiments, *further)
    if name in ("", "-h", "--help"):
        print(_docstring(script))
        for module in modules:
            summary, *_ = _docstring(script.with_name(f"{module}.py")).splitlines()
            print(f"{module:12} {summary}")
        runs = import_module("runs")
        print(f"\npackage {runs.digest([runs.PACKAGE])[:12]}")
        return 0
    if name != "all" and name not in modules:
        names = ", ".join((*modules, "all"))
        print(f"there is no experiment {name!r} (there are: {names})", file=sys.stderr)
        return 2
    chosen = experiments if name == "all" else (name,)
    return max(import_module(module).main(options) for module in chosen)


def _docstring(file: Path) -> str:
    """Return the docstring of a Python file, with a newline at its end."""
    return f"{ast.get_docstring(ast.parse(file.read_text('utf-8')))}\n"
