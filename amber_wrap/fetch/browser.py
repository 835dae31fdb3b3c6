"""Render a page in the system's Chromium, controlled by Playwright.

All requests of the browser, even for scripts and images, go through a proxy on
loopback. The proxy checks the hosts of the requests.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from amber_wrap.errors import FetchError
from amber_wrap.fetch.http import Limits, Response
from amber_wrap.fetch.proxy import Budget, proxy
from amber_wrap.fetch.public_hosts import HostGuard, split_url
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
