"""Collect the evidence for and against a link as the link to the next page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from amber_wrap.analysis.pagination.address_counters import page_number, step
from amber_wrap.analysis.pagination.labels import (
    Direction,
    arrow,
    class_direction,
    direction,
    icon_direction,
)
from amber_wrap.analysis.pagination.page_facts import (
    Scene,
    direction_of_words,
    link_names,
    names_around,
    rel,
)
from amber_wrap.analysis.pagination.thresholds import PAGING
from amber_wrap.dom.page import NodeId

_WORDS: Final = {
    Direction.NEXT: 3,
    Direction.OLDER: 3,
    Direction.ONWARD: 2,
    Direction.NEWER: 2,
    Direction.MORE: 1,
    Direction.FURTHER: 1,
}
"""The weight of each direction that the words of a link name. "Continue" and "newer"
have low weights, because links to other pages may have the words, too."""
BOX: Final = re.compile(
    r"pagina|pager|paging|pagenav|pagelink|pagenum|pagebar|seitennav"
)
"""Class tokens and ids of paginators, without hyphens."""
NEIGHBOURS: Final = re.compile(
    r"postnav|articlenav|singlenav|navsingle|entrynav|storynav|adjacent|nextpost(?!s)"
)
"""Class tokens and ids around links to the previous and next article, without
hyphens.
"""


@dataclass(frozen=True, slots=True)
class Reason:
    """A piece of evidence about a link.

    `weight` is negative if the evidence is against the link. `words` describe the
    evidence to users.
    """

    weight: int
    words: str

    def __str__(self) -> str:
        return self.words


def own_evidence(scene: Scene, node: NodeId) -> Iterator[Reason]:
    """Yield the evidence in a link's words, markup and page number that the link leads
    to the next page.
    """
    yield from _words(scene, node)
    yield from _markup(scene, node)
    yield from _number(scene, node)


def position_evidence(scene: Scene, node: NodeId) -> Iterator[Reason]:
    """Yield the evidence that a link is in a paginator."""
    page = scene.page
    rows = [one.pager for one in scene.rows]
    is_number = any(node in one.links for one in rows)
    if not is_number and any(page.contains(one.box, node) for one in rows):
        yield Reason(1, "the link is next to page numbers")
    if any(BOX.search(name) for name in names_around(page, node)):
        yield Reason(1, "the link is in a paginator")
    elif is_number:
        yield Reason(1, "the link is a page number")


def address_evidence(scene: Scene, node: NodeId) -> Iterator[Reason]:
    """Yield the evidence that a link's address leads to a later page.

    The evidence is a counter in the address, for example `page=3` after `page=2`.
    """
    address = scene.address(node)
    if scene.own and (found := step(scene.own, address)):
        yield Reason(found.weight, f"the address counts up: {found.reason}")
    elif (number := page_number(address)) and number > (page_number(scene.own) or 1):
        yield Reason(1, f"the address has page number {number}")


def counter_evidence(scene: Scene, node: NodeId) -> Iterator[Reason]:
    """Yield the evidence against a link that leads to another article.

    The evidence is that the page is an article, or that a class token, id or ARIA label
    around the link names a neighbouring article, for example `post-nav`.
    """
    if scene.is_article:
        yield Reason(-2, "the page is an article")
    elif any(NEIGHBOURS.search(name) for name in names_around(scene.page, node)):
        yield Reason(-2, "the link leads to another article")


def _words(scene: Scene, node: NodeId) -> Iterator[Reason]:
    """Yield the evidence that a link's words or arrow name the next page."""
    shown, kind = scene.page.string(node), direction_of_words(scene.page, node)
    is_common = bool(direction(shown)) and len(scene.hrefs[shown]) > PAGING.paginators
    if kind and not is_common:
        words = (
            f'the link text is "{shown}"'
            if direction(shown)
            else f"the link label means {kind}"
        )
        yield Reason(_WORDS[kind], words)
    elif arrow(shown) is Direction.NEXT:
        yield Reason(1, f"the link text is an arrow, {shown}")


def _markup(scene: Scene, node: NodeId) -> Iterator[Reason]:
    """Yield the evidence that the markup calls a link the next page.

    The evidence is `rel=next`, `<link rel=next>` in the page's head, a class token or
    an icon.
    """
    page = scene.page
    shown = page.string(node)
    # Links to the next article have `rel=next`, too, and its title as their text.
    has_letters = bool(re.search(r"[^\W\d_]", shown))
    is_titled = has_letters and not direction(shown)
    if "next" in rel(page, node):
        yield Reason(1 if is_titled else 3, "the link has rel=next")
    elif scene.address(node) in scene.heads:
        yield Reason(1 if is_titled else 3, "<link rel=next> has the same address")
    names = list(link_names(page, node))
    if class_direction(names) in (Direction.NEXT, Direction.OLDER):
        yield Reason(1, "the class or id means next")
    if icon_direction(names) is Direction.NEXT:
        yield Reason(1, "the icon is a forward arrow")


def _number(scene: Scene, node: NodeId) -> Iterator[Reason]:
    """Yield the evidence in rows of page numbers that a link leads to the next page."""
    given = scene.page.attributes
    for _, current, following in scene.rows:
        if current is None or following is None or following.link is None:
            continue
        is_alike = given[node]["href"] == given[following.link]["href"] != "#"
        if node == following.link or is_alike:
            words = f"page {following.shown} follows the current page {current.shown}"
            yield Reason(3, words)
            return
