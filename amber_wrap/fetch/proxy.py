"""Run a proxy on loopback for a browser, so that each connection passes the guard.

The guard checks the address of each request, including redirects, scripts, images and
sockets.
"""

from __future__ import annotations

import select
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from socketserver import BaseRequestHandler, ThreadingTCPServer
from typing import Final
from urllib.parse import urlsplit

from amber_wrap.errors import FetchError
from amber_wrap.fetch.host_guard import SCHEMES, HostGuard

_BLOCK: Final = 1 << 16
LONGEST_HEAD: Final = 1 << 16
HEAD_SECONDS: Final = 10.0
REFUSED: Final = b"HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n"
TUNNEL: Final = b"HTTP/1.1 200 Connection established\r\n\r\n"


@dataclass(slots=True)
class Budget:
    """The number of bytes that may still arrive, and the time when fetching must end.

    `end` is a time of `time.monotonic`.
    """

    size: int
    end: float

    def left(self) -> float:
        """Return the seconds until the budget's time ends, negative after that."""
        return self.end - time.monotonic()


class _Server(ThreadingTCPServer):
    daemon_threads = True

    def __init__(self, guard: HostGuard, budget: Budget) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.guard, self.budget = guard, budget
        self.refused: dict[str, str] = {}


class _Handler(BaseRequestHandler):
    server: _Server

    def handle(self) -> None:
        """Connect to the host of a browser's request, and pass bytes in both
        directions."""
        host = ""
        try:
            head = _head(self.request)
            method, _, rest = head.partition(b" ")
            target, _, rest = rest.partition(b" ")
            if method == b"CONNECT":
                host, port = _authority(target.decode("ascii"))
            else:
                parts = urlsplit(target.decode("ascii"))
                host, port = parts.hostname or "", parts.port or SCHEMES["http"]
            with self.server.guard.connect(host, port, HEAD_SECONDS) as other:
                if method == b"CONNECT":
                    self.request.sendall(TUNNEL)
                else:
                    # A connection has one request: the next may be for another host.
                    other.sendall(_origin_form(method, parts.path, parts.query, rest))
                _hand_on(self.request, other, self.server.budget)
        except FetchError as error:
            self.server.refused[host] = str(error)
            self._refuse()
        except (OSError, ValueError):
            self._refuse()

    def _refuse(self) -> None:
        try:
            self.request.sendall(REFUSED)
        except OSError:
            return  # The browser is gone.


@contextmanager
def proxy(guard: HostGuard, budget: Budget) -> Iterator[_Server]:
    """Run a proxy during a `with` block, and yield its server.

    The server's port is `server_address[1]`. The server's attribute `refused` maps each
    refused host to the reason.
    """
    with _Server(guard, budget) as server:
        threading.Thread(target=server.serve_forever, args=(0.05,)).start()
        try:
            yield server
        finally:
            server.shutdown()


def _head(sock: socket.socket) -> bytes:
    """Return the head of a request, with any bytes that were read after the head.

    Raise ValueError if the connection ends within the head, or if the head is too long.
    Raise OSError if the connection fails.
    """
    sock.settimeout(HEAD_SECONDS)
    head = b""
    while b"\r\n\r\n" not in head:
        block = sock.recv(_BLOCK)
        head += block
        if not block or len(head) > LONGEST_HEAD:
            raise ValueError("no request")
    return head


def _authority(text: str) -> tuple[str, int]:
    """Return the host and the port of "example.com:443" or "[::1]:443".

    Raise ValueError if the port is no number.
    """
    host, _, port = text.rpartition(":")
    return host.strip("[]"), int(port)


def _origin_form(method: bytes, path: str, query: str, rest: bytes) -> bytes:
    """Return the request that the proxy sends to a server for a browser.

    The request has the origin-form of RFC 9112. The request asks the server to close
    the connection after the answer, unless the connection is upgraded.
    """
    target = f"{path or '/'}{'?' * bool(query)}{query}".encode()
    first, _, fields = rest.partition(b"\r\n")
    head, _, body = fields.partition(b"\r\n\r\n")
    kept = [
        line
        for line in head.split(b"\r\n")
        if line.partition(b":")[0].lower() not in (b"proxy-connection", b"connection")
    ]
    upgrade = any(line.lower().startswith(b"upgrade:") for line in kept)
    kept.append(b"Connection: " + (b"Upgrade" if upgrade else b"close"))
    return b"\r\n".join((b" ".join((method, target, first)), *kept, b"", body))


def _hand_on(one: socket.socket, other: socket.socket, budget: Budget) -> None:
    """Pass bytes between two sockets, in both directions.

    Stop when a socket is closed, or when the bytes or the time of the budget are used
    up. Only bytes from the socket `other` count.
    """
    open_ends = {one: other, other: one}
    while open_ends and budget.size > 0 and budget.left() > 0:
        ready, _, _ = select.select(list(open_ends), [], [], min(1.0, budget.left()))
        for source in ready:
            block = source.recv(_BLOCK)
            if not block:
                return
            if source is other:
                budget.size -= len(block)
            open_ends[source].sendall(block)
