"""Workers under supervision: a page that kills, hangs or exhausts one costs itself.

One thread serves each worker.  A batch of pages goes out, a report on each comes back,
so that the first page without a report is the one that a dead worker died of.  It is
tried once more, alone, in a fresh worker.
"""

from __future__ import annotations

import hashlib
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Final, cast

from amber_wrap.errors import AmberError
from amber_wrap.runtime.jobs import Job
from amber_wrap.runtime.pages import BadInput, InputPage
from amber_wrap.runtime.reader import PageReading
from amber_wrap.runtime.worker import READY, Failure, PageReport

BATCH_PAGES, BATCH_BYTES = 16, 2**21
"""What a worker gets at once, at most; a single page may be larger."""
WINDOW = 8
"""Batches per worker that may wait for an earlier page: outcomes come in order."""
START_SECONDS = 60.0
PATROL_SECONDS = 0.05
START: Final = "from amber_wrap.runtime.worker import main; main()"
WORKER: Final = (sys.executable, "-P", "-c", START)
NOW: Final = -1
"""Instead of the number of a page: what doesn't wait for its turn."""


@dataclass(frozen=True, slots=True)
class PageOutcome:
    """What became of a page; one that failed has the SHA-256 of its bytes."""

    id: str
    reading: PageReading | Failure
    url: str = ""
    sha256: str = ""
    wrapper: str = ""
    cut: str = ""


class WorkerError(AmberError):
    """Workers don't even start."""


class _DeathError(Exception):
    """A worker ended before it reported."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class _Worker:
    """A process, and when it is overdue."""

    def __init__(self, job: Job) -> None:
        self.due = float("inf")
        self._is_late = False
        self._process = subprocess.Popen(
            WORKER,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # An interrupt is for the supervisor.
        )
        self.send(job)
        # A worker that can't start is no page's fault.
        try:
            ready = self.receive(START_SECONDS)
        except _DeathError as error:
            raise WorkerError(f"a worker can't start: {error}") from error
        assert ready == READY

    def send(self, order: object) -> None:
        """Give an order; that the worker is dead is found when its report is due."""
        assert self._process.stdin
        with suppress(OSError, ValueError):
            pickle.dump(order, self._process.stdin, pickle.HIGHEST_PROTOCOL)
            self._process.stdin.flush()

    def receive(self, seconds: float) -> object:
        """The next report; raises _DeathError if there is none in time."""
        assert self._process.stdout
        self.due = time.monotonic() + seconds
        try:
            return pickle.load(self._process.stdout)
        except (EOFError, OSError, ValueError, pickle.UnpicklingError):
            self._process.kill()
            code = self._process.wait()
            if self._is_late:
                raise _DeathError(
                    "timeout", f"no result after {seconds:g} seconds"
                ) from None
            raise _DeathError("crash", f"the worker ended with {_told(code)}") from None
        finally:
            self.due = float("inf")

    def watch(self) -> None:
        """Kill it if it is overdue."""
        if time.monotonic() > self.due:
            self._is_late = True
            self._process.kill()

    def end(self) -> None:
        """End it, whatever it does."""
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream:
                with suppress(OSError):
                    stream.close()


def _told(code: int) -> str:
    if code < 0:
        try:
            return signal.Signals(-code).name
        except ValueError:
            return f"signal {-code}"
    return f"exit code {code}"


class Supervisor:
    """`jobs` workers for a job; a page may take them `deadline` seconds.

    With `keep` they wait for the next pages when there are no more, and end with this
    process.
    """

    def __init__(
        self, job: Job, jobs: int = 1, deadline: float = 20.0, keep: bool = False
    ) -> None:
        self._job, self._jobs, self._deadline = job, max(1, jobs), deadline
        self._kept: list[_Worker] | None = [] if keep else None

    def outcomes(self, pages: Iterable[InputPage | BadInput]) -> Iterator[PageOutcome]:
        """One outcome per input, in order; few pages are in memory at a time.

        What `pages` raises is raised here, after the outcomes of the pages before it.
        """
        run = _Run(self._job, self._jobs, self._deadline, pages, self._kept)
        try:
            yield from run.outcomes()
        finally:
            run.stop()


Numbered = tuple[int, InputPage]


class _Run:
    """One pass over pages: the feed that lanes share, and what they bring back."""

    def __init__(
        self,
        job: Job,
        jobs: int,
        deadline: float,
        pages: Iterable[InputPage | BadInput],
        kept: list[_Worker] | None,
    ) -> None:
        self.job, self.deadline, self.kept = job, deadline, kept
        self.stopped = False
        self.done: SimpleQueue[tuple[int, PageOutcome | BaseException | None]] = (
            SimpleQueue()
        )
        self.window = threading.Semaphore(WINDOW * BATCH_PAGES * jobs)
        self._pages = iter(pages)
        self._count = 0
        self._feed = threading.Lock()
        self._lanes = [_Lane(self) for _ in range(jobs)]
        for lane in self._lanes:
            lane.start()
        threading.Thread(target=self._patrol, daemon=True).start()

    def outcomes(self) -> Iterator[PageOutcome]:
        """The outcomes in the order of the pages."""
        waiting: dict[int, PageOutcome | BaseException] = {}
        following, lanes = 0, len(self._lanes)
        while lanes:
            number, found = self.done.get()
            if found is None:
                lanes -= 1
                continue
            if number == NOW and isinstance(found, BaseException):
                raise found
            waiting[number] = found
            while following in waiting:
                outcome = waiting.pop(following)
                if isinstance(outcome, BaseException):
                    raise outcome
                yield outcome
                self.window.release()
                following += 1

    def batch(self) -> list[Numbered]:
        """The next pages, none at the end; what is no page is an outcome at once."""
        with self._feed:
            found: list[Numbered] = []
            size = 0
            while len(found) < BATCH_PAGES and size < BATCH_BYTES:
                # With a page in hand nothing is waited for: it may be the next one.
                if not self.window.acquire(blocking=not found) or self.stopped:
                    break
                number = self._count
                self._count += 1
                try:
                    page = next(self._pages)
                except StopIteration:
                    break
                except BaseException as error:
                    self.done.put((number, error))
                    self._pages = iter(())
                    break
                if isinstance(page, BadInput):
                    failure = Failure("input", page.kind, page.message)
                    self.done.put((number, PageOutcome(page.id, failure)))
                    continue
                found.append((number, page))
                size += len(page.body)
            return found

    def stop(self) -> None:
        """End all workers and threads."""
        self.stopped = True
        for lane in self._lanes:
            self.window.release(BATCH_PAGES)
            lane.end()
        for lane in self._lanes:
            lane.join()

    def _patrol(self) -> None:
        while not self.stopped:
            for lane in self._lanes:
                lane.watch()
            time.sleep(PATROL_SECONDS)


class _Lane(threading.Thread):
    """Serves one worker after the other."""

    def __init__(self, run: _Run) -> None:
        super().__init__(daemon=True)
        self._run = run
        self._worker: _Worker | None = None
        self._death = Failure("extract", "crash", "")

    def run(self) -> None:
        """Batch by batch, until there is none."""
        try:
            while not self._run.stopped and (batch := self._run.batch()):
                self._serve(batch)
            if self._worker and self._run.kept is not None and not self._run.stopped:
                self._run.kept.append(self._worker)
                self._worker = None
        except BaseException as error:
            self._run.done.put((NOW, error))
        finally:
            self.end()
            self._run.done.put((NOW, None))

    def watch(self) -> None:
        """Kill the worker if it is overdue."""
        if worker := self._worker:
            worker.watch()

    def end(self) -> None:
        """End the worker."""
        worker, self._worker = self._worker, None
        if worker:
            worker.end()

    def _serve(self, batch: list[Numbered]) -> None:
        """Report on each page, whatever becomes of the workers."""
        while batch:
            for report in self._reports([page for _, page in batch]):
                self._report(*batch.pop(0), report)
            if self._run.stopped:
                return
            if batch:
                number, page = batch.pop(0)
                alone = next(self._reports([page]), PageReport(self._death))
                self._report(number, page, alone)

    def _report(self, number: int, page: InputPage, report: PageReport) -> None:
        self._run.done.put((number, _outcome(page, report)))

    def _reports(self, pages: Sequence[InputPage]) -> Iterator[PageReport]:
        """The reports on pages, up to the one that the worker dies of."""
        if self._worker is None:
            kept = self._run.kept
            self._worker = kept.pop() if kept else _Worker(self._run.job)
        worker = self._worker
        worker.send(tuple(pages))
        for _ in pages:
            try:
                report = cast(PageReport, worker.receive(self._run.deadline))
            except _DeathError as death:
                self._death = Failure("extract", death.kind, str(death))
                self.end()
                return
            reading = report.reading
            if isinstance(reading, Failure) and reading.kind == "memory":
                self._death = reading
                self.end()
                return
            yield report


def _outcome(page: InputPage, report: PageReport) -> PageOutcome:
    failed = isinstance(report.reading, Failure)
    digest = hashlib.sha256(page.body).hexdigest() if failed else ""
    return PageOutcome(
        page.id, report.reading, page.url, digest, report.wrapper, page.cut
    )
