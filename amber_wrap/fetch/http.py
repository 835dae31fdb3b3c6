"""Fetch a page without a browser, from hosts that may be contacted."""

from __future__ import annotations

import http.client
import ssl
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final
from urllib.parse import SplitResult, quote, urljoin

from amber_wrap.errors import FetchError
from amber_wrap.fetch.public_hosts import HostGuard, port_of, split_url

AGENT: Final = "amber-wrap"
"""The user agent of requests, also for robots.txt."""

_HEADERS: Final = {
    "User-Agent": AGENT,
    "Accept": "text/html,application/xhtml+xml;q=0.9,*/*;q=0.1",
    "Accept-Encoding": "gzip, deflate",
    "Connection": "close",
}

MOST_REDIRECTS: Final = 10
"""The most redirects that are followed for a page."""

REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
"""The HTTP statuses of redirects."""

_BLOCK: Final = 1 << 16
"""The most bytes that are read or decompressed at a time."""

INFLATED: Final = {"gzip": 31, "x-gzip": 31, "deflate": 47}
"""The encodings of a body that can be read, with the parameter `wbits` of `zlib`."""

UNESCAPED: Final = "%/:?#[]@!$&'()*+,;=~-._"
"""The characters of a URL that aren't percent-encoded."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of fetching a page."""

    seconds: float = 30.0
    """The longest time for the page and all its redirects."""
    size: int = 16 * 1024 * 1024
    """The largest number of bytes of the decompressed page."""


@dataclass(frozen=True, slots=True)
class Response:
    """A server's answer to a request.

    `url` is the address after all redirects.
    """

    url: str
    status: int
    content_type: str
    body: bytes


class _Connection(http.client.HTTPConnection):
    """A connection to an IP address that a `HostGuard` has checked."""

    def __init__(self, parts: SplitResult, guard: HostGuard, timeout: float) -> None:
        super().__init__(parts.hostname or "", port_of(parts), timeout=timeout)
        self._guard, self._is_safe = guard, parts.scheme == "https"

    def connect(self) -> None:
        """Connect, with a TLS handshake for https."""
        self.sock = self._guard.connect(self.host, self.port, self.timeout or 0)
        if self._is_safe:
            context = ssl.create_default_context()
            self.sock = context.wrap_socket(self.sock, server_hostname=self.host)


def get(url: str, guard: HostGuard, limits: Limits) -> Response:
    """Return the answer to a GET request, after all redirects.

    Raise FetchError if a host can't or may not be contacted, if a limit is exceeded, or
    if the body can't be read.
    """
    end = time.monotonic() + limits.seconds
    for _ in range(MOST_REDIRECTS + 1):
        with _open_response(url, guard, end) as response:
            location = response.headers.get("Location")
            if response.status not in REDIRECTS or not location:
                content_type = response.headers.get("Content-Type", "")
                body = _body(response, end, limits)
                return Response(url, response.status, content_type, body)
        url = urljoin(url, location)
    raise FetchError(f"{url} redirects more than {MOST_REDIRECTS} times")


@contextmanager
def _open_response(
    url: str, guard: HostGuard, end: float
) -> Iterator[http.client.HTTPResponse]:
    """Send a GET request, and yield the response to the `with` block.

    Raise FetchError if the connection fails, or has no answer at the time `end` of
    `time.monotonic`.
    """
    url_parts = split_url(url)
    connection = _Connection(url_parts, guard, _seconds_left(end))
    target = quote(url_parts.path or "/", safe=UNESCAPED)
    if url_parts.query:
        target += f"?{quote(url_parts.query, safe=UNESCAPED)}"
    try:
        connection.request("GET", target, headers=_HEADERS)
        yield connection.getresponse()
    except TimeoutError as error:
        raise FetchError(f"{url} didn't answer in time: raise --timeout") from error
    except (OSError, http.client.HTTPException) as error:
        reason = str(error) or type(error).__name__
        raise FetchError(f"cannot fetch {url}: {reason}") from error
    finally:
        connection.close()


def _seconds_left(end: float) -> float:
    """Return the seconds until `end`, a time of `time.monotonic`.

    Raise TimeoutError if no time is left.
    """
    seconds = end - time.monotonic()
    if seconds <= 0:
        raise TimeoutError
    return seconds


def _body(response: http.client.HTTPResponse, end: float, limits: Limits) -> bytes:
    """Return the decompressed body of a response.

    Raise FetchError if the body can't be read or is too large, and TimeoutError at the
    time `end` of `time.monotonic`.
    """
    coding = (response.headers.get("Content-Encoding") or "").strip().lower()
    body = bytearray()
    for block in _decompressed(_blocks(response, end), coding):
        body += block
        if len(body) > limits.size:
            raise FetchError(
                f"the page has more than {limits.size:,} bytes: raise --max-bytes"
            )
    return bytes(body)


def _blocks(response: http.client.HTTPResponse, end: float) -> Iterator[bytes]:
    """Yield the body of a response in blocks, as the server sent them.

    Raise FetchError if the body is incomplete, and TimeoutError at the time `end` of
    `time.monotonic`.
    """
    while block := response.read1(_BLOCK):
        yield block
        sock = getattr(getattr(response.fp, "raw", None), "_sock", None)
        if sock is not None:
            sock.settimeout(_seconds_left(end))
        _seconds_left(end)
    if response.length:
        raise FetchError(
            f"the page ends in the middle: {response.length:,} bytes are missing"
        )


def _decompressed(blocks: Iterator[bytes], coding: str) -> Iterator[bytes]:
    """Yield a body with the Content-Encoding `coding` in decompressed blocks.

    Raise FetchError if the coding wasn't requested, or if the body is corrupt.
    """
    if coding in ("", "identity"):
        yield from blocks
        return
    if coding not in INFLATED:
        raise FetchError(
            f"the page has the encoding {coding!r}, which was not requested"
        )
    decompressor = zlib.decompressobj(INFLATED[coding])
    try:
        for block in blocks:
            while block:
                yield decompressor.decompress(block, _BLOCK)
                block = decompressor.unconsumed_tail
        yield decompressor.flush()
        if not decompressor.eof:
            raise FetchError("the compressed page ends in the middle")
    except zlib.error as error:
        raise FetchError(f"the compressed page is corrupt: {error}") from error
