"""Collect the facts about a page by which its links are rated, such as its address,
page numbers and labels.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, NamedTuple
from urllib.parse import urldefrag, urljoin, urlsplit

from amber_wrap.analysis.pagination.address_counters import page_number, step
from amber_wrap.analysis.pagination.labels import (
    Direction,
    class_direction,
    direction,
    flat,
)
from amber_wrap.analysis.pagination.pagers import Pager, PagerItem, above, pagers
from amber_wrap.analysis.pagination.thresholds import PAGING
from amber_wrap.dom.link_addresses import base_of
from amber_wrap.dom.page import NodeId, Page

LABELS: Final = ("aria-label", "title", "value")
"""HTML attributes with a label of a link."""
BACK: Final = (Direction.PREVIOUS, Direction.OLDER)


class _Row(NamedTuple):
    """A row of page numbers, with the current page and the page after the current page.

    `current` is None if the current page is unknown. `following` is None if the row has
    no link to the page after the current page.
    """

    pager: Pager
    current: PagerItem | None
    following: PagerItem | None

    @property
    def is_last(self) -> bool:
        """Whether the current page is the last one of the row."""
        return self.current is not None and self.current == self.pager.items[-1]


@dataclass(frozen=True, slots=True)
class Scene:
    """The facts about a page by which its links are rated.

    `own` is the page's address. `base` is the address that resolves relative links.
    `rows` are the rows of page numbers. `heads` are the addresses of elements `<link
    rel=next>`. An address isn't in `heads` if a link labels the address as previous or
    older. `is_article` says whether the page is about one article. `hrefs` maps a
    text to the values of `href` of all links that display the text.
    """

    page: Page
    own: str
    base: str
    rows: Sequence[_Row]
    heads: frozenset[str]
    is_article: bool
    hrefs: Mapping[str, frozenset[str]]

    def address(self, node: NodeId) -> str:
        """Return the address of a link.

        The address is absolute if the page's address is known.
        """
        return join(self.base, self.page.attributes[node]["href"])


def scene_of(page: Page) -> Scene:
    """Return the facts about a page by which its links are rated."""
    own = own_address(page)
    base = base_of(page.root, own)
    hrefs: dict[str, set[str]] = defaultdict(set)
    called: set[str] = set()
    for node in page_links(page):
        href = page.attributes[node]["href"]
        hrefs[page.string(node)].add(href)
        if direction_of_link(page, node) in BACK:
            called.add(join(base, href))
    heads = {join(base, page.attributes[node]["href"]) for node in heads_of(page)}
    found = []
    for one in pagers(page):
        current = one.current() or _item_by_address(page, one, own, base)
        found.append(_Row(one, current, one.after(current) if current else None))
    rows = _of_the_list(page, found)
    common = {label: frozenset(some) for label, some in hrefs.items()}
    left = frozenset(heads - called)
    return Scene(page, own, base, rows, left, _is_article(page), common)


def own_address(page: Page) -> str:
    """Return the address of a page: `page.url`, or else the address that the page
    states.

    A page states its address in `<link rel=canonical>` or `<meta property=og:url>`.
    Return "" if no address is known.
    """
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
    """Return the address `href` resolved against the address `base`.

    Return `href` unchanged if an address is invalid.
    """
    try:
        return urljoin(base, href.strip())
    except ValueError:
        return href


def is_same_page(one: str, other: str) -> bool:
    """Return whether two addresses are equal, apart from the scheme, fragment and final
    slash.
    """
    plain = [urldefrag(address).url.rstrip("/") for address in (one, other)]
    return plain[0].partition("://")[2] == plain[1].partition("://")[2]


def is_other_site(one: str, other: str) -> bool:
    """Return whether two addresses are of different websites.

    The last two labels of the domains are compared. Return True if an address is
    invalid. Return False if an address has no domain.
    """
    try:
        hosts = [urlsplit(address).hostname for address in (one, other)]
    except ValueError:
        return True
    ends = [host.split(".")[-2:] for host in hosts if host]
    return len(ends) == 2 and ends[0] != ends[1]


def page_links(page: Page) -> Iterator[NodeId]:
    """Yield the `<a>` and `<area>` elements with `href` in document order."""
    for node in page.elements():
        if page.tag[node] in ("a", "area") and "href" in page.attributes[node]:
            yield node


def heads_of(page: Page) -> Iterator[NodeId]:
    """Yield the elements `<link rel=next>` of a page that have an address."""
    for node in page.elements():
        is_next = page.tag[node] == "link" and "next" in rel(page, node)
        if is_next and page.attributes[node].get("href", "").strip():
            yield node


def rel(page: Page, node: NodeId) -> list[str]:
    """Return the tokens of an element's HTML attribute `rel` in lower case."""
    return page.attributes[node].get("rel", "").lower().split()


def direction_of_words(page: Page, node: NodeId) -> Direction | None:
    """Return the direction that a link's text or labels name, for example `NEXT`.

    The text is tried before the labels, such as `aria-label`. Return None if no text or
    label names a direction.
    """
    given = page.attributes[node]
    labels = [page.string(node), *(given.get(name, "") for name in LABELS)]
    for one in page.elements(node):
        if one != node:
            labels += [page.attributes[one].get(name, "") for name in ("alt", *LABELS)]
    return next(filter(None, map(direction, filter(None, labels))), None)


def direction_of_link(page: Page, node: NodeId) -> Direction | None:
    """Return the direction that a link's words or class tokens name, for example
    `NEXT`.

    Words are tried before class tokens and ids. Return None if no word, class token or
    id names a direction.
    """
    return direction_of_words(page, node) or class_direction(link_names(page, node))


def link_names(page: Page, node: NodeId) -> Iterator[str]:
    """Yield the class tokens and ids of a link and of its descendants.

    Class tokens and ids of the parent and grandparent are included if the link is their
    only content.
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
    """Yield the class tokens, ids and ARIA labels of a link and its nearest ancestors,
    in lower case and without punctuation.
    """
    for one in islice(above(page, node), PAGING.ancestors + 1):
        if page.tag[one] == "body":
            return
        given = page.attributes[one]
        yield from map(flat, page.classes(one))
        yield flat(given.get("id", ""))
        yield flat(given.get("aria-label", ""))


def _of_the_list(page: Page, rows: Sequence[_Row]) -> Sequence[_Row]:
    """Return the rows of page numbers that belong to the list of results.

    A page with many rows may have a row for each record, such as a thread of a forum.
    In this case, only the rows with a known current page are returned. Return an empty
    list if many rows have a known current page.
    """
    for some in (rows, [one for one in rows if one.current]):
        leads = {
            frozenset(page.attributes[link]["href"] for link in one.pager.links)
            for one in some
        }
        if len(leads) <= PAGING.paginators and len(some) <= 2 * PAGING.paginators:
            return some
    return []


def _is_article(page: Page) -> bool:
    """Return whether a page states in `og:type` or in classes of `<body>` that it is a
    single article.
    """
    for node in page.elements():
        given = page.attributes[node]
        if page.tag[node] == "meta" and given.get("property") == "og:type":
            return given.get("content", "").strip() == "article"
        if page.tag[node] == "body":
            return not {"single", "single-post"}.isdisjoint(page.classes(node))
    return False


def _item_by_address(page: Page, pager: Pager, own: str, base: str) -> PagerItem | None:
    """Return the current page in a row of page numbers, found by the address `own`.

    `own` is the address of the page that displays the row. The item has the address
    `own`, or displays the page number in `own`. If `own` has no page number, return
    item 1 if the address of item 2 follows `own`. Return None if no item is found.
    `base` is the address that resolves relative links.
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
    if (here := page_number(own)) is not None:
        return numbers[here][0] if here in numbers else None
    if 1 in numbers and 2 in numbers and (found := step(own, numbers[2][1])):
        return numbers[1][0] if found.weight == 2 else None
    return None
