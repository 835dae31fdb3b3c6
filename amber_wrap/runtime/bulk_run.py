"""Extract the records of many pages in worker processes, and resume killed runs."""

from __future__ import annotations

import hashlib
import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from amber_wrap.atomic_write import remove_temporary_files, write_atomically, writing
from amber_wrap.errors import FileError
from amber_wrap.runtime.input_pages import Input, InputOptions, PageRef, file_size
from amber_wrap.runtime.inputs import pages, total_size
from amber_wrap.runtime.outcomes import DEAD_FIELDS, Tally, dead_letter, rows_of
from amber_wrap.runtime.outputs import (
    STDOUT,
    Sink,
    check_output,
    is_still_at,
    is_stream,
    open_sink,
)
from amber_wrap.runtime.page_reader import Job
from amber_wrap.runtime.supervisor import Supervisor
from amber_wrap.runtime.worker_process import Failure
from amber_wrap.wrapper.json_values import wrapper_to_data

SAVE_SECONDS = 2.0
"""The seconds between two saves of a run's outputs and progress."""

_JOURNAL_VERSION = 1


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


@dataclass(slots=True)
class Progress:
    """The progress of a run, from which an interrupted run continues."""

    key: str
    """The digest of the run's inputs, options and wrappers."""
    done: int = 0
    """The number of processed pages."""
    last: str = ""
    """The id of the last processed page."""
    output: int | None = None
    """The size of the records' output at the last save (`Sink.position`), None before
    the first save.
    """
    dead: int | None = None
    """The size of the failed pages' output at the last save (`Sink.position`), None
    before the first save.
    """
    tally: dict[str, Any] = field(default_factory=dict)
    """The counts of the run so far, from `Tally.to_data`."""


class Journal:
    """The file `<output>.journal`, which keeps the progress of an unfinished run."""

    def __init__(self, output: Path) -> None:
        self.path = output.with_name(f"{output.name}.journal")

    def load(self, key: str) -> Progress | None:
        """Return the progress of an interrupted run, or None if the journal is missing.

        `key` is a digest of the run's inputs, options and wrappers. Raise FileError if
        the journal can't be read, or has another key.
        """
        try:
            data = json.loads(self.path.read_text("utf-8"))
            if data.pop("version") != _JOURNAL_VERSION:
                raise FileError(
                    f"{self.path} is of another version: start again with --overwrite"
                )
            progress = Progress(**data)
        except FileNotFoundError:
            return None
        except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
            raise FileError(f"cannot read {self.path}: {error}") from error
        if progress.key != key:
            raise FileError(
                f"{self.path} is of a run with other wrappers, inputs or options: "
                "start again with --overwrite"
            )
        return progress

    def save(self, progress: Progress) -> None:
        """Write the progress of a run into this file, or raise FileError."""
        data = {"version": _JOURNAL_VERSION, **asdict(progress)}
        with writing(self.path):
            write_atomically(self.path, json.dumps(data))

    def end(self) -> None:
        """Remove this file (the run's progress) after the run has ended."""
        self.path.unlink(missing_ok=True)
        remove_temporary_files(self.path)


class RemainingPages:
    """An iterable of the pages of `inputs` that an interrupted run has not done yet.

    The constructor raises FileError if an input can't be read. Iterating raises
    FileError if the inputs have changed.
    """

    def __init__(self, inputs: Sequence[str], html: str, progress: Progress) -> None:
        # The number of pages that were done or skipped, and the id of the last one.
        self._done, self._skipped = (progress.done, progress.last), (0, "")
        self._file, self._bytes_of_earlier_files, self._bytes_of_file = "", 0, 0
        self._pages = pages(inputs, InputOptions(html), self._skip)

    @property
    def bytes_read(self) -> int:
        """Return the number of bytes of the inputs read so far.

        The bytes of a Parquet file are added when the file is finished.
        """
        return self._bytes_of_earlier_files + self._bytes_of_file

    def _skip(self, page: PageRef) -> bool:
        """Return whether an interrupted run has processed a page, and count the page's
        bytes.

        Call this method once for each page, in the order of the inputs.
        """
        if page.path != self._file:
            self._bytes_of_earlier_files += file_size(self._file)
            self._file = page.path
        self._bytes_of_file = page.bytes_read
        return self._is_done(page.id)

    def _is_done(self, page_id: str) -> bool:
        """Return whether an interrupted run has processed the next page of the inputs.

        `page_id` is the id of the page. A processed page is counted as skipped.
        """
        is_done = self._skipped[0] < self._done[0]
        if is_done:
            self._skipped = self._skipped[0] + 1, page_id
        return is_done

    def __iter__(self) -> Iterator[Input]:
        for page in self._pages:
            # An input that can't be read may come without a call of `_skip`.
            if not self._is_done(page.id):
                self._check_unchanged()
                yield page
        self._check_unchanged()

    def _check_unchanged(self) -> None:
        """Raise FileError if the inputs have changed since a run was interrupted."""
        (done_count, last_done), (_, last_skipped) = self._done, self._skipped
        if done_count and self._skipped != self._done:
            raise FileError(
                f"page {done_count:,} of the inputs was {last_done}, and now is "
                f"{last_skipped or 'missing'}: the inputs have changed; start again "
                "with --overwrite"
            )


LOCK_SUFFIX = ".lock"
WAIT_SECONDS, PAUSE_SECONDS = 2.0, 0.05
"""The seconds to wait for an output's lock, and the seconds between two attempts.

After a run was killed, its worker processes may hold the lock for a moment.
"""


@contextmanager
def output_lock(path: str) -> Iterator[None]:
    """Lock an output during a `with` block, so that no other run writes to it.

    Raise FileError if another run holds the lock.
    """
    if sys.platform == "win32" or is_stream(path):
        yield
        return
    import fcntl

    lock_path = f"{path}{LOCK_SUFFIX}"
    deadline = time.monotonic() + WAIT_SECONDS
    while True:
        with writing(path):
            handle = os.open(lock_path, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            # The system frees the locks of killed processes.
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(handle)
            if time.monotonic() < deadline:
                time.sleep(PAUSE_SECONDS)
                continue
            raise FileError(
                f"another run is writing to {path}: wait until it has ended, or name "
                "another output"
            ) from None
        except OSError:  # Some network file systems have no locks.
            pass
        if is_still_at(lock_path, handle):
            break
        # The run that had the lock has removed the file: other runs lock a new file.
        os.close(handle)
    try:
        yield
    finally:
        with suppress(OSError):
            os.unlink(lock_path)
        os.close(handle)
