"""The command line: parse, call, print, exit code.

Data goes to stdout, all else to stderr, "-" is stdin.  Exit codes: 0 done, 1 nothing
found or a problem in the page, 2 a mistake in the call.  Imports of the compiler stand
in the commands: `--version` and `--help` are instant.
"""

from amber_wrap.cli.main import main

__all__ = ["main"]
