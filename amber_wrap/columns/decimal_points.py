"""Distinguish decimals such as "8.814" from whole numbers with separated thousands.

The full stop in "8.814" is a decimal point if the same records have numbers such as
"416 066", with another separator of thousands.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from amber_wrap.columns.cells import Cell
from amber_wrap.columns.value_kinds import ColumnForm
from amber_wrap.dom.page import TEXT
from amber_wrap.domain.schema import ValueKind

_THREE_DECIMALS: Final = re.compile(r"(?<![\d.,])\d{1,3}\.\d{3}(?![\d.,])")
"""A regular expression for a number such as "8.814", which may also be 8814."""
_THOUSANDS: Final = re.compile(r"\(?[1-9]\d{0,2}[\s'’]\d{3}\)?")
"""A regular expression for a number with separated thousands, such as "(416 066)".
Longer numbers don't match, since they may be telephone numbers. Numbers with commas
don't match, either."""


def with_decimal_points(form: ColumnForm, column: Sequence[Cell]) -> ColumnForm:
    """Return the kind and pattern of a column's values, changed from whole numbers to
    decimals if necessary.

    Decimals are necessary if all texts have a number such as "8.814". Most of the
    records must also show a number such as "416 066".
    """
    if form.kind is not ValueKind.COUNT:
        return form
    if not all(_THREE_DECIMALS.search(cell.text) for cell in column):
        return form
    has_thousands = sum(_shows_thousands(cell) for cell in column)
    is_decimal = 2 * has_thousands > len(column)
    return form._replace(kind=ValueKind.NUMBER) if is_decimal else form


def _shows_thousands(cell: Cell) -> bool:
    """Return whether the record of a text has an element with a number such as "416
    066"."""
    return any(
        _THOUSANDS.fullmatch(cell.page.source_text(node, TEXT).strip())
        for node in cell.page.elements(cell.start)
    )
