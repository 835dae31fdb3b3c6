"""Bound the part of a page that is analysed, and thus the time of the analysis.

The budget counts elements and characters, not time. The result is therefore the same on
every machine.
"""

from __future__ import annotations

from typing import Final

from lxml import etree

from amber_wrap.dom.markup import UNSEEN
from amber_wrap.errors import Diagnostic

SAMPLE_BUDGET: Final = 1_200_000
"""The budget of a sample page, in characters: enough for some 6,000 records or more,
and six times the size of the largest page in the corpus."""
_NODE: Final = 10
"""The cost of an element, in characters of text."""


def cut_to_budget(root: etree._Element, budget: int) -> Diagnostic | None:
    """Remove all nodes of a tree after the node at which the budget is spent.

    The budget is in characters of text. An element costs as much as 10 characters.
    Return a warning with the line of the cut, or None if the whole tree is within the
    budget.
    """
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
            f"only the first {budget:,} characters of this page are read (an "
            f"element counts as {_NODE}): the rest is neither learned from nor "
            "checked",
            f"line {one.sourceline}",
        )
    return None
