"""Choose one of several wrappers for a page."""

from __future__ import annotations

import re

from lxml import etree

from amber_wrap.errors import WrapperError
from amber_wrap.runtime.reader import PageReader, PageReading
from amber_wrap.values.ambiguity import is_exponential
from amber_wrap.wrapper.ir import Wrapper

Wrappers = tuple[tuple[str, Wrapper], ...]
Routes = tuple[tuple[str, str], ...]
"""Pairs of a pattern of URLs and the name of a wrapper."""


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
                raise WrapperError(f"there is no wrapper {name!r} to route to")
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
        raise WrapperError(f"the route {pattern!r} is wrong: {error}") from error
    if is_exponential(pattern):
        raise WrapperError(
            f"the route {pattern!r} is wrong: what it repeats may match an address in "
            "several ways, which takes for ever"
        )
    return compiled


def _fit(reading: PageReading) -> tuple[bool, int, int]:
    values = sum(value is not None for row in reading.rows for value in row.values())
    return bool(reading.rows), -len(reading.broken), values
