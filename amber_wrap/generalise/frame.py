"""The frame of a template: what is on each of its pages around the lists."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from amber_wrap.dom.page import NodeId, Page
from amber_wrap.generalise.preferences import STEM, VETOED
from amber_wrap.generalise.vocabulary import TELLING, Vocabulary
from amber_wrap.wrapper.xpath import Path, Step

LANDMARKS = ("header", "nav", "form", "input", "footer", "aside", "main")
"""Elements that frames are made of; `div`s come after them."""
MOST = 8


def frame(
    pages: Sequence[Page],
    records: Sequence[Iterable[NodeId]],
    vocabulary: Vocabulary,
) -> tuple[str, ...]:
    """Expressions of elements around the lists, on every page; the first in each part
    of the first page, landmarks before others.

    `records` are the elements of the records on each page.
    """
    shared: dict[str, bool] = dict(_expressions(pages[0], records[0], vocabulary))
    for page, held in zip(pages[1:], records[1:], strict=True):
        there = dict(_expressions(page, held, vocabulary))
        shared = {one: mark for one, mark in shared.items() if one in there}
    marked = [one for one, is_landmark in shared.items() if is_landmark]
    others = [one for one, is_landmark in shared.items() if not is_landmark]
    chosen = {*_spread(marked, MOST)}
    chosen |= {*_spread(others, MOST - len(chosen))}
    return tuple(one for one in shared if one in chosen)


def _spread(items: Sequence[str], most: int) -> Iterator[str]:
    count = min(most, len(items))
    return (items[at * len(items) // count] for at in range(count))


def _expressions(
    page: Page, records: Iterable[NodeId], vocabulary: Vocabulary
) -> Iterator[tuple[str, bool]]:
    """Expressions of elements neither in a list nor around one; whether of landmarks.

    What holds a record may be missing on a page that has none.
    """
    around: set[NodeId] = set()
    lists: set[NodeId] = set()
    for record in records:
        lists.add(page.parent[record])
        while record >= 0 and record not in around:
            around.add(record)
            record = page.parent[record]
    known: dict[tuple[str | None, ...], str] = {}
    node = 0
    while node < len(page):
        if node in lists or (not page.is_text(node) and page.is_hidden(node)):
            node += page.size[node]
            continue
        tag, attributes = page.tag[node], page.attributes[node]
        if node not in around and (attributes or tag in LANDMARKS):
            said = tag, *map(attributes.get, TELLING)
            if said not in known:
                known[said] = _expression(page, node, vocabulary)
            if known[said]:
                yield known[said], tag in LANDMARKS
        node += 1


def _expression(page: Page, node: NodeId, vocabulary: Vocabulary) -> str:
    """What selects an element by its first lasting mark, or a landmark; else ""."""
    tag = page.tag[node]
    marks = (
        (mark.test,)
        for mark in vocabulary.own_marks(page, node)
        if mark.family not in {STEM, *VETOED}
    )
    tests = next(marks, ())
    is_told = tests or tag in LANDMARKS
    return str(Path((Step(tag, tests, deep=True),), absolute=True)) if is_told else ""
