"""What stands beside the results of a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from amber_wrap.analysis.typing import Record
from amber_wrap.annotate.builtin import HEADINGS
from amber_wrap.annotate.names import WORD
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.embedded.likeness import ALIKE, build, likeness
from amber_wrap.memo import remembered

ASIDES: Final = frozenset(
    "aside nav footer complementary navigation contentinfo dialog modal popup sidebar "
    "menu gnav navbar subnav topnav breadcrumb breadcrumbs "
    "ad ads advert adverts advertisement advertisements".split()
)
"""Tags, roles and class words of what is no result, unless all results are."""
LEAST_SHARE: Final = 0.5
"""The share of the number of results that a list below them must have to be more of
them, if it is headed and built otherwise."""


def is_beside(page: Page, node: NodeId, results: NodeId) -> bool:
    """Whether an element stands under something that results don't stand under."""
    return not asides_above(page, node) <= asides_above(page, results)


def asides_above(page: Page, node: NodeId) -> frozenset[str]:
    """The words for other things than results that an element stands under."""
    return _asides(page)[node]


@remembered
def _asides(page: Page) -> Sequence[frozenset[str]]:
    found: list[frozenset[str]] = []
    for node, parent in enumerate(page.parent):
        above = found[parent] if parent >= 0 else frozenset[str]()
        own = ASIDES & words_of(page, node)
        found.append(above | own if own else above)
    return found


def is_aside(page: Page, node: NodeId) -> bool:
    """Whether an element itself is called by such a word."""
    return not ASIDES.isdisjoint(words_of(page, node))


def is_postscript(
    page: Page, records: Sequence[Record], results: Sequence[Record]
) -> bool:
    """Whether a list follows the results under a heading of its own, is much shorter,
    and no record of it is built like one of theirs: what was viewed lately, what others
    bought.
    """
    first = records[0].start
    last = results[-1].nodes[-1]
    return (
        len(records) < LEAST_SHARE * len(results)
        and any(
            _heads(page, node, first) for node in range(last + page.size[last], first)
        )
        and not _is_built_alike(page, records, results)
    )


def _heads(page: Page, node: NodeId, first: NodeId) -> bool:
    """Whether an element before a record is a heading, or a box around it with a
    label."""
    if page.is_text(node):
        return False
    attributes = page.attributes[node]
    if page.contains(node, first):
        return bool(attributes.get("aria-label", "").strip())
    is_heading = page.tag[node] in HEADINGS or attributes.get("role") == "heading"
    return is_heading and page.text_length(node) > 0


def _is_built_alike(
    page: Page, records: Sequence[Record], results: Sequence[Record]
) -> bool:
    """Whether some record is made of about the same elements as a result."""
    known = [build(page.element_of(one)) for one in _cores(page, results)]
    return any(
        likeness(build(page.element_of(one)), known) >= ALIKE
        for one in _cores(page, records)
    )


def _cores(page: Page, records: Sequence[Record]) -> set[NodeId]:
    """The starts of records, without the boxes around all that they hold."""
    found = set()
    for record in records:
        node = record.start
        while len(children := page.child_elements(node)) == 1:
            [node] = children
        found.add(node)
    return found


@remembered
def words_of(page: Page, node: NodeId) -> frozenset[str]:
    """An element's tag, and the words of its class, id and role."""
    attributes = page.attributes[node]
    named = " ".join(attributes.get(name, "") for name in ("class", "id", "role"))
    return frozenset((page.tag[node], *map(str.lower, WORD.findall(named))))
