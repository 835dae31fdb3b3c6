"""Recognise columns of former prices, and cells with parts of prices, such as cents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from amber_wrap.analysis.extraction_typing import Attribute
from amber_wrap.analysis.secondary_amounts import is_struck
from amber_wrap.columns.filters import Cell
from amber_wrap.columns.kinds import are_prices
from amber_wrap.dom.page import TEXT
from amber_wrap.selectors.node_tests import squeeze

FORMER_PRICE: Final = "old_price"


def is_part_of(cell: Cell, prices: Iterable[Attribute]) -> bool:
    """Return whether a cell is a part of one of the `prices`, for example the cents."""
    page, text = cell.page, squeeze(cell.text)
    return any(
        one.source == TEXT
        and one.node < cell.node
        and page.contains(one.node, cell.node)
        and text in squeeze(one.text or "")
        for one in prices
    )


def is_former_price(column: Sequence[Cell]) -> bool:
    """Return whether a column holds prices, most of them struck out or labelled as
    former prices."""
    struck = sum(is_struck(one.page, one.node, one.start) for one in column)
    return 2 * struck > len(column) and are_prices([one.text for one in column])
