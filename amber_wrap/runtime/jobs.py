"""Define the job of a run: its wrappers, and which wrapper reads which page."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from amber_wrap.domain.schema import ValueKind
from amber_wrap.engine.interpret import row_keys
from amber_wrap.errors import FileError
from amber_wrap.files import read_rules, stored_path
from amber_wrap.runtime.routing import Router, Routes, Wrappers

ROUTES = "routes.toml"
NUMBERS = frozenset(
    {
        ValueKind.MONEY,
        ValueKind.QUANTITY,
        ValueKind.COUNT,
        ValueKind.NUMBER,
        ValueKind.YEAR,
    }
)
"""The kinds whose values are numbers.

The currency or unit of a number has a key of its own.
"""


@dataclass(frozen=True, slots=True)
class Job:
    """The data that a worker process needs: wrappers by name, and how to apply them.

    `routes` are pairs of a URL pattern and the name of a wrapper.  With `raw`, values
    are as displayed.  `memory` is the memory limit of the process in MiB, or 0 for no
    limit.
    """

    wrappers: Wrappers
    routes: Routes = ()
    raw: bool = False
    memory: int = 1024

    @property
    def fields(self) -> tuple[str, ...]:
        """Return all keys that records may have, in the order of the wrappers."""
        names = {
            key: None
            for _, wrapper in self.wrappers
            for key in row_keys(wrapper, self.raw)
        }
        if any(len(wrapper.areas) > 1 for _, wrapper in self.wrappers):
            names["_area"] = None
        return (*names, "_wrapper") if len(self.wrappers) > 1 else tuple(names)

    @property
    def column_types(self) -> dict[str, type]:
        """Return the types of the fields whose values aren't single texts.

        The type is `float` for numbers, and `list` for lists of texts.  A field that is
        a list for one wrapper is a list for all wrappers.
        """
        found: dict[str, type] = {}
        for _, wrapper in self.wrappers:
            for name, kind in wrapper.fields:
                if kind is ValueKind.TEXTS:
                    found[name] = list
                elif kind in NUMBERS and not self.raw:
                    found.setdefault(name, float)
        return found


def read_job(path: Path, raw: bool = False, memory: int = 1024) -> Job:
    """Return the job of applying one wrapper, or all wrappers in a folder.

    `path` is the generated file of the wrapper, or the folder of generated files.
    Raise FileError if a file can't be read or the folder has no wrappers.  Raise
    WrapperError if a wrapper or route is invalid.
    """
    if not path.is_dir():
        return Job(((path.name, read_rules(str(path))),), (), raw, memory)
    wrappers, routes = read_folder(path)
    return Job(wrappers, routes, raw, memory)


def read_folder(folder: Path) -> tuple[Wrappers, Routes]:
    """Return the wrappers in a folder by file name, and the routes in routes.toml.

    A route is a line such as `"/hotels/" = "hotels.py"` in the table `[routes]`.  The
    key is a regular expression for URLs.  Raise FileError if a file can't be read or
    the folder has no wrappers.  Raise WrapperError if a wrapper or route is invalid.
    """
    files = [one for one in sorted(folder.glob("*.py")) if stored_path(one).exists()]
    wrappers = tuple((path.name, read_rules(str(path))) for path in files)
    if not wrappers:
        raise FileError(f"{folder} holds no wrappers")
    path = folder / ROUTES
    if not path.exists():
        return wrappers, ()
    try:
        routes = tomllib.loads(path.read_text("utf-8")).get("routes", {})
    except (OSError, ValueError) as error:
        raise FileError(f"cannot read {path}: {error}") from error
    if not isinstance(routes, dict) or not all(
        isinstance(name, str) for name in routes.values()
    ):
        raise FileError(f'{path}: write [routes], then lines of "pattern" = "file.py"')
    Router(wrappers, tuple(routes.items()))
    return wrappers, tuple(routes.items())
