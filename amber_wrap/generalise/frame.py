"""The frame of a template: what is on each of its pages around the lists."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from amber_wrap.dom.page import NodeId, Page
from amber_wrap.generalise.preferences import STEM, VETOED
from amber_wrap.generalise.vocabulary import Vocabulary
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
    node = 0
    while node < len(page):
        if node in lists or (not page.is_text(node) and page.is_hidden(node)):
            node += page.size[node]
            continue
        if node not in around and not page.is_text(node):
            tag = page.tag[node]
            marks = (
                (mark.test,)
                for mark in vocabulary.own_marks(page, node)
                if mark.family not in {STEM, *VETOED}
            )
            tests = next(marks, ())
            if tests or tag in LANDMARKS:
                path = Path((Step(tag, tests, deep=True),), absolute=True)
                yield str(path), tag in LANDMARKS
        node += 1
