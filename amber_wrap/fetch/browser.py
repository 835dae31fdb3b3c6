"""Render a page in the system's Chromium, controlled by Playwright."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from amber_wrap.errors import FetchError
from amber_wrap.fetch.host_guard import Budget, HostGuard, proxy, split_url
from amber_wrap.fetch.http import Limits, Response
from amber_wrap.lowering.helpers import template

if TYPE_CHECKING:
    from playwright.sync_api import Page
    from playwright.sync_api import Response as BrowserResponse

VARIABLE: Final = "AMBER_BROWSER"
"""The environment variable that names a browser."""
_BROWSER_NAMES: Final = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
"""The names of browsers on the PATH."""
SUBRESOURCES: Final = 4
"""The most bytes of scripts and images, as a multiple of the page's size limit."""
SCROLL_SECONDS, QUIET_SECONDS = 0.5, 5.0
"""The seconds to wait for content after scrolling, and the most seconds for the page to
stop loading.
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
"""The arguments of Chromium: no request bypasses the proxy."""


@dataclass(frozen=True, slots=True)
class Behaviour:
    """The actions of a browser before a page is saved.

    The browser waits for an element that the CSS selector `wait` matches. Then the
    browser scrolls to the end of the page `scrolls` times. `path` is the browser's
    executable file, "" to search for a browser.
    """

    wait: str = ""
    scrolls: int = 0
    path: str = ""


def find_browser(named: str = "") -> str:
    """Return the browser's executable file.

    The file is `named`, or else the value of the environment variable AMBER_BROWSER, or
    else the first browser on the PATH. Raise FetchError if the chosen file doesn't
    exist, or if no browser is found.
    """
    if chosen := named or os.environ.get(VARIABLE, ""):
        if not shutil.which(chosen):
            raise FetchError(f"browser not found: {chosen}")
        return chosen
    browser = next(filter(None, map(shutil.which, _BROWSER_NAMES)), None)
    if not browser:
        raise FetchError(
            "no browser was found: install chromium, or name one with --browser-path "
            f"or {VARIABLE}"
        )
    return browser


def render(
    url: str, guard: HostGuard, limits: Limits, behaviour: Behaviour
) -> Response:
    """Return a page as a browser displays it.

    A new browser is started for the page, and acts as `behaviour` says. `guard` checks
    the host of each request. Raise FetchError if there is no browser or no Playwright.
    Raise FetchError also if the page can't be loaded, exceeds the time or size in
    `limits`, or is on a host that may not be contacted.
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
            raise FetchError(
                f"cannot start {browser_path}: {_first_line(error)}"
            ) from error
        try:
            context = browser.new_context(
                accept_downloads=False, service_workers="block"
            )
            page = context.new_page()
            page.set_default_timeout(1000 * limits.seconds)
            response = page.goto(url, wait_until="load")
            _check_host(page.url, server.refused)
            _settle(page, behaviour, budget)
            html = _rendered(page)
            return _response(page, response, html, limits)
        except Error as error:
            error_message = f"cannot fetch {url}: {_first_line(error)}"
            raise FetchError(server.refused.get(host or "", error_message)) from error
        finally:
            browser.close()


def _check_host(url: str, refused: Mapping[str, str]) -> None:
    """Raise FetchError if the proxy refused the host of the address `url`.

    `refused` maps each refused host to the reason.
    """
    if message := refused.get(urlsplit(url).hostname or ""):
        raise FetchError(message)


def _settle(page: Page, behaviour: Behaviour, budget: Budget) -> None:
    """Wait for an element and scroll, as `behaviour` says.

    Before and after each scroll, wait until the network is quiet, or for at most
    `QUIET_SECONDS`. Waiting ends earlier when the time of `budget` is over. Raise
    FetchError if no element that `behaviour.wait` selects appears in time.
    """
    from playwright.sync_api import TimeoutError as NotInTime

    def wait_for_network() -> None:
        try:
            page.wait_for_load_state(
                "networkidle",
                timeout=1000 * max(0.1, min(QUIET_SECONDS, budget.seconds_left())),
            )
        except NotInTime:
            return  # Some pages never stop loading: the present state is saved.

    if behaviour.wait:
        try:
            page.wait_for_selector(
                behaviour.wait, timeout=1000 * max(0.1, budget.seconds_left())
            )
        except NotInTime as error:
            raise FetchError(
                f"no element matched --wait {behaviour.wait!r} in time"
            ) from error
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
    """Yield the DevTools ids of the closed shadow roots in a document.

    Shadow roots in frames are left out. `tree` is the root node that the DevTools
    method DOM.getDocument returns.
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


def _response(
    page: Page, response: BrowserResponse | None, html: str, limits: Limits
) -> Response:
    """Return the displayed page as if it were a server's answer.

    `html` is the HTML of the displayed page. `response` is the server's answer to the
    browser, which gives the HTTP status. The status is 0 if there is no answer. Raise
    FetchError if the HTML exceeds the size in `limits`.
    """
    body = html.encode("utf-8", "replace")
    if len(body) > limits.size:
        raise FetchError(
            f"the page has more than {limits.size:,} bytes: raise --max-bytes"
        )
    status = response.status if response else 0
    return Response(page.url, status, "text/html; charset=utf-8", body)


def _first_line(error: Exception) -> str:
    """Return the first line of an error message, without the prefix "Page.goto: "."""
    return str(error).partition("\n")[0].removeprefix("Page.goto: ")
