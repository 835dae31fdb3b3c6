"""The link to the next page: what speaks for each link, and which one leads on.

A link is taken when what speaks for it, less what speaks against it, reaches `_ENOUGH`;
the reasons are in words.  Carousels, calendars and the neighbours of an article have
"next", too: what is in one of the former is never taken, the latter needs more.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Final
from urllib.parse import urlsplit

from amber_wrap.analysis.pagination.evidence import (
    Reason,
    against,
    counts,
    place,
    telling,
)
from amber_wrap.analysis.pagination.labels import Direction, direction
from amber_wrap.analysis.pagination.pagers import above
from amber_wrap.analysis.pagination.scene import (
    Scene,
    heads_of,
    is_other_site,
    is_same_page,
    join,
    leads,
    names_around,
    own_address,
    page_links,
    said,
    scene_of,
)
from amber_wrap.dom.addresses import base_of
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.errors import NothingFoundError

_ENOUGH: Final = 3
"""The weight of evidence that a link leads on."""
STAGE: Final = re.compile(
    r"carousel|slide|swiper|^slick|gallery|lightbox|^owl|flexdirection|^bx(?:next|control)"
    r"|fotorama|calendar|datepicker|kalender"
)
"""Names, without hyphens, of what shows pictures one by one, or days."""
OFF: Final = frozenset({"disabled", "inactive", "off", "unavailable"})
"""Class tokens of links that lead nowhere now."""
OTHER_SCHEMES: Final = ("mailto:", "tel:", "data:", "sms:", "whatsapp:")
SCRIPTED: Final = ("#", "javascript:")
"""How addresses start of which only a script knows what they do."""
LAST: Final = "the last page of a paginator"
NO_PAGINATOR: Final = "no paginator"


@dataclass(frozen=True, slots=True)
class Link:
    """A link that leads on: its element, its href as in the HTML, and why it is one."""

    node: NodeId
    href: str
    reasons: tuple[Reason, ...]

    @property
    def weight(self) -> int:
        """What speaks for it, less what speaks against it."""
        return sum(one.weight for one in self.reasons)

    @property
    def why(self) -> str:
        """The reasons in words."""
        return ", ".join(map(str, self.reasons))


@dataclass(frozen=True, slots=True)
class Pagination:
    """Where a page leads on.

    `next` is the link to the next page; `older` the one to older entries, where what is
    newest comes first; `head` the one that isn't displayed (`<link rel=next>`), which
    alone is no evidence: programs that write pages give it where no paginator is.
    Where there is no `next`, `seen` says in words what there is instead.
    """

    next: Link | None
    older: Link | None
    head: Link | None
    seen: str


def pagination(page: Page) -> Pagination:
    """Return where a page leads on; its address, if known, is that of `page.url`."""
    scene = scene_of(page)
    found = [link for node in page_links(page) if (link := _weighed(scene, node))]
    older = _best(one for one in found if said(page, one.node) is Direction.OLDER)
    best = _best(one for one in found if said(page, one.node) is not Direction.OLDER)
    head, button = _head(scene), _button(scene)
    if not best and head and button:
        best = head
    seen = "" if best else _seen(scene, older, head, button)
    return Pagination(best, older, head, seen)


def link_address(page: Page, link: Link | None) -> str | None:
    """Return the absolute address of a link, None if it has none that could be
    fetched.
    """
    if link is None or link.href.startswith("#"):
        return None
    address = join(base_of(page.root, own_address(page)), link.href)
    try:
        parts = urlsplit(address)
    except ValueError:
        return None
    return address if parts.scheme in ("http", "https") and parts.netloc else None


def follow(page: Page, is_older: bool = False) -> tuple[str, str]:
    """Return the absolute address of the next page, and why it is that one.

    Of the page with older entries, if asked for.  Raises NothingFoundError where there
    is none: it says what there is instead.
    """
    found = pagination(page)
    link = found.older if is_older else found.next
    if link is None:
        if is_older:
            raise NothingFoundError("no link to older entries")
        hint = ": --older follows it" if found.older else ""
        raise NothingFoundError(f"no next page: {found.seen}{hint}")
    for one in (link, None if is_older else found.head):
        if one and (address := link_address(page, one)):
            return address, one.why
    what = f'the link to the next page is "{link.href}"'
    if link.href.startswith(SCRIPTED):
        raise NothingFoundError(f"{what}: only a script knows where that leads")
    raise NothingFoundError(f"{what}: give the page's own address with --url")


def _weighed(scene: Scene, node: NodeId) -> Link | None:
    """Return a link and what speaks for its leading on, None if nothing does."""
    page = scene.page
    if leads(page, node) is Direction.PREVIOUS or _is_off(page, node):
        return None
    where = tuple(place(scene, node))
    if not _leads_elsewhere(scene, node, is_placed=bool(where)):
        return None
    if any(STAGE.search(name) for name in names_around(page, node)):
        return None
    if not (told := tuple(telling(scene, node))):
        return None
    reasons = (*told, *where, *counts(scene, node), *against(scene, node))
    return Link(node, page.attributes[node]["href"].strip(), reasons)


def _best(found: Iterable[Link]) -> Link | None:
    """Return the link that most speaks for, the first of equals, if it is enough."""
    taken = [one for one in found if one.weight >= _ENOUGH]
    return max(taken, key=lambda one: one.weight, default=None)


def _head(scene: Scene) -> Link | None:
    """Return the link of the head, unless the page says otherwise."""
    if any(one.is_last for one in scene.rows):
        return None
    for node in heads_of(scene.page):
        if scene.address(node) in scene.heads:
            href = scene.page.attributes[node]["href"].strip()
            return Link(node, href, (Reason(_ENOUGH, "the head calls it next"),))
    return None


def _is_off(page: Page, node: NodeId) -> bool:
    """Return whether a link, or the item that holds it alone, is marked as
    disabled.
    """
    for one in islice(above(page, node), 2):
        given = page.attributes[one]
        if one != node and page.string(one) != page.string(node):
            return False
        if given.get("aria-disabled") == "true" or "disabled" in given:
            return True
        if not OFF.isdisjoint(token.lower() for token in page.classes(one)):
            return True
    return False


def _leads_elsewhere(scene: Scene, node: NodeId, is_placed: bool) -> bool:
    """Return whether a link leads to another page of the site.

    What a script or a mark does is known in a paginator only.
    """
    href = scene.page.attributes[node]["href"].strip().lower()
    if not href or href.startswith(OTHER_SCHEMES):
        return False
    if href.startswith("#"):
        return is_placed and (href == "#" or bool(re.search(r"pag|\d|^#!", href)))
    if href.startswith("javascript:"):
        return is_placed
    address = scene.address(node)
    if not scene.own:
        return True
    return not is_same_page(address, scene.own) and not is_other_site(
        address, scene.own
    )


def _seen(scene: Scene, older: Link | None, head: Link | None, button: str) -> str:
    """Return what a page has instead of a link that leads on."""
    page, rows = scene.page, scene.rows
    if older:
        return f'a link to older entries, "{page.string(older.node)}"'
    if button:
        return f'a button, "{button}"'
    if any(one.is_last for one in rows):
        return LAST
    if rows and not any(one.current for one in rows):
        hrefs = (
            page.attributes[one]["href"] for row in rows for one in row.pager.links
        )
        if all(href.startswith(SCRIPTED) for href in hrefs):
            return "page numbers that only a script follows"
        return "page numbers, but not which of them the page is: --url may tell"
    for node in page_links(page):
        if leads(page, node) is Direction.PREVIOUS and any(place(scene, node)):
            return LAST
    if head:
        return f"{NO_PAGINATOR}; the head alone calls {head.href} next"
    return NO_PAGINATOR


def _button(scene: Scene) -> str:
    """Return the label of what leads on without an address: the one button that
    shows more on the same page, or one of a paginator for the next page.
    """
    page = scene.page
    further = []
    for node in page.elements():
        if not _is_button(page, node) or _is_off(page, node):
            continue
        label = page.string(node) or page.attributes[node].get("value", "")
        if direction(label) is Direction.MORE:
            further.append(label)
        elif leads(page, node) is Direction.NEXT and any(place(scene, node)):
            return label if re.search(r"\w", label) else Direction.NEXT
    return further[0] if len(further) == 1 else ""


def _is_button(page: Page, node: NodeId) -> bool:
    """Return whether a script alone knows what an element does when it is clicked."""
    tag, given = page.tag[node], page.attributes[node]
    if tag == "a":
        return given.get("href", "#").startswith(SCRIPTED)
    return tag in ("button", "input") or given.get("role") == "button"
