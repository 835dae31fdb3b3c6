"""Keep the results of long computations, so that nothing is computed twice.

The key of a result is a hash of all that it depends on: the files of the pages, the
code of the package, and the code of the function that computes it.
"""

from __future__ import annotations

import inspect
import json
import pickle
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from corpus import gold_file
from processes import progress, workers

import amber_wrap
from amber_wrap.domain.schema import AttributeType
from amber_wrap.evaluation.gold import GoldPage

PACKAGE = Path(amber_wrap.__file__).parent
"""The folder of the package."""


Types = Sequence[AttributeType]
"""The types that are scored."""


@dataclass(frozen=True, slots=True)
class Job:
    """A call of a function whose result is stored for later runs.

    `files` are the files that the result depends on. `arguments` are passed to the
    function. `name` must contain everything else that the result depends on.
    """

    name: str
    files: tuple[Path, ...]
    arguments: tuple[Any, ...]

    @classmethod
    def on(cls, pages: Sequence[GoldPage], name: str, *arguments: Any) -> Job:
        """Return a job that depends on pages and on the files of their known records.

        `arguments` are passed to the function that does the job.
        """
        files = tuple(file for page in pages for file in (page.path, gold_file(page)))
        return cls(f"{' '.join(page.name for page in pages)}: {name}", files, arguments)

    @classmethod
    def scored(
        cls, pages: Sequence[GoldPage], types: Types, *arguments: Any, name: str = ""
    ) -> Job:
        """Return a job that depends on pages with known records, and on the types to be
        scored.

        The types are the function's first argument.
        """
        names = " ".join(kind.name for kind in types)
        return cls.on(pages, f"{name} {names}", types, *arguments)


@dataclass(frozen=True, slots=True)
class Runs:
    """A store of results, which computes missing results in several processes.

    `folder` has the stored results. Progress messages show `name`.
    """

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
        """Return the results of a function for all jobs, in the order of the jobs.

        The function is defined at the top of a module. `sources` are files and folders
        of code that the function uses besides its own module and the package. `package`
        are the parts of the package that it uses. Each result is stored as soon as it
        is computed, so that a stopped run can be continued.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        code = digest([*package, Path(inspect.getfile(function)), *sources])
        function_key = f"{function.__module__}.{function.__qualname__} {code}"
        questions = (f"{function_key} {job.name} {digest(job.files)}" for job in jobs)
        keys = [sha256(question.encode()).hexdigest() for question in questions]
        with closing(sqlite3.connect(self.folder / "results.sqlite", 60)) as database:
            database.execute(
                "CREATE TABLE IF NOT EXISTS result (key PRIMARY KEY, value)"
            )
            select = "SELECT key, value FROM result WHERE key IN "
            select += "(SELECT value FROM json_each(?))"
            pickled = dict(database.execute(select, (json.dumps(keys),)))
            jobs_by_key = zip(keys, jobs, strict=True)
            missing = {key: job for key, job in jobs_by_key if key not in pickled}
            arguments = [job.arguments for job in missing.values()]
            with workers(max(1, min(self.processes, len(missing)))) as run:
                answers = run(partial(_call_with, function), arguments)
                pairs = zip(missing, answers, strict=True)
                for key, value in progress(pairs, self.name, len(missing)):
                    pickled[key] = pickle.dumps(value)
                    with database:
                        row = "INSERT OR REPLACE INTO result VALUES (?, ?)"
                        database.execute(row, (key, pickled[key]))
        return [pickle.loads(pickled[key]) for key in keys]


def _call_with(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    """Call a function with a tuple of arguments."""
    return function(*arguments)


def digest(paths: Iterable[Path]) -> str:
    """Return a hash of files, and of all files in folders apart from compiled Python
    files."""
    return sha256(" ".join(map(_digest_of_path, paths)).encode()).hexdigest()


@cache
def _digest_of_path(path: Path) -> str:
    """Return a hash of a file, or of the files in a folder and their relative paths."""
    if path.is_file():
        return sha256(path.read_bytes()).hexdigest()
    inner_paths = (inner for inner in sorted(path.rglob("*")) if inner.is_file())
    files = [file for file in inner_paths if "__pycache__" not in file.parts]
    return digest(files) + "".join(file.relative_to(path).as_posix() for file in files)
