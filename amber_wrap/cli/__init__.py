"""Provide the command line: parse arguments, run a command, print, set the exit code.

Data goes to stdout, everything else to stderr; "-" is stdin.  Exit code 0 means done, 1
that nothing was found or the page has a problem, 2 a mistake in the call.  Commands
import the compiler inside their functions, so that `--version` and `--help` are
instant.
"""

from amber_wrap.cli.main import main

__all__ = ["main"]
