"""Define the command-line options that several scripts share."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

OPTIONS: dict[str, dict[str, Any]] = {
    "-j": {"type": int, "default": 2, "help": "processes (default 2)"},
    "--every": {"type": int, "default": 1, "help": "only each N-th page"},
    "--filter": {"default": "", "metavar": "TEXT", "help": "only names that have it"},
    "--keep": {"type": Path, "help": "where to keep what is collected"},
    "--write": {"action": "store_true", "help": "write what the documents show"},
}
"""The options that several scripts have, each with its arguments for `add_argument`."""


def command_line(
    docstring: str | None, *option_names: str, **own_options: Any
) -> ArgumentParser:
    """Return the parser of a script's options.

    The description is the first line of the script's `docstring`. `option_names` are
    keys of OPTIONS. `own_options` are further options by name. A number in
    `own_options` is the default of an option that takes a number. A text is the help of
    an option without an argument.
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
