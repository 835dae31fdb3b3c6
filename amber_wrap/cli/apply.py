"""Extract the records of pages: few pages in this process, many in worker processes."""

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
from amber_wrap.cli import common
from amber_wrap.cli.common import argument, complain, note, option, output_option

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from amber_wrap.runtime.outcomes import Tally
    from amber_wrap.runtime.outputs import Sink
    from amber_wrap.runtime.page_reader import Job
    from amber_wrap.wrapper.ir import Wrapper

STDOUT = "-"
SIGNALLED = 128
"""The exit code of a command that a signal ended is this number plus the signal's
number.
"""
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
    wrapper: Annotated[str, argument(WRAPPERS_HELP, callback=common.named_wrapper)],
    inputs: Annotated[
        list[str] | None, argument(INPUTS_HELP, metavar="INPUT...", show_default=False)
    ] = None,
    output: Annotated[str, output_option(OUTPUT_HELP)] = STDOUT,
    jobs: common.JobsOption = 0,
    url: common.UrlOption = "",
    raw: common.RawOption = False,
    html: Annotated[str, option("--html", HTML_HELP, "COLUMN")] = "html",
    dead_letters: Annotated[str, option("--dead-letters", DEAD_HELP, "FILE")] = "",
    resume: Annotated[bool, option("--resume", "Resume an interrupted run.")] = False,
    overwrite: Annotated[bool, option("--overwrite", OVERWRITE_HELP)] = False,
    deadline: Annotated[
        float, option("--deadline", "Timeout for a page, in seconds.", min=0.1)
    ] = 20.0,
    memory: Annotated[
        int,
        option(
            "--memory", "Memory limit of a worker process, in MiB (0: none).", min=0
        ),
    ] = 1024,
    tolerate: Annotated[
        float, option("--tolerate", TOLERATE_HELP, min=0, max=1)
    ] = 0.05,
    route: Annotated[str, option("--route", ROUTE_HELP, "FOLDER")] = "",
    engine: Annotated[
        Literal["local", "spark"], option("--engine", ENGINE_HELP)
    ] = "local",
    master: Annotated[
        str, option("--master", "Address of the Spark master, such as local[4].", "URL")
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
        common.note_changes(wrapper)
    started = time.monotonic()
    if engine == "spark":
        from amber_wrap.runtime.spark import apply_on_spark

        if output == STDOUT:
            raise errors.FileError("Spark writes a folder: name the folder with -o")
        if jobs or resume or dead_letters or url:
            raise errors.FileError(
                "-j, --resume, --dead-letters and --url don't work with Spark"
            )
        counts = apply_on_spark(job, inputs, output, master, html, deadline, overwrite)
        _report_run(counts, job, started, tolerate)
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

    letters: str | Sink = dead_letters or f"{output}.dead.jsonl"
    if output == STDOUT and not dead_letters:
        letters = CallSink(
            lambda letter: complain(f"{letter['_page']}: {letter['message']}")
        )
    jobs = jobs or os.cpu_count() or 1
    run_options = RunOptions(
        tuple(inputs), output, letters, html, resume, overwrite, jobs, deadline
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
    """The exception that a signal handler raises to end the command `apply`."""


@contextmanager
def _ended_by_signals(advice: str) -> Iterator[None]:
    """End the command cleanly if SIGINT, SIGTERM or SIGHUP arrives in the `with` block.

    The printed message ends with `advice`. The exit code is 128 plus the number of the
    signal.
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
    """Print the numbers of pages and records of a run.

    Exit with `PROBLEM` if there are no records, or if the share of wrong pages, from 0
    to 1, is above `tolerate`.
    """
    for line in tally.lines(job, time.monotonic() - started):
        note(line)
    if not tally.records or tally.share_wrong > tolerate:
        raise typer.Exit(common.PROBLEM)


def _apply_here(wrapper: Wrapper, pages: Sequence[str], url: str, raw: bool) -> None:
    """Read each page in this process, and print its records as JSON Lines to stdout.

    If `raw`, values are printed as displayed. Exit with `MISUSE` if a file can't be
    read, or with `PROBLEM` if no page has records.
    """
    from amber_wrap.dom.parse import parse
    from amber_wrap.engine.output_rows import to_rows
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
        raise typer.Exit(common.MISUSE)
    if not has_records:
        raise typer.Exit(common.PROBLEM)


@contextmanager
def _page_bar(inputs: Sequence[str], done: int) -> Iterator[Callable[[int], None]]:
    """Show a progress bar in the `with` block if stderr is a terminal.

    `done` is the number of pages that an earlier run has processed. Call the yielded
    function after each page with the number of bytes read so far.
    """
    if not sys.stderr.isatty():
        yield lambda bytes_read: None
        return
    from rich import progress as rich
    from rich.console import Console

    from amber_wrap.runtime.inputs import count_pages, total_size

    times = rich.TimeElapsedColumn(), rich.TimeRemainingColumn()
    text = rich.TextColumn("{task.description}")
    columns = (rich.BarColumn(), text, rich.TaskProgressColumn(), *times)
    pages_done, started = done, time.monotonic()
    page_count = count_pages(inputs)
    total = total_size(inputs) if page_count is None else page_count
    with rich.Progress(
        *columns, console=Console(file=common.uncleaned(sys.stderr))
    ) as bar:
        task = bar.add_task("", total=total, completed=done)

        def advance(bytes_read: int) -> None:
            nonlocal pages_done
            pages_done += 1
            rate = (pages_done - done) / (time.monotonic() - started)
            speed = f"{pages_done:,} pages, {rate:,.0f} per second"
            completed = bytes_read if page_count is None else pages_done
            bar.update(task, description=speed, completed=completed)

        yield advance
