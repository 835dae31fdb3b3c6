"""Choose the link to the next page by adding the weights of the reasons for each link.

Links in carousels, and links in calendars without `rel=next`, are never chosen.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Final

from amber_wrap.analysis.pagination.link_directions import (
    Direction,
    ancestors_or_self,
    direction_of_link,
    direction_of_words,
    label_direction,
    names_around,
)
from amber_wrap.analysis.pagination.link_evidence import (
    PageFacts,
    Reason,
    address_evidence,
    counter_evidence,
    head_next_links,
    is_other_site,
    is_same_page,
    own_address,
    own_evidence,
    page_facts,
    page_links,
    position_evidence,
    rel_tokens,
    resolve_address,
)
from amber_wrap.analysis.thresholds import PAGING
from amber_wrap.annotate.labels_and_titles import WORD
from amber_wrap.dom.link_addresses import address_parts, base_url
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.errors import NothingFoundError

CAROUSEL_NAMES: Final = re.compile(
    r"carousel|slide|swiper|^slick|gallery|lightbox|^owl|flexdirection|^bx(?:next|control)"
    r"|fotorama"
)
"""Matches class tokens and ids of carousels and galleries, without hyphens."""
CALENDAR_NAMES: Final = re.compile(r"calendar|datepicker|kalender")
"""Matches class tokens and ids of calendars, without hyphens. Lists of events may have
such names, too.
"""
DISABLED_WORDS: Final = frozenset({"disabled", "inactive", "unavailable"})
"""Words in class tokens of disabled links, such as "ui-state-disabled"."""
OTHER_STATES: Final = frozenset({"not", "no", "non", "if", "when", "turbo", "prefetch"})
"""Words in class tokens that end with "disabled" or the like, but don't belong to a
disabled link. An example is "not" in "not-disabled".
"""
OTHER_SCHEMES: Final = ("mailto:", "tel:", "data:", "sms:", "whatsapp:")
"""Starts of addresses that lead to no page."""
SCRIPT_ADDRESSES: Final = ("#", "javascript:")
"""Starts of addresses that only a script can follow."""
LAST_PAGE: Final = "this is the last page of results"
"""The explanation if a page is the last page."""
NO_PAGINATOR: Final = "the page has no paginator"
"""The explanation if a page has no links to other pages of the results."""


@dataclass(frozen=True, slots=True)
class Link:
    """A link to another page of results."""

    node: NodeId
    """The element of the link."""
    href: str
    """The address as written."""
    reasons: tuple[Reason, ...]
    """The reasons for and against the link."""

    @property
    def weight(self) -> int:
        """The sum of the weights of the reasons for and against the link."""
        return sum(reason.weight for reason in self.reasons)

    @property
    def why(self) -> str:
        """The reasons for and against the link, as text for users."""
        return ", ".join(reason.words for reason in self.reasons)


@dataclass(frozen=True, slots=True)
class Pagination:
    """The links of a page to further pages of results, each None if it is missing."""

    next: Link | None
    """The link to the next page."""
    older: Link | None
    """The link to older entries, on a page that starts with the newest entry."""
    head: Link | None
    """The element `<link rel=next>`, which isn't reliable."""
    explanation: str
    """A message about the lack of `next`, else ""."""


def find_pagination(page: Page) -> Pagination:
    """Return the links of a page to further pages of results.

    `page.url` is the address of the page, if it is known.
    """
    facts = page_facts(page)
    links = [link for node in page_links(page) if (link := _weighed(facts, node))]
    older_links = [
        link for link in links if direction_of_words(page, link.node) is Direction.OLDER
    ]
    older = _best(older_links)
    best = _best(link for link in links if link not in older_links)
    head, button = _head_link(facts), _button_label(facts)
    if not best and head and button:
        best = head
    explanation = "" if best else _explanation(facts, older, head, button)
    return Pagination(best, older, head, explanation)


def link_address(page: Page, link: Link | None) -> str | None:
    """Return the absolute address of a link.

    Return None if `link` is None, or if the address can't be fetched, for example `#`
    or `javascript:next()`.
    """
    if link is None or link.href.startswith("#"):
        return None
    address = resolve_address(base_url(page.root, own_address(page)), link.href)
    parts = address_parts(address)
    return address if parts.scheme in ("http", "https") and parts.netloc else None


def find_next_address(page: Page, is_older: bool = False) -> tuple[str, str]:
    """Return the absolute address of the next page, and the reason for the choice.

    If `is_older`, return the address of the page with older entries instead. Raise
    NothingFoundError if there is no link to the page, or only a link that can't be
    fetched.
    """
    pagination = find_pagination(page)
    link = pagination.older if is_older else pagination.next
    if link is None:
        if is_older:
            raise NothingFoundError("no link to older entries")
        hint = ": follow it with --older" if pagination.older else ""
        raise NothingFoundError(f"no next page: {pagination.explanation}{hint}")
    for candidate in (link, None if is_older else pagination.head):
        if candidate and (address := link_address(page, candidate)):
            return address, candidate.why
    link_text = f'"{link.href}", the link to the next page'
    if link.href.startswith(SCRIPT_ADDRESSES):
        raise NothingFoundError(f"only a script can follow {link_text}")
    raise NothingFoundError(
        f"cannot resolve {link_text}: give the page's address with --url"
    )


def _weighed(facts: PageFacts, node: NodeId) -> Link | None:
    """Return a link with the reasons for and against it, or None if it can't lead to
    the next page.
    """
    page = facts.page
    if direction_of_link(page, node) is Direction.PREVIOUS or _is_disabled(page, node):
        return None
    position_reasons = list(position_evidence(facts, node))
    if not _leads_elsewhere(facts, node, is_placed=bool(position_reasons)):
        return None
    names = list(names_around(page, node))
    if any(map(CAROUSEL_NAMES.search, names)):
        return None
    has_rel_next = "next" in rel_tokens(page, node)
    if not has_rel_next and any(map(CALENDAR_NAMES.search, names)):
        return None
    own_reasons = list(own_evidence(facts, node))
    if not own_reasons:
        return None
    reasons = (
        *own_reasons,
        *position_reasons,
        *address_evidence(facts, node),
        *counter_evidence(facts, node),
    )
    return Link(node, page.attributes[node]["href"].strip(), reasons)


def _best(links: Iterable[Link]) -> Link | None:
    """Return the first link with the greatest weight.

    Return None if no weight reaches `PAGING.least_weight`.
    """
    acceptable = [link for link in links if link.weight >= PAGING.least_weight]
    return max(acceptable, key=lambda link: link.weight, default=None)


def _head_link(facts: PageFacts) -> Link | None:
    """Return the element `<link rel=next>` of a page as a link.

    Return None if it is missing, contradicts other links, or is on the last page.
    """
    if any(row.is_last for row in facts.rows):
        return None
    for node in head_next_links(facts.page):
        if facts.address(node) in facts.head_addresses:
            href = facts.page.attributes[node]["href"].strip()
            reason = Reason(PAGING.least_weight, "the page has <link rel=next>")
            return Link(node, href, (reason,))
    return None


def _is_disabled(page: Page, node: NodeId) -> bool:
    """Return whether a link, or a parent that displays only the link, is marked as
    disabled.

    An HTML attribute or a class token such as `is-disabled` marks it.
    """
    for element in islice(ancestors_or_self(page, node), 2):
        attributes = page.attributes[element]
        if element != node and page.string(element) != page.string(node):
            return False
        if attributes.get("aria-disabled") == "true" or "disabled" in attributes:
            return True
        if any(map(_means_disabled, page.classes(element))):
            return True
    return False


def _means_disabled(token: str) -> bool:
    """Return whether a class marks a disabled link, such as `is-disabled`.

    Return False for conditional styles, such as `disabled:opacity-50`, and for
    negations.
    """
    words = [word.lower() for word in WORD.findall(token)]
    return token.lower() == "off" or (
        not DISABLED_WORDS.isdisjoint(words[-1:])
        and ":" not in token
        and OTHER_STATES.isdisjoint(words)
    )


def _leads_elsewhere(facts: PageFacts, node: NodeId, is_placed: bool) -> bool:
    """Return whether a link may lead to another page of the same website.

    `is_placed` says whether the link is among links to other pages of results. Only
    such a link may have a script or fragment as its address.
    """
    href = facts.page.attributes[node]["href"].strip().lower()
    if not href or href.startswith(OTHER_SCHEMES):
        return False
    if href.startswith("#"):
        may_be_page = href == "#" or re.search(r"pag|\d|^#!", href) is not None
        return is_placed and may_be_page
    if href.startswith("javascript:"):
        return is_placed
    page_address, address = facts.own_address, facts.address(node)
    if not page_address:
        return True
    return not is_same_page(address, page_address) and not is_other_site(
        address, page_address
    )


def _explanation(
    facts: PageFacts, older: Link | None, head: Link | None, button: str
) -> str:
    """Return a message about the lack of a next page, with the links or buttons that
    exist instead.

    `button` is the label of a button that loads more results, or "".
    """
    page, rows = facts.page, facts.rows
    if older:
        return f'the page only has a link to older entries, "{page.string(older.node)}"'
    if button:
        return f'the page has a button instead, "{button}"'
    if any(row.is_last for row in rows):
        return LAST_PAGE
    if rows and not any(row.current for row in rows):
        hrefs = [
            page.attributes[node]["href"] for row in rows for node in row.pager.links
        ]
        if all(href.startswith(SCRIPT_ADDRESSES) for href in hrefs):
            return "only a script can follow the page numbers"
        return "no page number is marked as the current one: try --url"
    for node in page_links(page):
        is_previous = direction_of_link(page, node) is Direction.PREVIOUS
        if is_previous and any(position_evidence(facts, node)):
            return LAST_PAGE
    if head:
        return f"{NO_PAGINATOR}, only <link rel=next> to {head.href}"
    return NO_PAGINATOR


def _button_label(facts: PageFacts) -> str:
    """Return the label of a button that loads the next page, or of the only button that
    loads more results.

    Return "" if there is neither.
    """
    page = facts.page
    more_labels = []
    for node in page.elements():
        if not _is_button(page, node) or _is_disabled(page, node):
            continue
        label = page.string(node) or page.attributes[node].get("value", "")
        if label_direction(label) is Direction.MORE:
            more_labels.append(label)
        elif direction_of_link(page, node) is Direction.NEXT and any(
            position_evidence(facts, node)
        ):
            return label if re.search(r"\w", label) else Direction.NEXT
    return more_labels[0] if len(more_labels) == 1 else ""


def _is_button(page: Page, node: NodeId) -> bool:
    """Return whether an element is a button, an input, or a link that only a script can
    follow.

    The `href` of such a link is missing, a fragment or a script.
    """
    tag, attributes = page.tag[node], page.attributes[node]
    if tag == "a":
        return attributes.get("href", "#").startswith(SCRIPT_ADDRESSES)
    return tag in ("button", "input") or attributes.get("role") == "button"
