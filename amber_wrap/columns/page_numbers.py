"""Recognise page numbers within records, such as links to the pages of a long
discussion.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from amber_wrap.columns.cells import Cell
from amber_wrap.dom.page import NodeId

_NUMBER: Final = re.compile(r"\d{1,5}")
"""A regular expression for the number of a page, as the whole text of a link."""


def are_page_numbers(column: Sequence[Cell]) -> bool:
    """Return whether a column holds links to the numbered pages that a record consists
    of.

    In at least half of the records, a link beside the number must show the next lower
    or higher number.
    """
    if not all(_NUMBER.fullmatch(cell.text) for cell in column):
        return False
    return 2 * sum(map(_is_in_row, column)) >= len(column)


def _is_in_row(cell: Cell) -> bool:
    """Return whether a link and a link beside it show consecutive page numbers.

    Their addresses may differ only in numbers or by an ending, as `/talk/5` and
    `/talk/5?page=2` do.
    """
    page = cell.page
    for link in _number_beside(cell):
        step = 1 if link > cell.node else -1
        addresses = [
            page.attributes[node].get("href", "") for node in (cell.node, link)
        ]
        kinds = sorted((re.sub(r"\d+", "0", it) for it in addresses), key=len)
        is_same_kind = len(set(addresses)) > 1 and kinds[1].startswith(kinds[0])
        return is_same_kind and int(page.string(link)) - int(cell.text) == step
    return False


def _number_beside(cell: Cell) -> Iterator[NodeId]:
    """Yield the link behind a given link if it shows a number, or else the link before.

    Yield nothing if neither shows a number.
    """
    page, link = cell.page, cell.node
    parent = page.parent[link]
    boxes = [box for box in (page.parent[parent], parent) if box >= cell.start]
    if page.tag[link] != "a" or not boxes:
        return
    links = [node for node in page.elements(boxes[0]) if page.tag[node] == "a"]
    index = links.index(link)
    for neighbour in (*links[index + 1 : index + 2], *links[:index][-1:]):
        if _NUMBER.fullmatch(page.string(neighbour)):
            yield neighbour
            return
