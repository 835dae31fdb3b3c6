"""Which hosts may be asked: public ones, unless a user allows private ones."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import SplitResult, urlsplit

from amber_wrap.errors import FetchError

SCHEMES: Final = {"http": 80, "https": 443}
"""What is fetched, with the ports that are meant where none is named."""
LONGEST_URL: Final = 8192
"""Characters of an address."""
Resolve = Callable[[str, int], Sequence[str]]
"""The IP addresses of a host; raises OSError if it has none."""


def resolve(host: str, port: int) -> Sequence[str]:
    """The IP addresses of a host, as the system knows them."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(one[4][0]) for one in found))


@dataclass(frozen=True, slots=True)
class HostGuard:
    """Connects to hosts whose addresses are public, or to any where `allows_private`.

    The address that is checked is the one that is connected to: a name that is resolved
    a second time could lead elsewhere (DNS rebinding).
    """

    allows_private: bool = False
    resolve: Resolve = resolve

    def addresses(self, host: str, port: int) -> Sequence[str]:
        """The addresses of a host, all of which may be asked; raises FetchError."""
        try:
            found = self.resolve(host, port)
        except (OSError, UnicodeError) as error:
            raise FetchError(f"cannot find the host {host!r}: {error}") from error
        private = [one for one in found if not is_public(one)]
        if private and not self.allows_private:
            raise FetchError(
                f"{host} is a private address ({private[0]}): if it is meant, "
                "--allow-private"
            )
        if not found:
            raise FetchError(f"cannot find the host {host!r}")
        return found

    def connect(self, host: str, port: int, timeout: float) -> socket.socket:
        """A connection to the first address that answers; raises FetchError."""
        problem: OSError | None = None
        for address in self.addresses(host, port):
            try:
                return socket.create_connection((address, port), timeout)
            except OSError as error:
                problem = error
        raise FetchError(f"cannot connect to {host}:{port}: {problem}")


def is_public(address: str) -> bool:
    """Whether an IP address is one of the public internet.

    An IPv6 address that stands for one of IPv4 is as public as that.
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
    """The parts of an address that can be fetched; raises FetchError."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise FetchError(f"{url!r} is no address: {error}") from error
    if parts.scheme not in SCHEMES or not parts.hostname or port == 0:
        raise FetchError(f"cannot fetch {url!r}: it is no http or https address")
    if len(url) > LONGEST_URL or any(not ord(one) > 0x20 for one in url):
        raise FetchError(f"cannot fetch {url[:60]!r}: it is no address that is sent")
    if parts.username is not None:
        raise FetchError("an address with a user name or password is not fetched")
    return parts


def port_of(parts: SplitResult) -> int:
    """The port that an address is asked at."""
    return parts.port or SCHEMES[parts.scheme]
