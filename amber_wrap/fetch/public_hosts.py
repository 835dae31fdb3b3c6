"""Refuse to contact hosts that aren't public."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import SplitResult, urlsplit

from amber_wrap.errors import FetchError

SCHEMES: Final = {"http": 80, "https": 443}
"""The schemes that can be fetched, with their default ports."""

LONGEST_URL: Final = 8192
"""The most characters of an address."""

Resolve = Callable[[str, int], Sequence[str]]
"""A function that returns the IP addresses of a host, given the host and a port.

The function raises OSError if the host has no address.
"""


def resolve(host: str, port: int) -> Sequence[str]:
    """Return the IP addresses of a host by the system's resolver."""
    address_infos = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = [str(socket_address[0]) for *_, socket_address in address_infos]
    return list(dict.fromkeys(addresses))


@dataclass(frozen=True, slots=True)
class HostGuard:
    """A guard that connects only to hosts that may be contacted.

    By default, only hosts with public addresses may be contacted.
    """

    allows_private: bool = False
    """Whether the guard also connects to private addresses."""
    resolve: Resolve = resolve
    """The function that returns the addresses of a host."""

    def addresses(self, host: str, port: int) -> Sequence[str]:
        """Return the IP addresses of a host.

        Raise FetchError if the host has no address, or an address that may not be
        contacted.
        """
        try:
            addresses = self.resolve(host, port)
        except (OSError, UnicodeError) as error:
            raise FetchError(f"cannot find the host {host!r}: {error}") from error
        private = [address for address in addresses if not is_public(address)]
        if private and not self.allows_private:
            place = f"{host} is a private address ({private[0]})"
            raise FetchError(f"{place}: allow it with --allow-private")
        if not addresses:
            raise FetchError(f"cannot find the host {host!r}")
        return addresses

    def connect(self, host: str, port: int, timeout: float) -> socket.socket:
        """Return a connection to the first IP address of a host that answers.

        Raise FetchError if no address answers in `timeout` seconds, or if the host may
        not be contacted.
        """
        # The checked addresses are used, since a second resolution could give others
        # (DNS rebinding).
        last_error: OSError | None = None
        for address in self.addresses(host, port):
            try:
                return socket.create_connection((address, port), timeout)
            except OSError as error:
                last_error = error
        raise FetchError(f"cannot connect to {host}:{port}: {last_error}")


def is_public(address: str) -> bool:
    """Return whether an IP address is public.

    An IPv6 address with an embedded IPv4 address is public if the IPv4 address is
    public.
    """
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        _, teredo_client = ip.teredo or (None, None)
        embedded = ip.ipv4_mapped or ip.sixtofour or teredo_client
        if embedded is not None:
            return is_public(str(embedded))
        if ip in ipaddress.ip_network("64:ff9b::/96"):  # NAT64 (RFC 6052)
            return is_public(str(ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)))
    return ip.is_global and not ip.is_multicast


def split_url(url: str) -> SplitResult:
    """Return the parts of a page's URL.

    Raise FetchError for a URL that is invalid, too long, or has a user name. FetchError
    is also raised if the scheme isn't http or https.
    """
    try:
        url_parts = urlsplit(url)
        port = url_parts.port
    except ValueError as error:
        raise FetchError(f"{url!r} is not an address: {error}") from error
    if url_parts.scheme not in SCHEMES or not url_parts.hostname or port == 0:
        raise FetchError(f"cannot fetch {url!r}: it is not an http or https address")
    if len(url) > LONGEST_URL or any(ord(character) <= 0x20 for character in url):
        raise FetchError(
            f"cannot fetch {url[:60]!r}: the address is too long, or has "
            "blanks or control characters"
        )
    if url_parts.username is not None:
        raise FetchError("cannot fetch an address with a user name or password")
    return url_parts


def port_of(parts: SplitResult) -> int:
    """Return the port of a split URL, by default the port of its scheme."""
    return parts.port or SCHEMES[parts.scheme]
