"""Split and resolve the addresses of links."""

from __future__ import annotations

from urllib.parse import urljoin, urlsplit

from lxml import etree


def path_and_query(value: str) -> str:
    """Return the path and query of a URL: "/a?b=1" for "https://example.com/a/?b=1"."""
    try:
        parts = urlsplit(urljoin("http://host/", value.strip()))
    except ValueError:
        return value
    query = f"?{parts.query}" if parts.query else ""
    return (parts.path.rstrip("/") or "/") + query


def path_of(address: str) -> str:
    """Return a URL without its query."""
    return address.partition("?")[0]


def base_of(root: etree._Element, url: str) -> str:
    """Return the URL against which a page's relative links are resolved.

    The result is the first `<base href>`, resolved against `url`. If there is none, the
    result is `url`.
    """
    hrefs = (one.get("href") for one in root.getroottree().iter("base"))
    href = next((href for href in hrefs if href is not None), "")
    try:
        return urljoin(url, href.strip())
    except ValueError:
        return url
