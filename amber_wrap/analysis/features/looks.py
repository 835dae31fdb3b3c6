"""Describe each element of a page by its tag, class tokens and position, for
comparison.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from amber_wrap.analysis.candidates import common_marks, find_header_rows, tag_paths
from amber_wrap.dom.page import NodeId, Page


@dataclass(frozen=True, slots=True)
class Looks:
    """The tags, class tokens and positions by which elements of a page are compared.

    A mark is a class token or a naming attribute, such as `.price` or
    `[itemprop=price]`. `marks` has for each node the marks that another element of the
    same tag has, too. `bearers` has for each pair of a tag and a mark the number of
    elements with the tag, the mark and a text. `paths` has a number for the tag path of
    each node. `places` has for each node a number for the combination of tag, marks and
    parent's tag. `headers` are the header rows.
    """

    marks: Sequence[frozenset[str]]
    bearers: Mapping[tuple[str, str], int]
    paths: Sequence[int]
    places: Sequence[int]
    headers: Collection[NodeId]


def page_looks(page: Page) -> Looks:
    """Return the tags, class tokens and positions by which elements of a page are
    compared.
    """
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
