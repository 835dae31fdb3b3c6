"""Fetch and save pages, with or without a browser, and find the next page."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from urllib.parse import urlsplit

import typer

from amber_wrap.cli.options import MISUSE, UrlOption, named_wrapper
from amber_wrap.cli.terminal import complain

if TYPE_CHECKING:
    from amber_wrap.fetch.session import Fetched, Session

BrowserOption = Annotated[
    bool, typer.Option("--browser", help="Render the page in a browser (Chromium).")
]
WaitOption = Annotated[
    str, typer.Option("--wait", metavar="CSS", help="Wait until this element appears.")
]
ScrollOption = Annotated[
    int,
    typer.Option("--scroll", min=0, max=100, help="Scroll to the end this many times."),
]
PrivateOption = Annotated[
    bool,
    typer.Option(
        "--allow-private",
        help="Allow addresses of this machine and of private networks.",
    ),
]
RobotsOption = Annotated[
    bool, typer.Option("--ignore-robots", help="Fetch pages that robots.txt disallows.")
]
MEBIBYTE = 1024 * 1024


def fetch(
    url: Annotated[str, typer.Argument(help="Address of the page.")],
    output: Annotated[
        str,
        typer.Option(
            "-o", help="Output file; several pages become NAME-1.html, NAME-2.html, ..."
        ),
    ] = "",
    browser: BrowserOption = False,
    wait: WaitOption = "",
    scroll: ScrollOption = 0,
    pages: Annotated[
        int,
        typer.Option(
            min=1, help="Number of pages to fetch, following next-page links."
        ),
    ] = 1,
    wrapper: Annotated[
        str,
        typer.Option(
            "--wrapper",
            help="Wrapper that finds the link to the next page.",
            callback=named_wrapper,
        ),
    ] = "",
    allow_private: PrivateOption = False,
    ignore_robots: RobotsOption = False,
    timeout: Annotated[
        float, typer.Option("--timeout", min=1, help="Timeout for a page, in seconds.")
    ] = 30.0,
    max_bytes: Annotated[
        int,
        typer.Option("--max-bytes", min=1, help="Maximum size of a page, in bytes."),
    ] = 16 * MEBIBYTE,
    delay: Annotated[
        float,
        typer.Option("--delay", min=0, help="Pause between two pages, in seconds."),
    ] = 1.0,
    browser_path: Annotated[
        str, typer.Option("--browser-path", help="Path of the browser's executable.")
    ] = "",
) -> None:
    """Fetch and save a page, with metadata in NAME.html.fetch.json."""
    from amber_wrap.fetch.http import Limits
    from amber_wrap.fetch.session import save_page

    session = session_of(
        browser=browser or bool(wait or scroll or browser_path),
        wait=wait,
        scroll=scroll,
        allow_private=allow_private,
        ignore_robots=ignore_robots,
        browser_path=browser_path,
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
        typer.echo(f"saved {page.url} as {path}", err=True)
    if saved_count < pages:
        typer.echo(f"there are no more pages: saved {saved_count} of {pages}", err=True)


def session_of(
    *,
    browser: bool,
    wait: str = "",
    scroll: int = 0,
    allow_private: bool = False,
    ignore_robots: bool = False,
    browser_path: str = "",
) -> Session:
    """Return a session for fetching pages with the given options.

    Without `browser`, the options `wait`, `scroll` and `browser_path` have no effect.
    """
    from amber_wrap.fetch.browser import Behaviour
    from amber_wrap.fetch.http import HostGuard
    from amber_wrap.fetch.session import Session

    return Session(
        guard=HostGuard(allow_private),
        behaviour=Behaviour(wait, scroll, browser_path) if browser else None,
        heeds_robots=not ignore_robots,
    )


def save_if_address(name: str, session: Session) -> str:
    """Fetch the page at an HTTP address, save the page, and return its file name.

    If `name` isn't an HTTP address, return `name` unchanged.
    """
    if not name.startswith(("http://", "https://")):
        return name
    from amber_wrap.fetch.session import save_page

    page, path = session.fetch(name), Path(file_name(name))
    save_page(page, path)
    typer.echo(f"saved {page.url} as {path}", err=True)
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
    """Return a function from a page to the address of the next page, or to None.

    `wrapper` is the file of a wrapper, whose expression for the next page selects the
    address. Exit with `MISUSE` if the wrapper has no expression for the next page.
    """
    from amber_wrap.dom.parse import parse
    from amber_wrap.engine.interpret import next_page_address
    from amber_wrap.errors import FetchError
    from amber_wrap.files import read_wrapper

    stored_wrapper = read_wrapper(wrapper)
    if not stored_wrapper.next_page:
        complain(FetchError(f"{wrapper} has no expression for the next page"))
        raise typer.Exit(MISUSE)
    return lambda page: next_page_address(stored_wrapper, parse(page.body, page.url))


def next_page(
    page: Annotated[str, typer.Argument(help='Saved page ("-": stdin).')],
    url: UrlOption = "",
    older: Annotated[
        bool,
        typer.Option(
            "--older", help="If the newest entries come first, find the older ones."
        ),
    ] = False,
    why: Annotated[
        bool, typer.Option("--why", help="Print the reason on stderr.")
    ] = False,
) -> None:
    """Print the address of the next page, or say why there is none."""
    from amber_wrap.analysis.pagination.next_page_link import find_next_address
    from amber_wrap.dom.parse import parse
    from amber_wrap.files import read_bytes

    address, reason = find_next_address(parse(read_bytes(page), url), older)
    typer.echo(address)
    if why:
        typer.echo(reason, err=True)
