"""Describe the look and position of each element of a page, for comparison."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from amber_wrap.analysis.candidates import common_marks, find_header_rows, tag_paths
from amber_wrap.dom.page import NodeId, Page


@dataclass(frozen=True, slots=True)
class Looks:
    """The looks of the elements of a page.

    `marks` are the marks of each node that another element of its tag has, too, and
    `bearers` the number of elements with a text for each tag and mark. For each node
    `paths` has a number that stands for the tags above it, and `places` one for its
    look and its parent's tag. `headers` are the header rows.
    """

    marks: Sequence[frozenset[str]]
    bearers: Mapping[tuple[str, str], int]
    paths: Sequence[int]
    places: Sequence[int]
    headers: Collection[NodeId]


def page_looks(page: Page) -> Looks:
    """Return the looks of the elements of a page."""
    marks = common_marks(page)
    bearers = Counter(
        (page.tag[node], mark)
        for node in page.elements()
        if page.text_length(node)
        for mark in marks[node]
    )
    places = _places(page, marks)
    return Looks(marks, bearers, tag_paths(page), places, find_header_rows(page))


def _places(page: Page, marks: Sequence[frozenset[str]]) -> Sequence[int]:
    numbers: dict[tuple[str, frozenset[str], str], int] = {}
    found = [-1] * len(page)
    for node in page.elements():
        parent = page.parent[node]
        key = (page.tag[node], marks[node], page.tag[parent] if parent >= 0 else "")
        found[node] = numbers.setdefault(key, len(numbers))
    return found
