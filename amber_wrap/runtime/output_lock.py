"""Lock an output file, so that only one run at a time writes to it."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from amber_wrap.errors import FileError
from amber_wrap.runtime.outputs import is_stream, writing

SUFFIX = ".lock"
LOCK_PATIENCE, LOCK_PAUSE = 2.0, 0.05
"""Seconds to wait for a lock, and between two tries: a worker that starts while its
driver is killed holds the lock for a moment longer."""


@contextmanager
def output_lock(path: str) -> Iterator[None]:
    """Lock an output during a `with` block.

    Raise FileError if another run holds the lock.  The lock is on a file beside the
    output, which is removed afterwards.  A lock file that a killed process left does no
    harm, because the system frees the locks of ended processes.

    Nothing is locked in three cases: the output is a stream, the system is Windows, or
    the file system has no locks.
    """
    if sys.platform == "win32" or is_stream(path):
        yield
        return
    import fcntl

    name = f"{path}{SUFFIX}"
    until = time.monotonic() + LOCK_PATIENCE
    while True:
        with writing(path):
            handle = os.open(name, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(handle)
            if time.monotonic() < until:
                time.sleep(LOCK_PAUSE)
                continue
            raise FileError(
                f"another run is writing to {path}: wait until it has ended, or name "
                "another output"
            ) from None
        except OSError:  # Some network file systems have no locks.
            pass
        if _is_there(name, handle):
            break
        # The run that had the lock has removed the file: other runs lock a new one.
        os.close(handle)
    try:
        yield
    finally:
        with suppress(OSError):
            os.unlink(name)
        os.close(handle)


def _is_there(name: str, handle: int) -> bool:
    """Return whether `name` still names the open file `handle`.

    It doesn't if the file was removed or replaced after it was opened.
    """
    try:
        return os.path.samestat(os.stat(name), os.fstat(handle))
    except FileNotFoundError:
        return False
