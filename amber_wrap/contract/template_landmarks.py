"""Find landmark elements of a template: elements around the lists that all
pages have.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from amber_wrap.contract.thresholds import CONTRACT
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.selectors.node_tests import TESTED_ATTRIBUTES, NodeTests
from amber_wrap.selectors.robustness_costs import STEM, VETOED
from amber_wrap.wrapper.xpath import Equals, Path, Step

LANDMARKS = ("header", "nav", "form", "input", "footer", "aside", "main")
"""HTML tags of frame elements; `div`s come after these."""
_SHARED = frozenset({"rel", "role"})
"""HTML attributes whose values standards define, so that they don't identify a site."""


def template_frame(
    pages: Sequence[Page],
    records: Sequence[Iterable[NodeId]],
    vocabulary: NodeTests,
) -> tuple[Path, ...]:
    """Return expressions for elements around the lists that all pages have, in the
    order of the first page.

    They show that another page is of the template. Elements with a tag in `LANDMARKS`
    are preferred. If there are more than `CONTRACT.frame` elements, a selection is
    returned that is spread evenly over the page. `records` are the elements of the
    records on each page.
    """
    around = [list(_around(*one)) for one in zip(pages, records, strict=True)]
    landmarks = [
        [node for node in nodes if page.tag[node] in LANDMARKS]
        for page, nodes in zip(pages, around, strict=True)
    ]
    marked = _shared(pages, landmarks, vocabulary)
    if len(marked) >= CONTRACT.frame:
        return tuple(_spread(marked, CONTRACT.frame))
    shared = _shared(pages, around, vocabulary)
    others = [one for one in shared if one not in marked]
    chosen = {*marked, *_spread(others, CONTRACT.frame - len(marked))}
    return tuple(one for one in shared if one in chosen)


def _shared(
    pages: Sequence[Page], nodes: Sequence[Iterable[NodeId]], vocabulary: NodeTests
) -> list[Path]:
    """Return expressions that select one of the given elements on every page.

    They are in the order of the elements on the first page. `nodes` are the elements of
    each page.
    """
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
    """Yield the elements of a page that are outside of the lists and contain no list.

    Elements that contain records are left out, because they may be missing on a page
    without records. Of elements with equal tags and tested attributes only the first is
    yielded. Elements without attributes are yielded only if their tag is in
    `LANDMARKS`.
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
            look = (
                tag,
                *[one for one in attributes.items() if one[0] in TESTED_ATTRIBUTES],
            )
            if look not in known:
                known.add(look)
                yield node
        node += 1


def _expression(page: Page, node: NodeId, vocabulary: NodeTests) -> Path | None:
    """Return an expression that selects an element by its first stable id, class or
    other attribute.

    Return None if it has no such attribute. Names that HTML and ARIA define for all
    websites, such as values of `role`, don't count.
    """
    marks = (
        mark.test
        for mark in vocabulary.own_marks(page, node)
        if mark.family not in {STEM, *VETOED}
    )
    for test in marks:
        if not (isinstance(test, Equals) and test.attribute in _SHARED):
            return Path((Step(page.tag[node], (test,), deep=True),), absolute=True)
    return None
