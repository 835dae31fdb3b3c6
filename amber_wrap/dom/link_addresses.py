"""Split the URLs of links, and find the URL against which links are resolved."""

from __future__ import annotations

from urllib.parse import SplitResult, urljoin, urlsplit

from lxml import etree


def address_parts(url: str) -> SplitResult:
    """Return the parts of a URL, which are all "" for an invalid URL."""
    try:
        return urlsplit(url)
    except ValueError:
        return SplitResult("", "", "", "", "")


def host_of(url: str) -> str:
    """Return the host of a URL without "www.", or "" if there is none."""
    return (address_parts(url).hostname or "").removeprefix("www.")


def path_and_query(url: str) -> str:
    """Return the path and query of a URL: "/a?b=1" for "https://example.com/a/?b=1".

    An invalid URL is returned unchanged.
    """
    try:
        parts = urlsplit(urljoin("http://host/", url.strip()))
    except ValueError:
        return url
    query = f"?{parts.query}" if parts.query else ""
    return (parts.path.rstrip("/") or "/") + query


def without_query(url: str) -> str:
    """Return a URL without its query."""
    return url.partition("?")[0]


def base_url(root: etree._Element, url: str) -> str:
    """Return the URL against which the relative links of the page at `url` are
    resolved.

    It is the address in the first `<base href>`, or `url` if this address is missing or
    invalid.
    """
    hrefs = (element.get("href") for element in root.getroottree().iter("base"))
    base_href = next((href for href in hrefs if href is not None), "")
    try:
        return urljoin(url, base_href.strip())
    except ValueError:
        return url
