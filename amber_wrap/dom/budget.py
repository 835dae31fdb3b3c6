"""Bound how much of a page is looked at: induction and checks cost in proportion.

The budget counts nodes and characters and no time, so that a page gives the same result
on every machine.
"""

from __future__ import annotations

from typing import Final

from lxml import etree

from amber_wrap.dom.markup import UNSEEN
from amber_wrap.errors import Diagnostic

SAMPLE_BUDGET: Final = 1_200_000
"""What is looked at of a page: some 6,000 records or more, and six times as much as the
largest page of the corpus holds."""
_NODE: Final = 10
"""What an element costs, in characters of text."""


def cut_to_budget(root: etree._Element, budget: int) -> Diagnostic | None:
    """Remove from a tree what exceeds the budget, in document order, and return a
    finding on where that begins; None if nothing does."""
    left = budget
    for event, one in etree.iterwalk(root, events=("start", "end")):
        is_start = event == "start"
        is_shown = not is_start or one.tag not in UNSEEN
        text = ((one.text if is_start else one.tail) or "").strip() if is_shown else ""
        left -= len(text) + _NODE * is_start
        if left >= 0:
            continue
        if is_start:
            one[:] = []
            one.text, one.tail = text[:left], None
        else:
            one.tail = text[:left]
        for around in (one, *one.iterancestors()):
            if (parent := around.getparent()) is not None:
                del parent[parent.index(around) + 1 :]
            around.tail = around.tail if around is one else None
        return Diagnostic(
            "warning",
            "page-budget",
            f"only the first {budget:,} characters of this page are looked at, an "
            f"element counted as {_NODE}: what follows is neither learned from nor "
            "checked",
            f"line {one.sourceline}",
        )
    return None
