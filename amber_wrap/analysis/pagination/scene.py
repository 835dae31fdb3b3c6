"""What is known of a page before its links are weighed, and what a link says itself."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, NamedTuple
from urllib.parse import urldefrag, urljoin, urlsplit

from amber_wrap.analysis.pagination.counters import counted, step
from amber_wrap.analysis.pagination.labels import (
    Direction,
    class_direction,
    direction,
    flat,
)
from amber_wrap.analysis.pagination.pagers import Pager, PagerItem, above, pagers
from amber_wrap.dom.addresses import base_of
from amber_wrap.dom.page import NodeId, Page

FEW: Final = 2
"""Paginators that a list has, above it and below.  More are those of its records, and a
label that leads to more pages is, too: "continue reading"."""
NEAR: Final = 4
"""Levels above a link that say what it is part of."""
LABELS: Final = ("aria-label", "title", "value")
"""Attributes that say what a link is for."""
BACK: Final = (Direction.PREVIOUS, Direction.OLDER)


class _Row(NamedTuple):
    """A row of page numbers, the one that is shown, if known, and the one after it, if
    there is a link to it."""

    pager: Pager
    current: PagerItem | None
    following: PagerItem | None

    @property
    def is_last(self) -> bool:
        """Whether the page is the last one."""
        return self.current is not None and self.current == self.pager.items[-1]


@dataclass(frozen=True, slots=True)
class Scene:
    """What is known of a page.

    `own` is its address, `base` what links start from; `heads` are the addresses that
    the head calls next, unless a link calls them otherwise; `is_article` says that the
    page tells of one thing; `hrefs` are the different ones under each label.
    """

    page: Page
    own: str
    base: str
    rows: Sequence[_Row]
    heads: frozenset[str]
    is_article: bool
    hrefs: Mapping[str, frozenset[str]]

    def address(self, node: NodeId) -> str:
        """Return where a link leads, as far as it can be told."""
        return join(self.base, self.page.attributes[node]["href"])


def scene_of(page: Page) -> Scene:
    """Return what is known of a page."""
    own = own_address(page)
    base = base_of(page.root, own)
    hrefs: dict[str, set[str]] = defaultdict(set)
    called: set[str] = set()
    for node in page_links(page):
        href = page.attributes[node]["href"]
        hrefs[page.string(node)].add(href)
        if leads(page, node) in BACK:
            called.add(join(base, href))
    heads = {join(base, page.attributes[node]["href"]) for node in heads_of(page)}
    found = []
    for one in pagers(page):
        current = one.current() or _addressed(page, one, own, base)
        found.append(_Row(one, current, one.after(current) if current else None))
    rows = _of_the_list(page, found)
    common = {label: frozenset(some) for label, some in hrefs.items()}
    left = frozenset(heads - called)
    return Scene(page, own, base, rows, left, _is_article(page), common)


def own_address(page: Page) -> str:
    """Return the address of a page, as given or as it says itself; "" if neither."""
    if page.url:
        return page.url
    for node in page.elements():
        given, tag = page.attributes[node], page.tag[node]
        if tag == "link" and "canonical" in rel(page, node):
            return given.get("href", "").strip()
        if tag == "meta" and given.get("property") == "og:url":
            return given.get("content", "").strip()
    return ""


def join(base: str, href: str) -> str:
    """Return an address as far as it can be told; what is none stays as it is."""
    try:
        return urljoin(base, href.strip())
    except ValueError:
        return href


def is_same_page(one: str, other: str) -> bool:
    """Return whether two addresses are of the same page."""
    plain = [urldefrag(address).url.rstrip("/") for address in (one, other)]
    return plain[0].partition("://")[2] == plain[1].partition("://")[2]


def is_other_site(one: str, other: str) -> bool:
    """Return whether two addresses are of different sites, as far as both are
    known.
    """
    try:
        hosts = [urlsplit(address).hostname for address in (one, other)]
    except ValueError:
        return True
    ends = [host.split(".")[-2:] for host in hosts if host]
    return len(ends) == 2 and ends[0] != ends[1]


def page_links(page: Page) -> Iterator[NodeId]:
    """Yield the links of a page, in document order."""
    for node in page.elements():
        if page.tag[node] in ("a", "area") and "href" in page.attributes[node]:
            yield node


def heads_of(page: Page) -> Iterator[NodeId]:
    """Yield the links that aren't displayed, but say which page is next."""
    for node in page.elements():
        is_next = page.tag[node] == "link" and "next" in rel(page, node)
        if is_next and page.attributes[node].get("href", "").strip():
            yield node


def rel(page: Page, node: NodeId) -> list[str]:
    """Return what a link's address is to the page."""
    return page.attributes[node].get("rel", "").lower().split()


def said(page: Page, node: NodeId) -> Direction | None:
    """Return where the words of a link lead: shown ones, or those for who can't see
    it.
    """
    given = page.attributes[node]
    labels = [page.string(node), *(given.get(name, "") for name in LABELS)]
    for one in page.elements(node):
        if one != node:
            labels += [page.attributes[one].get(name, "") for name in ("alt", *LABELS)]
    return next(filter(None, map(direction, filter(None, labels))), None)


def leads(page: Page, node: NodeId) -> Direction | None:
    """Return where a link leads, by its words, else by its names."""
    return said(page, node) or class_direction(link_names(page, node))


def link_names(page: Page, node: NodeId) -> Iterator[str]:
    """Yield the class tokens and ids of a link, of what is in it, and of what holds
    it alone.
    """
    around = []
    for one in islice(above(page, node), 1, 3):
        if page.string(one) != page.string(node) or len(page.child_elements(one)) > 1:
            break
        around.append(one)
    for one in (*page.elements(node), *around):
        yield from page.classes(one)
        yield page.attributes[one].get("id", "")


def names_around(page: Page, node: NodeId) -> Iterator[str]:
    """Yield the same of a link and of what is near around it, and their labels, in
    lower case and without hyphens.
    """
    for one in islice(above(page, node), NEAR + 1):
        if page.tag[one] == "body":
            return
        given = page.attributes[one]
        yield from map(flat, page.classes(one))
        yield flat(given.get("id", ""))
        yield flat(given.get("aria-label", ""))


def _of_the_list(page: Page, rows: Sequence[_Row]) -> Sequence[_Row]:
    """Return the rows of numbers that are no record's: threads have pages, too.

    Those of a list lead to the same pages, above it and below.
    """
    for some in (rows, [one for one in rows if one.current]):
        leads = {
            frozenset(page.attributes[link]["href"] for link in one.pager.links)
            for one in some
        }
        if len(leads) <= FEW and len(some) <= 2 * FEW:
            return some
    return []


def _is_article(page: Page) -> bool:
    """Return whether a page says that it is about one article."""
    for node in page.elements():
        given = page.attributes[node]
        if page.tag[node] == "meta" and given.get("property") == "og:type":
            return given.get("content", "").strip() == "article"
        if page.tag[node] == "body":
            return not {"single", "single-post"}.isdisjoint(page.classes(node))
    return False


def _addressed(page: Page, pager: Pager, own: str, base: str) -> PagerItem | None:
    """Return the page of a row that is shown, by its address; the first one, if the
    address of the page counts nothing, and that of the second one goes on from it.
    """
    if not own:
        return None
    linked = [
        (one, join(base, page.attributes[one.link]["href"]))
        for one in pager.items
        if one.link is not None
    ]
    for one, address in linked:
        if is_same_page(address, own):
            return one
    numbers = {one.first: (one, address) for one, address in linked}
    if (here := counted(own)) is not None:
        return numbers[here][0] if here in numbers else None
    if 1 in numbers and 2 in numbers and (found := step(own, numbers[2][1])):
        return numbers[1][0] if found.weight == 2 else None
    return None
