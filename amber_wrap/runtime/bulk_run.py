"""Extract the records of many pages in worker processes, and resume killed runs."""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from pathlib import Path

from amber_wrap.errors import FileError
from amber_wrap.runtime.inputs import total_size
from amber_wrap.runtime.journal import Journal, Progress, RemainingPages
from amber_wrap.runtime.outcomes import DEAD_FIELDS, Tally, dead_letter, rows_of
from amber_wrap.runtime.output_lock import output_lock
from amber_wrap.runtime.outputs import STDOUT, Sink, check_output, open_sink
from amber_wrap.runtime.page_reader import Job
from amber_wrap.runtime.supervisor import Supervisor
from amber_wrap.runtime.worker_process import Failure
from amber_wrap.wrapper.json_values import wrapper_to_data

SAVE_SECONDS = 2.0
"""The seconds between two saves of a run's outputs and progress."""


@dataclass(frozen=True, slots=True)
class RunOptions:
    """The inputs, outputs and limits of a run."""

    inputs: tuple[str, ...]
    """The files, folders and glob patterns to read."""
    output: str
    """The path for the records, or "-" for stdout."""
    dead_letters: str | Sink
    """The path or the sink for the list of failed pages."""
    html: str = "html"
    """The column of a Parquet file that has the pages."""
    resume: bool = False
    """Whether to continue an interrupted run."""
    overwrite: bool = False
    """Whether to replace the output of an earlier run."""
    jobs: int = 1
    """The number of worker processes."""
    deadline: float = 20.0
    """The most seconds that a page may take."""

    @property
    def output_paths(self) -> Sequence[str]:
        """Return the paths of the files that the run writes, each path once."""
        outputs = (self.output, self.dead_letters)
        return tuple(dict.fromkeys(path for path in outputs if isinstance(path, str)))


OpenBar = Callable[[int], AbstractContextManager[Callable[[int], None]]]
"""A function that opens a progress bar for a `with` block.

The argument is the number of pages that an earlier run has done. The block gets a
function, to be called after each page with the number of input bytes read so far."""


def apply_many(job: Job, options: RunOptions, open_bar: OpenBar) -> Tally | None:
    """Write the records of all pages in page order, and return the counts of the run.

    Return None if `options.resume` is set and there is nothing to resume. Raise
    FileError if an output exists or is in use, or if a run to resume had other inputs,
    wrappers or options.
    """
    with ExitStack() as locks:
        for path in options.output_paths:
            locks.enter_context(output_lock(path))
        return _apply_locked(job, options, open_bar)


def _apply_locked(job: Job, options: RunOptions, open_bar: OpenBar) -> Tally | None:
    """Write the records of all pages, and return the counts of the run.

    The caller must have locked the outputs. Return None if there is nothing to resume.
    """
    run_key = key_of_run(job, options)
    journal = Journal(Path(options.output)) if options.output != STDOUT else None
    if options.resume and options.overwrite:
        raise FileError(
            "--resume continues an output, --overwrite starts it again: use one of them"
        )
    if options.resume and not journal:
        raise FileError("--resume continues a file: name it with -o")
    interrupted = journal.load(run_key) if journal and not options.overwrite else None
    if interrupted and not options.resume:
        raise FileError(
            f"{options.output} is of an interrupted run: continue it with --resume, or "
            "start again with --overwrite"
        )
    if options.resume and not interrupted and Path(options.output).exists():
        return None
    progress = interrupted or Progress(run_key)
    remaining_pages = RemainingPages(options.inputs, options.html, progress)
    if not interrupted:
        if journal and options.output == options.dead_letters:
            message = f"records and dead letters can't both be in {options.output}"
            raise FileError(message)
        for path in options.output_paths:
            check_output(path, options.overwrite)
    if journal:
        # The journal is written first: an output without a journal is complete.
        journal.save(progress)
    with ExitStack() as sinks:

        def open_output(path: str, fields: Sequence[str], position: int | None) -> Sink:
            exists = os.path.isfile(path) or os.path.isdir(path)
            if (interrupted or options.overwrite) and position is None and exists:
                position = 0  # The file is still empty, or is to be overwritten.
            sink = open_sink(path, fields, position, job.column_types)
            return sinks.enter_context(sink)

        output = open_output(options.output, job.fields, progress.output)
        letters = options.dead_letters
        if isinstance(letters, str):
            letters = open_output(letters, DEAD_FIELDS, progress.dead)
        outputs = _Outputs(output, letters, journal, progress)
        tally = _run(job, options, remaining_pages, outputs, open_bar)
    if journal:
        journal.end()
    dead_path = options.dead_letters
    if isinstance(dead_path, str) and not tally.failed and Path(dead_path).is_file():
        os.unlink(dead_path)  # It lists no page.
    return tally


@dataclass(frozen=True, slots=True)
class _Outputs:
    """The outputs of a run: the records, the failed pages and the journal.

    The journal is a file with the progress of the run. A run without a journal can't be
    resumed.
    """

    records: Sink
    dead_letters: Sink
    journal: Journal | None
    progress: Progress

    def save(self, tally: Tally) -> None:
        """Write the outputs to the disk, then save the run's progress in the journal.

        `tally` has the counts of the run so far.
        """
        self.records.flush()
        self.dead_letters.flush()
        if self.journal:
            self.progress.output = self.records.position()
            self.progress.dead = self.dead_letters.position()
            self.progress.tally = tally.to_data()
            self.journal.save(self.progress)


def _run(
    job: Job,
    options: RunOptions,
    remaining_pages: RemainingPages,
    outputs: _Outputs,
    open_bar: OpenBar,
) -> Tally:
    """Process the pages that aren't done yet, and return the counts of the whole run.

    The counts include the pages that were done before an interruption.
    """
    progress = outputs.progress
    tally = Tally.from_data(progress.tally)
    tally.earlier = progress.done
    supervisor = Supervisor(job, options.jobs, options.deadline)
    outputs.save(tally)
    last_save = time.monotonic()
    with open_bar(progress.done) as advance_bar:
        for outcome in supervisor.outcomes(remaining_pages):
            tally.add(outcome)
            outputs.records.write(rows_of(outcome))
            if isinstance(outcome.reading, Failure):
                outputs.dead_letters.write([dead_letter(outcome, outcome.reading)])
            progress.done += 1
            progress.last = outcome.id
            advance_bar(remaining_pages.bytes_read)
            if time.monotonic() - last_save > SAVE_SECONDS:
                outputs.save(tally)
                last_save = time.monotonic()
    if tally.lost:
        tally.size = total_size(options.inputs) or remaining_pages.bytes_read
    outputs.save(tally)
    outputs.records.end()
    outputs.dead_letters.end()
    return tally


def key_of_run(job: Job, options: RunOptions) -> str:
    """Return a digest of a run's wrappers, inputs and options.

    The limits of time and memory aren't in the digest.
    """
    settings = {
        "wrappers": [(name, wrapper_to_data(it)) for name, it in job.wrappers],
        "routes": job.routes,
        "raw": job.raw,
        "inputs": options.inputs,
        "html": options.html,
    }
    return hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()
