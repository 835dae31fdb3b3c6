"""Recognise page numbers within records, such as the pages of a long discussion."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from amber_wrap.columns.cells import Cell

_NUMBER: Final = re.compile(r"\d{1,5}")
"""A regular expression for a page number."""


def are_page_numbers(column: Sequence[Cell]) -> bool:
    """Return whether a column holds links to the further pages of each record.

    The texts must be whole numbers. In at least half of the records, the link before or
    behind the number must show the next lower or the next higher number.
    """
    if not all(_NUMBER.fullmatch(cell.text) for cell in column):
        return False
    in_row = sum(
        abs(int(cell.text) - number) == 1
        for cell in column
        for number in _numbers_beside(cell)
    )
    return 2 * in_row >= len(column)


def _numbers_beside(cell: Cell) -> Iterator[int]:
    """Yield the number behind a cell's link, or else the number before it.

    Yield nothing if the cell is no link, or if its neighbours show no whole number. The
    links may be the children of one element, or of its children.
    """
    page, link = cell.page, cell.node
    parent = page.parent[link]
    boxes = [box for box in (page.parent[parent], parent) if box >= cell.start]
    if page.tag[link] != "a" or not boxes:
        return
    links = [node for node in page.elements(boxes[0]) if page.tag[node] == "a"]
    index = links.index(link)
    for neighbour in (*links[index + 1 : index + 2], *links[:index][-1:]):
        if number := _NUMBER.fullmatch(page.string(neighbour)):
            yield int(number[0])
            return
