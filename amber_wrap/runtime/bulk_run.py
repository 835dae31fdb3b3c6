"""Apply wrappers to many pages in worker processes, and resume killed runs.

A journal file beside the output keeps the progress of a run, so that `--resume` can
continue after a crash.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from amber_wrap.atomic_write import remove_temporary_files, write_atomically, writing
from amber_wrap.errors import FileError
from amber_wrap.runtime.input_pages import (
    BadInput,
    InputOptions,
    InputPage,
    PageRef,
    file_size,
)
from amber_wrap.runtime.inputs import pages, total_size
from amber_wrap.runtime.outcomes import DEAD_FIELDS, Tally, dead_letter, rows_of
from amber_wrap.runtime.output_lock import output_lock
from amber_wrap.runtime.outputs import STDOUT, Sink, check_output, open_sink
from amber_wrap.runtime.page_reader import Job
from amber_wrap.runtime.supervisor import Supervisor
from amber_wrap.runtime.worker_process import Failure
from amber_wrap.wrapper.json_values import wrapper_to_data

SAVE_SECONDS = 2.0
"""The seconds between two savings of the outputs.

A killed run loses the work of this time at most.
"""

_JOURNAL_VERSION = 1


@dataclass(frozen=True, slots=True)
class RunOptions:
    """The inputs, outputs and limits of a run.

    `inputs` name the files, folders and patterns to read. `output` is the path for the
    records, or "-" for stdout. `dead_letters` is the path of the file that lists the
    failed pages, or a `Sink` object that receives the failed pages. `html` is the
    column of pages in Parquet files. `resume` continues an interrupted run. `overwrite`
    replaces the output of an earlier run. `jobs` is the number of worker processes.
    `deadline` is the number of seconds that a page may take.
    """

    inputs: tuple[str, ...]
    output: str
    dead_letters: str | Sink
    html: str = "html"
    resume: bool = False
    overwrite: bool = False
    jobs: int = 1
    deadline: float = 20.0

    @property
    def output_paths(self) -> Sequence[str]:
        """Return the paths that the run writes to, each path once."""
        outputs = (self.output, self.dead_letters)
        return tuple(dict.fromkeys(path for path in outputs if isinstance(path, str)))


OpenBar = Callable[[int], AbstractContextManager[Callable[[int], None]]]
"""A function that opens a progress bar.

The argument is the number of pages that an earlier run has done. The result is a
context manager for a `with` block. The block gets a function, to be called after each
page with the number of input bytes that were read so far."""


def apply_many(job: Job, options: RunOptions, open_bar: OpenBar) -> Tally | None:
    """Write the records of all pages of the inputs, and return the counts of the run.

    `job` has the wrappers that read the records. `options` name the inputs and outputs.
    `open_bar` opens a progress bar. The records are written in page order. Each record
    is written once, even if a killed run is resumed. Return None if there is nothing to
    resume: `options.resume` is set, but the earlier run was complete.

    Raise FileError in these cases, among others:

    - an output exists already, and `options` set neither `resume` nor `overwrite`,
    - the journal belongs to a run with other wrappers, inputs or options,
    - the inputs have changed since the interrupted run,
    - another run writes to the same output.
    """
    with ExitStack() as locks:
        for path in options.output_paths:
            locks.enter_context(output_lock(path))
        return _apply_locked(job, options, open_bar)


def _apply_locked(job: Job, options: RunOptions, open_bar: OpenBar) -> Tally | None:
    """Write the records of all pages to outputs that are locked already.

    The parameters are those of `apply_many`. Return the counts of the run. Return None
    if `options.resume` is set, but the earlier run was complete. Raise FileError in the
    same cases as `apply_many`, except for an output that another run writes to.
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
            raise FileError(
                f"records and dead letters can't both be in {options.output}"
            )
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
            return sinks.enter_context(
                open_sink(path, fields, position, job.column_types)
            )

        output = open_output(options.output, job.fields, progress.output)
        dead_letters = options.dead_letters
        if isinstance(dead_letters, str):
            dead_letters = open_output(dead_letters, DEAD_FIELDS, progress.dead)
        tally = _run(
            job,
            options,
            remaining_pages,
            output,
            dead_letters,
            journal,
            progress,
            open_bar,
        )
    if journal:
        journal.end()
    dead_path = options.dead_letters
    if isinstance(dead_path, str) and not tally.failed and Path(dead_path).is_file():
        os.unlink(dead_path)  # It lists no page.
    return tally


def key_of_run(job: Job, options: RunOptions) -> str:
    """Return a digest of the wrappers of a job, and of a run's inputs and options.

    Two runs with the same digest write the same outputs, unless a page exceeds a limit
    of time or memory in one of the runs. These limits aren't in the digest.
    """
    settings = {
        "wrappers": [
            (name, wrapper_to_data(wrapper)) for name, wrapper in job.wrappers
        ],
        "routes": job.routes,
        "raw": job.raw,
        "inputs": options.inputs,
        "html": options.html,
    }
    return hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()


def _run(
    job: Job,
    options: RunOptions,
    remaining_pages: RemainingPages,
    output: Sink,
    dead_letters: Sink,
    journal: Journal | None,
    progress: Progress,
    open_bar: OpenBar,
) -> Tally:
    """Process the remaining pages, and return the counts of all pages of the run.

    `job` has the wrappers that read the records. The records are written to `output`,
    and the rows for failed pages to `dead_letters`. `progress` is the progress of the
    interrupted run. For a new run, `progress` has 0 pages. `progress` is updated after
    each page, and saved in `journal` if `journal` isn't None. `open_bar` opens a
    progress bar.
    """
    tally = Tally.from_data(progress.tally)
    tally.earlier = progress.done
    supervisor = Supervisor(job, options.jobs, options.deadline)

    def save() -> None:
        """Flush the outputs to the disk, then save the progress in the journal file.

        The progress has the sizes of the outputs. A resumed run cuts the outputs to
        these sizes, because it processes the later pages again.
        """
        output.flush()
        dead_letters.flush()
        if journal:
            progress.output = output.position()
            progress.dead = dead_letters.position()
            progress.tally = tally.to_data()
            journal.save(progress)

    save()
    last_save = time.monotonic()
    with open_bar(progress.done) as advance_bar:
        for outcome in supervisor.outcomes(remaining_pages):
            tally.add(outcome)
            output.write(rows_of(outcome))
            if isinstance(outcome.reading, Failure):
                dead_letters.write([dead_letter(outcome, outcome.reading)])
            progress.done += 1
            progress.last = outcome.id
            advance_bar(remaining_pages.bytes_read)
            if time.monotonic() - last_save > SAVE_SECONDS:
                save()
                last_save = time.monotonic()
    if tally.lost:
        tally.size = total_size(options.inputs) or remaining_pages.bytes_read
    save()
    output.end()
    dead_letters.end()
    return tally


@dataclass(slots=True)
class Progress:
    """The progress of a run that can be resumed.

    `done` is the number of pages that were processed.  `last` is the id of the last
    processed page.  `key` is a digest of the run's wrappers, inputs and options.
    `output` is the size of the output of records at the last save (`Sink.position`).
    `dead` is the size of the output of failed pages at the last save.  A size is None
    before the first save.  `tally` has the counts of the run so far (`Tally.to_data`).
    """

    key: str
    done: int = 0
    last: str = ""
    output: int | None = None
    dead: int | None = None
    tally: dict[str, Any] = field(default_factory=dict)


class Journal:
    """The file `<output>.journal`, which keeps the progress of an unfinished run."""

    def __init__(self, output: Path) -> None:
        self.path = output.with_name(f"{output.name}.journal")

    def load(self, key: str) -> Progress | None:
        """Return the progress of the interrupted run, or None if there is no journal.

        `key` is the digest of the run's wrappers, inputs and options. Raise FileError
        if the journal can't be read, or if the journal has another digest.
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
        """Write the progress to the journal.

        Call this after the outputs were flushed to the disk.  Raise FileError if the
        system can't write the file.
        """
        data = {"version": _JOURNAL_VERSION, **asdict(progress)}
        with writing(self.path):
            write_atomically(self.path, json.dumps(data))

    def end(self) -> None:
        """Remove the journal after the run has ended."""
        self.path.unlink(missing_ok=True)
        remove_temporary_files(self.path)


class RemainingPages:
    """An iterable of the pages of `inputs` that an interrupted run has not done yet.

    `html` is the column of pages in Parquet files. `progress` has the number of pages
    that the run has done. These pages are skipped without being read.
    `RemainingPages()` raises FileError if an input can't be read. Iteration raises
    FileError if the inputs have changed since the interrupted run.
    """

    def __init__(self, inputs: Sequence[str], html: str, progress: Progress) -> None:
        self._done_count, self._last_done = progress.done, progress.last
        self._skipped_count, self._last_skipped = 0, ""
        self._file, self._bytes_of_earlier_files, self._bytes_of_file = "", 0, 0
        self._pages = pages(inputs, InputOptions(html), self._skip)

    @property
    def bytes_read(self) -> int:
        """Return the number of bytes of the inputs read so far.

        The bytes of a Parquet file are added when the file is finished.
        """
        return self._bytes_of_earlier_files + self._bytes_of_file

    def _skip(self, page: PageRef) -> bool:
        """Count a page, and return whether the interrupted run has done the page.

        Call this method once for each page, in the order of the inputs. If the run has
        done n pages, the result is True for the first n calls.
        """
        if page.path != self._file:
            self._bytes_of_earlier_files += file_size(self._file)
            self._file = page.path
        self._bytes_of_file = page.bytes_read
        is_done = self._skipped_count < self._done_count
        if is_done:
            self._count_skipped(page.id)
        return is_done

    def _count_skipped(self, page_id: str) -> None:
        """Count one more page as skipped, and remember its id."""
        self._skipped_count += 1
        self._last_skipped = page_id

    def __iter__(self) -> Iterator[InputPage | BadInput]:
        for page in self._pages:
            if self._skipped_count < self._done_count:
                # `_skip` wasn't called for this input, which can't be read.
                self._count_skipped(page.id)
                continue
            self._check_unchanged()
            yield page
        self._check_unchanged()

    def _check_unchanged(self) -> None:
        """Raise FileError if the inputs have changed since the interrupted run.

        The last skipped page must be the last page that the interrupted run has done.
        """
        if not self._done_count:
            return
        if (self._skipped_count, self._last_skipped) != (
            self._done_count,
            self._last_done,
        ):
            raise FileError(
                f"page {self._done_count:,} of the inputs was {self._last_done}, and "
                f"now is {self._last_skipped or 'missing'}: the inputs have changed; "
                "start again with --overwrite"
            )
