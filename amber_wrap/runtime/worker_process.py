"""Start a worker process, send it orders, and receive its reports."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import time
from contextlib import suppress
from typing import Final

from amber_wrap.errors import AmberError
from amber_wrap.runtime.jobs import Job
from amber_wrap.runtime.worker import READY

START_SECONDS = 60.0
MOST_STARTS: Final = 10
"""The number of attempts to start a worker, which may be killed before it is ready."""
START: Final = "from amber_wrap.runtime.worker import main; main()"
WORKER: Final = (sys.executable, "-P", "-c", START)


class WorkerError(AmberError):
    """The error for a worker that couldn't be started."""


class DeathError(Exception):
    """The error for a worker that ended before it sent its report."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class WorkerProcess:
    """A worker process with a deadline for each report.

    The worker ends when this process ends or is killed. Call `start_worker` to get a
    worker that is ready.
    """

    def __init__(self) -> None:
        self.due = float("inf")
        self._is_late = False
        lifeline, self._lifeline = os.pipe()
        is_posix = os.name == "posix"
        try:
            self._process = subprocess.Popen(
                [*WORKER, str(lifeline)] if is_posix else WORKER,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                pass_fds=[lifeline] if is_posix else [],
                start_new_session=True,  # An interrupt is for the supervisor.
            )
        except BaseException:
            os.close(self._lifeline)
            raise
        finally:
            os.close(lifeline)

    def send(self, order: object) -> None:
        """Send an order to the worker.

        If the worker is dead, this method raises nothing, but `receive` does.
        """
        assert self._process.stdin
        with suppress(OSError, ValueError):
            pickle.dump(order, self._process.stdin, pickle.HIGHEST_PROTOCOL)
            self._process.stdin.flush()

    def receive(self, seconds: float) -> object:
        """Return the next report of the worker.

        Raise DeathError if no report arrives within `seconds`, or if the worker ends.
        """
        assert self._process.stdout
        self.due = time.monotonic() + seconds
        try:
            return pickle.load(self._process.stdout)
        except (EOFError, OSError, ValueError, pickle.UnpicklingError):
            self._process.kill()
            code = self._process.wait()
            if self._is_late:
                raise DeathError(
                    "timeout", f"no result after {seconds:g} seconds"
                ) from None
            raise DeathError(
                "crash", f"the worker ended with {_exit_text(code)}"
            ) from None
        finally:
            self.due = float("inf")

    def watch(self) -> None:
        """Kill the process if the report that `receive` waits for is overdue."""
        if time.monotonic() > self.due:
            self._is_late = True
            self._process.kill()

    def end(self) -> None:
        """End the process at once, even in the middle of an order."""
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
    """Start a worker, and return it when it is ready for pages.

    Raise WorkerError if the worker can't be started.
    """
    for left in reversed(range(MOST_STARTS)):
        worker = WorkerProcess()
        worker.send(job)
        try:
            ready = worker.receive(START_SECONDS)
        except DeathError as error:
            worker.end()
            if not left:
                raise WorkerError(f"cannot start a worker: {error}") from error
        else:
            assert ready == READY
            return worker
    raise AssertionError("the last start gives a worker or an error")


def _exit_text(code: int) -> str:
    if code < 0:
        try:
            return signal.Signals(-code).name
        except ValueError:
            return f"signal {-code}"
    return f"exit code {code}"
