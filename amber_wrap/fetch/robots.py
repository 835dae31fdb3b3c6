"""Read robots.txt, which says what addresses programs may fetch (RFC 9309)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

from protego import Protego

from amber_wrap.errors import FetchError
from amber_wrap.fetch.host_guard import HostGuard
from amber_wrap.fetch.http import AGENT, Limits, get

LIMITS: Final = Limits(seconds=15.0, size=512 * 1024)
"""The limits for a robots.txt; RFC 9309 (section 2.5) demands at least 500 KiB."""
EVERYTHING: Final = "User-agent: *\nDisallow: /"


@dataclass(slots=True)
class Robots:
    """The robots.txt rules of sites; the rules of a site are read once."""

    guard: HostGuard
    _rules: dict[str, Protego] = field(default_factory=dict)

    def check(self, url: str) -> float:
        """Return the seconds that a site wants programs to wait between two requests.

        Raise FetchError if the site's robots.txt disallows the URL, or can't be
        fetched.
        """
        rules = self._of(url)
        if not rules.can_fetch(url, AGENT):
            raise FetchError(
                f"robots.txt of {urlsplit(url).netloc} doesn't allow {url}: if you may "
                "fetch it anyway, use --ignore-robots"
            )
        return float(rules.crawl_delay(AGENT) or 0)

    def _of(self, url: str) -> Protego:
        parts = urlsplit(url)
        site = f"{parts.scheme}://{parts.netloc}"
        if site not in self._rules:
            self._rules[site] = Protego.parse(self._text(f"{site}/robots.txt"))
        return self._rules[site]

    def _text(self, url: str) -> str:
        """Return the robots.txt at a URL, or "" if there is none.

        After a server error, return rules that forbid everything (RFC 9309, section
        2.3). Raise FetchError if the server can't be reached.
        """
        try:
            answer = get(url, self.guard, LIMITS)
        except FetchError as error:
            raise FetchError(f"{error}; nothing is fetched without {url}") from error
        if answer.status >= 500:
            return EVERYTHING
        return answer.body.decode("utf-8", "replace") if answer.status < 300 else ""
