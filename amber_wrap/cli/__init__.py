"""The command line: parse arguments, run a command, print data on stdout and messages
on stderr.

- `main` lists the commands, and `common` has their shared options and messages,
- `wrappers` has the commands `induce` and `build`,
- `maintenance` has `check`, `test`, `evaluate` and `heal`,
- `show` has `explain` and `studio`,
- `export` has `export`, `feed` and `import`,
- `fetch` has `fetch` and `next`,
- `apply`, `learn` and `domain` have the commands of the same names.

The exit code is

- 0 for success,
- 1 if nothing was found, or if a page has a problem,
- 2 for a mistake in the call,
- 3 if `check` finds that the extraction rules of a site are broken.
"""

# Commands import the compiler inside their functions, so that `--version` is fast.
from amber_wrap.cli.main import main

__all__ = ["main"]
