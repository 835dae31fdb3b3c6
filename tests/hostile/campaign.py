"""Many cases, in processes that are bounded in memory and made anew now and then.

PYTHONPATH=tests python -m hostile.campaign NUMBER...   runs cases again
"""

from __future__ import annotations

import faulthandler
import multiprocessing
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from hostile.generator import case, kinds
from hostile.run import Outcome, run

MEMORY = 1 << 30
"""Bytes that a process may have beyond those that it starts with."""
EACH = 100
"""Cases that a process runs before another one takes its place."""
HANGS = 600
"""Seconds of processor time after which a process that can't be interrupted ends. The
clock says nothing on a machine that does other things."""

Drawn = tuple[int, str, str]
"""The number, the family and the kind of a case."""


@dataclass(frozen=True, slots=True)
class Report:
    """What became of a case, by its number."""

    number: int
    family: str
    kind: str
    outcome: Outcome

    def __str__(self) -> str:
        return f"{self.number} ({self.family}, {self.kind}): " + "; ".join(
            self.outcome.failures
        )


def campaign(drawn: Iterable[Drawn], jobs: int) -> Iterator[Report]:
    """Run cases, and yield the report of each in their order.

    Each batch has processes of its own: with `max_tasks_per_child` a pool of Python
    3.11 may wait for ever for a process that it doesn't start (cpython, gh-115634).
    """
    spawn, left = multiprocessing.get_context("spawn"), iter(drawn)
    while batch := list(islice(left, EACH * jobs)):
        with ProcessPoolExecutor(jobs, spawn, initializer=bound) as pool:
            yield from pool.map(attempt, batch)


def bound() -> None:
    """Bound this process: its memory, and the hangs that no signal ends."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * resource.getpagesize() + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    os.environ["AMBER_WRAP_DEBUG"] = ""


def attempt(drawn: Drawn) -> Report:
    """Run one case in a folder that is gone afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="hostile-"))
    faulthandler.register(signal.SIGXCPU, chain=True)
    most = resource.getrlimit(resource.RLIMIT_CPU)[1]
    ends = int(time.process_time()) + HANGS
    resource.setrlimit(resource.RLIMIT_CPU, (ends, most))
    try:
        return Report(*drawn, run(case(*drawn), folder))
    finally:
        resource.setrlimit(resource.RLIMIT_CPU, (most, most))
        shutil.rmtree(folder, ignore_errors=True)


def main() -> None:
    """Run the cases whose numbers are given; "FIRST-LAST" is all in between."""
    for word in sys.argv[1:]:
        first, _, last = word.partition("-")
        start = int(first)
        for drawn in kinds(int(last or first) - start + 1, start):
            report = attempt(drawn)
            slow = report.outcome.slowest
            print(f"{report} [{slow:.1f} s: {report.outcome.slowest_step}]")


if __name__ == "__main__":
    main()
