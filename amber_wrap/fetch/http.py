"""Fetch a page without a browser, from hosts that may be contacted."""

from __future__ import annotations

import http.client
import ipaddress
import socket
import ssl
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final
from urllib.parse import SplitResult, quote, urljoin, urlsplit

from amber_wrap.errors import FetchError

SCHEMES: Final = {"http": 80, "https": 443}
"""The schemes that can be fetched, with their default ports."""
LONGEST_URL: Final = 8192
"""The most characters of an address."""
Resolve = Callable[[str, int], Sequence[str]]
"""A function that returns the IP addresses of a host, given the host and a port.

The function raises OSError if the host has no address.
"""


def resolve(host: str, port: int) -> Sequence[str]:
    """Return the IP addresses of a host by the system's resolver."""
    address_infos = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = [str(socket_address[0]) for *_, socket_address in address_infos]
    return list(dict.fromkeys(addresses))


@dataclass(frozen=True, slots=True)
class HostGuard:
    """A guard that connects only to hosts that may be contacted.

    By default, only hosts with public addresses may be contacted.
    """

    allows_private: bool = False
    """Whether the guard also connects to private addresses."""
    resolve: Resolve = resolve
    """The function that returns the addresses of a host."""

    def addresses(self, host: str, port: int) -> Sequence[str]:
        """Return the IP addresses of a host.

        Raise FetchError if the host has no address, or an address that may not be
        contacted.
        """
        try:
            addresses = self.resolve(host, port)
        except (OSError, UnicodeError) as error:
            raise FetchError(f"cannot find the host {host!r}: {error}") from error
        private = [address for address in addresses if not is_public(address)]
        if private and not self.allows_private:
            place = f"{host} is a private address ({private[0]})"
            raise FetchError(f"{place}: allow it with --allow-private")
        if not addresses:
            raise FetchError(f"cannot find the host {host!r}")
        return addresses

    def connect(self, host: str, port: int, timeout: float) -> socket.socket:
        """Return a connection to the first IP address of a host that answers.

        Raise FetchError if no address answers in `timeout` seconds, or if the host may
        not be contacted.
        """
        # The checked addresses are used, since a second resolution could give others
        # (DNS rebinding).
        last_error: OSError | None = None
        for address in self.addresses(host, port):
            try:
                return socket.create_connection((address, port), timeout)
            except OSError as error:
                last_error = error
        raise FetchError(f"cannot connect to {host}:{port}: {last_error}")


def is_public(address: str) -> bool:
    """Return whether an IP address is public.

    An IPv6 address with an embedded IPv4 address is public if the IPv4 address is
    public.
    """
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        _, teredo_client = ip.teredo or (None, None)
        embedded = ip.ipv4_mapped or ip.sixtofour or teredo_client
        if embedded is not None:
            return is_public(str(embedded))
        if ip in ipaddress.ip_network("64:ff9b::/96"):  # NAT64 (RFC 6052)
            return is_public(str(ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)))
    return ip.is_global and not ip.is_multicast


def split_url(url: str) -> SplitResult:
    """Return the parts of a page's URL.

    Raise FetchError for a URL that is invalid, too long, or has a user name. FetchError
    is also raised if the scheme isn't http or https.
    """
    try:
        url_parts = urlsplit(url)
        port = url_parts.port
    except ValueError as error:
        raise FetchError(f"{url!r} is not an address: {error}") from error
    if url_parts.scheme not in SCHEMES or not url_parts.hostname or port == 0:
        raise FetchError(f"cannot fetch {url!r}: it is not an http or https address")
    if len(url) > LONGEST_URL or any(ord(character) <= 0x20 for character in url):
        raise FetchError(
            f"cannot fetch {url[:60]!r}: the address is too long, or has "
            "blanks or control characters"
        )
    if url_parts.username is not None:
        raise FetchError("cannot fetch an address with a user name or password")
    return url_parts


def port_of(parts: SplitResult) -> int:
    """Return the port of a split URL, by default the port of its scheme."""
    return parts.port or SCHEMES[parts.scheme]


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
