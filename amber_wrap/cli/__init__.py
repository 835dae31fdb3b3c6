"""The command line: parse arguments, run a command, print results, set the exit code.

Data goes to stdout. Messages go to stderr. The file name "-" means stdin.

Exit code 0 means success. Exit code 1 means that nothing was found, or that a page has
a problem. Exit code 2 means a mistake in the call. Exit code 3 of `check` means that
the extraction rules of a site are broken.

`main` lists the commands. `common` has the options and messages that several commands
share, and keeps control characters out of the output. `wrappers` has the commands
`induce` and `build`. `maintenance` has `check`, `test`, `evaluate` and `heal`. `show`
has `explain` and `studio`. `export` has `export`, `feed` and `import`. `fetch` has
`fetch` and `next`. `apply`, `learn` and `domain` have the commands of the same names.

Commands import the compiler inside their functions, so that `--version` is fast.
"""

from amber_wrap.cli.main import main

__all__ = ["main"]
