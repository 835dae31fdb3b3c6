"""Decide which hosts may be contacted: public hosts, or private hosts on request."""

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
"""A function from a host and a port to the host's IP addresses; it raises OSError if
the host has none.
"""


def resolve(host: str, port: int) -> Sequence[str]:
    """Return the IP addresses of a host by the system's resolver."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(one[4][0]) for one in found))


@dataclass(frozen=True, slots=True)
class HostGuard:
    """A guard that connects to public addresses, or to any address if `allows_private`.

    The socket connects to the address that was checked. The name of the host isn't
    resolved again, since the result could differ (DNS rebinding).
    """

    allows_private: bool = False
    resolve: Resolve = resolve

    def addresses(self, host: str, port: int) -> Sequence[str]:
        """Return the IP addresses of a host.

        Raise FetchError if the host has no address. Raise FetchError also for a private
        address, unless `allows_private`.
        """
        try:
            found = self.resolve(host, port)
        except (OSError, UnicodeError) as error:
            raise FetchError(f"cannot find the host {host!r}: {error}") from error
        private = [one for one in found if not is_public(one)]
        if private and not self.allows_private:
            raise FetchError(
                f"{host} is a private address ({private[0]}): allow it "
                "with --allow-private"
            )
        if not found:
            raise FetchError(f"cannot find the host {host!r}")
        return found

    def connect(self, host: str, port: int, timeout: float) -> socket.socket:
        """Return a connection to the first IP address of a host that answers.

        Raise FetchError if no address answers, or if an address isn't allowed.
        """
        problem: OSError | None = None
        for address in self.addresses(host, port):
            try:
                return socket.create_connection((address, port), timeout)
            except OSError as error:
                problem = error
        raise FetchError(f"cannot connect to {host}:{port}: {problem}")


def is_public(address: str) -> bool:
    """Return whether an IP address is public.

    An IPv6 address with an embedded IPv4 address is public if the IPv4 address is.
    """
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        inner = ip.ipv4_mapped or ip.sixtofour or (ip.teredo or (None, None))[1]
        if inner is not None:
            return is_public(str(inner))
        if ip in ipaddress.ip_network("64:ff9b::/96"):  # NAT64 (RFC 6052)
            return is_public(str(ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)))
    return ip.is_global and not ip.is_multicast


def split(url: str) -> SplitResult:
    """Return the parts of a page's URL.

    Raise FetchError for a URL that is invalid, too long, or not http or https. Raise
    FetchError also for a URL with a user name.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise FetchError(f"{url!r} is not an address: {error}") from error
    if parts.scheme not in SCHEMES or not parts.hostname or port == 0:
        raise FetchError(f"cannot fetch {url!r}: it is not an http or https address")
    if len(url) > LONGEST_URL or any(not ord(one) > 0x20 for one in url):
        raise FetchError(
            f"cannot fetch {url[:60]!r}: the address is too long, or has "
            "blanks or control characters"
        )
    if parts.username is not None:
        raise FetchError("cannot fetch an address with a user name or password")
    return parts


def port_of(parts: SplitResult) -> int:
    """Return the port of a split URL, by default the port of its scheme."""
    return parts.port or SCHEMES[parts.scheme]
