"""Recognise prices that are struck out or called former prices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from amber_wrap.analysis.secondary_amounts import is_called_former, is_struck
from amber_wrap.columns.cells import Cell
from amber_wrap.columns.value_kinds import are_prices

FORMER_PRICE: Final = "old_price"
"""The name of a column of former prices."""


def is_former_price(column: Sequence[Cell]) -> bool:
    """Return whether most texts of a column are former prices.

    A former price is struck out, or has a label such as "was".
    """
    if not are_prices([cell.text for cell in column]):
        return False
    former = sum(
        is_struck(cell.page, cell.node, cell.start)
        or is_called_former(cell.page, cell.node)
        for cell in column
    )
    return 2 * former > len(column)
