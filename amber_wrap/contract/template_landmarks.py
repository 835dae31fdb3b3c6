"""The frame of a template: what is on each of its pages around the lists."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from amber_wrap.dom.page import NodeId, Page
from amber_wrap.selectors.node_tests import TELLING, NodeTests
from amber_wrap.selectors.robustness_costs import STEM, VETOED
from amber_wrap.wrapper.xpath import Equals, Path, Step

LANDMARKS = ("header", "nav", "form", "input", "footer", "aside", "main")
"""Elements that frames are made of; `div`s come after them."""
_SHARED = frozenset({"rel", "role"})
"""Attributes whose values standards define: they say nothing of a site."""
_MOST = 8


def template_frame(
    pages: Sequence[Page],
    records: Sequence[Iterable[NodeId]],
    vocabulary: NodeTests,
) -> tuple[Path, ...]:
    """Expressions of elements around the lists, on every page; the first in each part
    of the first page, landmarks before others.

    `records` are the elements of the records on each page.
    """
    around = [list(_around(*one)) for one in zip(pages, records, strict=True)]
    landmarks = [
        [node for node in nodes if page.tag[node] in LANDMARKS]
        for page, nodes in zip(pages, around, strict=True)
    ]
    marked = _shared(pages, landmarks, vocabulary)
    if len(marked) >= _MOST:
        return tuple(_spread(marked, _MOST))
    shared = _shared(pages, around, vocabulary)
    others = [one for one in shared if one not in marked]
    chosen = {*marked, *_spread(others, _MOST - len(marked))}
    return tuple(one for one in shared if one in chosen)


def _shared(
    pages: Sequence[Page], nodes: Sequence[Iterable[NodeId]], vocabulary: NodeTests
) -> list[Path]:
    """The expressions of elements of every page, in the order of the first one."""
    found = [
        dict.fromkeys(
            filter(None, (_expression(page, one, vocabulary) for one in some))
        )
        for page, some in zip(pages, nodes, strict=True)
    ]
    return [one for one in found[0] if all(one in there for there in found)]


def _spread(items: Sequence[Path], most: int) -> Iterator[Path]:
    count = min(most, len(items))
    return (items[at * len(items) // count] for at in range(count))


def _around(page: Page, records: Iterable[NodeId]) -> Iterator[NodeId]:
    """Elements neither in a list nor around one, of those that say the same the first.

    What holds a record may be missing on a page that has none.
    """
    around: set[NodeId] = set()
    lists: set[NodeId] = set()
    for record in records:
        lists.add(page.parent[record])
        while record >= 0 and record not in around:
            around.add(record)
            record = page.parent[record]
    known: set[tuple[Sequence[str], ...]] = set()
    node = 0
    while node < len(page):
        if node in lists or page.hidden[node]:
            node += page.size[node]
            continue
        tag, attributes = page.tag[node], page.attributes[node]
        if (attributes or tag in LANDMARKS) and node not in around:
            said = tag, *[one for one in attributes.items() if one[0] in TELLING]
            if said not in known:
                known.add(said)
                yield node
        node += 1


def _expression(page: Page, node: NodeId, vocabulary: NodeTests) -> Path | None:
    """What selects an element by its first lasting mark, if it has one that tells the
    site: not by its tag, nor by what HTML and ARIA call elements on all sites."""
    marks = (
        mark.test
        for mark in vocabulary.own_marks(page, node)
        if mark.family not in {STEM, *VETOED}
    )
    for test in marks:
        if not (isinstance(test, Equals) and test.attribute in _SHARED):
            return Path((Step(page.tag[node], (test,), deep=True),), absolute=True)
    return None
