"""Provide the command line: parse arguments, run a command, print, set the exit code.

Data goes to stdout, messages go to stderr; "-" is stdin.  Exit code 0 means success, 1
that nothing was found or that a page has a problem, 2 a mistake in the call.  Commands
import the compiler inside their functions, so that `--version` and `--help` are fast.
"""

from amber_wrap.cli.main import main

__all__ = ["main"]
