"""Decide which hosts may be contacted, and enforce the decision on a browser by a
proxy.

Public hosts may be contacted, and private hosts on request. The proxy runs on loopback.
The guard checks the address of each request of the browser, including redirects,
scripts, images and sockets.
"""

from __future__ import annotations

import ipaddress
import select
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from socketserver import BaseRequestHandler, ThreadingTCPServer
from typing import Final
from urllib.parse import SplitResult, urlsplit

from amber_wrap.errors import FetchError

SCHEMES: Final = {"http": 80, "https": 443}
"""The schemes that can be fetched, with their default ports."""
LONGEST_URL: Final = 8192
"""The most characters of an address."""
Resolve = Callable[[str, int], Sequence[str]]
"""A function from a host and a port to the host's IP addresses; it raises OSError if
the host has none.
"""


def resolve(host: str, port: int) -> Sequence[str]:
    """Return the IP addresses of a host by the system's resolver."""
    address_infos = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = [str(socket_address[0]) for *_, socket_address in address_infos]
    return list(dict.fromkeys(addresses))


@dataclass(frozen=True, slots=True)
class HostGuard:
    """A guard that connects only to hosts with public addresses.

    If `allows_private` is true, the guard connects to any address. `resolve` is a
    function that returns the addresses of a host. A host is resolved only once: the
    guard connects to the address that was checked, since a second result could differ
    (DNS rebinding).
    """

    allows_private: bool = False
    resolve: Resolve = resolve

    def addresses(self, host: str, port: int) -> Sequence[str]:
        """Return the IP addresses of a host.

        Raise FetchError if the host has no address.  Raise FetchError also for a
        private address, unless `allows_private` is true.
        """
        try:
            addresses = self.resolve(host, port)
        except (OSError, UnicodeError) as error:
            raise FetchError(f"cannot find the host {host!r}: {error}") from error
        private = [address for address in addresses if not is_public(address)]
        if private and not self.allows_private:
            raise FetchError(
                f"{host} is a private address ({private[0]}): allow it "
                "with --allow-private"
            )
        if not addresses:
            raise FetchError(f"cannot find the host {host!r}")
        return addresses

    def connect(self, host: str, port: int, timeout: float) -> socket.socket:
        """Return a connection to the first IP address of a host that answers.

        `timeout` is in seconds.  Raise FetchError if no address answers, or if an
        address isn't allowed.
        """
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

    Raise FetchError for a URL that is invalid, too long, or not http or https.  Raise
    FetchError also for a URL with a user name.
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


_BLOCK: Final = 1 << 16
"""The most bytes that are read from a socket at a time."""
LONGEST_HEAD: Final = 1 << 16
"""The most bytes of the first line and the header fields of a request."""
HEAD_SECONDS: Final = 10.0
"""The most seconds to wait for a request's first line and header fields, and for a
connection to a host."""
REFUSED: Final = b"HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n"
"""The proxy's answer to a refused request."""
TUNNEL: Final = b"HTTP/1.1 200 Connection established\r\n\r\n"
"""The proxy's answer to a CONNECT request that is allowed."""


@dataclass(slots=True)
class Budget:
    """The bytes and the time that a browser may still use for a page.

    `size` is the number of bytes that the browser may still receive through the proxy.
    `end` is the time of `time.monotonic` after which the browser receives nothing.
    """

    size: int
    end: float

    def seconds_left(self) -> float:
        """Return the seconds until the time `end`, negative after the time."""
        return self.end - time.monotonic()


class _Server(ThreadingTCPServer):
    """A proxy on a free port of 127.0.0.1.

    `refused` maps each refused host to the reason.
    """

    daemon_threads = True

    def __init__(self, guard: HostGuard, budget: Budget) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.guard, self.budget = guard, budget
        self.refused: dict[str, str] = {}


class _Handler(BaseRequestHandler):
    """A handler of one connection from the browser to the proxy."""

    server: _Server

    def handle(self) -> None:
        """Connect to the host of a browser's request, and pass bytes both ways.

        Answer with the status 403 if the guard refuses the host, or if the request is
        invalid.
        """
        host = ""
        try:
            request_head = _request_head(self.request)
            method, _, rest = request_head.partition(b" ")
            target, _, rest = rest.partition(b" ")
            if method == b"CONNECT":
                host, port = _host_and_port(target.decode("ascii"))
            else:
                url_parts = urlsplit(target.decode("ascii"))
                host, port = url_parts.hostname or "", url_parts.port or SCHEMES["http"]
            with self.server.guard.connect(host, port, HEAD_SECONDS) as server:
                if method == b"CONNECT":
                    self.request.sendall(TUNNEL)
                else:
                    # A connection has one request: the next may be for another host.
                    server.sendall(
                        _origin_form(method, url_parts.path, url_parts.query, rest)
                    )
                _relay(self.request, server, self.server.budget)
        except FetchError as error:
            self.server.refused[host] = str(error)
            self._refuse()
        except (OSError, ValueError):
            self._refuse()

    def _refuse(self) -> None:
        """Answer the browser with the status 403, if the connection is still open."""
        try:
            self.request.sendall(REFUSED)
        except OSError:
            return  # The browser is gone.


@contextmanager
def proxy(guard: HostGuard, budget: Budget) -> Iterator[_Server]:
    """Run a proxy during a `with` block, and yield the proxy's server.

    The proxy refuses hosts that `guard` doesn't allow. The proxy stops passing bytes
    when the bytes or the time of `budget` are used up. The server's port is
    `server_address[1]`. The server's attribute `refused` maps each refused host to the
    reason.
    """
    with _Server(guard, budget) as server:
        threading.Thread(target=server.serve_forever, args=(0.05,)).start()
        try:
            yield server
        finally:
            server.shutdown()


def _request_head(sock: socket.socket) -> bytes:
    """Return a request's first line and header fields (its head), as received.

    Bytes that were received after the head are included. Raise ValueError if the
    connection ends within the head, or if the head is too long. Raise OSError if the
    connection fails.
    """
    sock.settimeout(HEAD_SECONDS)
    head = b""
    while b"\r\n\r\n" not in head:
        block = sock.recv(_BLOCK)
        head += block
        if not block or len(head) > LONGEST_HEAD:
            raise ValueError("no request")
    return head


def _host_and_port(text: str) -> tuple[str, int]:
    """Return the host and the port of "example.com:443" or "[::1]:443".

    Raise ValueError if the port is no number.
    """
    host, _, port = text.rpartition(":")
    return host.strip("[]"), int(port)


def _origin_form(method: bytes, path: str, query: str, rest: bytes) -> bytes:
    """Return the request that the proxy sends to a server for a browser.

    `method` is the HTTP method. `path` and `query` are parts of the requested URL.
    `rest` is the browser's request after the method and the target. The result has the
    origin-form of RFC 9112. The result asks the server to close the connection after
    the answer, unless the connection is upgraded.
    """
    request_target = f"{path or '/'}?{query}" if query else path or "/"
    version, _, header_fields = rest.partition(b"\r\n")
    head, _, body = header_fields.partition(b"\r\n\r\n")
    left_out = (b"proxy-connection", b"connection")
    header_lines = [
        header_line
        for header_line in head.split(b"\r\n")
        if header_line.partition(b":")[0].lower() not in left_out
    ]
    upgrade = any(
        header_line.lower().startswith(b"upgrade:") for header_line in header_lines
    )
    header_lines.append(b"Connection: " + (b"Upgrade" if upgrade else b"close"))
    request_line = b" ".join((method, request_target.encode(), version))
    return b"\r\n".join((request_line, *header_lines, b"", body))


def _relay(client: socket.socket, server: socket.socket, budget: Budget) -> None:
    """Pass bytes both ways between the sockets of the browser and of a server.

    Stop when a socket is closed, or when the bytes or the time of the budget are used
    up.  Only bytes from the server count.
    """
    receivers = {client: server, server: client}
    while budget.size > 0 and budget.seconds_left() > 0:
        ready, _, _ = select.select(
            list(receivers), [], [], min(1.0, budget.seconds_left())
        )
        for sender in ready:
            block = sender.recv(_BLOCK)
            if not block:
                return
            if sender is server:
                budget.size -= len(block)
            receivers[sender].sendall(block)
