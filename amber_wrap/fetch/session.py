"""Fetch one page after another, with robots.txt, pauses, and a browser if wanted."""

from __future__ import annotations

import hashlib
import json
import time
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from w3lib.encoding import http_content_type_encoding

from amber_wrap.atomic_write import write_atomically, writing
from amber_wrap.dom.decoding import decode
from amber_wrap.errors import FetchError
from amber_wrap.fetch.browser import Behaviour, render
from amber_wrap.fetch.http import Limits, Response, get
from amber_wrap.fetch.public_hosts import HostGuard, split_url
from amber_wrap.fetch.robots import Robots

LONGEST_PAUSE: Final = 60.0
"""The longest pause between two pages, in seconds.

A site whose robots.txt asks for a longer pause isn't fetched.
"""

_HTML_TYPES: Final = ("text/html", "application/xhtml+xml", "")
"""The content types that a page may have; "" stands for a missing content type."""

NextPage = Callable[["Fetched"], str | None]
"""A function from a page to the address of the following page, or None if no page
follows.
"""

_SUFFIX: Final = ".fetch.json"
"""The suffix that is added to the name of a page's file to name the file of metadata.

The metadata are, for example, the address and the status of the page.
"""


@dataclass(frozen=True, slots=True)
class Fetched:
    """A fetched page that is to be saved."""

    url: str
    """The address of the page after all redirects."""
    requested: str
    """The address that was requested, before all redirects."""
    status: int
    """The HTTP status of the response."""
    time: str
    """The time in UTC (ISO 8601) at which the page was fetched."""
    body: bytes
    """The bytes of the page, as they are to be saved."""
    is_rendered: bool = False
    """Whether a browser rendered the page."""


@dataclass(slots=True)
class Session:
    """A client that fetches pages, one at a time."""

    guard: HostGuard = field(default_factory=HostGuard)
    """The guard that decides which hosts may be contacted."""
    limits: Limits = field(default_factory=Limits)
    """The limits for each page."""
    behaviour: Behaviour | None = None
    """The actions of the browser, or None to use no browser."""
    heeds_robots: bool = True
    """Whether the rules and pauses in a site's robots.txt are followed."""
    pause: float = 1.0
    """The least number of seconds between two requests."""
    sleep: Callable[[float], None] = time.sleep
    _robots: Robots = field(init=False)
    _last: float | None = None

    def __post_init__(self) -> None:
        self._robots = Robots(self.guard)

    def fetch(self, url: str) -> Fetched:
        """Return the page at an address.

        Raise FetchError if the page can't be fetched, is an error page, or isn't HTML.
        It is also raised if robots.txt forbids the page, or asks for a pause of more
        than 60 seconds.
        """
        url = split_url(url.partition("#")[0]).geturl()
        robots_pause = self._robots.check(url) if self.heeds_robots else 0.0
        if robots_pause > LONGEST_PAUSE:
            raise FetchError(
                f"robots.txt of {urlsplit(url).netloc} asks for a pause of "
                f"{robots_pause:g} seconds between pages, more than {LONGEST_PAUSE:g}"
            )
        self._wait(max(robots_pause, self.pause))
        if self.behaviour is None:
            response = get(url, self.guard, self.limits)
        else:
            response = render(url, self.guard, self.limits, self.behaviour)
        content_type = response.content_type.partition(";")[0].strip().lower()
        if response.status >= 400:
            raise FetchError(f"{url} answers with status {response.status}")
        if content_type not in _HTML_TYPES:
            raise FetchError(f"{url} is not an HTML page: {content_type}")
        if self.heeds_robots and response.url != url:
            self._robots.check(response.url)
        now, body = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}", _with_address(response)
        is_rendered = self.behaviour is not None
        return Fetched(response.url, url, response.status, now, body, is_rendered)

    def pages(self, url: str, most: int, next_page: NextPage) -> Iterator[Fetched]:
        """Yield the page at an address and the following pages, at most `most` in all.

        Stop at the last page, at a page that was fetched before, and at another host.
        """
        fetched_urls: set[str] = set()
        first_host: str | None = None
        for _ in range(most):
            page = self.fetch(url)
            fetched_urls |= {url, page.url}
            first_host = first_host or urlsplit(page.url).hostname
            yield page
            url = next_page(page) or url
            if url in fetched_urls or urlsplit(url).hostname != first_host:
                return

    def _wait(self, seconds: float) -> None:
        """Wait until `seconds` have passed since the last request of the session.

        Before the first request, don't wait.
        """
        now = time.monotonic()
        if self._last is not None and (pause := self._last + seconds - now) > 0:
            self.sleep(pause)
        self._last = time.monotonic()


def _with_address(response: Response) -> bytes:
    """Return the bytes to save: a comment with the page's address, then the page.

    A page that doesn't declare its encoding correctly is converted to UTF-8.
    """
    charset = http_content_type_encoding(response.content_type) or ""
    page_text = decode(response.body, charset)
    body = response.body
    if decode(body) != page_text:  # The page doesn't declare its encoding.
        body = BOM_UTF8 + page_text.encode("utf-8", "replace")
    url = response.url.replace("--", "-%2D")  # Two hyphens would end the comment.
    comment = f"<!-- saved from url=({len(url):04}){url} -->\n".encode()
    mark = BOM_UTF8 if body.startswith(BOM_UTF8) else b""
    return mark + comment + body.removeprefix(mark)


def facts_of(page: Fetched) -> dict[str, Any]:
    """Return the metadata of a page, which are saved in a file beside the page.

    They are the addresses, status, time, size and SHA-256 of the page, and whether a
    browser rendered it.
    """
    return {
        "url": page.url,
        "requested": page.requested,
        "status": page.status,
        "time": page.time,
        "rendered": page.is_rendered,
        "bytes": len(page.body),
        "sha256": hashlib.sha256(page.body).hexdigest(),
    }


def save_page(page: Fetched, path: Path) -> None:
    """Write a page into a file, and the page's metadata into a file beside it.

    Raise FileError if a file can't be written.
    """
    facts = json.dumps(facts_of(page), ensure_ascii=False, indent=1) + "\n"
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, page.body)
        write_atomically(path.with_name(path.name + _SUFFIX), facts)
