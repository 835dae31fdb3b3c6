"""Where links lead, whatever host and scheme they are written with."""

from __future__ import annotations

from urllib.parse import urljoin, urlsplit


def address(value: str) -> str:
    """The path of a URL and its query, without scheme, host and closing slash."""
    try:
        parts = urlsplit(urljoin("http://host/", value.strip()))
    except ValueError:
        return value
    query = f"?{parts.query}" if parts.query else ""
    return (parts.path.rstrip("/") or "/") + query


def path_of(address: str) -> str:
    """An address without its query."""
    return address.partition("?")[0]
