"""Apply wrappers to pages: few pages in this process, many in worker processes."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from amber_wrap import errors
from amber_wrap.cli.options import (
    MISUSE,
    PROBLEM,
    JobsOption,
    RawOption,
    UrlOption,
    named_wrapper,
    output_option,
)
from amber_wrap.cli.terminal import complain, note_changes, uncleaned

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from amber_wrap.domain.normal_form import Value
    from amber_wrap.runtime.outcomes import Tally
    from amber_wrap.runtime.outputs import Sink
    from amber_wrap.runtime.page_reader import Job
    from amber_wrap.wrapper.ir import Wrapper

STDOUT = "-"
SIGNALLED = 128
"""The number that is added to a signal's number to get the exit code of a command that
the signal ended."""
WRAPPERS_HELP = (
    "Name or file of a wrapper, or folder of wrappers to choose from for each page."
)
INPUTS_HELP = (
    'Pages, folders, globs, .warc(.gz, .zst), .parquet, @list.txt ("-": stdin).'
)
OUTPUT_HELP = "Output file: .jsonl, .csv or .parquet. Default: JSON Lines on stdout."
HTML_HELP = "Parquet column that holds the pages."
DEAD_HELP = "File for the list of failed pages. Default: OUTPUT.dead.jsonl."
OVERWRITE_HELP = "Overwrite the output of an earlier run and start again."
ROUTE_HELP = (
    "Choose a wrapper of this folder for each page. All arguments are inputs then."
)
TOLERATE_HELP = (
    "Exit 1 if more than this share of the pages fails or breaks the contract."
)
ENGINE_HELP = "Run on this machine, or on Spark (Parquet to Parquet)."


def apply(
    wrapper: Annotated[str, typer.Argument(help=WRAPPERS_HELP, callback=named_wrapper)],
    inputs: Annotated[
        list[str] | None,
        typer.Argument(metavar="INPUT...", help=INPUTS_HELP, show_default=False),
    ] = None,
    output: Annotated[str, output_option(OUTPUT_HELP)] = STDOUT,
    jobs: JobsOption = 0,
    url: UrlOption = "",
    raw: RawOption = False,
    html: Annotated[str, typer.Option(metavar="COLUMN", help=HTML_HELP)] = "html",
    dead_letters: Annotated[str, typer.Option(metavar="FILE", help=DEAD_HELP)] = "",
    resume: Annotated[
        bool, typer.Option("--resume", help="Resume an interrupted run.")
    ] = False,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help=OVERWRITE_HELP)
    ] = False,
    deadline: Annotated[
        float, typer.Option(min=0.1, help="Timeout for a page, in seconds.")
    ] = 20.0,
    memory: Annotated[
        int,
        typer.Option(min=0, help="Memory limit of a worker process, in MiB (0: none)."),
    ] = 1024,
    tolerate: Annotated[float, typer.Option(min=0, max=1, help=TOLERATE_HELP)] = 0.05,
    route: Annotated[str, typer.Option(metavar="FOLDER", help=ROUTE_HELP)] = "",
    engine: Annotated[
        Literal["local", "spark"], typer.Option(help=ENGINE_HELP)
    ] = "local",
    master: Annotated[
        str,
        typer.Option(
            metavar="URL", help="Address of the Spark master, such as local[4]."
        ),
    ] = "",
) -> None:
    """Extract the records of pages, as JSON Lines, CSV or Parquet."""
    from amber_wrap.runtime.inputs import is_single
    from amber_wrap.runtime.page_reader import read_job

    inputs = list(inputs or ())
    if route:  # The first argument is an input, too.
        inputs.insert(0, wrapper)
        wrapper = route
    if not inputs:
        raise errors.FileError(f"no input: name the pages that {wrapper} should read")
    job = read_job(Path(wrapper), raw, memory)
    if not Path(wrapper).is_dir():
        note_changes(wrapper)
    started = time.monotonic()
    if engine == "spark":
        from amber_wrap.runtime.spark import apply_on_spark

        if output == STDOUT:
            raise errors.FileError("Spark writes a folder: name the folder with -o")
        if jobs or resume or dead_letters or url:
            raise errors.FileError(
                "-j, --resume, --dead-letters and --url don't work with Spark"
            )
        spark_tally = apply_on_spark(
            job, inputs, output, master, html, deadline, overwrite
        )
        _report_run(spark_tally, job, started, tolerate)
        return
    is_one_by_one = output == STDOUT and not (jobs or resume) and len(job.wrappers) == 1
    if is_one_by_one and all(map(is_single, inputs)):
        _apply_here(job.wrappers[0][1], inputs, url, raw)
        return
    if url:
        raise errors.FileError(
            "--url is the address of a single page: name only that page"
        )

    from amber_wrap.runtime.bulk_run import RunOptions, apply_many
    from amber_wrap.runtime.outputs import CallSink

    dead_letter_sink: str | Sink = dead_letters or f"{output}.dead.jsonl"
    if output == STDOUT and not dead_letters:
        dead_letter_sink = CallSink(_print_dead_letter)
    run_options = RunOptions(
        inputs=tuple(inputs),
        output=output,
        dead_letters=dead_letter_sink,
        html=html,
        resume=resume,
        overwrite=overwrite,
        jobs=jobs or os.cpu_count() or 1,
        deadline=deadline,
    )
    advice = "" if output == STDOUT else f": use --resume to continue {output}"
    with _ended_by_signals(advice):
        tally = apply_many(job, run_options, lambda done: _page_bar(inputs, done))
    if tally is None:
        complain(
            f"{output} is finished: there is nothing to resume; for a new run name "
            "another file with -o, or overwrite this one with --overwrite"
        )
        return
    _report_run(tally, job, started, tolerate)


class _SignalError(Exception):
    """The error that a signal handler raises to end the command `apply`."""


@contextmanager
def _ended_by_signals(advice: str) -> Iterator[None]:
    """End the command cleanly if SIGINT, SIGTERM or SIGHUP arrives in the `with` block.

    The block's files are closed. A message names the signal, and ends with `advice`.
    The exit code is 128 plus the signal's number.

    Use this only for a block that mostly waits, since a long computation delays the
    handling of signals.
    """

    def raise_signal(signal_number: int, _: object) -> None:
        raise _SignalError(signal_number)

    old_handlers = {}
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        if signal_number := getattr(signal, name, None):
            handler = signal.getsignal(signal_number)
            # Signals that are ignored, for example by nohup, stay ignored.
            if handler is not signal.SIG_IGN:
                old_handlers[signal_number] = handler
    for signal_number in old_handlers:
        signal.signal(signal_number, raise_signal)
    try:
        yield
    except _SignalError as error:
        [signal_number] = error.args
        complain(f"stopped by {signal.Signals(signal_number).name}{advice}")
        raise typer.Exit(SIGNALLED + signal_number) from None
    finally:
        for signal_number, handler in old_handlers.items():
            signal.signal(signal_number, handler)


def _report_run(tally: Tally, job: Job, started: float, tolerate: float) -> None:
    """Print the counts of a run, and set the exit code.

    `started` is the time of `time.monotonic` at which the run began. Exit with
    `PROBLEM` if the run has no records. Also exit with `PROBLEM` if the share of pages
    that failed or break the wrapper's contract (conditions on pages) exceeds `tolerate`
    (0 to 1).
    """
    for line in tally.lines(job, time.monotonic() - started):
        typer.echo(line, err=True)
    if not tally.records or tally.share_wrong > tolerate:
        raise typer.Exit(PROBLEM)


def _apply_here(wrapper: Wrapper, pages: Sequence[str], url: str, raw: bool) -> None:
    """Read each page in this process, and print its records as JSON Lines to stdout.

    `pages` are the names of files. A message on stderr names each page that can't be
    read. At the end, exit with `MISUSE` if a file couldn't be read, else with `PROBLEM`
    if no page has records.
    """
    from amber_wrap.dom.parse import parse
    from amber_wrap.engine.interpret import to_rows
    from amber_wrap.files import check_stdin, read_saved_page

    check_stdin(pages)
    has_records = has_bad_file = False
    for name in pages:
        try:
            saved = read_saved_page(name).saved
            rows = to_rows(wrapper, parse(saved.body, url or saved.url), raw)
        except errors.FileError as error:
            complain(error)
            has_bad_file = True
            continue
        except errors.PageError as error:
            complain(f"{name}: {error}")
            continue
        has_records = has_records or bool(rows)
        if not rows:
            complain(f"{name}: no records")
        for row in rows:
            origin = {"_page": name} if len(pages) > 1 else {}
            typer.echo(json.dumps({**row, **origin}, ensure_ascii=False))
    if has_bad_file:
        raise typer.Exit(MISUSE)
    if not has_records:
        raise typer.Exit(PROBLEM)


def _print_dead_letter(letter: Mapping[str, Value]) -> None:
    """Print the name and the error message of a failed page as a line on stderr.

    `letter` is the row that describes the failure.
    """
    complain(f"{letter['_page']}: {letter['message']}")


@contextmanager
def _page_bar(inputs: Sequence[str], done: int) -> Iterator[Callable[[int], None]]:
    """Show a progress bar in the `with` block if stderr is a terminal.

    Yield a function to be called after each page, with the number of bytes read so far.
    The bar shows the share of the pages, or of the bytes if the pages can't be counted.
    `inputs` are the names of the inputs. `done` is the number of pages that an earlier
    run finished.
    """
    if not sys.stderr.isatty():
        yield lambda bytes_read: None
        return
    from rich import progress as rich
    from rich.console import Console

    from amber_wrap.runtime.inputs import count_pages, total_size

    columns = (
        rich.BarColumn(),
        rich.TextColumn("{task.description}"),
        rich.TaskProgressColumn(),
        rich.TimeElapsedColumn(),
        rich.TimeRemainingColumn(),
    )
    pages_done, started = done, time.monotonic()
    page_count = count_pages(inputs)
    total = total_size(inputs) if page_count is None else page_count
    with rich.Progress(*columns, console=Console(file=uncleaned(sys.stderr))) as bar:
        task = bar.add_task("", total=total, completed=done)

        def advance(bytes_read: int) -> None:
            nonlocal pages_done
            pages_done += 1
            rate = (pages_done - done) / (time.monotonic() - started)
            text = f"{pages_done:,} pages, {rate:,.0f} per second"
            completed = bytes_read if page_count is None else pages_done
            bar.update(task, description=text, completed=completed)

        yield advance
