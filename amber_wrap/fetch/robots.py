"""Read robots.txt, and find out whether and how often a page may be fetched."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

from protego import Protego

from amber_wrap.errors import FetchError
from amber_wrap.fetch.http import AGENT, Limits, get
from amber_wrap.fetch.public_hosts import HostGuard

ROBOTS_LIMITS: Final = Limits(seconds=15.0, size=512 * 1024)
"""The limits for a robots.txt; RFC 9309 (section 2.5) demands at least 500 KiB."""

DISALLOW_ALL: Final = "User-agent: *\nDisallow: /"
"""A robots.txt that forbids all addresses."""


@dataclass(slots=True)
class Robots:
    """The robots.txt rules of sites, fetched once for each site."""

    guard: HostGuard
    _rules: dict[str, Protego] = field(default_factory=dict)

    def check(self, url: str) -> float:
        """Return the pause in seconds that a site asks for between two requests, or 0.

        Raise FetchError if the site's robots.txt disallows the URL, or can't be
        fetched.
        """
        robots_rules = self._rules_of(url)
        if not robots_rules.can_fetch(url, AGENT):
            raise FetchError(
                f"robots.txt of {urlsplit(url).netloc} doesn't allow {url}: if you may "
                "fetch it anyway, use --ignore-robots"
            )
        return float(robots_rules.crawl_delay(AGENT) or 0)

    def _rules_of(self, url: str) -> Protego:
        """Return the robots.txt rules of the site of a URL.

        The rules are fetched at the first call for the site.
        """
        url_parts = urlsplit(url)
        site = f"{url_parts.scheme}://{url_parts.netloc}"
        if site not in self._rules:
            self._rules[site] = Protego.parse(self._fetch_text(f"{site}/robots.txt"))
        return self._rules[site]

    def _fetch_text(self, url: str) -> str:
        """Return the robots.txt at a URL, or "" if the site has none (RFC 9309).

        If the status is 500 or higher, return rules that disallow all pages. Raise
        FetchError if the server can't be reached.
        """
        try:
            response = get(url, self.guard, ROBOTS_LIMITS)
        except FetchError as error:
            raise FetchError(f"{error}; nothing is fetched without {url}") from error
        if response.status >= 500:
            return DISALLOW_ALL  # RFC 9309, section 2.3.
        return response.body.decode("utf-8", "replace") if response.status < 300 else ""
