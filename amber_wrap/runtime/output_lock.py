"""Lock the output of a run, so that no other run writes to it."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from amber_wrap.atomic_write import writing
from amber_wrap.errors import FileError
from amber_wrap.runtime.outputs import is_still_at, is_stream

LOCK_SUFFIX = ".lock"

WAIT_SECONDS, PAUSE_SECONDS = 2.0, 0.05
"""The seconds to wait for an output's lock, and the seconds between two attempts.

After a run was killed, its worker processes may hold the lock for a moment.
"""


@contextmanager
def output_lock(path: str) -> Iterator[None]:
    """Lock an output during a `with` block, so that no other run writes to it.

    Raise FileError if another run holds the lock.
    """
    if sys.platform == "win32" or is_stream(path):
        yield
        return
    import fcntl

    lock_path = f"{path}{LOCK_SUFFIX}"
    deadline = time.monotonic() + WAIT_SECONDS
    while True:
        with writing(path):
            handle = os.open(lock_path, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            # The system frees the locks of killed processes.
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(handle)
            if time.monotonic() < deadline:
                time.sleep(PAUSE_SECONDS)
                continue
            raise FileError(
                f"another run is writing to {path}: wait until it has ended, or name "
                "another output"
            ) from None
        except OSError:  # Some network file systems have no locks.
            pass
        if is_still_at(lock_path, handle):
            break
        # The run that had the lock has removed the file: other runs lock a new file.
        os.close(handle)
    try:
        yield
    finally:
        with suppress(OSError):
            os.unlink(lock_path)
        os.close(handle)
