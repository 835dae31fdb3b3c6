"""Keep the results of long runs: what was measured once is not measured again.

A result is kept under what it depends on: the question, the bytes of the files that it
is about, and the sources of the package and of the function that answers.
"""

from __future__ import annotations

import inspect
import json
import pickle
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from corpus import gold_file
from processes import progress, workers

import amber_wrap
from amber_wrap.evaluation.gold import GoldPage

PACKAGE = Path(amber_wrap.__file__).parent


@dataclass(frozen=True, slots=True)
class Job:
    """A question (`name`), the files that it is about, and the function's arguments.

    What else the answer depends on belongs into the name.
    """

    name: str
    files: tuple[Path, ...]
    arguments: tuple[Any, ...]

    @classmethod
    def on(cls, pages: Sequence[GoldPage], name: str, *arguments: Any) -> Job:
        """Return a question about gold pages and their truth."""
        files = tuple(one for page in pages for one in (page.path, gold_file(page)))
        return cls(f"{' '.join(one.name for one in pages)}: {name}", files, arguments)


@dataclass(frozen=True, slots=True)
class Runs:
    """Runs over `processes`, with results in `folder`; progress shows `name`."""

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
        """Return what a module's function makes of each job, in their order.

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
            known = "SELECT key, value FROM result WHERE key IN "
            known += "(SELECT value FROM json_each(?))"
            found = dict(kept.execute(known, (json.dumps(keys),)))
            missing = {
                key: job
                for key, job in zip(keys, jobs, strict=True)
                if key not in found
            }
            pairs = zip(missing, self._answers(function, missing.values()), strict=True)
            for key, value in progress(pairs, self.name, len(missing)):
                found[key] = pickle.dumps(value)
                with kept:
                    row = (key, found[key])
                    kept.execute("INSERT OR REPLACE INTO result VALUES (?, ?)", row)
        return [pickle.loads(found[key]) for key in keys]

    def _answers(
        self, function: Callable[..., Any], jobs: Collection[Job]
    ) -> Iterator[Any]:
        """Yield the result of each job, in their order."""
        with workers(max(1, min(self.processes, len(jobs)))) as run:
            yield from run(partial(_call, function), [job.arguments for job in jobs])


def _call(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    return function(*arguments)


def digest(paths: Iterable[Path]) -> str:
    """Return a hash of files and of all files in folders, without compiled ones."""
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
