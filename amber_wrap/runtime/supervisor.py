"""Supervise worker processes, and restart a worker that a page has killed.

A page that has killed its worker is tried once more, alone, in a new worker.
"""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Final, cast

from amber_wrap.dom.saved_formats import MAX_PAGE
from amber_wrap.runtime.input_pages import BadInput, Input, InputPage
from amber_wrap.runtime.page_reader import Job, PageReading
from amber_wrap.runtime.worker_process import (
    DeathError,
    Failure,
    PageReport,
    WorkerProcess,
    start_worker,
)

BATCH_PAGES, BATCH_BYTES = 16, 2**21
"""The most pages, and the most bytes, of a batch for a worker.

The last page of a batch may exceed the limit of bytes.
"""
WINDOW = 8
"""The greatest number of batches per worker whose outcomes haven't been yielded yet.

Outcomes are yielded in page order, so they may wait for the outcome of an earlier page.
"""
WATCH_SECONDS = 0.05
"""The seconds between two checks whether a worker has exceeded the deadline."""
END_SECONDS = 5.0
"""The most seconds to wait for the end of a thread, which may be waiting for input."""
NO_PAGE_NUMBER: Final = -1
"""The page number in a message that a thread has ended or failed.

Such a message is about no page.
"""


@dataclass(frozen=True, slots=True)
class PageOutcome:
    """The records of one page, or the reason for its failure."""

    id: str
    reading: PageReading | Failure
    url: str = ""
    sha256: str = ""
    """The digest of the bytes of a failed page, else ""."""
    wrapper: str = ""
    """The name of the wrapper that read the page, or "" if the job has only one."""
    truncation: str = ""
    """The crawler's reason for cutting the page, such as "length", or "" for a whole
    page."""
    lost_bytes: int = 0
    """The number of unreadable bytes in the input."""


class Supervisor:
    """A pool of `jobs` worker processes that read the records of pages.

    A page may take `deadline` seconds. With `keep`, the workers stay alive after a run.
    """

    def __init__(
        self, job: Job, jobs: int = 1, deadline: float = 20.0, keep: bool = False
    ) -> None:
        self._job, self._jobs, self._deadline = job, max(1, jobs), deadline
        self._idle_workers: list[WorkerProcess] | None = [] if keep else None

    def outcomes(self, pages: Iterable[Input]) -> Iterator[PageOutcome]:
        """Yield the records or the failure of each page, in page order.

        If iterating over `pages` raises an error, yield the outcomes of all earlier
        pages, then raise the error.
        """
        run = _Run(self._job, self._jobs, self._deadline, pages, self._idle_workers)
        try:
            yield from run.outcomes()
        finally:
            run.stop()


NumberedPage = tuple[int, InputPage]
_Message = tuple[int, PageOutcome | BaseException | None]


class _Run:
    """One run over pages by several worker processes, each served by a thread.

    The run takes workers from `idle_workers`, and returns them there. If `idle_workers`
    is None, the workers end with the run.
    """

    def __init__(
        self,
        job: Job,
        jobs: int,
        deadline: float,
        pages: Iterable[Input],
        idle_workers: list[WorkerProcess] | None,
    ) -> None:
        self.job, self.deadline, self.idle_workers = job, deadline, idle_workers
        self.stopped = False
        # A message has the number of a page and its outcome. A message with
        # `NO_PAGE_NUMBER` has the error of a thread, or None from a thread that ends.
        self.messages: SimpleQueue[_Message] = SimpleQueue()
        self.window = threading.Semaphore(WINDOW * BATCH_PAGES * jobs)
        self._pages = iter(pages)
        self._page_count = 0
        self._pages_lock = threading.Lock()
        self._memory = threading.Condition()
        self._memory_used, self._memory_limit = 0, max(MAX_PAGE, 2 * BATCH_BYTES * jobs)
        self._threads = [_WorkerThread(self) for _ in range(jobs)]
        for thread in self._threads:
            thread.start()
        threading.Thread(target=self._watch_deadlines, daemon=True).start()

    def outcomes(self) -> Iterator[PageOutcome]:
        """Yield the records or the failure of each page, in page order.

        If iterating over `pages` raises an error, yield the outcomes of all earlier
        pages, then raise the error. Raise an error of a thread at once.
        """
        waiting: dict[int, PageOutcome | BaseException] = {}
        next_number, running_threads = 0, len(self._threads)
        while running_threads:
            number, message = self.messages.get()
            if message is None:
                running_threads -= 1
                continue
            if number == NO_PAGE_NUMBER and isinstance(message, BaseException):
                raise message
            waiting[number] = message
            while next_number in waiting:
                outcome = waiting.pop(next_number)
                if isinstance(outcome, BaseException):
                    raise outcome
                yield outcome
                self.window.release()
                next_number += 1

    def next_batch(self) -> list[NumberedPage]:
        """Return the next pages with their numbers in the input, or [] if none is left.

        Wait until there is enough memory for the pages.
        """
        with self._pages_lock:
            batch: list[NumberedPage] = []
            size = 0
            while len(batch) < BATCH_PAGES and size < BATCH_BYTES:
                # Wait only without a page: the outcome of a page that was taken may be
                # the next one to be yielded.
                if not self.window.acquire(blocking=not batch) or self.stopped:
                    break
                number = self._page_count
                self._page_count += 1
                try:
                    page = next(self._pages)
                except StopIteration:
                    break
                except BaseException as error:
                    self.messages.put((number, error))
                    self._pages = iter(())
                    break
                if isinstance(page, BadInput):
                    failure = Failure("input", page.kind, page.message)
                    outcome = PageOutcome(page.id, failure, lost_bytes=page.lost_bytes)
                    self.messages.put((number, outcome))
                    continue
                batch.append((number, page))
                size += len(page.body)
            self._take_memory(size)
            return batch

    def _take_memory(self, size: int) -> None:
        """Reserve `size` bytes for pages, as soon as the bytes are free.

        A batch that exceeds the limit waits until no other pages use memory.
        """

        def has_room() -> bool:
            used = self._memory_used
            return used == 0 or used + size <= self._memory_limit

        with self._memory:
            self._memory.wait_for(lambda: self.stopped or has_room())
            self._memory_used += size

    def release_memory(self, size: int) -> None:
        """Release `size` bytes that `_take_memory` reserved for pages."""
        with self._memory:
            self._memory_used -= size
            self._memory.notify_all()

    def stop(self) -> None:
        """End all workers and threads."""
        self.stopped = True
        for thread in self._threads:
            self.window.release(BATCH_PAGES)
            thread.end_worker()
        self.release_memory(0)  # It wakes the threads that wait for memory.
        for thread in self._threads:
            thread.join(END_SECONDS)

    def _watch_deadlines(self) -> None:
        """Kill workers that exceed the deadline, until the run stops."""
        while not self.stopped:
            for thread in self._threads:
                thread.kill_late_worker()
            time.sleep(WATCH_SECONDS)


class _WorkerThread(threading.Thread):
    """A thread that sends pages to a worker process, and receives the worker's reports.

    If the worker dies, the thread starts another worker.
    """

    def __init__(self, run: _Run) -> None:
        super().__init__(daemon=True)
        self._run = run
        self._worker: WorkerProcess | None = None
        self._last_death = Failure("extract", "crash", "")

    def run(self) -> None:
        """Take batches of pages from the run, and process them until no page is left.

        An exception is sent to the run, which raises it.
        """
        run = self._run
        try:
            while not run.stopped and (batch := run.next_batch()):
                size = sum(len(page.body) for _, page in batch)
                self._process_batch(batch)
                run.release_memory(size)
            if self._worker and run.idle_workers is not None and not run.stopped:
                run.idle_workers.append(self._worker)
                self._worker = None
        except BaseException as error:
            run.messages.put((NO_PAGE_NUMBER, error))
        finally:
            self.end_worker()
            run.messages.put((NO_PAGE_NUMBER, None))

    def kill_late_worker(self) -> None:
        """Kill the worker if its page has exceeded the deadline."""
        if worker := self._worker:
            worker.kill_if_late()

    def end_worker(self) -> None:
        """End the worker, if there is one."""
        worker, self._worker = self._worker, None
        if worker:
            worker.end()

    def _process_batch(self, batch: list[NumberedPage]) -> None:
        """Process a batch of pages, and send the outcome of each page to the run.

        Each page gets an outcome, even if workers die.
        """
        while batch:
            for report in self._reports([page for _, page in batch]):
                self._put_outcome(*batch.pop(0), report)
            if self._run.stopped:
                return
            if batch:
                # The first page without a report is tried once more, alone.
                number, page = batch.pop(0)
                report = next(self._reports([page]), PageReport(self._last_death))
                self._put_outcome(number, page, report)

    def _put_outcome(self, number: int, page: InputPage, report: PageReport) -> None:
        self._run.messages.put((number, _outcome(page, report)))

    def _reports(self, pages: Sequence[InputPage]) -> Iterator[PageReport]:
        """Send pages to the worker, and yield its report on each page.

        If a page kills the worker, stop before that page.
        """
        if self._worker is None:
            idle = self._run.idle_workers
            self._worker = idle.pop() if idle else start_worker(self._run.job)
        worker = self._worker
        worker.send(tuple(pages))
        for _ in pages:
            try:
                report = cast(PageReport, worker.receive(self._run.deadline))
            except DeathError as death:
                self._last_death = Failure("extract", death.kind, str(death))
                self.end_worker()
                return
            reading = report.reading
            if isinstance(reading, Failure) and reading.kind == "memory":
                self._last_death = reading
                self.end_worker()
                return
            yield report


def _outcome(page: InputPage, report: PageReport) -> PageOutcome:
    """Return the outcome of a page from a worker's report on the page."""
    failed = isinstance(report.reading, Failure)
    digest = hashlib.sha256(page.body).hexdigest() if failed else ""
    return PageOutcome(
        page.id, report.reading, page.url, digest, report.wrapper, page.truncation
    )
