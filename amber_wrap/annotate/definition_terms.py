"""Find the terms of definition lists, and other labels beside values."""

from __future__ import annotations

from amber_wrap.annotate.labels_and_titles import is_label
from amber_wrap.annotate.table_headers import header_above
from amber_wrap.annotate.thresholds import ANNOTATION
from amber_wrap.dom.page import NodeId, Page

LABELLED = frozenset({"dd", "td"})
"""Tags of cells that may have a label before or above the cell."""


def label_beside(page: Page, node: NodeId) -> str:
    """Return the label of a `td` or `dd`, or "" if there is none.

    It is the text of the `th` or `dt` directly before the cell, or else of the column
    header.
    """
    if page.tag[node] not in LABELLED:
        return ""
    term = _term_directly_before(page, node)
    label = page.string(term) if term >= 0 else header_above(page, node)
    return label if is_label(label) else ""


def term_before(page: Page, node: NodeId) -> str:
    """Return the text of the `dt` or `th` that a table cell or `dd` belongs to.

    Return "" if there is none, or if the text is too long for a label.
    """
    term = node
    while page.tag[term] == "dd" and (previous := page.previous(term)) >= 0:
        term = previous
    if page.tag[term] != "dt":
        term = _term_directly_before(page, node)
    label = page.string(term) if term >= 0 else ""
    return label if len(label) <= ANNOTATION.longest_header else ""


def _term_directly_before(page: Page, node: NodeId) -> NodeId:
    """Return the `th` or `dt` directly before a cell, or -1 if there is none."""
    before = page.previous(node)
    return before if before >= 0 and page.tag[before] in ("dt", "th") else -1
