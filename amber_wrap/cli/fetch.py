"""Fetch and save pages, with or without a browser, and find the next page."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from urllib.parse import urlsplit

import typer

from amber_wrap.cli import common
from amber_wrap.cli.common import argument, complain, note, option

if TYPE_CHECKING:
    from amber_wrap.fetch.session import Fetched, Session

BrowserOption = Annotated[
    bool, option("--browser", "Render the page in a browser (Chromium).")
]
WaitOption = Annotated[str, option("--wait", "Wait until this element appears.", "CSS")]
ScrollOption = Annotated[
    int, option("--scroll", "Scroll to the end this many times.", min=0, max=100)
]
PrivateOption = Annotated[
    bool,
    option(
        "--allow-private", "Allow addresses of this machine and of private networks."
    ),
]
RobotsOption = Annotated[
    bool, option("--ignore-robots", "Fetch pages that robots.txt disallows.")
]
MEBIBYTE = 1024 * 1024


def fetch(
    url: Annotated[str, argument("Address of the page.")],
    output: Annotated[
        str,
        option("-o", "Output file; several pages become NAME-1.html, NAME-2.html, ..."),
    ] = "",
    browser: BrowserOption = False,
    wait: WaitOption = "",
    scroll: ScrollOption = 0,
    pages: Annotated[
        int,
        option(
            "--pages", "Number of pages to fetch, following next-page links.", min=1
        ),
    ] = 1,
    wrapper: Annotated[
        str,
        option(
            "--wrapper",
            "Wrapper that finds the link to the next page.",
            callback=common.named_wrapper,
        ),
    ] = "",
    allow_private: PrivateOption = False,
    ignore_robots: RobotsOption = False,
    timeout: Annotated[
        float, option("--timeout", "Timeout for a page, in seconds.", min=1)
    ] = 30.0,
    max_bytes: Annotated[
        int, option("--max-bytes", "Maximum size of a page, in bytes.", min=1)
    ] = 16 * MEBIBYTE,
    delay: Annotated[
        float, option("--delay", "Pause between two pages, in seconds.", min=0)
    ] = 1.0,
    browser_path: Annotated[
        str, option("--browser-path", "Path of the browser's executable.")
    ] = "",
) -> None:
    """Fetch and save a page, with metadata in NAME.html.fetch.json."""
    from amber_wrap.fetch.http import Limits
    from amber_wrap.fetch.session import save_page

    session = session_of(
        browser, wait, scroll, allow_private, ignore_robots, browser_path
    )
    session.limits = Limits(timeout, max_bytes)
    session.pause = delay
    find_next = _next_finder(wrapper) if wrapper else _next_page_without_wrapper
    saved_count = 0
    for number, page in enumerate(session.pages(url, pages, find_next), 1):
        path = Path(output or file_name(url))
        if pages > 1:
            path = path.with_name(f"{path.stem}-{number}{path.suffix or '.html'}")
        save_page(page, path)
        saved_count = number
        note(f"saved {page.url} as {path}")
    if saved_count < pages:
        note(f"there are no more pages: saved {saved_count} of {pages}")


def session_of(
    browser: bool,
    wait: str,
    scroll: int,
    allow_private: bool,
    ignore_robots: bool,
    browser_path: str = "",
) -> Session:
    """Return a session, an object that fetches pages, with the given options.

    The session uses a browser if `browser`, `wait`, `scroll` or `browser_path` is set.
    """
    from amber_wrap.fetch.browser import Behaviour
    from amber_wrap.fetch.public_hosts import HostGuard
    from amber_wrap.fetch.session import Session

    behaviour = None
    if browser or wait or scroll or browser_path:
        behaviour = Behaviour(wait, scroll, browser_path)
    guard = HostGuard(allow_private)
    return Session(guard, behaviour=behaviour, heeds_robots=not ignore_robots)


def save_if_address(name: str, session: Session) -> str:
    """Fetch and save the page at an HTTP address, and return the name of its file.

    If `name` isn't an HTTP address, return `name` unchanged.
    """
    if not name.startswith(("http://", "https://")):
        return name
    from amber_wrap.fetch.session import save_page

    page, path = session.fetch(name), Path(file_name(name))
    save_page(page, path)
    note(f"saved {page.url} as {path}")
    return str(path)


def file_name(url: str) -> str:
    """Return the file name for a page: the words of its address, joined by hyphens.

    For example, return `example-org-hotels-page-2.html` for
    `https://example.org/hotels?page=2`.
    """
    parts = urlsplit(url)
    words = f"{(parts.hostname or '').removeprefix('www.')} {parts.path} {parts.query}"
    name = "-".join(re.findall(r"[^\W_]+", re.sub(r"\.html?\b", "", words)))
    return f"{name[:80].rstrip('-') or 'page'}.html"


def _next_page_without_wrapper(page: Fetched) -> str | None:
    """Return the address of the next page, found without a wrapper.

    Return None if no next page is found.
    """
    from amber_wrap.analysis.pagination.next_page_link import find_next_address
    from amber_wrap.dom.parse import parse
    from amber_wrap.errors import NothingFoundError

    try:
        return find_next_address(parse(page.body, page.url))[0]
    except NothingFoundError:
        return None


def _next_finder(wrapper: str) -> Callable[[Fetched], str | None]:
    """Return a function that finds the address of the page after a given page.

    The function returns None if no page follows. Exit with `MISUSE` if the wrapper has
    no XPath expression for the address.
    """
    from amber_wrap.dom.parse import parse
    from amber_wrap.engine.output_rows import next_page_address
    from amber_wrap.errors import FetchError
    from amber_wrap.files import read_wrapper

    stored_wrapper = read_wrapper(wrapper)
    if not stored_wrapper.next_page:
        complain(FetchError(f"{wrapper} has no expression for the next page"))
        raise typer.Exit(common.MISUSE)
    return lambda page: next_page_address(stored_wrapper, parse(page.body, page.url))


def next_page(
    page: Annotated[str, argument('Saved page ("-": stdin).')],
    url: common.UrlOption = "",
    older: Annotated[
        bool,
        option("--older", "If the newest entries come first, find the older ones."),
    ] = False,
    why: Annotated[bool, option("--why", "Print the reason on stderr.")] = False,
) -> None:
    """Print the address of the next page, or say why there is none."""
    from amber_wrap.analysis.pagination.next_page_link import find_next_address
    from amber_wrap.dom.parse import parse
    from amber_wrap.files import read_bytes

    address, reason = find_next_address(parse(read_bytes(page), url), older)
    typer.echo(address)
    if why:
        note(reason)
