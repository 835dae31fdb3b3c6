"""End child processes when their parent process ends for whatever reason.

A child notices the end because the system closes the parent's end of a pipe.
"""

from __future__ import annotations

import multiprocessing
import os
import select
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager

from amber_wrap.errors import AmberError


def end_with_pipe(pipe: int) -> None:
    """Let this process end when the writing end of a pipe is closed.

    The process ends even during a long computation. Nothing may be written to the pipe.
    On Windows, do nothing.
    """
    if sys.platform == "win32":
        return
    import fcntl

    # By default the signal ends the process without running any Python code, which a
    # slow regular expression would delay by minutes.
    fcntl.fcntl(pipe, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(pipe, fcntl.F_SETFL, fcntl.fcntl(pipe, fcntl.F_GETFL) | os.O_ASYNC)
    if select.select([pipe], [], [], 0)[0]:
        os._exit(1)  # The pipe was closed before the signal was set up.


@contextmanager
def process_pool(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """Open a pool of `jobs` processes for a `with` block.

    The processes end when this process ends. Raise AmberError if a process of the pool
    is killed.
    """
    try:
        with ProcessPoolExecutor(jobs, initializer=end_with_parent) as pool:
            yield pool
    except BrokenProcessPool as error:
        raise AmberError(
            "a worker process was killed, by a user or because memory ran out: run "
            "the command again, with a smaller -j if memory ran out"
        ) from error


def end_with_parent() -> None:
    """Let this process end when its parent process ends.

    Do nothing in a process that `multiprocessing` didn't start.
    """
    parent = multiprocessing.parent_process()
    if parent:
        end_with_pipe(parent.sentinel)
