"""Run slow tasks in separate processes, with progress and cancellation.

A page can keep the parser or a regular expression busy for minutes.  A process can be
killed, but a thread can't.
"""

from __future__ import annotations

import multiprocessing
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from threading import Lock, Thread
from typing import Any, Final, Literal

from amber_wrap.child_processes import end_with_parent
from amber_wrap.errors import AmberError

State = Literal["running", "done", "failed", "cancelled"]
ReportProgress = Callable[[int, int, str], None]
"""A function that reports progress: the number of finished steps, the total number of
steps, and the name of the current step."""
_KEPT: Final = 20
"""The number of jobs whose results are kept."""
_LONGEST: Final = 600.0
"""The number of seconds after which a job is ended."""
SPAWN: Final = multiprocessing.get_context("spawn")


@dataclass(slots=True)
class _Job:
    """A running or finished task, with its progress.

    `done` of `total` parts are finished, and `step` names the current part.  `result`
    is set if the state is "done".  `error` is the message of a failed task, "" for
    other tasks.
    """

    process: BaseProcess
    started: float
    state: State = "running"
    done: int = 0
    total: int = 0
    step: str = ""
    result: Any = None
    error: str = ""

    def data(self) -> dict[str, Any]:
        """Return the state of the job as JSON data for the browser."""
        return {
            "state": self.state,
            "done": self.done,
            "total": self.total,
            "step": self.step,
            "seconds": round(time.monotonic() - self.started, 1),
            "error": self.error,
            "result": self.result if self.state == "done" else None,
        }


@dataclass(slots=True)
class Jobs:
    """The running job and the last finished jobs, by name."""

    _jobs: OrderedDict[str, _Job] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    def start(
        self,
        work: Callable[..., Any],
        *values: Any,
        then: Callable[[Any], Any] = lambda result: result,
    ) -> str:
        """Start a job in a process of its own, and return the job's name.

        The process calls `work`.  The first argument is a function that reports
        progress, and the further arguments are `values`.  `then` turns the result into
        data for the browser.  Raise AmberError if another job is running.
        """
        with self._lock:
            if any(one.state == "running" for one in self._jobs.values()):
                raise AmberError("another job is running: wait, or cancel it")
            ours, theirs = SPAWN.Pipe()
            process = SPAWN.Process(
                target=_run, args=(theirs, work, values), daemon=True
            )
            job = _Job(process, time.monotonic())
            name = secrets.token_urlsafe(9)
            self._jobs[name] = job
            while len(self._jobs) > _KEPT:
                self._jobs.popitem(last=False)
        process.start()
        theirs.close()
        Thread(target=self._follow, args=(job, ours, then), daemon=True).start()
        return name

    def get(self, name: str) -> _Job:
        """Return a job by its name; raise AmberError for an unknown name."""
        if name not in self._jobs:
            raise AmberError("the job no longer exists")
        return self._jobs[name]

    def cancel(self, name: str) -> None:
        """End a job.

        The result of a finished job is kept.
        """
        job = self.get(name)
        with self._lock:
            if job.state == "running":
                job.state = "cancelled"
        job.process.kill()

    def close(self) -> None:
        """End all jobs."""
        for name in list(self._jobs):
            self.cancel(name)

    def _follow(self, job: _Job, ours: Connection, then: Callable[[Any], Any]) -> None:
        """Receive the progress and the result of a job until the job ends."""
        kind, value = (
            "failed",
            "the process ended without a result: the page may be too large",
        )
        try:
            while True:
                left = job.started + _LONGEST - time.monotonic()
                if not ours.poll(max(left, 0)):
                    value = f"the job took more than {_LONGEST:.0f} seconds"
                    break
                kind, value = ours.recv()
                if kind != "at":
                    break
                job.done, job.total, job.step = value
                kind, value = "failed", "the process ended without a result"
        except (EOFError, OSError):
            pass
        job.process.kill()
        job.process.join()
        with self._lock:
            if job.state != "running":
                return
            try:
                if kind == "done":
                    job.result = then(value)
                else:
                    job.error = value
            except AmberError as error:
                kind, job.error = "failed", str(error)
            except OSError as error:
                kind, job.error = "failed", f"cannot write: {error.strerror}"
            job.state = "done" if kind == "done" else "failed"


def _run(pipe: Connection, work: Callable[..., Any], values: tuple[Any, ...]) -> None:
    """Run a task in this process, and send its progress and result over the pipe."""

    end_with_parent()

    def progress(done: int, total: int, step: str) -> None:
        pipe.send(("at", (done, total, step)))

    try:
        pipe.send(("done", work(progress, *values)))
    except AmberError as error:
        pipe.send(("failed", str(error)))
    except (Exception, RecursionError) as error:
        pipe.send(("failed", f"internal error ({type(error).__name__}: {error})"))
