"""Render a page in the system's Chromium, controlled by Playwright.

All requests of the browser, even for scripts and images, go through a proxy on
loopback. The proxy checks the hosts of the requests.
"""

from __future__ import annotations

import os
import select
import shutil
import socket
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from socketserver import BaseRequestHandler, ThreadingTCPServer
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from amber_wrap.errors import FetchError
from amber_wrap.fetch.http import SCHEMES, HostGuard, Limits, Response, split_url
from amber_wrap.lowering.helpers import template

if TYPE_CHECKING:
    from playwright.sync_api import Page

VARIABLE: Final = "AMBER_BROWSER"
"""The environment variable that names a browser."""
_BROWSERS: Final = (
    "chromium chromium-browser google-chrome google-chrome-stable".split()
)
"""The commands by which a browser is sought on the PATH."""
SUBRESOURCES: Final = 4
"""The most bytes of scripts and images, as a multiple of the page's size limit."""
SCROLL_SECONDS, QUIET_SECONDS = 0.5, 5.0
"""SCROLL_SECONDS is the time to wait for content after scrolling, in seconds.

QUIET_SECONDS is the longest time to wait until the page stops loading.
"""
SCROLL: Final = "window.scrollTo(0, document.documentElement.scrollHeight)"
"""The JavaScript that scrolls to the end of the page."""
ARGUMENTS: Final = (
    "--disable-quic",
    "--dns-prefetch-disable",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    # A request that doesn't go through the proxy can't resolve the name of a host.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)
"""The arguments of Chromium, by which no request can bypass the proxy."""


@dataclass(frozen=True, slots=True)
class Behaviour:
    """The actions of a browser before a page is saved."""

    wait: str = ""
    """The CSS selector of an element to wait for, or "" for none."""
    scrolls: int = 0
    """The number of times to scroll to the end of the page."""
    path: str = ""
    """The browser's executable file, or "" to search for a browser."""


def find_browser(named: str = "") -> str:
    """Return the path of a browser's executable file.

    The path is `named`, else the environment variable AMBER_BROWSER, else a browser on
    the PATH. Raise FetchError if there is no browser.
    """
    if chosen := named or os.environ.get(VARIABLE, ""):
        if not shutil.which(chosen):
            raise FetchError(f"browser not found: {chosen}")
        return chosen
    browser = next(filter(None, map(shutil.which, _BROWSERS)), None)
    if not browser:
        raise FetchError(
            "no browser was found: install chromium, or name one with --browser-path "
            f"or {VARIABLE}"
        )
    return browser


def render(
    url: str, guard: HostGuard, limits: Limits, behaviour: Behaviour
) -> Response:
    """Return a page as a new browser displays it.

    Raise FetchError if there is no browser or no Playwright. FetchError is also raised
    if the page can't be loaded, exceeds the limits, or is on a host that may not be
    contacted.
    """
    host = split_url(url).hostname
    try:
        from playwright.sync_api import Error, sync_playwright
    except ImportError as error:
        raise FetchError(
            'a browser needs Playwright: pip install "amber-wrap[browser]"'
        ) from error
    browser_path = find_browser(behaviour.path)
    end = time.monotonic() + limits.seconds
    budget = Budget(SUBRESOURCES * limits.size, end)
    with proxy(guard, budget) as server, sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(
                executable_path=browser_path,
                args=list(ARGUMENTS),
                # Chromium's sandbox refuses to run as root.
                chromium_sandbox=hasattr(os, "geteuid") and os.geteuid() != 0,
                proxy={
                    "server": f"http://127.0.0.1:{server.server_address[1]}",
                    "bypass": "<-loopback>",
                },
            )
        except Error as error:
            message = f"cannot start {browser_path}: {_first_line(error)}"
            raise FetchError(message) from error
        try:
            page = browser.new_page(accept_downloads=False, service_workers="block")
            page.set_default_timeout(1000 * limits.seconds)
            response = page.goto(url, wait_until="load")
            if refusal := server.refused.get(urlsplit(page.url).hostname or ""):
                raise FetchError(refusal)
            _settle(page, behaviour, budget)
            body = _rendered(page).encode("utf-8", "replace")
            if len(body) > limits.size:
                raise FetchError(
                    f"the page has more than {limits.size:,} bytes: raise --max-bytes"
                )
            status = response.status if response else 0
            return Response(page.url, status, "text/html; charset=utf-8", body)
        except Error as error:
            message = f"cannot fetch {url}: {_first_line(error)}"
            raise FetchError(server.refused.get(host or "", message)) from error
        finally:
            browser.close()


def _settle(page: Page, behaviour: Behaviour, budget: Budget) -> None:
    """Wait for an element and scroll the page, as `behaviour` demands.

    Raise FetchError if no element that `behaviour.wait` selects appears in time.
    """
    from playwright.sync_api import TimeoutError as NotInTime

    def milliseconds_left(most: float = float("inf")) -> float:
        return 1000 * max(0.1, min(most, budget.seconds_left()))

    def wait_for_network() -> None:
        # Some pages never stop loading: the present state is saved.
        with suppress(NotInTime):
            timeout = milliseconds_left(QUIET_SECONDS)
            page.wait_for_load_state("networkidle", timeout=timeout)

    if css := behaviour.wait:
        try:
            page.wait_for_selector(css, timeout=milliseconds_left())
        except NotInTime as error:
            raise FetchError(f"no element matched --wait {css!r} in time") from error
    wait_for_network()
    for _ in range(behaviour.scrolls):
        if budget.seconds_left() <= 0:
            break
        page.evaluate(SCROLL)
        page.wait_for_timeout(1000 * SCROLL_SECONDS)
        wait_for_network()


def _rendered(page: Page) -> str:
    """Return the HTML of the displayed page, including closed shadow roots.

    Raise FetchError if the browser can't read the page.
    """
    devtools = page.context.new_cdp_session(page)
    answer = devtools.send("DOM.getDocument", {"depth": -1, "pierce": True})
    document_tree = answer["root"]
    document, *closed_roots = (
        devtools.send("DOM.resolveNode", {"backendNodeId": node})["object"]["objectId"]
        for node in (document_tree["backendNodeId"], *_closed_roots(document_tree))
    )
    call = {
        "functionDeclaration": template("fetch/rendered.js"),
        "objectId": document,
        "arguments": [{"objectId": root} for root in closed_roots],
        "returnByValue": True,
    }
    call_result = devtools.send("Runtime.callFunctionOn", call)
    if "exceptionDetails" in call_result:
        message = call_result["exceptionDetails"]["text"]
        raise FetchError(f"cannot read {page.url} in the browser: {message}")
    html: str = call_result["result"]["value"]
    return html


def _closed_roots(tree: Mapping[str, Any]) -> Iterator[int]:
    """Yield the DevTools ids of a document's closed shadow roots, outside of frames.

    `tree` is the result of the DevTools method DOM.getDocument.
    """
    unvisited = [tree]
    while unvisited:
        node = unvisited.pop()
        for root in node.get("shadowRoots", ()):
            if root["shadowRootType"] == "closed":
                yield root["backendNodeId"]
            if root["shadowRootType"] != "user-agent":
                unvisited.append(root)
        unvisited += node.get("children", ())


def _first_line(error: Exception) -> str:
    """Return the first line of an error message, without the prefix "Page.goto: "."""
    return str(error).partition("\n")[0].removeprefix("Page.goto: ")


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
