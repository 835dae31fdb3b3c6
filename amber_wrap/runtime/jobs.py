"""Define the job of a run: its wrappers, and which wrapper reads which page."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

from lxml import etree

from amber_wrap.domain.schema import ValueKind
from amber_wrap.engine.interpret import row_keys
from amber_wrap.errors import FileError, WrapperError
from amber_wrap.files import read_rules, stored_path
from amber_wrap.runtime.record_reader import PageReader, PageReading
from amber_wrap.values.regular_expressions import is_exponential
from amber_wrap.wrapper.ir import Wrapper

Wrappers = tuple[tuple[str, Wrapper], ...]
Routes = tuple[tuple[str, str], ...]
"""Pairs of a pattern of URLs and the name of a wrapper."""
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


class Router:
    """Wrappers by name, and URL patterns that choose a wrapper for each page.

    The first pattern in `routes` that matches the page's URL names the wrapper.  If no
    pattern matches, several wrappers read the page, and the best result is chosen.

    The criteria for the best result are, in this order:

    - the result has records,
    - the page breaks the fewest clauses of the wrapper's contract,
    - the records have the most values.

    Only wrappers whose own URL pattern (`Wrapper.urls`) matches are tried.  If no
    wrapper's pattern matches, all wrappers are tried.

    Raise WrapperError if a pattern is invalid, or if a route names an unknown wrapper.
    """

    def __init__(
        self,
        wrappers: Wrappers,
        routes: Routes = (),
        raw: bool = False,
    ) -> None:
        self._readers = {name: PageReader(wrapper, raw) for name, wrapper in wrappers}
        self._routes: list[tuple[re.Pattern[str], str]] = []
        for pattern, name in routes:
            if name not in self._readers:
                raise WrapperError(f"a route names the unknown wrapper {name!r}")
            self._routes.append((_compiled(pattern), name))
        self._urls = {name: _compiled(wrapper.urls) for name, wrapper in wrappers}

    def read(self, root: etree._Element, url: str = "") -> tuple[str, PageReading]:
        """Return the name of the chosen wrapper, and the records that the wrapper
        reads.

        The name is "" if there is only one wrapper.
        """
        if len(self._readers) == 1:
            return "", next(iter(self._readers.values())).read(root, url)
        for pattern, name in self._routes:
            if url and pattern.search(url):
                return name, self._readers[name].read(root, url)
        names = [name for name in self._readers if self._urls[name].search(url)]
        names = names if url and names else list(self._readers)
        tried = ((name, self._readers[name].read(root, url)) for name in names)
        return max(tried, key=lambda one: _fit(one[1]))


def _compiled(pattern: str) -> re.Pattern[str]:
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        raise WrapperError(f"the route {pattern!r} is invalid: {error}") from error
    if is_exponential(pattern):
        raise WrapperError(
            f"the route {pattern!r} is invalid: it can match the same text in several "
            "ways, which may take exponential time: make its repeated parts unambiguous"
        )
    return compiled


def _fit(reading: PageReading) -> tuple[bool, int, int]:
    values = sum(value is not None for row in reading.rows for value in row.values())
    return bool(reading.rows), -len(reading.broken), values


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
        raise FileError(f"{folder} contains no wrappers")
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
