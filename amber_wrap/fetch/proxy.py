"""Run a proxy that lets a browser contact only public hosts."""

from __future__ import annotations

import select
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from socketserver import BaseRequestHandler, ThreadingTCPServer
from typing import Final
from urllib.parse import urlsplit

from amber_wrap.errors import FetchError
from amber_wrap.fetch.public_hosts import SCHEMES, HostGuard

_BLOCK: Final = 1 << 16
"""The most bytes that are read from a socket at a time."""

LONGEST_HEAD: Final = 1 << 16
"""The most bytes of the first line and the header fields of a request."""

HEAD_SECONDS: Final = 10.0
"""The most seconds to wait for the head of a request, or for a connection to a host.

The head is the first line and the header fields.
"""

REFUSED: Final = b"HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n"
"""The proxy's answer to a refused request."""

TUNNEL: Final = b"HTTP/1.1 200 Connection established\r\n\r\n"
"""The proxy's answer to a CONNECT request that is allowed."""


@dataclass(slots=True)
class Budget:
    """The bytes and the time that a browser may still use for a page."""

    size: int
    """The number of bytes that may still be received through the proxy."""
    end: float
    """The time of `time.monotonic` at which the proxy stops."""

    def seconds_left(self) -> float:
        """Return the seconds until `end`, or a negative number after `end`."""
        return self.end - time.monotonic()


class _Server(ThreadingTCPServer):
    """A proxy for the browser, on a free port of 127.0.0.1.

    `refused` maps each host that the proxy refused to the reason.
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

        Answer with the status 403 if the host may not be contacted, or if the request
        is invalid.
        """
        host = ""
        try:
            request_head = _request_head(self.request)
            method, _, rest = request_head.partition(b" ")
            target, _, rest = rest.partition(b" ")
            if method == b"CONNECT":
                host, _, digits = target.decode("ascii").rpartition(":")
                host, port = host.strip("[]"), int(digits)
            else:
                parts = urlsplit(target.decode("ascii"))
                host, port = parts.hostname or "", parts.port or SCHEMES["http"]
            with self.server.guard.connect(host, port, HEAD_SECONDS) as server:
                if method == b"CONNECT":
                    self.request.sendall(TUNNEL)
                else:
                    # A connection has one request: the next may be for another host.
                    request = _origin_form(method, parts.path, parts.query, rest)
                    server.sendall(request)
                _relay(self.request, server, self.server.budget)
        except FetchError as error:
            self.server.refused[host] = str(error)
            self._refuse()
        except (OSError, ValueError):
            self._refuse()

    def _refuse(self) -> None:
        """Answer the browser with the status 403, if the connection is still open."""
        with suppress(OSError):  # The browser may be gone.
            self.request.sendall(REFUSED)


@contextmanager
def proxy(guard: HostGuard, budget: Budget) -> Iterator[_Server]:
    """Run a proxy for the browser during a `with` block, and yield the proxy.

    The proxy refuses hosts that `guard` doesn't allow. The proxy stops when the bytes
    or the time of `budget` are used up.
    """
    with _Server(guard, budget) as server:
        threading.Thread(target=server.serve_forever, args=(0.05,)).start()
        try:
            yield server
        finally:
            server.shutdown()


def _request_head(sock: socket.socket) -> bytes:
    """Return the head of a request.

    The result ends with any bytes that were received after the head. Raise ValueError
    if the head is incomplete or too long, and OSError if the connection fails.
    """
    sock.settimeout(HEAD_SECONDS)
    head = b""
    while b"\r\n\r\n" not in head:
        block = sock.recv(_BLOCK)
        head += block
        if not block or len(head) > LONGEST_HEAD:
            raise ValueError("no request")
    return head


def _origin_form(method: bytes, path: str, query: str, rest: bytes) -> bytes:
    """Return a browser's request to the proxy in the form for a server (RFC 9112).

    `rest` is the browser's request after the method and the target.
    """
    request_target = f"{path or '/'}?{query}" if query else path or "/"
    version, _, header_fields = rest.partition(b"\r\n")
    head, _, body = header_fields.partition(b"\r\n\r\n")
    left_out = (b"proxy-connection", b"connection")
    lines = [
        line
        for line in head.split(b"\r\n")
        if line.partition(b":")[0].lower() not in left_out
    ]
    upgrade = any(line.lower().startswith(b"upgrade:") for line in lines)
    lines.append(b"Connection: " + (b"Upgrade" if upgrade else b"close"))
    request_line = b" ".join((method, request_target.encode(), version))
    return b"\r\n".join((request_line, *lines, b"", body))


def _relay(client: socket.socket, server: socket.socket, budget: Budget) -> None:
    """Pass bytes both ways between the sockets of the browser and of a server.

    Stop when a socket is closed, or when the bytes or the time of `budget` are used up.
    """
    receivers = {client: server, server: client}
    while budget.size > 0 and budget.seconds_left() > 0:
        seconds = min(1.0, budget.seconds_left())
        for sender in select.select([client, server], [], [], seconds)[0]:
            block = sender.recv(_BLOCK)
            if not block:
                return
            if sender is server:
                budget.size -= len(block)
            receivers[sender].sendall(block)
