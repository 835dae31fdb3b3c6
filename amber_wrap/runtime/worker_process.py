"""Define a worker: a process that reads the records of pages for its parent process.

The parent sends a `Job` and batches of pages, and the worker sends back a report on
each page.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, replace
from io import RawIOBase
from typing import BinaryIO, Final

from amber_wrap.child_processes import end_with_pipe
from amber_wrap.dom.saved_formats import extract_page
from amber_wrap.errors import AmberError, PageError
from amber_wrap.runtime.input_pages import InputPage
from amber_wrap.runtime.page_reader import Job, PageReading, Router, tree_of

READY: Final = "ready"
"""The first message that a worker sends, after the worker has received its job."""
XML_ERR_NO_MEMORY: Final = 2
"""The error code of libxml2 (lxml's parser) for a lack of memory."""
OUT_OF_MEMORY: Final = "the page needs more memory than a worker may use"
"""The error message for a page for which memory ran out."""
START_SECONDS = 60.0
"""The seconds that a worker may take until it is ready."""
MOST_STARTS: Final = 10
"""The most attempts to start a worker, which may be killed before it is ready."""
WORKER_CODE: Final = "from amber_wrap.runtime.worker_process import main; main()"
WORKER_COMMAND: Final = (sys.executable, "-P", "-c", WORKER_CODE)
"""The command that runs a worker."""


@dataclass(frozen=True, slots=True)
class Failure:
    """The reason why a page has no records."""

    stage: str
    """The step that failed: "input", "parse" or "extract"."""
    kind: str
    """One of "page" (no HTML), "timeout", "crash", "memory", "internal", or a
    `BadInput.kind`."""
    message: str


@dataclass(frozen=True, slots=True)
class PageReport:
    """A worker's report on one page."""

    reading: PageReading | Failure
    wrapper: str = ""
    """The name of the wrapper that read the page, or "" if the job has only one."""


def report_page(router: Router, page: InputPage) -> PageReport:
    """Parse a page, and return the report with its records or the failure.

    Raise MemoryError if memory runs out, and any AmberError that isn't a PageError.
    """
    stage = "parse"
    try:
        saved = extract_page(page.body)
        root = tree_of(replace(page, body=saved.body))
        stage = "extract"
        name, reading = router.read(root, page.url or saved.url)
    except PageError as error:
        return PageReport(Failure(stage, "page", str(error)))
    except (MemoryError, AmberError):
        raise
    except Exception as error:
        # lxml raises no MemoryError if libxml2 runs out of memory.
        if getattr(error, "code", None) == XML_ERR_NO_MEMORY:
            raise MemoryError from error
        message = f"{type(error).__name__}: {error}"
        return PageReport(Failure(stage, "internal", message))
    return PageReport(reading, name)


def main() -> None:
    """Read the records of pages that the parent process sends, until it sends no more.

    The job and the pages come from stdin, and the reports go to stdout.
    """
    for lifeline in sys.argv[1:]:
        end_with_pipe(int(lifeline))
    messages = sys.stdin.buffer
    # Prints to stdout must not get between the reports.
    reports = os.fdopen(os.dup(sys.stdout.fileno()), "wb", buffering=0)
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    # The supervisor may be killed at any time: then no reports are needed any more.
    with suppress(EOFError, BrokenPipeError, pickle.UnpicklingError):
        _report_batches(messages, reports)


def _report_batches(messages: BinaryIO, reports: RawIOBase) -> None:
    """Receive a job and batches of pages, and send a report on each page.

    Return if memory runs out, and raise EOFError at the end of `messages`.
    """
    job: Job = pickle.load(messages)
    limit_memory(job.memory)
    router = Router(job.wrappers, job.routes, job.raw)
    _write_message(reports, READY)
    while True:
        batch: tuple[InputPage, ...] = pickle.load(messages)
        for page in batch:
            try:
                report = report_page(router, page)
            except MemoryError:
                failure = Failure("extract", "memory", OUT_OF_MEMORY)
                _write_message(reports, PageReport(failure))
                return
            _write_message(reports, report)


def limit_memory(mebibytes: int) -> None:
    """Limit the address space of this process, if the system can do that.

    Set no limit if `mebibytes` is 0.
    """
    try:
        import resource
    except ImportError:  # Windows: only the deadline limits a page there.
        return
    if mebibytes:
        limit = mebibytes * 2**20
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def _write_message(stream: RawIOBase, message: object) -> None:
    """Write a pickled message to an unbuffered stream."""
    unwritten = memoryview(pickle.dumps(message, pickle.HIGHEST_PROTOCOL))
    while unwritten:
        unwritten = unwritten[stream.write(unwritten) :]


class WorkerError(AmberError):
    """The error for a worker that couldn't be started."""


class DeathError(Exception):
    """The error for a worker that ended without sending its report.

    `kind` is "timeout" if the worker exceeded a time limit, else "crash".
    """

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class WorkerProcess:
    """A worker process, as its parent process sees it.

    The worker ends when the parent process ends or is killed.
    """

    def __init__(self) -> None:
        self.report_due = float("inf")  # A time of `time.monotonic`.
        self._is_late = False
        worker_end, self._lifeline = os.pipe()
        is_posix = os.name == "posix"
        try:
            self._process = subprocess.Popen(
                [*WORKER_COMMAND, str(worker_end)] if is_posix else WORKER_COMMAND,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                pass_fds=[worker_end] if is_posix else [],
                start_new_session=True,  # An interrupt is for the supervisor.
            )
        except BaseException:
            os.close(self._lifeline)
            raise
        finally:
            os.close(worker_end)

    def send(self, message: object) -> None:
        """Send the worker a job or a batch of pages.

        Do nothing if the worker is dead.
        """
        assert self._process.stdin
        with suppress(OSError, ValueError):
            pickle.dump(message, self._process.stdin, pickle.HIGHEST_PROTOCOL)
            self._process.stdin.flush()

    def receive(self, seconds: float) -> object:
        """Return the next report of the worker, or raise DeathError if the worker ends.

        `seconds` is the time limit for the report, which `kill_if_late` enforces.
        """
        assert self._process.stdout
        self.report_due = time.monotonic() + seconds
        try:
            return pickle.load(self._process.stdout)
        except (EOFError, OSError, ValueError, pickle.UnpicklingError):
            self._process.kill()
            exit_code = self._process.wait()
            kind, message = "crash", f"the worker ended with {_exit_text(exit_code)}"
            if self._is_late:
                kind, message = "timeout", f"no result after {seconds:g} seconds"
            raise DeathError(kind, message) from None
        finally:
            self.report_due = float("inf")

    def kill_if_late(self) -> None:
        """Kill the process if the report that `receive` waits for is overdue."""
        if time.monotonic() > self.report_due:
            self.kill_as_late()

    def kill_as_late(self) -> None:
        """Kill the process, so that `receive` raises a DeathError of kind "timeout"."""
        self._is_late = True
        self._process.kill()

    def end(self) -> None:
        """End the process at once, even in the middle of a page."""
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream:
                with suppress(OSError):
                    stream.close()
        lifeline, self._lifeline = self._lifeline, -1
        if lifeline >= 0:
            os.close(lifeline)


def start_worker(job: Job) -> WorkerProcess:
    """Start a worker, and return the worker when it is ready for pages.

    Raise WorkerError if the worker can't be started.
    """
    for attempt in range(1, MOST_STARTS + 1):
        worker = WorkerProcess()
        worker.send(job)
        limit = threading.Timer(START_SECONDS, worker.kill_as_late)
        limit.start()
        try:
            message = worker.receive(START_SECONDS)
        except DeathError as error:
            worker.end()
            if attempt == MOST_STARTS:
                raise WorkerError(f"cannot start a worker: {error}") from error
        else:
            assert message == READY
            return worker
        finally:
            limit.cancel()
    raise AssertionError("the last start gives a worker or an error")


def _exit_text(code: int) -> str:
    """Return a text that says how a process ended, such as "exit code 1" or "SIGKILL".

    `code` is the exit code, which is negative if a signal killed the process.
    """
    if code < 0:
        try:
            return signal.Signals(-code).name
        except ValueError:
            return f"signal {-code}"
    return f"exit code {code}"
