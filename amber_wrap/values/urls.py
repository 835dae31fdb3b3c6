"""Convert the addresses of links to absolute URLs."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final
from urllib.parse import urljoin

# Addresses to which `urljoin`, which is slow, would add nothing or only the origin. It
# also drops empty parts of paths, and resolves parts that begin with a dot.
_ADDRESS: Final = r'[!"$-:<->@-~]+(?:\?[!"$-:<-~]+)?(?:#[!-:<-~]+)?'

ABSOLUTE: Final = re.compile(rf"https?://(?!/){_ADDRESS}")

ROOTED: Final = re.compile(rf"(?=/(?!/)){_ADDRESS}")


def url(text: str, base: str = "") -> str | None:
    """Return the address that a text consists of, resolved against the URL `base`.

    A fragment such as "#top" or a malformed address isn't resolved. Return None for a
    blank text.
    """
    address = text.strip()
    if not base or not address or address.startswith("#"):
        return address or None
    if ABSOLUTE.fullmatch(address):
        return address
    try:
        if ROOTED.fullmatch(address) and "/." not in address:
            return origin(base) + address
        return urljoin(base, address)
    except ValueError:
        return address


@lru_cache(maxsize=64)
def origin(base: str) -> str:
    """Return scheme and host of a URL, for example "https://example.com"."""
    return urljoin(base, "/")[:-1]
