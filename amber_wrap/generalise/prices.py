"""Prices beside the one that a record is found by: its parts, and what it was."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from amber_wrap.analysis.typing import Attribute
from amber_wrap.annotate.names import words_of
from amber_wrap.dom.page import TEXT, NodeId, Page
from amber_wrap.embedded.values import money
from amber_wrap.generalise.vocabulary import squeeze
from amber_wrap.generalise.worth import Cell

FORMER_PRICE: Final = "old_price"
STRUCK: Final = frozenset({"del", "s", "strike"})
"""Tags of what is struck out."""
STRUCK_CLASS: Final = "line-through"
FORMER: Final = frozenset(
    "old was former before previous original regular strike striked strikethrough "
    "crossed rrp uvp msrp".split()
)
"""Words of classes of what a price was."""
SAVED: Final = frozenset("save saved saving savings discount off".split())
"""Words of classes of what is saved."""
NEARLY_ALL: Final = 0.9
"""The share of a column's texts that must be prices."""


def is_part_of(cell: Cell, prices: Iterable[Attribute]) -> bool:
    """Whether a cell is a part of one of the prices of its record: the cents."""
    page, said = cell.page, squeeze(cell.text)
    return any(
        one.source == TEXT
        and one.node < cell.node
        and page.contains(one.node, cell.node)
        and said in squeeze(one.text or "")
        for one in prices
    )


def is_former_price(column: Sequence[Cell]) -> bool:
    """Whether the texts of a column are prices, and struck out or called former."""
    struck = sum(_is_struck(one.page, one.node, one.start) for one in column)
    return 2 * struck > len(column) and sum(
        _is_price(one.text) for one in column
    ) >= NEARLY_ALL * len(column)


def _is_price(text: str) -> bool:
    amount, currency, _ = money(text)
    return amount is not None and currency is not None


def _is_struck(page: Page, node: NodeId, start: NodeId) -> bool:
    """Whether an element is struck out, or one around it with nothing else in it."""
    length = page.text_length(node)
    while node > start and page.text_length(node) == length:
        classes = page.classes(node)
        if page.tag[node] in STRUCK or STRUCK_CLASS in classes:
            return True
        words = frozenset().union(*map(words_of, classes))
        if words & FORMER:
            return not words & SAVED
        node = page.parent[node]
    return False
