"""Results of long runs, kept: what was measured once is not measured again.

A result is kept under what it depends on: the question, the bytes of the files that it
is about, and the sources of the package and of the function that answers.
"""

from __future__ import annotations

import inspect
import json
import sqlite3
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import amber_wrap

PACKAGE = Path(amber_wrap.__file__).parent
TOLD = 10.0
"""Seconds between two lines about how far a run got."""


@dataclass(frozen=True, slots=True)
class Job:
    """A question (`name`), the files that it is about, and what the function is given.

    What else the answer depends on belongs into the name.
    """

    name: str
    files: tuple[Path, ...]
    arguments: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Runs:
    """Runs over `processes`, their results kept in `folder`; `name` is told."""

    folder: Path
    processes: int = 2
    name: str = "run"

    def of(
        self,
        function: Callable[..., Any],
        jobs: Sequence[Job],
        sources: Iterable[Path] = (),
        package: Iterable[Path] = (PACKAGE,),
    ) -> list[Any]:
        """What a module's function makes of each job, in their order: JSON values.

        `sources` are files or folders of code that it uses beside its own module and
        the package, of which `package` is what it uses.  A result is kept as soon as
        it is there: a run that was stopped goes on where it was.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        code = digest([*package, Path(inspect.getfile(function)), *sources])
        asked = f"{function.__module__}.{function.__qualname__} {code}"
        keys = [
            sha256(f"{asked} {job.name} {digest(job.files)}".encode()).hexdigest()
            for job in jobs
        ]
        with closing(sqlite3.connect(self.folder / "results.sqlite", 60)) as kept:
            kept.execute("CREATE TABLE IF NOT EXISTS result (key PRIMARY KEY, value)")
            found = dict(_found(kept, keys))
            missing = {
                key: job
                for key, job in zip(keys, jobs, strict=True)
                if key not in found
            }
            answers = self._answers(function, missing)
            for key, value in progress(answers, self.name, len(missing)):
                found[key] = json.dumps(value)
                with kept:
                    row = (key, found[key])
                    kept.execute("INSERT OR REPLACE INTO result VALUES (?, ?)", row)
        return [json.loads(found[key]) for key in keys]

    def _answers(
        self, function: Callable[..., Any], jobs: dict[str, Job]
    ) -> Iterator[tuple[str, Any]]:
        """The key and the result of each job, as they come."""
        if self.processes == 1 or len(jobs) < 2:
            yield from ((key, function(*job.arguments)) for key, job in jobs.items())
            return
        pool = ProcessPoolExecutor(self.processes, mp_context=get_context("fork"))
        try:
            asked = {
                pool.submit(function, *job.arguments): key for key, job in jobs.items()
            }
            for one in as_completed(asked):
                yield asked[one], one.result()
        finally:
            pool.shutdown(cancel_futures=True)


def _found(kept: sqlite3.Connection, keys: Iterable[str]) -> Iterator[tuple[str, str]]:
    for key in keys:
        question = "SELECT key, value FROM result WHERE key = ?"
        yield from kept.execute(question, (key,))


def progress(
    found: Iterable[tuple[str, Any]], name: str, total: int
) -> Iterator[tuple[str, Any]]:
    """The same, while stderr tells how far it got and how long it may take."""
    begin = told = time.monotonic()
    for number, one in enumerate(found, start=1):
        yield one
        now = time.monotonic()
        if now - told > TOLD:
            told, left = now, (now - begin) / number * (total - number)
            print(
                f"  {name}: {number} of {total}, {now - begin:.0f} s, "
                f"some {left:.0f} s to go",
                file=sys.stderr,
            )


def digest(paths: Iterable[Path]) -> str:
    """A hash of files and of all files in folders, compiled ones left out."""
    return sha256(" ".join(map(_digest, paths)).encode()).hexdigest()


@cache
def _digest(path: Path) -> str:
    if path.is_file():
        return sha256(path.read_bytes()).hexdigest()
    files = [
        one
        for one in sorted(path.rglob("*"))
        if one.is_file() and "__pycache__" not in one.parts
    ]
    return digest(files) + "".join(one.relative_to(path).as_posix() for one in files)
