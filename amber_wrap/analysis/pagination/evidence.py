"""What speaks for a link's leading to the next page, and what against it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from amber_wrap.analysis.pagination.counters import counted, step
from amber_wrap.analysis.pagination.labels import (
    Direction,
    arrow,
    class_direction,
    direction,
    icon_direction,
)
from amber_wrap.analysis.pagination.scene import (
    FEW,
    Scene,
    link_names,
    names_around,
    rel,
    said,
)
from amber_wrap.dom.page import NodeId

_WORDS: Final = {
    Direction.NEXT: 3,
    Direction.OLDER: 3,
    Direction.MORE: 1,
    Direction.FURTHER: 1,
}
DOUBTFUL: Final = 2
"""What words weigh: "continue" and "newer" are said of other things, too."""
BOX: Final = re.compile(
    r"pagina|pager|paging|pagenav|pagelink|pagenum|pagebar|seitennav"
)
NEIGHBOURS: Final = re.compile(
    r"postnav|articlenav|singlenav|navsingle|entrynav|storynav|adjacent|nextpost(?!s)"
)
"""Names, without hyphens, of what paginators are in, and the links to the article
before and after."""


@dataclass(frozen=True, slots=True)
class Reason:
    """One piece of evidence: its weight, and the words for it."""

    weight: int
    words: str

    def __str__(self) -> str:
        return self.words


def telling(scene: Scene, node: NodeId) -> Iterator[Reason]:
    """Yield what says by itself that a link leads on."""
    yield from _words(scene, node)
    yield from _markup(scene, node)
    yield from _number(scene, node)


def place(scene: Scene, node: NodeId) -> Iterator[Reason]:
    """Yield whether a link stands where paginators do."""
    page = scene.page
    rows = [one.pager for one in scene.rows]
    is_number = any(node in one.links for one in rows)
    if not is_number and any(page.contains(one.box, node) for one in rows):
        yield Reason(1, "it stands beside page numbers")
    if any(BOX.search(name) for name in names_around(page, node)):
        yield Reason(1, "it stands in a pager")
    elif is_number:
        yield Reason(1, "it is a page number")


def counts(scene: Scene, node: NodeId) -> Iterator[Reason]:
    """Yield what the address of a link counts."""
    address = scene.address(node)
    if scene.own and (found := step(scene.own, address)):
        yield Reason(found.weight, f"its address goes on: {found.reason}")
    elif (number := counted(address)) and number > (counted(scene.own) or 1):
        yield Reason(1, f"its address is of page {number}")


def against(scene: Scene, node: NodeId) -> Iterator[Reason]:
    """Yield what says that a link leads to another article."""
    if scene.is_article:
        yield Reason(-2, "the page is an article")
    elif any(NEIGHBOURS.search(name) for name in names_around(scene.page, node)):
        yield Reason(-2, "it leads to another article")


def _words(scene: Scene, node: NodeId) -> Iterator[Reason]:
    """Yield what a link shows: words, or an arrow."""
    shown, kind = scene.page.string(node), said(scene.page, node)
    is_common = bool(direction(shown)) and len(scene.hrefs[shown]) > FEW
    if kind and not is_common:
        words = f'it says "{shown}"' if direction(shown) else f"its label says {kind}"
        yield Reason(_WORDS.get(kind, DOUBTFUL), words)
    elif arrow(shown) is Direction.NEXT:
        yield Reason(1, f"it shows an arrow, {shown}")


def _markup(scene: Scene, node: NodeId) -> Iterator[Reason]:
    """Yield what the markup calls a link: by rel, in the head, by names, by an
    icon.
    """
    page = scene.page
    shown = page.string(node)
    # The article after this one is called next, too, by its title.
    has_letters = bool(re.search(r"[^\W\d_]", shown))
    is_titled = has_letters and not direction(shown)
    if "next" in rel(page, node):
        yield Reason(1 if is_titled else 3, "it is marked rel=next")
    elif scene.address(node) in scene.heads:
        yield Reason(1 if is_titled else 3, "the head calls its address next")
    names = list(link_names(page, node))
    if class_direction(names) in (Direction.NEXT, Direction.OLDER):
        yield Reason(1, "its class says next")
    if icon_direction(names) is Direction.NEXT:
        yield Reason(1, "its icon points on")


def _number(scene: Scene, node: NodeId) -> Iterator[Reason]:
    """Yield whether a link leads where the number after the current one does."""
    given = scene.page.attributes
    for _, current, following in scene.rows:
        if current is None or following is None or following.link is None:
            continue
        is_alike = given[node]["href"] == given[following.link]["href"] != "#"
        if node == following.link or is_alike:
            words = f"page {following.shown} follows {current.shown}, which is shown"
            yield Reason(3, words)
            return
