"""Run a worker process, which reads pages until its input ends.

`runtime.supervisor` starts the worker and sends a `Job`, then batches of pages. The
worker sends back a report on each page. All messages are pickled. The worker writes no
files, so its death does no harm to other pages.
"""

from __future__ import annotations

import os
import pickle
import sys
from contextlib import suppress
from dataclasses import dataclass, replace
from io import RawIOBase
from typing import BinaryIO, Final

from amber_wrap.child_processes import end_with
from amber_wrap.dom.saved_formats import unwrap
from amber_wrap.errors import AmberError, PageError
from amber_wrap.runtime.input_pages import InputPage
from amber_wrap.runtime.jobs import Job, Router
from amber_wrap.runtime.record_reader import PageReading, tree_of

READY: Final = "ready"
NO_MEMORY: Final = 2
"""The code XML_ERR_NO_MEMORY of libxml2."""
OUT_OF_MEMORY: Final = "the page needs more memory than a worker may use"


@dataclass(frozen=True, slots=True)
class Failure:
    """The reason why a page has no records: the stage, the kind, and a message.

    `stage` is "input", "parse" or "extract". `kind` is "page" if the bytes are no HTML
    page. Other kinds are "timeout", "crash", "memory", "internal" and the kinds of
    `BadInput`.
    """

    stage: str
    kind: str
    message: str


@dataclass(frozen=True, slots=True)
class PageReport:
    """A worker's report on one page.

    `wrapper` is the name of the chosen wrapper, or "" if the job has only one wrapper.
    """

    reading: PageReading | Failure
    wrapper: str = ""


def report_page(router: Router, page: InputPage) -> PageReport:
    """Parse a page, read its records, and return the report on the page.

    If the page can't be parsed or read, the report has a Failure. Raise MemoryError if
    memory runs out. Raise any AmberError that isn't a PageError.
    """
    stage = "parse"
    try:
        saved = unwrap(page.body)
        root = tree_of(replace(page, body=saved.body))
        stage = "extract"
        name, reading = router.read(root, page.url or saved.url)
    except PageError as error:
        return PageReport(Failure(stage, "page", str(error)))
    except (MemoryError, AmberError):
        raise
    except Exception as error:
        # lxml raises no MemoryError if libxml2 runs out of memory.
        if getattr(error, "code", None) == NO_MEMORY:
            raise MemoryError from error
        return PageReport(
            Failure(stage, "internal", f"{type(error).__name__}: {error}")
        )
    return PageReport(reading, name)


def main() -> None:
    """Read pages until the input ends, memory runs out, or the parent process ends."""
    for lifeline in sys.argv[1:]:
        end_with(int(lifeline))
    orders = sys.stdin.buffer
    # Prints to stdout must not get between the reports.
    reports = os.fdopen(os.dup(sys.stdout.fileno()), "wb", buffering=0)
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    # The supervisor may be killed at any time: then no reports are needed any more.
    with suppress(EOFError, BrokenPipeError, pickle.UnpicklingError):
        _work(orders, reports)


def _work(orders: BinaryIO, reports: RawIOBase) -> None:
    job: Job = pickle.load(orders)
    limit_memory(job.memory)
    router = Router(job.wrappers, job.routes, job.raw)
    _send(reports, READY)
    while True:
        batch: tuple[InputPage, ...] = pickle.load(orders)
        for page in batch:
            try:
                report = report_page(router, page)
            except MemoryError:
                _send(reports, PageReport(Failure("extract", "memory", OUT_OF_MEMORY)))
                return
            _send(reports, report)


def limit_memory(megabytes: int) -> None:
    """Limit the address space of this process, if the system can do that."""
    try:
        import resource
    except ImportError:  # Windows: only the deadline limits a page there.
        return
    if megabytes:
        most = megabytes * 2**20
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


def _send(reports: RawIOBase, message: object) -> None:
    data = memoryview(pickle.dumps(message, pickle.HIGHEST_PROTOCOL))
    while data:
        data = data[reports.write(data) :]
