"""Collect the reasons to believe, or not to believe, that a link leads to the next
page.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple
from urllib.parse import urldefrag, urljoin, urlsplit

from amber_wrap.analysis.pagination.address_counters import (
    counter_step,
    is_numbered_page,
    page_number,
)
from amber_wrap.analysis.pagination.link_directions import (
    Direction,
    arrow_direction,
    begins_with_next,
    class_direction,
    direction_of_link,
    direction_of_words,
    icon_direction,
    label_direction,
    link_names,
    names_around,
)
from amber_wrap.analysis.pagination.pagers import Pager, PagerItem, pagers
from amber_wrap.analysis.thresholds import PAGING
from amber_wrap.dom.link_addresses import base_url
from amber_wrap.dom.page import NodeId, Page

BACK_DIRECTIONS: Final = (Direction.PREVIOUS, Direction.OLDER)
"""The directions of links that lead to no later page of results."""


class PagerRow(NamedTuple):
    """A row of page numbers with the current and the next page."""

    pager: Pager
    current: PagerItem | None
    """The current page, or None if it is unknown."""
    following: PagerItem | None
    """The page after the current page, or None without a link to it."""

    @property
    def is_last(self) -> bool:
        """Whether the current page is the last page in the row."""
        return self.current is not None and self.current == self.pager.items[-1]


@dataclass(frozen=True, slots=True)
class PageFacts:
    """The addresses, link texts and rows of page numbers by which a page's links are
    rated.
    """

    page: Page
    own_address: str
    """The page's address, or "" if unknown."""
    base: str
    """The address that resolves relative links."""
    rows: Sequence[PagerRow]
    """The rows of page numbers."""
    head_addresses: frozenset[str]
    """The addresses of `<link rel=next>`, except addresses to which a link labelled
    "previous" or the like leads.
    """
    is_article: bool
    """Whether the page is about one article."""
    hrefs_by_text: Mapping[str, frozenset[str]]
    """For each text of links, the values of `href` of these links."""

    def address(self, node: NodeId) -> str:
        """Return the address of the link `node`, resolved against the page's address.

        The result may be relative if the page's address is unknown.
        """
        return resolve_address(self.base, self.page.attributes[node]["href"])


def page_facts(page: Page) -> PageFacts:
    """Return the addresses, link texts and rows of page numbers by which the links of a
    page are rated.
    """
    page_address = own_address(page)
    base = base_url(page.root, page_address)
    hrefs_by_text: dict[str, set[str]] = defaultdict(set)
    back_addresses: set[str] = set()
    for node in page_links(page):
        href = page.attributes[node]["href"]
        hrefs_by_text[page.string(node)].add(href)
        if direction_of_link(page, node) in BACK_DIRECTIONS:
            back_addresses.add(resolve_address(base, href))
    head_addresses = {
        resolve_address(base, page.attributes[node]["href"])
        for node in head_next_links(page)
    }
    rows = []
    for pager in pagers(page):
        current = pager.current() or _item_by_address(page, pager, page_address, base)
        following = pager.after(current) if current else None
        rows.append(PagerRow(pager, current, following))
    return PageFacts(
        page,
        page_address,
        base,
        _rows_of_results(page, rows),
        frozenset(head_addresses - back_addresses),
        _is_article(page),
        {text: frozenset(hrefs) for text, hrefs in hrefs_by_text.items()},
    )


def own_address(page: Page) -> str:
    """Return `page.url`, or else the address in `<link rel=canonical>` or `og:url`.

    Return "" if no address is known.
    """
    if page.url:
        return page.url
    for node in page.elements():
        attributes, tag = page.attributes[node], page.tag[node]
        if tag == "link" and "canonical" in rel_tokens(page, node):
            return attributes.get("href", "").strip()
        if tag == "meta" and attributes.get("property") == "og:url":
            return attributes.get("content", "").strip()
    return ""


def resolve_address(base: str, href: str) -> str:
    """Return the address `href` resolved against the address `base`.

    Return `href` unchanged if an address is invalid.
    """
    try:
        return urljoin(base, href.strip())
    except ValueError:
        return href


def is_same_page(first: str, second: str) -> bool:
    """Return whether two addresses are equal, apart from the scheme, fragment and final
    slash.
    """
    first_plain, second_plain = (
        urldefrag(address).url.rstrip("/").partition("://")[2]
        for address in (first, second)
    )
    return first_plain == second_plain


def is_other_site(first: str, second: str) -> bool:
    """Return whether two addresses differ in the last two labels of their domains.

    Return True if an address is invalid, but False if one has no domain.
    """
    try:
        hosts = [urlsplit(address).hostname for address in (first, second)]
    except ValueError:
        return True
    domains = [host.split(".")[-2:] for host in hosts if host]
    return len(domains) == 2 and domains[0] != domains[1]


def page_links(page: Page) -> Iterator[NodeId]:
    """Yield the `<a>` and `<area>` elements with `href` in document order."""
    for node in page.elements():
        if page.tag[node] in ("a", "area") and "href" in page.attributes[node]:
            yield node


def head_next_links(page: Page) -> Iterator[NodeId]:
    """Yield the elements `<link rel=next>` of a page that have an address."""
    for node in page.elements():
        is_next = page.tag[node] == "link" and "next" in rel_tokens(page, node)
        if is_next and page.attributes[node].get("href", "").strip():
            yield node


def _rows_of_results(page: Page, rows: Sequence[PagerRow]) -> Sequence[PagerRow]:
    """Return the rows of page numbers that belong to the list of results.

    If the page has too many rows, return only the rows with a known current page. If
    such rows are too many, return an empty list.
    """
    with_current = [row for row in rows if row.current]
    for candidates in (rows, with_current):
        target_sets = {
            frozenset(page.attributes[link]["href"] for link in row.pager.links)
            for row in candidates
        }
        if (
            len(target_sets) <= PAGING.most_paginators
            and len(candidates) <= 2 * PAGING.most_paginators
        ):
            return candidates
    return []


def _is_article(page: Page) -> bool:
    """Return whether `og:type` or the classes of `<body>` state that a page is one
    article.
    """
    for node in page.elements():
        attributes = page.attributes[node]
        if page.tag[node] == "meta" and attributes.get("property") == "og:type":
            return attributes.get("content", "").strip() == "article"
        if page.tag[node] == "body":
            return not {"single", "single-post"}.isdisjoint(page.classes(node))
    return False


def _item_by_address(
    page: Page, pager: Pager, page_address: str, base: str
) -> PagerItem | None:
    """Return the item of a row of page numbers for the page at `page_address`.

    Return None if there is no such item.
    """
    if not page_address:
        return None
    addresses = {
        item: resolve_address(base, page.attributes[item.link]["href"])
        for item in pager.items
        if item.link is not None
    }
    for item, address in addresses.items():
        if is_same_page(address, page_address):
            return item
    item_by_number = {item.first: item for item in addresses}
    number = page_number(page_address)
    if number is not None:
        return item_by_number.get(number)
    if 1 in item_by_number and 2 in item_by_number:
        step = counter_step(page_address, addresses[item_by_number[2]])
        if step and step.weight == 2:
            return item_by_number[1]
    return None


def rel_tokens(page: Page, node: NodeId) -> list[str]:
    """Return the tokens of an element's HTML attribute `rel` in lower case.

    Return an empty list if the element has no `rel`.
    """
    return page.attributes[node].get("rel", "").lower().split()


_DIRECTION_WEIGHTS: Final = {
    Direction.NEXT: 3,
    Direction.OLDER: 3,
    Direction.ONWARD: 2,
    Direction.NEWER: 2,
    Direction.MORE: 1,
    Direction.FURTHER: 1,
}
"""For each direction that a link's words name, the weight of this reason to believe
that the link leads to the next page. Words that pages without results have, too, such
as "newer", weigh less.
"""
PAGINATOR_NAMES: Final = re.compile(
    r"pagina|pager|paging|pagenav|pagelink|pagenum|pagebar|seitennav"
)
"""Matches class tokens and ids, without hyphens, of paginators (rows of page links)."""
NEIGHBOUR_ARTICLE_NAMES: Final = re.compile(
    r"postnav|articlenav|singlenav|navsingle|entrynav|storynav|adjacent|nextpost(?!s)"
)
"""Matches class tokens and ids around links to the previous and next article, without
hyphens.
"""


@dataclass(frozen=True, slots=True)
class Reason:
    """A reason to believe, or not to believe, that a link leads to the next page."""

    weight: int
    """A number that is negative for a reason against the link."""
    words: str
    """A description of the reason for users."""


def own_evidence(facts: PageFacts, node: NodeId) -> Iterator[Reason]:
    """Yield the reasons to believe that a link leads to the next page, from the link
    itself.

    The reasons are in the link's words, markup and page number.
    """
    yield from _word_evidence(facts, node)
    yield from _markup_evidence(facts, node)
    yield from _page_number_evidence(facts, node)


def position_evidence(facts: PageFacts, node: NodeId) -> Iterator[Reason]:
    """Yield the reasons to believe that a link is among links to other pages of
    results.

    A reason is a row of page numbers around the link, or a class such as `pagination`.
    """
    page = facts.page
    pagers_of_page = [row.pager for row in facts.rows]
    is_number = any(node in pager.links for pager in pagers_of_page)
    is_in_box = any(page.contains(pager.box, node) for pager in pagers_of_page)
    if is_in_box and not is_number:
        yield Reason(1, "the link is next to page numbers")
    if any(PAGINATOR_NAMES.search(name) for name in names_around(page, node)):
        yield Reason(1, "the link is in a paginator")
    elif is_number:
        yield Reason(1, "the link is a page number")


def address_evidence(facts: PageFacts, node: NodeId) -> Iterator[Reason]:
    """Yield the reason, if any, to believe that a link's address leads to a later page.

    The reason is a number in the address, for example `page=3` after `page=2`.
    """
    page_address, address = facts.own_address, facts.address(node)
    if page_address and (step := counter_step(page_address, address)):
        yield Reason(step.weight, f"the address counts up: {step.reason}")
    elif (number := page_number(address)) and number > (page_number(page_address) or 1):
        yield Reason(1, f"the address has page number {number}")


def counter_evidence(facts: PageFacts, node: NodeId) -> Iterator[Reason]:
    """Yield the reason, if any, to believe that a link doesn't lead to the next page.

    The reason is that the page is an article, or that the link leads to another
    article.
    """
    if facts.is_article:
        yield Reason(-2, "the page is an article")
    elif any(map(NEIGHBOUR_ARTICLE_NAMES.search, names_around(facts.page, node))):
        yield Reason(-2, "the link leads to another article")


def _word_evidence(facts: PageFacts, node: NodeId) -> Iterator[Reason]:
    """Yield the reason, if any, to believe that a link's words or arrow mean the next
    page.
    """
    text = facts.page.string(node)
    direction = direction_of_words(facts.page, node)
    text_has_direction = label_direction(text) is not None
    is_in_many_places = len(facts.hrefs_by_text[text]) > PAGING.most_paginators
    if direction and not (text_has_direction and is_in_many_places):
        words = f"the link label means {direction}"
        if text_has_direction:
            words = f'the link text is "{text}"'
        yield Reason(_DIRECTION_WEIGHTS[direction], words)
    elif arrow_direction(text) is Direction.NEXT:
        yield Reason(1, f"the link text is an arrow, {text}")
    elif begins_with_next(text) and is_numbered_page(facts.address(node)):
        yield Reason(1, f'the link text is "{text}"')


def _markup_evidence(facts: PageFacts, node: NodeId) -> Iterator[Reason]:
    """Yield the reasons to believe that the markup marks a link as the link to the next
    page.

    A reason is `rel=next`, `<link rel=next>` in the page's head, a class token or an
    icon.
    """
    page = facts.page
    text = page.string(node)
    # Links to the next article have `rel=next`, too, and its title as their text.
    has_letters = re.search(r"[^\W\d_]", text) is not None
    is_title = has_letters and not label_direction(text)
    if "next" in rel_tokens(page, node):
        yield Reason(1 if is_title else 3, "the link has rel=next")
    elif facts.address(node) in facts.head_addresses:
        yield Reason(1 if is_title else 3, "<link rel=next> has the same address")
    names = list(link_names(page, node))
    if class_direction(names) in (Direction.NEXT, Direction.OLDER):
        yield Reason(1, "the class or id means next")
    if icon_direction(names) is Direction.NEXT:
        yield Reason(1, "the icon is a forward arrow")


def _page_number_evidence(facts: PageFacts, node: NodeId) -> Iterator[Reason]:
    """Yield a reason if a link leads to the next page in a row of page numbers."""
    attributes = facts.page.attributes
    for _, current, following in facts.rows:
        if current is None or following is None or following.link is None:
            continue
        href = attributes[node]["href"]
        has_same_href = href == attributes[following.link]["href"] and href != "#"
        if node == following.link or has_same_href:
            words = f"page {following.shown} follows the current page {current.shown}"
            yield Reason(3, words)
            return
