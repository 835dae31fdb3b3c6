"""Apply wrappers to many pages in worker processes, and resume killed runs."""

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
from amber_wrap.runtime.jobs import Job
from amber_wrap.runtime.journal import Journal, Progress, Remaining
from amber_wrap.runtime.outcomes import DEAD_FIELDS, Tally, dead_letter, rows_of
from amber_wrap.runtime.output_lock import output_lock
from amber_wrap.runtime.outputs import STDOUT, Sink, check_output, open_sink
from amber_wrap.runtime.supervisor import Supervisor
from amber_wrap.runtime.worker import Failure
from amber_wrap.wrapper.json_values import wrapper_to_data

SAVE_SECONDS = 2.0
"""The seconds between two savings of the outputs.

A killed run loses the work of this time at most.
"""


@dataclass(frozen=True, slots=True)
class Order:
    """The inputs, outputs and limits of a run.

    `output` is the path for the records, or "-" for stdout. `dead` is the path of the
    file that lists the failed pages, or a sink. `html` is the column of pages in
    Parquet files. `jobs` is the number of worker processes. `deadline` is the number of
    seconds that a page may take.
    """

    inputs: tuple[str, ...]
    output: str
    dead: str | Sink
    html: str = "html"
    resume: bool = False
    overwrite: bool = False
    jobs: int = 1
    deadline: float = 20.0

    @property
    def paths(self) -> Sequence[str]:
        """Return the paths that the run writes to."""
        outputs = (self.output, self.dead)
        return tuple(dict.fromkeys(one for one in outputs if isinstance(one, str)))


Bar = Callable[[int], AbstractContextManager[Callable[[int], None]]]
"""A function that opens a progress bar.

It takes the number of pages that an earlier run has done. It returns a context, whose
value is a function to call after each page with the number of input bytes read."""


def apply_many(job: Job, order: Order, bar: Bar) -> Tally | None:
    """Write the records of all pages, and return the counts of the run.

    The records are in page order. Each record is written once, even if a killed run is
    resumed. Return None if `order.resume` is set, but the earlier run has ended.

    Raise FileError in these cases, among others:

    - an output exists already, and `order` says neither to resume nor to overwrite,
    - the journal belongs to a run with other wrappers, inputs or options,
    - the inputs have changed since the interrupted run,
    - another run writes to the same output.
    """
    with ExitStack() as locks:
        for path in order.paths:
            locks.enter_context(output_lock(path))
        return _apply(job, order, bar)


def _apply(job: Job, order: Order, bar: Bar) -> Tally | None:
    progress = Progress(key_of(job, order))
    journal = Journal(Path(order.output)) if order.output != STDOUT else None
    if order.resume and order.overwrite:
        raise FileError(
            "--resume continues an output, --overwrite starts it again: use one of them"
        )
    if order.resume and not journal:
        raise FileError("--resume continues a file: name it with -o")
    begun = journal.load(progress.key) if journal and not order.overwrite else None
    if begun and not order.resume:
        raise FileError(
            f"{order.output} is of an interrupted run: continue it with --resume, or "
            "start again with --overwrite"
        )
    if order.resume and not begun and Path(order.output).exists():
        return None
    progress = begun or progress
    pages = Remaining(order.inputs, order.html, progress)
    if not begun:
        if journal and order.output == order.dead:
            raise FileError(f"records and dead letters can't both be in {order.output}")
        for path in order.paths:
            check_output(path, order.overwrite)
    if journal:
        # The journal is written first: an output without a journal is complete.
        journal.save(progress)
    with ExitStack() as stack:

        def opened(path: str, fields: Sequence[str], position: int | None) -> Sink:
            is_there = os.path.isfile(path) or os.path.isdir(path)
            if (begun or order.overwrite) and position is None and is_there:
                position = 0  # The file is still empty, or is to be overwritten.
            types = job.column_types
            return stack.enter_context(open_sink(path, fields, position, types))

        output = opened(order.output, job.fields, progress.output)
        dead = order.dead
        if isinstance(dead, str):
            dead = opened(dead, DEAD_FIELDS, progress.dead)
        tally = _run(job, order, pages, output, dead, journal, progress, bar)
    if journal:
        journal.end()
    if isinstance(order.dead, str) and not tally.failed and Path(order.dead).is_file():
        os.unlink(order.dead)  # It lists no page.
    return tally


def key_of(job: Job, order: Order) -> str:
    """Return a digest of a run's wrappers, inputs and options.

    Two runs with the same key write the same outputs.
    """
    settings = {
        "wrappers": [
            (name, wrapper_to_data(wrapper)) for name, wrapper in job.wrappers
        ],
        "routes": job.routes,
        "raw": job.raw,
        "inputs": order.inputs,
        "html": order.html,
    }
    return hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()


def _run(
    job: Job,
    order: Order,
    pages: Remaining,
    output: Sink,
    dead: Sink,
    journal: Journal | None,
    progress: Progress,
    bar: Bar,
) -> Tally:
    """Process the remaining pages, and return the counts of all pages of the run.

    The run continues from `progress`, and saves new progress in `journal`, if given.
    """
    tally = Tally.from_data(progress.tally)
    tally.earlier = progress.done
    supervisor = Supervisor(job, order.jobs, order.deadline)

    def save() -> None:
        """Flush the outputs to the disk, then save the progress in the journal.

        The progress has the sizes of the outputs, so that a resumed run can cut off
        what was written later.
        """
        output.flush()
        dead.flush()
        if journal:
            progress.output, progress.dead = output.position(), dead.position()
            progress.tally = tally.to_data()
            journal.save(progress)

    save()
    saved = time.monotonic()
    with bar(progress.done) as advance:
        for outcome in supervisor.outcomes(pages):
            tally.add(outcome)
            output.write(rows_of(outcome))
            if isinstance(outcome.reading, Failure):
                dead.write([dead_letter(outcome, outcome.reading)])
            progress.done += 1
            progress.last = outcome.id
            advance(pages.read)
            if time.monotonic() - saved > SAVE_SECONDS:
                save()
                saved = time.monotonic()
    if tally.lost:
        tally.size = total_size(order.inputs) or pages.read
    save()
    output.end()
    dead.end()
    return tally
