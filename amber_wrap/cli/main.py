"""Define the application: its commands, and the handling of errors."""

from __future__ import annotations

import errno
import gc
import os
import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from amber_wrap import errors
from amber_wrap.cli.apply import apply
from amber_wrap.cli.common import MISUSE, PROBLEM, complain, option, set_up_streams
from amber_wrap.cli.domain import domain_app
from amber_wrap.cli.export import export_to, feed, import_schema
from amber_wrap.cli.fetch import fetch, next_page
from amber_wrap.cli.learn import export, forget, history, learn
from amber_wrap.cli.maintenance import check, evaluate, heal, run_trials
from amber_wrap.cli.show import explain, studio
from amber_wrap.cli.wrappers import build, induce

MISUSE_ERRORS = (
    errors.FileError,
    errors.DomainError,
    errors.GoldError,
    errors.LearningError,
    errors.SelectionError,
    errors.WrapperError,
)
"""The errors that mean a mistake in the command line, so that the exit code is 2."""


DISK_FULL_ERRNOS = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
"""The error numbers of a full disk."""


class Commands(TyperGroup):
    """The group of all commands.

    The name of a command has one or two words, such as `learn export`.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments of the command line.

        If the first two arguments form the name of a command, such as "learn export",
        they are joined first.
        """
        if " ".join(args[:2]) in self.commands:
            args = [" ".join(args[:2]), *args[2:]]
        return super().parse_args(ctx, args)


app = typer.Typer(
    cls=Commands,
    help="Turn a saved result page into a standalone Python extractor.",
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.command("induce")(induce)
app.command("build")(build)
app.command("apply")(apply)
app.command("check")(check)
app.command("heal")(heal)
app.command("explain")(explain)
app.command("fetch")(fetch)
app.command("feed")(feed)
app.command("evaluate")(evaluate)
app.command("learn")(learn)
app.command("studio")(studio)
app.command("next")(next_page)
app.command("export")(export_to)
app.command("test")(run_trials)
app.command("import")(import_schema)
app.command("learn export")(export)
app.command("learn forget")(forget)
app.command("learn history")(history)
app.add_typer(domain_app, name="domain")


@app.callback(invoke_without_command=True)
def version(
    show: Annotated[bool, option("--version", "Print the version.")] = False,
) -> None:
    """Turn a saved result page into a standalone Python extractor."""
    if show:
        from importlib.metadata import version as version_of

        typer.echo(f"amber-wrap {version_of('amber-wrap')}")
        raise typer.Exit


def main() -> None:
    """Run the command line, and turn errors into messages and exit codes.

    If the variable AMBER_WRAP_DEBUG is set, internal errors are raised.
    """
    set_up_streams()
    # Collect garbage seldom: commands end before it fills the memory.
    gc.set_threshold(100_000, 50, 100)
    try:
        app()
    except MISUSE_ERRORS as error:
        complain(str(error))
        sys.exit(MISUSE)
    except errors.AmberError as error:
        complain(str(error))
        sys.exit(PROBLEM)
    except BrokenPipeError:
        # The reader closed the pipe; the flush at exit must not fail again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except (Exception, RecursionError) as error:
        if os.environ.get("AMBER_WRAP_DEBUG"):
            raise
        if isinstance(error, OSError) and error.errno in DISK_FULL_ERRNOS:
            complain(f"cannot write: {error.strerror}")
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(PROBLEM)
        complain(
            f"internal error ({type(error).__name__}: {error}): please report it; "
            "AMBER_WRAP_DEBUG=1 shows where"
        )
        sys.exit(PROBLEM)
